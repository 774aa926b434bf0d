"""Which holes did this kernel once have? Each has a named test, so that none comes back."""

from corollary.spec.kernel.limits import DRAIN_LIMIT, DRAIN_RESERVE, MESSAGES_PER_EPOCH
from corollary.spec.kernel.ring import effective_ring
from corollary.spec.kernel.vocabulary import Ring
from tests.model.world import (
    ALL_RIGHTS,
    DRAIN_PAGE,
    FIRST_DATA,
    FIRST_FREE,
    ROOT,
    SELF,
    SLOT_LOG,
    SLOT_OWN,
    SLOT_PROOF_ROOTS,
    SLOT_SCHEDULER,
    SLOT_TRUST,
    PageKind,
    Status,
    World,
    region_of,
)

ELEVATE_WITH = 5  # the slot in which a partition holds its attestation


def full_world():
    """Return a log in which the root partition has used up its share."""
    w = World()
    w.spawn(1)
    w.own().quota = w.own().records
    return w


def drained(w, p):
    """Empty the log of a partition's records."""
    while w.own(p).records:
        w.drain()


def test_failing_drains_do_not_use_up_the_reserve():
    w = full_world()
    for _ in range(DRAIN_RESERVE):
        assert w.call("witness_read", SLOT_LOG, ROOT, 0) == Status.WITNESS_FULL
        assert w.call("witness_discard", SLOT_LOG, DRAIN_LIMIT - 1) == Status.WITNESS_FULL
    assert w.drain() == DRAIN_LIMIT


def test_drains_beyond_the_rate_do_not_use_up_the_reserve():
    w = full_world()
    w.own().messages.used, w.own().messages.began = MESSAGES_PER_EPOCH, w.now
    for _ in range(2 * DRAIN_RESERVE):
        assert w.call("witness_read", SLOT_LOG, DRAIN_PAGE, 0, now=w.now) == Status.WITNESS_FULL
    assert w.drain() == DRAIN_LIMIT


def test_a_capability_on_a_reclaimed_partition_can_be_deleted():
    w = World()
    handle = w.spawn(1)
    w.end(handle, 1)
    drained(w, 1)
    w.must("partition_reclaim", handle)
    assert w.call("capability_inspect", handle) == Status.WRONG_OBJECT
    assert w.call("capability_delete", handle) == Status.OK


def test_a_revoked_capability_can_be_deleted_and_its_slot_used_again():
    w = World()
    revoked = w.must("capability_grant", SLOT_LOG, 50, ALL_RIGHTS, SELF, 0)
    w.must("capability_revoke", SLOT_LOG)
    assert w.call("capability_inspect", revoked) == Status.REVOKED
    assert w.call("capability_delete", revoked) == Status.OK
    assert w.must("capability_grant", SLOT_LOG, 50, ALL_RIGHTS, SELF, 0) != revoked


def test_a_share_does_not_pass_to_the_successor_of_its_reader():
    w = World()
    handle = w.spawn(1)
    w.must("page_share", SLOT_OWN, FIRST_DATA, 1, handle)
    w.end(handle, 1)
    drained(w, 1)
    w.must("partition_reclaim", handle)
    successor = w.must("partition_create", SLOT_SCHEDULER, 1, 40, 100)
    w.must("page_create", region_of(300), 300, PageKind.TABLE_3, successor)
    assert w.call("share_map", successor, FIRST_DATA, 1, 300, 0) == Status.NOT_SHARED


def test_nobody_gives_a_score_above_its_own():
    w = World()
    w.spawn(1, 700_000, False)
    w.spawn(2, 0)
    w.give(w.handle(32), 1, 3)
    w.give(SLOT_TRUST, 1, 4)
    assert w.run(1).call("ring_assign", 4, 3, 700_001, 0) == Status.INSUFFICIENT_TRUST


def test_demotion_ends_an_elevation():
    w = World()
    w.spawn(2, 900_000, False)
    w.give(SLOT_PROOF_ROOTS, 2, ELEVATE_WITH)
    w.run(2).must("ring_elevate", 0, 1, 0, ELEVATE_WITH)
    w.run(ROOT).must("ring_demote", w.handle(32), 0)
    assert effective_ring(w.s, 2, w.now) == Ring.SANDBOX


def test_nothing_leaves_a_destroyed_partition_but_as_zeros():
    w = World()
    handle = w.spawn(1)
    w.page(1, 300)
    assert w.proved("partition_destroy", handle) == Status.OK
    assert w.call("page_transfer", handle, 300, SELF) == Status.NOT_OWNER
    assert w.call("page_share", handle, 300, 1, SLOT_OWN) == Status.NOT_OWNER


def test_a_share_that_was_not_mapped_ends_with_its_owner():
    w = World()
    owner, reader = w.spawn(1), w.spawn(2)
    w.data(1, FIRST_FREE + 100)
    w.must("page_share", owner, FIRST_FREE + 100, 1, reader)
    assert w.proved("partition_destroy", owner) == Status.OK
    assert w.call("share_map", reader, FIRST_FREE + 100, 1, FIRST_FREE + 32 + 2, 9) == Status.NOT_SHARED


def test_append_pages_are_only_read():
    w = World()
    w.page(ROOT, 300, PageKind.APPEND)
    for access in (2, 3, 4, 5):
        assert w.call("page_map", SLOT_OWN, 300, 2, 100, access) == Status.WRONG_PAGE_KIND
    assert w.call("page_map", SLOT_OWN, 300, 2, 100, 1) == Status.OK
