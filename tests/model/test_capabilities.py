"""Which capabilities may be derived, which does revocation reach, and when is a handle valid?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corollary.spec.kernel.capability import live
from corollary.spec.kernel.limits import COUNTER_LIMIT, DEPTH_LIMIT
from tests.model.world import (
    ALL_RIGHTS,
    ROOT,
    SELF,
    SLOT_LOG,
    SLOT_OWN,
    SLOT_REGIONS,
    SLOT_SCHEDULER,
    ObjectKind,
    Right,
    Status,
    World,
)


def grant(w, source, slot, rights=ALL_RIGHTS, into=SELF):
    return w.must("capability_grant", source, slot, rights, into, 0)


def alive(w, slot, p=ROOT):
    return live(w.s, (p << 6) | slot)


def line(w, length, source=SLOT_LOG, first=40):
    """Return a chain of derivations."""
    for slot in range(first, first + length):
        source = grant(w, source, slot)
    return w


@given(st.integers(0, ALL_RIGHTS), st.integers(0, ALL_RIGHTS))
def test_a_child_never_has_more_rights(parent, child):
    w = World()
    grant(w, SLOT_LOG, 40, parent | Right.GRANT)
    status = w.call("capability_grant", 40, 41, child, SELF, 0)
    if child & ~(parent | Right.GRANT):
        assert status == Status.RIGHTS_ESCALATION and w.slot(41).kind == ObjectKind.NONE
    else:
        assert status == Status.OK and w.slot(41).rights == child


def test_a_child_names_the_object_of_its_parent():
    w = World()
    w.must("capability_grant", SLOT_REGIONS + 5, 40, Right.READ, SELF, 99)
    assert (w.slot(40).kind, w.slot(40).object, w.slot(40).badge, w.slot(40).depth) == (ObjectKind.REGION, 5, 99, 1)


def test_eight_derivations_and_no_ninth():
    w = line(World(), DEPTH_LIMIT)
    assert w.slot(40 + DEPTH_LIMIT - 1).depth == DEPTH_LIMIT
    assert w.call("capability_grant", 40 + DEPTH_LIMIT - 1, 50, Right.READ, SELF, 0) == Status.DEPTH_EXCEEDED


def test_without_grant_nothing_is_derived():
    w = World()
    grant(w, SLOT_LOG, 40, ALL_RIGHTS ^ (Right.GRANT | Right.GRANT_ONCE))
    assert w.call("capability_grant", 40, 41, Right.READ, SELF, 0) == Status.INSUFFICIENT_RIGHTS


def test_grant_once_is_spent_and_does_not_travel():
    w = World()
    grant(w, SLOT_LOG, 40, Right.READ | Right.GRANT_ONCE)
    assert w.call("capability_grant", 40, 41, Right.READ | Right.GRANT_ONCE, SELF, 0) == Status.RIGHTS_ESCALATION
    grant(w, 40, 41, Right.READ)
    assert w.slot(40).rights == Right.READ
    assert w.call("capability_grant", 40, 42, Right.READ, SELF, 0) == Status.INSUFFICIENT_RIGHTS
    assert w.call("capability_grant", 41, 42, Right.READ, SELF, 0) == Status.INSUFFICIENT_RIGHTS


def test_who_has_grant_keeps_grant_once():
    w = World()
    grant(w, SLOT_LOG, 40)
    assert w.slot(SLOT_LOG).rights == ALL_RIGHTS and w.slot(40).rights == ALL_RIGHTS


def test_a_slot_in_use_is_not_overwritten():
    w = World()
    assert w.call("capability_grant", SLOT_LOG, SLOT_OWN, Right.READ, SELF, 0) == Status.SLOT_IN_USE


def test_grants_go_only_where_the_caller_may_write():
    w = World()
    handle = w.spawn(1)
    grant(w, handle, 40, Right.READ)
    assert w.call("capability_grant", SLOT_LOG, 3, Right.READ, 40, 0) == Status.INSUFFICIENT_RIGHTS
    assert w.call("capability_grant", SLOT_LOG, 3, Right.READ, SLOT_LOG, 0) == Status.INSUFFICIENT_RIGHTS
    assert w.call("capability_grant", SLOT_LOG, 3, Right.READ, 50, 0) == Status.INSUFFICIENT_RIGHTS
    grant(w, SLOT_LOG, 3, Right.READ, handle)
    assert w.slot(3, 1).kind == ObjectKind.WITNESS_LOG


def test_nothing_is_granted_to_the_dead():
    w = World()
    handle = w.spawn(1)
    assert w.proved("partition_destroy", handle) == Status.OK
    assert w.call("capability_grant", SLOT_LOG, 3, Right.READ, handle, 0) == Status.INSUFFICIENT_RIGHTS


# ---- revoke and delete


def test_revoke_reaches_every_descendant_and_nobody_else():
    w = line(World(), 4)
    grant(w, 41, 50)
    grant(w, 50, 51)
    grant(w, SLOT_LOG, 60)
    w.must("capability_revoke", 41)
    assert [alive(w, slot) for slot in (SLOT_LOG, 40, 41, 42, 43, 50, 51, 60)] == [
        True,
        True,
        True,
        False,
        False,
        False,
        False,
        True,
    ]


def test_revoke_reaches_into_other_partitions():
    w = World()
    handle = w.spawn(1)
    grant(w, SLOT_LOG, 3, ALL_RIGHTS, handle)
    w.run(1).must("capability_grant", 3, 4, Right.READ, SELF, 0)
    w.run(ROOT).must("capability_revoke", SLOT_LOG)
    assert not alive(w, 3, 1) and not alive(w, 4, 1)
    assert w.run(1).call("capability_inspect", 4) == Status.REVOKED


def test_revoke_needs_the_right_to_revoke():
    w = World()
    grant(w, SLOT_LOG, 40, ALL_RIGHTS ^ Right.REVOKE)
    grant(w, 40, 41, Right.READ)
    assert w.call("capability_revoke", 40) == Status.INSUFFICIENT_RIGHTS
    assert alive(w, 41)


def test_what_is_granted_after_a_revoke_lives():
    w = line(World(), 1)
    w.must("capability_revoke", SLOT_LOG)
    grant(w, SLOT_LOG, 50)
    assert alive(w, 50) and not alive(w, 40)


def test_delete_frees_the_slot_and_kills_what_hangs_on_it():
    w = line(World(), 3)
    w.must("capability_delete", 41)
    assert w.slot(41).kind == ObjectKind.NONE and w.slot(41).rights == 0
    assert alive(w, 40) and not alive(w, 42)


def test_a_slot_used_again_brings_no_descendant_back():
    w = line(World(), 3)
    w.must("capability_delete", 41)
    again = grant(w, SLOT_LOG, 41)
    assert alive(w, 41) and not alive(w, 42)
    w.must("capability_revoke", again)
    w.must("capability_delete", again)
    grant(w, 40, 41)
    assert not alive(w, 42)


def test_a_stale_handle_is_never_accepted():
    w = World()
    old = grant(w, SLOT_LOG, 40)
    w.must("capability_delete", old)
    assert w.call("capability_inspect", old) == Status.INVALID_HANDLE
    new = grant(w, SLOT_LOG, 40)
    assert new != old
    assert w.call("capability_inspect", old) == Status.STALE_HANDLE
    assert w.call("capability_inspect", new) == Status.OK


@given(st.integers(0, (1 << 64) - 1))
def test_a_guessed_handle_leads_at_most_to_an_own_slot(handle):
    w = World()
    w.spawn(1)
    w.run(1)
    assert w.call("capability_inspect", handle) == Status.INVALID_HANDLE  # partition 1 holds nothing


@pytest.mark.parametrize("handle", ((1 << 38) | SLOT_OWN, SLOT_OWN | (1 << 63), SELF, (1 << 64) - 1))
def test_handles_outside_their_range_are_invalid(handle):
    assert World().call("capability_inspect", handle) == Status.INVALID_HANDLE


def test_only_own_slots_can_be_named():
    w = World()
    handle = w.spawn(1)
    grant(w, SLOT_LOG, 3, ALL_RIGHTS, handle)
    w.run(1)
    assert [w.call("capability_inspect", slot) for slot in range(64)].count(Status.OK) == 1


def test_inspect_tells_what_is_held():
    w = World()
    w.must("capability_grant", SLOT_REGIONS + 3, 40, Right.READ | Right.WRITE, SELF, 0xBAD6E)
    w.must("capability_inspect", 40)
    kind, depth = ObjectKind.REGION, 1
    assert [w.last.result[i] for i in range(3)] == [
        (3 << 32) | ((Right.READ | Right.WRITE) << 16) | (kind << 8) | depth,
        0xBAD6E,
        0,
    ]


# ---- counters at their end


def test_a_slot_whose_generation_is_used_up_retires():
    w = World()
    w.slot(40).generation = COUNTER_LIMIT - 1
    handle = grant(w, SLOT_LOG, 40)
    w.must("capability_delete", handle)
    assert w.slot(40).generation == COUNTER_LIMIT
    assert w.call("capability_grant", SLOT_LOG, 40, Right.READ, SELF, 0) == Status.SLOT_RETIRED
    assert w.call("partition_create", SLOT_SCHEDULER, 1, 40, 10) == Status.SLOT_RETIRED


def test_a_lineage_that_is_used_up_makes_no_more_children():
    w = World()
    w.slot(SLOT_LOG).lineage = COUNTER_LIMIT - 1
    grant(w, SLOT_LOG, 40)
    w.must("capability_revoke", SLOT_LOG)
    assert not alive(w, 40)
    assert w.call("capability_revoke", SLOT_LOG) == Status.SLOT_RETIRED
    assert w.call("capability_grant", SLOT_LOG, 41, Right.READ, SELF, 0) == Status.SLOT_RETIRED
    w.must("capability_delete", SLOT_LOG)
    w.must("capability_grant", SLOT_OWN, 41, Right.READ, SELF, 0)
    assert w.call("capability_grant", SLOT_OWN, SLOT_LOG, Right.READ, SELF, 0) == Status.SLOT_RETIRED


# ---- capabilities over partitions name an incarnation


def test_a_capability_over_a_partition_dies_with_it():
    w = World()
    handle = w.spawn(1)
    grant(w, handle, 50)
    w.end(handle, 1)
    w.must("partition_reclaim", handle)
    again = w.must("partition_create", SLOT_SCHEDULER, 1, 51, 10)
    assert w.call("partition_suspend", 50) == Status.WRONG_OBJECT
    assert w.call("partition_start", 31, 0) != Status.OK
    assert w.slot(51).incarnation == 1 and again == w.handle(51)
