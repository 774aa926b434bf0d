"""What happens to a partition whose creator ends, and how much may a partition's descendants use up?"""

import pytest

from corollary.spec.kernel.capability import live
from corollary.spec.kernel.edge import edge_exists
from corollary.spec.kernel.limits import LEAST_SHARE, ROOT_QUOTA, SHARES, SLOT_BITS
from corollary.spec.kernel.ring import effective_ring
from corollary.spec.kernel.vocabulary import PartitionState, Ring
from tests.model.world import FIRST_FREE, ROOT, SLOT_LOG, SLOT_SCHEDULER, Allowance, Right, Status, World, region_of

PARENT, CHILD, STRANGER = 1, 2, 3
OF_CHILD = 32  # the creator's slot with the command over the child
SCHEDULER, REGION, EDGE = 2, 3, 7
PAGE = FIRST_FREE + 100


def descent(score=1_000_000):
    """Return a world with four partitions.

    Root created 1 and 3, both with the scheduler and a region; 1 created 2. Partition 2 runs, with a page of its own.
    """
    w = World()
    for p in (PARENT, STRANGER):
        w.spawn(p, score)
        w.give(SLOT_SCHEDULER, p, SCHEDULER)
        w.give(region_of(PAGE), p, REGION)
        w.endow(p, partitions=5, edges=2)
    w.run(PARENT).must("partition_create", SCHEDULER, CHILD, OF_CHILD, 20)
    return w.run(ROOT)


def ended(w):
    """Let root end the parent completely."""
    w.run(ROOT).end(w.handle(30 + PARENT), PARENT)
    while w.own(PARENT).records:
        w.drain()
    return w


# ---- who inherits whom


def test_who_loses_its_creator_falls_to_the_creator_of_that_and_to_nobody_else():
    w = ended(descent())
    assert w.own(CHILD).parent == ROOT
    assert w.run(STRANGER).call("partition_adopt", SCHEDULER, CHILD, 40) == Status.INVALID_TARGET
    assert w.run(ROOT).call("partition_adopt", SLOT_SCHEDULER, CHILD, 40) == Status.OK
    assert w.proved("partition_destroy", w.handle(40)) == Status.OK


def test_a_creator_that_lost_its_handle_takes_charge_again_and_another_does_not():
    w = descent()
    w.run(PARENT).must("capability_delete", w.handle(OF_CHILD, PARENT))
    assert w.run(STRANGER).call("partition_adopt", SCHEDULER, CHILD, 40) == Status.INVALID_TARGET
    assert w.run(ROOT).call("partition_adopt", SLOT_SCHEDULER, CHILD, 40) == Status.INVALID_TARGET
    assert w.run(PARENT).call("partition_adopt", SCHEDULER, CHILD, 40) == Status.OK


def test_an_heir_is_bound_by_the_ring_of_its_new_creator_and_not_by_the_sandbox():
    w = descent()
    w.own(CHILD).score, w.own(CHILD).ring = 700_000, Ring.STANDARD
    ended(w)
    assert effective_ring(w.s, CHILD, w.now) == Ring.STANDARD
    w.own(ROOT).ring = Ring.SANDBOX
    assert effective_ring(w.s, CHILD, w.now) == Ring.SANDBOX


def test_what_a_partition_left_of_its_allowances_comes_to_whoever_its_creators_fell_to():
    w = descent()
    whole = w.own(ROOT).quota + w.own(PARENT).quota + w.own(CHILD).quota + w.own(STRANGER).quota
    assert whole == ROOT_QUOTA
    ended(w).must("partition_reclaim", w.handle(30 + PARENT))
    assert w.own(ROOT).quota + w.own(CHILD).quota + w.own(STRANGER).quota == whole
    child = w.must("partition_adopt", SLOT_SCHEDULER, CHILD, 40)
    w.end(child, CHILD)
    w.must("partition_reclaim", child)
    assert w.own(ROOT).quota + w.own(STRANGER).quota == whole
    assert (w.own(ROOT).numbers, w.own(ROOT).edges) == (64 - 6, 256 - 2)
    assert w.own(ROOT).share == SHARES - 6 * LEAST_SHARE


def test_whoever_commands_a_partition_takes_back_what_was_put_into_its_slots():
    w = descent()
    w.own(PARENT).numbers = 1  # it may create nobody else
    assert w.call("capability_withdraw", w.handle(30 + PARENT), OF_CHILD) == Status.OK
    assert w.run(PARENT).call("partition_suspend", w.handle(OF_CHILD, PARENT)) in (
        Status.INVALID_HANDLE,
        Status.STALE_HANDLE,
    )
    assert w.run(ROOT).call("capability_withdraw", w.handle(30 + PARENT), OF_CHILD) == Status.INVALID_HANDLE


# ---- at once


def test_what_hangs_on_the_slots_of_a_destroyed_partition_is_dead_at_once():
    w = descent()
    w.give(SLOT_LOG, PARENT, 5)
    passed_on = w.run(PARENT).must(
        "capability_grant", w.handle(5, PARENT), 9, Right.READ, w.handle(OF_CHILD, PARENT), 0
    )
    c = (CHILD << SLOT_BITS) | 9
    assert passed_on and live(w.s, c)
    assert w.run(ROOT).proved("partition_destroy", w.handle(30 + PARENT)) == Status.OK
    assert not live(w.s, c)


def test_the_edges_of_a_destroyed_partition_end_at_once():
    w = descent()
    w.run(PARENT).must("edge_create", SCHEDULER, EDGE, 20, 0)
    assert w.run(ROOT).proved("partition_destroy", w.handle(30 + PARENT)) == Status.OK
    assert not edge_exists(w.s, EDGE)
    assert w.call("edge_create", SLOT_SCHEDULER, EDGE, 60, 0) == Status.OK


# ---- rings


def test_creators_end_what_they_created_from_ring_2_and_nobody_else_does():
    w = descent(score=700_000)
    w.run(ROOT).give(w.handle(30 + STRANGER), PARENT, 6)
    assert effective_ring(w.s, PARENT, w.now) == Ring.STANDARD
    w.data(PARENT, PAGE)
    w.run(PARENT)
    assert w.proved("partition_destroy", w.handle(6, PARENT), page=PAGE) == Status.RING_DENIED
    assert w.proved("partition_destroy", w.handle(OF_CHILD, PARENT), page=PAGE) == Status.OK
    w.must("partition_release", w.handle(OF_CHILD, PARENT))
    assert w.call("partition_reclaim", w.handle(OF_CHILD, PARENT)) == Status.OK
    assert w.own(CHILD).state == PartitionState.VACANT


# ---- allowances


@pytest.mark.parametrize(
    ("what", "make"),
    [
        ("edges", lambda w, n: w.call("edge_create", SCHEDULER, n, 40 + n, 0)),
        ("partitions", lambda w, n: w.call("partition_create", SCHEDULER, 20 + n, 40 + n, 0)),
        ("notifications", lambda w, n: w.call("notification_create", SCHEDULER, n, 40 + n)),
    ],
)
def test_nobody_makes_more_than_its_creator_allowed(what, make):
    w = World()
    w.spawn(PARENT)
    w.give(SLOT_SCHEDULER, PARENT, SCHEDULER)
    w.endow(PARENT, **{what: 3})
    w.run(PARENT)
    assert [make(w, n) for n in range(4)] == [Status.OK] * 3 + [Status.LIMIT_REACHED]


def test_what_ended_can_be_made_again():
    w = descent()
    w.run(PARENT)
    for n in range(10):
        w.must("edge_create", SCHEDULER, n, 40, 0)
        w.must("capability_delete", w.handle(40, PARENT))
    assert w.own(PARENT).edges_made == 0


def test_numbers_and_edges_that_somebody_took_come_back_when_it_is_ended():
    w = descent()
    w.run(STRANGER)
    for n in range(5):
        w.must("partition_create", SCHEDULER, 40 + n, 20, 0)
        w.must("capability_delete", w.handle(20, STRANGER))  # nobody commands them any more
    assert w.call("partition_create", SCHEDULER, 50, 20, 0) == Status.LIMIT_REACHED
    w.run(ROOT).end(w.handle(30 + STRANGER), STRANGER)
    for n in range(5):
        child = w.must("partition_adopt", SLOT_SCHEDULER, 40 + n, 50)
        w.end(child, 40 + n)
        w.must("partition_reclaim", child)
        w.must("capability_delete", child)
    while w.own(STRANGER).records:
        w.drain()
    w.must("partition_reclaim", w.handle(30 + STRANGER))
    assert w.own(ROOT).numbers == 64 - 6  # the parent's holdings, including its child's number


def test_each_number_comes_with_the_least_share_of_the_processor():
    w = World()
    w.spawn(PARENT)
    assert (w.own(ROOT).share, w.own(PARENT).share) == (SHARES - LEAST_SHARE, LEAST_SHARE)
    w.endow(PARENT, partitions=3, shares=100)
    assert (w.own(ROOT).share, w.own(PARENT).share) == (SHARES - 4 * LEAST_SHARE - 100, 4 * LEAST_SHARE + 100)
    free = w.own(ROOT).share - LEAST_SHARE * w.own(ROOT).numbers
    own = w.handle(30 + PARENT)
    assert w.call("partition_endow", own, Allowance.SHARES, free + 1) == Status.LIMIT_REACHED
    assert w.call("partition_endow", own, Allowance.SHARES, free) == Status.OK
    assert w.own(ROOT).share == LEAST_SHARE * w.own(ROOT).numbers


@pytest.mark.parametrize("what", Allowance)
def test_nobody_gives_what_it_has_not_nor_to_whom_it_did_not_create(what):
    w = descent()
    own = w.handle(30 + PARENT)
    w.give(own, STRANGER, 6)
    assert w.run(STRANGER).call("partition_endow", w.handle(6, STRANGER), what, 1) == Status.INVALID_TARGET
    assert w.run(ROOT).call("partition_endow", own, what, 5000) == Status.LIMIT_REACHED
    assert w.run(PARENT).call("partition_endow", w.handle(OF_CHILD, PARENT), what, 200) == Status.LIMIT_REACHED
    assert w.call("partition_endow", w.handle(OF_CHILD, PARENT), len(Allowance), 1) == Status.BAD_ARGUMENT


def test_the_dead_are_not_endowed():
    w = descent()
    assert w.proved("partition_destroy", w.handle(30 + PARENT)) == Status.OK
    assert w.call("partition_endow", w.handle(30 + PARENT), Allowance.EDGES, 1) == Status.WRONG_STATE
