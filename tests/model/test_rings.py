"""Which partition runs in which ring, how does it rise, when does the ring end, and which tools does the ring give?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corollary.spec.kernel.limits import ELEVATION_LIMIT, PPM, SECOND
from corollary.spec.kernel.operation import OPERATIONS, Hypercall, hypercall
from corollary.spec.kernel.ring import effective_ring, permits, ring_for
from corollary.spec.kernel.vocabulary import Action, Resource, Reversibility, Ring
from tests.model.world import (
    ALL_RIGHTS,
    ROOT,
    SELF,
    SLOT_LOG,
    SLOT_OWN,
    SLOT_PROOF_ROOTS,
    SLOT_SCHEDULER,
    SLOT_TRUST,
    Right,
    Status,
    World,
)

ROOT_RING, PRIVILEGED, STANDARD, SANDBOX = Ring.ROOT, Ring.PRIVILEGED, Ring.STANDARD, Ring.SANDBOX


def declared(admin=False, reversibility=Reversibility.FULL, read_only=False):
    return Hypercall(0, "any", Action.NONE, reversibility=reversibility, admin=admin, read_only=read_only)


def ring(w, p, now=None):
    return effective_ring(w.s, p, w.now if now is None else now)


# ---- assignment from a score: reference vectors V1 to V3 and the boundaries


@pytest.mark.parametrize(
    "score, consensus, expected",
    [
        (970_000, True, PRIVILEGED),  # V1
        (800_000, False, STANDARD),  # V2
        (400_000, False, SANDBOX),  # V3
        (950_000, True, STANDARD),  # the threshold itself is not enough
        (950_001, True, PRIVILEGED),
        (950_001, False, STANDARD),
        (PPM, False, STANDARD),
        (600_000, True, SANDBOX),
        (600_001, False, STANDARD),
        (600_001, True, STANDARD),
        (0, True, SANDBOX),
        (0, False, SANDBOX),
    ],
)
def test_ring_of_a_score(score, consensus, expected):
    assert ring_for(score, consensus) == expected


@given(st.integers(0, (1 << 32) - 1), st.booleans())
def test_ring_0_never_comes_from_a_score(score, consensus):
    assert ring_for(score, consensus) != ROOT_RING


@given(st.integers(0, PPM), st.integers(0, PPM))
def test_more_trust_is_never_less_privileged(one, other):
    low, high = sorted((one, other))
    assert ring_for(high, True) <= ring_for(low, True) and ring_for(high, False) <= ring_for(low, False)
    assert ring_for(low, True) <= ring_for(low, False)


def test_there_are_four_rings_and_new_partitions_start_in_the_last():
    w = World()
    w.create(1)
    assert [int(r) for r in Ring] == [0, 1, 2, 3]
    assert ring(w, 1) == SANDBOX


# ---- requirements of an operation: V4 to V7 and every other combination


@pytest.mark.parametrize("admin", (False, True))
@pytest.mark.parametrize("read_only", (False, True))
@pytest.mark.parametrize("reversibility", Reversibility)
def test_required_ring(admin, reversibility, read_only):
    if admin:
        expected = ROOT_RING
    elif reversibility == Reversibility.NONE and not read_only:
        expected = PRIVILEGED
    elif read_only:
        expected = SANDBOX
    else:
        expected = STANDARD
    assert declared(admin, reversibility, read_only).required_ring == expected


@pytest.mark.parametrize("wrong", ("NONE", "irreversible", None, 2))
def test_reversibility_is_never_a_string(wrong):
    known = len(OPERATIONS)
    with pytest.raises(TypeError):
        hypercall(known, "any", Action.NONE, reversibility=wrong)
    assert len(OPERATIONS) == known


# ---- elevation


def elevating(score=900_000, ring_=SANDBOX):
    """Return a running partition in a ring of its own, with an attestation in slot 5."""
    w = World()
    w.spawn(1, score=0)
    w.give(SLOT_PROOF_ROOTS, 1, 5)
    row = w.own(1)
    row.score, row.ring = score, ring_
    return w.run(1)


def test_v8_insufficient_trust():
    assert elevating(600_000, STANDARD).call("ring_elevate", 0, PRIVILEGED, 0, 5) == Status.INSUFFICIENT_TRUST


def test_v9_ring_0_is_forbidden():
    assert elevating(PPM, STANDARD).call("ring_elevate", 0, ROOT_RING, 0, 5) == Status.RING_0_FORBIDDEN


@pytest.mark.parametrize(
    "target, score, attestation, expected",
    [
        (PRIVILEGED, 850_000, 5, Status.OK),  # meeting both thresholds exactly is enough
        (PRIVILEGED, 849_999, 5, Status.INSUFFICIENT_TRUST),
        (PRIVILEGED, 850_000, 6, Status.NO_SPONSORSHIP),  # an empty slot
        (PRIVILEGED, 850_000, 5 + 64, Status.NO_SPONSORSHIP),  # a future generation
        (STANDARD, 500_000, 6, Status.OK),  # ring 2 needs no attestation
        (STANDARD, 499_999, 5, Status.INSUFFICIENT_TRUST),
    ],
)
def test_elevation_thresholds(target, score, attestation, expected):
    assert elevating(score).call("ring_elevate", 0, target, 0, attestation) == expected


@pytest.mark.parametrize(
    "target, score, attestation, active, expected",
    [
        (SANDBOX, 0, 6, True, Status.INVALID_TARGET),  # not better than the present ring, whatever else is wrong
        (ROOT_RING, 0, 6, True, Status.RING_0_FORBIDDEN),
        (PRIVILEGED, 0, 6, True, Status.DUPLICATE_ELEVATION),
        (PRIVILEGED, 0, 6, False, Status.INSUFFICIENT_TRUST),
        (PRIVILEGED, PPM, 6, False, Status.NO_SPONSORSHIP),
        (PRIVILEGED, PPM, 5, False, Status.OK),
    ],
)
def test_order_of_elevation_refusals(target, score, attestation, active, expected):
    w = elevating(PPM)
    if active:
        w.must("ring_elevate", 0, STANDARD, 0, 0)
    w.own(1).score = score
    assert w.call("ring_elevate", 0, target, 0, attestation) == expected


def test_a_ring_that_is_already_held_is_no_target():
    w = World()
    assert w.call("ring_elevate", 0, PRIVILEGED, 0, SLOT_PROOF_ROOTS) == Status.INVALID_TARGET
    assert w.call("ring_elevate", 0, SANDBOX, 0, SLOT_PROOF_ROOTS) == Status.INVALID_TARGET


@pytest.mark.parametrize("right, expected", [(Right.PROVE, Status.OK), (Right.READ, Status.NO_SPONSORSHIP)])
def test_an_attestation_is_looked_up_and_needs_the_right_to_prove(right, expected):
    w = elevating()
    w.run(ROOT)
    w.give(SLOT_PROOF_ROOTS, 1, 7, right)
    w.run(1)
    assert w.call("ring_elevate", 0, PRIVILEGED, 0, 7) == expected


def test_a_revoked_attestation_sponsors_nobody():
    w = elevating()
    w.run(ROOT).must("capability_revoke", SLOT_PROOF_ROOTS)
    assert w.run(1).call("ring_elevate", 0, PRIVILEGED, 0, 5) == Status.NO_SPONSORSHIP


@pytest.mark.parametrize(
    "asked, granted", [(0, 300), (1, 1), (300, 300), (3599, 3599), (3600, 3600), (3601, 3600), ((1 << 32) - 1, 3600)]
)
def test_elevation_lasts_300_seconds_by_default_and_3600_at_most(asked, granted):
    w = elevating()
    w.must("ring_elevate", 0, PRIVILEGED, asked, 5)
    assert w.own().elevation.expires == w.now + granted * SECOND
    assert granted <= ELEVATION_LIMIT


def test_elevation_expires_by_itself():
    w = elevating()
    w.must("ring_elevate", 0, PRIVILEGED, 10, 5)
    end = w.now + 10 * SECOND
    assert ring(w, 1, end - 1) == PRIVILEGED
    assert ring(w, 1, end) == SANDBOX
    assert w.call("capability_delete", 5, now=end - 1) == Status.OK
    assert w.call("capability_delete", 6, now=end) == Status.RING_DENIED


def test_the_timer_clears_what_has_expired_and_only_that():
    w = elevating()
    w.must("ring_elevate", 0, PRIVILEGED, 10, 5)
    w.preempt(w.now + 10 * SECOND - 1)
    assert w.own(1).elevation.active
    w.run(1).preempt(w.now + 1)
    assert not w.own(1).elevation.active


def test_after_expiry_one_may_rise_again():
    w = elevating()
    w.must("ring_elevate", 0, STANDARD, 10, 0)
    assert w.call("ring_elevate", 0, PRIVILEGED, 10, 5) == Status.DUPLICATE_ELEVATION
    assert w.call("ring_elevate", 0, PRIVILEGED, 10, 5, now=w.now + 10 * SECOND) == Status.OK


def test_an_elevation_can_be_ended_early_by_whoever_may_write_the_partition():
    w = elevating()
    w.must("ring_elevate", 0, PRIVILEGED, 0, 5)
    w.run(ROOT).must("ring_restore", w.handle(31))
    assert ring(w, 1) == SANDBOX
    assert w.call("ring_restore", w.handle(31)) == Status.WRONG_STATE


def test_an_elevation_never_lowers():
    w = elevating()
    w.own().ring = PRIVILEGED
    w.own().elevation.active, w.own().elevation.ring, w.own().elevation.expires = True, STANDARD, 1 << 62
    assert ring(w, 1) == PRIVILEGED


def test_an_elevation_at_the_end_of_time_is_refused():
    w = elevating()
    assert w.call("ring_elevate", 0, PRIVILEGED, 0, 5, now=(1 << 63) + 1) == Status.BAD_ARGUMENT


# ---- creators and heirs


def family(parent_score=PPM):
    """Return partition 1 and its child 2, both with the highest trust of their own."""
    w = World()
    w.spawn(1, score=parent_score)
    w.give(SLOT_SCHEDULER, 1, 2)
    w.endow(1, partitions=1)
    w.give(SLOT_PROOF_ROOTS, 1, 5)
    for region in (4, 5):
        w.give(8 + region, 1, 10 + region)
    w.run(1).must("partition_create", 2, 2, 32, 50)
    w.run(ROOT)
    row = w.own(2)
    row.score, row.consensus, row.ring = PPM, True, PRIVILEGED
    return w


def test_a_child_is_never_more_privileged_than_its_parent():
    w = family()
    assert ring(w, 2) == PRIVILEGED
    w.must("ring_demote", w.handle(31), 700_000)
    assert (ring(w, 1), ring(w, 2)) == (STANDARD, STANDARD)
    w.must("ring_demote", w.handle(31), 0)
    assert (ring(w, 1), ring(w, 2)) == (SANDBOX, SANDBOX)


def test_an_elevation_is_personal_and_no_child_has_a_part_in_it():
    w = family()
    w.must("ring_assign", SLOT_TRUST, w.handle(31), 900_000, 0)
    w.run(1).must("ring_elevate", 0, PRIVILEGED, 20, 5)
    assert (ring(w, 1), ring(w, 2)) == (PRIVILEGED, STANDARD)


def test_an_elevated_child_does_not_overtake_its_parent():
    w = family()
    w.must("ring_assign", SLOT_TRUST, w.handle(31), 700_000, 0)
    row = w.own(2)
    row.ring, row.elevation.active, row.elevation.ring, row.elevation.expires = SANDBOX, True, STANDARD, 1 << 62
    w.must("ring_demote", w.handle(31), 0)
    assert ring(w, 2) == SANDBOX


def test_nobody_gives_a_ring_above_its_own():
    w = family()
    w.must("ring_assign", SLOT_TRUST, w.handle(31), PPM, 0)
    trust = w.give(SLOT_TRUST, 1, 6)
    w.run(1)
    assert w.call("ring_assign", trust, w.handle(32, 1), PPM, 1) == Status.RING_DENIED
    assert w.call("ring_assign", trust, w.handle(32, 1), 700_000, 0) == Status.OK


def test_nobody_assigns_its_own_score():
    w = World()
    assert w.call("ring_assign", SLOT_TRUST, SLOT_OWN, PPM, 1) == Status.INVALID_TARGET
    assert w.call("ring_assign", SLOT_TRUST, SELF, PPM, 1) == Status.INVALID_TARGET


def test_scores_beyond_one_are_refused():
    w = World()
    handle = w.create(1)
    assert w.call("ring_assign", SLOT_TRUST, handle, PPM + 1, 1) == Status.BAD_ARGUMENT
    assert w.call("ring_assign", SLOT_TRUST, handle, 1 << 32, 1) == Status.BAD_ARGUMENT


# ---- who decides on trust


def elevated_trustee(base=SANDBOX, seconds=0):
    """Return partition 1, with TRUST, a proof root and a peer, partition 2.

    It is in a low ring by its score and temporarily in ring 1.
    """
    w = elevating(900_000, base)
    w.run(ROOT)
    peer = w.spawn(2, 0)
    w.give(SLOT_TRUST, 1, 6)
    w.give(peer, 1, 7)
    w.run(1).must("ring_elevate", 0, PRIVILEGED, seconds, 5)
    assert ring(w, 1) == PRIVILEGED
    return w


def test_trust_is_assigned_only_through_a_capability_on_trust():
    w = World()
    handle = w.create(1)
    assert w.call("ring_assign", handle, handle, PPM, 1) == Status.WRONG_OBJECT
    w.must("capability_grant", SLOT_TRUST, 50, Right.READ | Right.GRANT, SELF, 0)
    assert w.call("ring_assign", 50, handle, PPM, 1) == Status.INSUFFICIENT_RIGHTS
    assert w.own(1).score == 0


@pytest.mark.parametrize(
    "rights, expected", [(Right.WRITE, Status.OK), (ALL_RIGHTS ^ Right.WRITE, Status.INSUFFICIENT_RIGHTS)]
)
def test_trust_is_assigned_only_to_whom_a_handle_with_write_names(rights, expected):
    w = World()
    weaker = w.must("capability_grant", w.create(1), 50, rights, SELF, 0)
    assert w.call("ring_assign", SLOT_TRUST, weaker, 1, 0) == expected
    assert (
        w.call("ring_assign", SLOT_TRUST, SLOT_LOG, 1, 0)
        == w.call("ring_assign", SLOT_TRUST, 63, 1, 0)
        == Status.INSUFFICIENT_RIGHTS
    )


@pytest.mark.parametrize("base, expected", [(SANDBOX, Status.RING_DENIED), (STANDARD, Status.RING_DENIED)])
def test_an_elevation_lets_nobody_assign_a_ring_that_it_has_not_by_its_score(base, expected):
    w = elevated_trustee(base)
    w.own().score = PPM
    assert w.call("ring_assign", 6, 7, PPM, 1) == expected
    assert ring(w, 2) == SANDBOX


@pytest.mark.parametrize("base, expected", [(SANDBOX, Status.RING_DENIED), (STANDARD, Status.OK)])
def test_whoever_is_sandboxed_by_its_score_assigns_and_attests_nothing_whatever_it_holds_for_a_while(base, expected):
    w = elevated_trustee(base)
    assert w.call("ring_assign", 6, 7, 1, 0) == expected
    assert w.call("proof_root_propose", 5, 0, 1) == expected
    denied = {Status.RING_DENIED} if base == SANDBOX else {Status.POLICY_VIOLATION}
    assert {w.call("proof_root_bind", 5, 7)} == denied
    assert w.call("proof_root_commit", 5) == Status.RING_DENIED


@pytest.mark.parametrize("base, expected", [(SANDBOX, Status.RING_DENIED), (STANDARD, Status.OK)])
@pytest.mark.parametrize("slot", (5, 6))
def test_trust_and_attestation_are_not_passed_on_by_an_elevation(slot, base, expected):
    w = elevated_trustee(base)
    assert w.call("capability_grant", slot, 20, Right.READ, SELF, 0) == expected
    assert w.call("capability_grant", 7, 21, Right.READ, SELF, 0) == Status.OK


def test_the_base_ring_of_a_creator_bounds_whom_its_children_trust():
    w = family()
    w.must("ring_assign", SLOT_TRUST, w.handle(31), 700_000, 0)
    w.must("capability_grant", SLOT_TRUST, 20, ALL_RIGHTS, w.handle(31), 0)
    peer = w.must("partition_create", SLOT_SCHEDULER, 3, 40, 10)
    w.must("capability_grant", peer, 21, ALL_RIGHTS, w.handle(31), 0)
    w.own(1).score, w.own(1).consensus, w.own(1).ring = PPM, True, PRIVILEGED
    w.own(1).ancestry, w.own(ROOT).ring = 1, STANDARD
    assert w.run(1).call("ring_assign", 20, 21, PPM, 1) == Status.RING_DENIED
    assert w.call("ring_assign", 20, 21, 700_000, 1) == Status.OK


# ---- how long an elevation lasts


def test_an_elevation_ends_when_its_attestation_is_revoked():
    w = elevating()
    w.must("ring_elevate", 0, PRIVILEGED, 0, 5)
    w.run(ROOT).must("capability_revoke", SLOT_PROOF_ROOTS)
    assert ring(w, 1) == SANDBOX
    assert w.run(1).call("capability_delete", 5) == Status.RING_DENIED


def test_an_elevation_ends_when_its_attestation_is_deleted_whatever_comes_into_the_slot():
    w = elevating()
    w.must("ring_elevate", 0, PRIVILEGED, 0, 5)
    w.must("capability_delete", 5)
    assert ring(w, 1) == SANDBOX
    w.run(ROOT).give(SLOT_PROOF_ROOTS, 1, 5)
    assert ring(w, 1) == SANDBOX
    assert w.run(1).call("ring_elevate", 0, PRIVILEGED, 0, w.handle(5, 1)) == Status.OK


def test_an_elevation_to_ring_2_needs_no_attestation_and_misses_none():
    w = elevating()
    w.must("ring_elevate", 0, STANDARD, 0, 5)
    w.run(ROOT).must("capability_revoke", SLOT_PROOF_ROOTS)
    assert ring(w, 1) == STANDARD


@pytest.mark.parametrize("score, consensus, expected", [(0, 0, SANDBOX), (700_000, 1, STANDARD), (PPM, 1, PRIVILEGED)])
def test_an_elevation_ends_when_a_score_is_assigned(score, consensus, expected):
    w = elevating()
    w.must("ring_elevate", 0, PRIVILEGED, 0, 5)
    w.run(ROOT).must("ring_assign", SLOT_TRUST, w.handle(31), score, consensus)
    assert not w.own(1).elevation.active and ring(w, 1) == expected


def test_the_timer_clears_an_elevation_without_attestation():
    w = elevating()
    w.must("ring_elevate", 0, PRIVILEGED, 0, 5)
    w.run(ROOT).must("capability_revoke", SLOT_PROOF_ROOTS)
    w.run(1).preempt()
    assert not w.own(1).elevation.active


# ---- demotion


def test_demotion_keeps_the_consensus():
    w = World()
    handle = w.spawn(1)
    w.must("ring_demote", handle, 960_000)
    assert ring(w, 1) == PRIVILEGED  # the defect B3 demoted here
    w.must("ring_demote", handle, 950_000)
    assert ring(w, 1) == STANDARD
    assert w.own(1).consensus


def test_demotion_never_raises_a_score():
    w = World()
    handle = w.spawn(1, score=700_000, consensus=False)
    assert w.call("ring_demote", handle, 700_001) == Status.BAD_ARGUMENT
    assert w.call("ring_demote", handle, 700_000) == Status.OK
    assert ring(w, 1) == STANDARD


# ---- resources


@pytest.mark.parametrize(
    "ring_, network, files, processes, tools",
    [
        (ROOT_RING, True, True, True, 32),
        (PRIVILEGED, True, True, True, 16),
        (STANDARD, True, True, True, 8),
        (SANDBOX, False, False, False, 2),
    ],
)
def test_resource_table(ring_, network, files, processes, tools):
    from corollary.spec.kernel.ring import TOOLS

    allowed = [permits(ring_, resource) for resource in (Resource.NETWORK, Resource.FILESYSTEM, Resource.SUBPROCESS)]
    assert allowed == [network, files, processes]
    assert permits(ring_, Resource.TOOL)
    assert TOOLS[ring_] == tools


@pytest.mark.parametrize("score, consensus, tools", [(PPM, True, 16), (700_000, False, 8), (0, False, 2)])
def test_concurrent_tools_are_limited_by_ring(score, consensus, tools):
    w = World()
    w.spawn(1, score, consensus)
    w.run(1)
    assert [w.must("tool_acquire", 0, Resource.TOOL) for _ in range(tools)] == list(range(1, tools + 1))
    assert w.call("tool_acquire", 0, Resource.TOOL) == Status.LIMIT_REACHED
    w.must("tool_release", 0, Resource.TOOL)
    assert w.call("tool_acquire", 0, Resource.TOOL) == Status.OK


@pytest.mark.parametrize("resource", Resource)
def test_no_tool_is_released_that_was_not_acquired(resource):
    w = World()
    for other in Resource:
        if other != resource:
            w.must("tool_acquire", 0, other)
    assert w.call("tool_release", 0, resource) == Status.WRONG_STATE
    assert w.call("tool_release", 0, 4) == Status.BAD_ARGUMENT


def tools(w, p):
    """Return the number of tools that a partition holds, by resource."""
    return [w.own(p).tools[resource] for resource in Resource]


def equipped(kinds=(2, 5, 4, 5), elevate=True):
    """Return partition 1 in ring 1, temporarily or by its score, with sixteen tools."""
    w = elevating(900_000, STANDARD)
    if elevate:
        w.must("ring_elevate", 0, PRIVILEGED, 10, 5)
    else:
        w.own().score, w.own().consensus, w.own().ring = PPM, True, PRIVILEGED
    for resource, count in enumerate(kinds):
        for _ in range(count):
            w.must("tool_acquire", 0, resource, now=w.now + 1)
    return w


@pytest.mark.parametrize(
    "fall, left",
    [
        (lambda w: w.must("ring_demote", w.handle(31), 0), [2, 0, 0, 0]),
        (lambda w: w.must("ring_demote", w.handle(31), 700_000), [2, 5, 1, 0]),
        (lambda w: w.must("ring_assign", SLOT_TRUST, w.handle(31), 0, 1), [2, 0, 0, 0]),
        (lambda w: w.must("ring_assign", SLOT_TRUST, w.handle(31), PPM, 0), [2, 5, 1, 0]),
        (lambda w: w.must("ring_assign", SLOT_TRUST, w.handle(31), PPM, 1), [2, 5, 1, 0]),  # a temporary ring ends
        (lambda w: w.must("ring_restore", w.handle(31)), [2, 5, 1, 0]),
        (lambda w: w.run(1).preempt(w.now + 11 * SECOND), [2, 5, 1, 0]),
    ],
)
def test_whoever_falls_gives_up_the_tools_that_it_may_no_longer_have(fall, left):
    w = equipped()
    w.run(ROOT)
    fall(w)
    assert tools(w, 1) == left


def test_whoever_rises_by_its_score_keeps_its_tools():
    w = equipped(elevate=False)
    w.run(ROOT).must("ring_assign", SLOT_TRUST, w.handle(31), PPM, 1)
    assert tools(w, 1) == [2, 5, 4, 5]


def test_an_elevation_that_is_over_but_not_cleared_is_no_excuse():
    for name, resource, expected, left in (
        ("tool_acquire", Resource.TOOL, Status.LIMIT_REACHED, [2, 5, 4, 5]),
        ("tool_release", Resource.SUBPROCESS, Status.WRONG_STATE, [2, 5, 4, 5]),
        ("tool_release", Resource.NETWORK, Status.OK, [2, 4, 1, 0]),
    ):
        w = equipped()
        assert w.call(name, 0, resource, now=w.now + 11 * SECOND) == expected
        assert tools(w, 1) == left
    assert w.call("tool_acquire", 0, Resource.SUBPROCESS) == Status.OK and tools(w, 1) == [2, 4, 1, 1]


def test_the_fall_of_a_creator_takes_tools_at_the_next_call_about_them():
    w = family()
    w.own(2).tools[Resource.NETWORK], w.own(2).tools[Resource.TOOL] = 3, 1
    w.must("ring_demote", w.handle(31), 0)
    w.own(2).state = w.own(1).state
    assert w.run(2).call("tool_acquire", 0, Resource.NETWORK) == Status.RESOURCE_DENIED
    assert w.must("tool_acquire", 0, Resource.TOOL) == 2 and tools(w, 2) == [2, 0, 0, 0]


@pytest.mark.parametrize("resource", (Resource.NETWORK, Resource.FILESYSTEM, Resource.SUBPROCESS, 4, 1 << 40))
def test_the_sandbox_reaches_nothing_outside(resource):
    w = World()
    w.spawn(1, 0)
    assert w.run(1).call("tool_acquire", 0, resource) == Status.RESOURCE_DENIED
    assert tools(w, 1) == [0, 0, 0, 0]


# ---- the gate, in its order


class Offence:
    """Calls that are wrong in several ways at once; correcting one mistake shows the next refusal."""

    def __init__(self, full=False, unknown=False, rate=False, admin=False, ring_=False, resource=False, handle=False):
        self.w = w = World()
        w.spawn(1, 0 if ring_ or resource else PPM)
        w.run(1)
        now = w.now + 10 * SECOND
        if rate:
            w.own().bucket.credit, w.own().bucket.refilled = 0, now
        if full:
            w.own().quota = w.own().records
        name = "tool_acquire" if resource else "system_halt" if admin else "partition_release"
        self.number = 200 if unknown else name
        self.arguments = (0 if handle else SLOT_OWN, Resource.NETWORK)
        self.now = now

    def status(self):
        return self.w.call(self.number, *self.arguments, now=self.now)


ALL_WRONG = dict(full=True, unknown=True, rate=True, admin=True, ring_=True, handle=True)


@pytest.mark.parametrize(
    "forgiven, expected",
    [
        ((), Status.WITNESS_FULL),
        (("full",), Status.RATE_LIMITED),
        (("full", "rate"), Status.UNKNOWN_OPERATION),
        (("full", "rate", "unknown"), Status.NEEDS_SRE_WITNESS),
        (("full", "rate", "unknown", "admin"), Status.RING_DENIED),
        (("full", "rate", "unknown", "admin", "ring_"), Status.INVALID_HANDLE),
    ],
)
def test_each_refusal_wins_over_the_later_ones(forgiven, expected):
    wrongs = {name: name not in forgiven for name in ALL_WRONG}
    assert Offence(**wrongs).status() == expected


def test_a_resource_is_refused_before_the_handle_is_looked_at_and_after_the_rate():
    assert Offence(resource=True, handle=True).status() == Status.RESOURCE_DENIED
    assert Offence(resource=True, handle=True, rate=True).status() == Status.RATE_LIMITED


def test_handle_then_liveness_then_object_then_rights_then_proof_then_arguments():
    w = World()
    w.must("capability_grant", SLOT_OWN, 40, Right.READ | Right.GRANT, SELF, 0)
    w.must("capability_grant", 40, 41, Right.READ, SELF, 0)
    assert w.call("partition_destroy", 42) == Status.INVALID_HANDLE
    assert w.call("partition_destroy", 41 + 64) == Status.STALE_HANDLE
    assert w.call("partition_destroy", SLOT_LOG) == Status.WRONG_OBJECT
    assert w.call("partition_destroy", 41) == Status.INSUFFICIENT_RIGHTS
    assert w.call("partition_destroy", SLOT_OWN) == Status.POLICY_VIOLATION
    w.must("capability_delete", 40)
    assert w.call("partition_destroy", 41) == Status.REVOKED
    assert w.call("witness_read", 41, 5000, 0) == Status.REVOKED
    assert w.call("witness_read", SLOT_LOG, 5000, 0) == Status.BAD_ARGUMENT
    assert w.call("witness_read", SLOT_LOG, 1, 0) == Status.NOT_OWNER


def test_ring_0_is_refused_whatever_the_caller_brings():
    w = World()
    assert w.call("system_halt", SLOT_SCHEDULER) == Status.NEEDS_SRE_WITNESS
    assert w.call("system_halt", 63) == Status.NEEDS_SRE_WITNESS
    assert not w.s.idle


def test_score_and_consensus_are_not_asked_again_at_the_gate():
    w = World()
    w.spawn(1, 700_000, False)
    w.give(SLOT_OWN, 1, 3, ALL_RIGHTS)
    w.run(1)
    assert w.call("capability_revoke", 3) == Status.OK
    assert w.call("partition_release", 3) == Status.RING_DENIED
