"""Do rings follow from trust, do actions need what they need, and does nobody rise, or act too often, who must not?

The expected values are those of Agent Hypervisor Execution Control 1.0, by clause; `bug` names a defect of its
reference implementation that must not be here.
"""

import copy
import math
import threading
from fractions import Fraction
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corollary.governance import (
    DEFAULT_CONSTRAINTS,
    ActionDescriptor,
    Governor,
    RateLimitExceeded,
    Refused,
    ResourceConstraints,
    ResourceType,
    Reversibility,
    Ring,
    RingElevationError,
    RingEnforcer,
    Scope,
    Severity,
    Status,
    classify,
)
from corollary.governance.governor import DEFAULT_MAX_BUCKETS, DEFAULT_RING_LIMITS, Rate
from tests.governance.clauses import clause

SECOND = 1_000_000_000


class Clock:
    """A clock that is set by hand, in nanoseconds."""

    def __init__(self):
        self.now = 7 * SECOND

    def __call__(self):
        return self.now

    def pass_(self, seconds):
        """Let time pass; less than 0 runs back."""
        self.now += round(seconds * SECOND)


@pytest.fixture
def clock():
    """Return a clock that is set by hand."""
    return Clock()


@pytest.fixture
def governor(clock):
    """Return a governor with an agent in each ring that trust leads to, in the session `s`."""
    made = Governor(clock)
    made.join("one", "s", 0.97, True)
    made.join("two", "s", 0.8)
    made.join("three", "s", 0.4)
    return made


def action(**given):
    """Return an action that cannot be undone, with some differences."""
    return ActionDescriptor(**({"action_id": "a", "name": "n", "execute_api": "/x"} | given))


def refused(status, call, *arguments, **named):
    """A call is refused, with this status."""
    with pytest.raises(Refused) as told:
        call(*arguments, **named)
    assert told.value.status is status
    return told.value


# ---- rings and trust


@clause("S3.1", "S3.2")
def test_there_are_four_rings_in_order():
    assert [(ring.name, int(ring)) for ring in Ring] == [
        ("ROOT", 0),
        ("PRIVILEGED", 1),
        ("STANDARD", 2),
        ("SANDBOX", 3),
    ]


@clause("S4.1a", "S4.1b", "S4.1c", "S4.1d", "S4.2", "V1", "V2", "V3")
@pytest.mark.parametrize(
    ("score", "consensus", "ring"),
    [
        (0.97, True, 1),
        (0.95, True, 2),
        (math.nextafter(0.95, 1), True, 1),
        (0.97, False, 2),
        (1, True, 1),
        (1.0, False, 2),
        (0.8, False, 2),
        (math.nextafter(0.6, 1), False, 2),
        (0.6, True, 3),
        (0.4, False, 3),
        (0.0, True, 3),
    ],
)
def test_ring_follows_from_trust(score, consensus, ring):
    assert RingEnforcer().compute_ring(score, consensus) is Ring(ring)


@clause("S4.1d", "S20.1")
@given(st.floats(0, 1), st.booleans())
def test_rings_are_those_of_exact_fractions(score, consensus):
    exact = Fraction(repr(score)) if "e" not in repr(score) else Fraction(score)
    first, second = Fraction(95, 100) < exact and consensus, Fraction(60, 100) < exact
    assert RingEnforcer().compute_ring(score, consensus) == (1 if first else 2 if second else 3)


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf, -0.1, 1.0000001, 99, -1])
def test_what_is_no_score_has_no_ring(score):
    with pytest.raises(ValueError, match="eff_score is a number from 0 to 1"):
        RingEnforcer().compute_ring(score)


@pytest.mark.parametrize("score", [True, "0.9", None, [0.9]])
def test_what_is_no_number_has_no_ring(score):
    with pytest.raises(TypeError, match="eff_score"):
        RingEnforcer().compute_ring(score)


@clause("S4.3a", "S4.3b", "B3")
def test_demotion_looks_at_consensus_too():
    enforcer = RingEnforcer()
    assert not enforcer.should_demote(Ring.PRIVILEGED, 1.0, True)
    assert enforcer.should_demote(Ring.PRIVILEGED, 1.0)
    assert enforcer.should_demote(Ring.STANDARD, 0.6) and not enforcer.should_demote(Ring.SANDBOX, 0.0)


@clause("S4.3a")
def test_an_agent_whose_trust_falls_is_demoted(governor):
    assert governor.assign("one", "s", 0.97) is Ring.STANDARD
    assert governor.assign("one", "s", 0.3, True) is Ring.SANDBOX


@clause("S1.4.1", "S3.3")
def test_who_is_unknown_or_new_is_in_ring_3(governor):
    assert governor.get_effective_ring("nobody", "s") is Ring.SANDBOX
    assert governor.join("new", "s") is Ring.SANDBOX
    assert governor.check("nobody", "s", action(is_read_only=True)).allowed is False


# ---- actions


@clause("S5.1", "S5.2", "V4", "V5", "V6", "V7", "S16.1", "S16.2")
@pytest.mark.parametrize(
    ("given_", "ring", "weight"),
    [
        ({"is_admin": True}, 0, 0.95),
        ({"is_admin": True, "is_read_only": True, "reversibility": Reversibility.FULL}, 0, 0.2),
        ({}, 1, 0.95),
        ({"is_read_only": True}, 3, 0.95),
        ({"reversibility": Reversibility.FULL, "is_read_only": True}, 3, 0.2),
        ({"reversibility": Reversibility.FULL}, 2, 0.2),
        ({"reversibility": Reversibility.PARTIAL}, 2, 0.65),
    ],
)
def test_the_ring_of_an_action_follows_from_what_it_is(given_, ring, weight):
    found = classify(action(**given_))
    assert found[0] is Ring(ring) and found[1] == pytest.approx(weight)


@clause("B6")
@pytest.mark.parametrize(
    "given_",
    [
        {"reversibility": "NONE"},
        {"reversibility": "irreversible"},
        {"reversibility": None},
        {"reversibility": 2},
        {"is_read_only": "false"},
        {"is_admin": 0},
        {"undo_window_seconds": True},
        {"undo_window_seconds": 1.5},
        {"action_id": None},
        {"name": b"n"},
    ],
)
def test_an_action_of_wrong_types_is_refused(given_):
    with pytest.raises(TypeError, match=next(iter(given_))):
        action(**given_)


@clause("S5.3.1", "S5.3.2", "S5.3.3", "S5.3.4", "S17.2", "B7")
@pytest.mark.parametrize(
    "given_",
    [
        *({"action_id": each} for each in ("", "a\n", "-a", "a-", "a b", "../a", "é", "a" * 257)),
        *({"name": each} for each in ("", "  ", "n" * 257)),
        *({"execute_api": each} for each in ("", "x" * 2049)),
        *({"undo_window_seconds": each} for each in (-1, 86_401)),
    ],
)
def test_an_action_out_of_bounds_is_refused(given_):
    with pytest.raises(ValueError, match=next(iter(given_))):
        action(**given_)


@clause("S5.3.1", "S5.3.4")
def test_an_action_at_its_bounds_is_taken():
    action(action_id="a" * 256, name="n" * 256, execute_api="x" * 2048, undo_window_seconds=86_400)
    assert action().undo_window_seconds == 0 and action(action_id="did:mesh:7._-x").required_ring is Ring.PRIVILEGED


@clause("S17.1", "B7")
@pytest.mark.parametrize("bad", ["", "a\n", "../../x y", "/etc", "a" * 257])
def test_agents_and_sessions_have_identifiers(governor, bad):
    for who in ((bad, "s"), ("a", bad)):
        with pytest.raises(ValueError, match="letters, digits"):
            governor.join(*who)
    with pytest.raises(TypeError):
        governor.join(3, "s")


# ---- what is allowed


@clause("S6.1.1", "S6.1.2", "S6.1.3", "S6.2", "S1.4.2", "S19.1")
@pytest.mark.parametrize("ring", Ring)
@pytest.mark.parametrize(
    "kind", [{"is_admin": True}, {}, {"reversibility": Reversibility.FULL}, {"is_read_only": True}]
)
def test_a_ring_suffices_for_what_needs_it_or_less(ring, kind):
    asked = action(**kind)
    found = RingEnforcer().check(ring, asked, eff_score=0.5)
    needs_witness = asked.required_ring is Ring.ROOT
    assert found.allowed == (not needs_witness and ring <= asked.required_ring)
    assert (found.required_ring, found.agent_ring, found.eff_score) == (asked.required_ring, ring, 0.5)
    assert found.requires_sre_witness == needs_witness and not found.requires_consensus and found.reason


@clause("B4", "S6.1.3")
def test_the_ring_of_an_agent_is_not_what_it_says(governor):
    assert governor.check("one", "s", action()).allowed
    governor.assign("one", "s", 0.0, True)
    found = governor.check("one", "s", action())
    assert not found.allowed and found.agent_ring is Ring.SANDBOX


@pytest.mark.parametrize("ring", [True, 1, 1.0, None, "ROOT"])
def test_a_number_is_no_ring(ring):
    with pytest.raises(TypeError, match="Ring"):
        RingEnforcer().check(ring, action())
    with pytest.raises(TypeError, match="agent_ring"):
        RingEnforcer().check_resource(ring, ResourceType.NETWORK)


@clause("S6.3", "S7.1", "S7.2.0", "S7.2.1", "S7.2.2", "S7.2.3", "S7.3", "S7.4")
def test_resources_of_each_ring():
    enforcer = RingEnforcer()
    allowed = {ring: [enforcer.check_resource(ring, each).allowed for each in ResourceType] for ring in Ring}
    assert allowed == dict.fromkeys((0, 1, 2), [True] * 4) | {3: [False, False, False, True]}
    assert [DEFAULT_CONSTRAINTS[ring].max_concurrent_tools for ring in Ring] == [32, 16, 8, 2]
    scopes = [DEFAULT_CONSTRAINTS[ring].filesystem_scope for ring in Ring]
    assert scopes == [Scope.FULL, Scope.FULL, Scope.SCOPED, Scope.NONE]
    assert [DEFAULT_CONSTRAINTS[ring].filesystem_writable for ring in Ring] == [True, True, True, False]
    assert enforcer.check_resource(Ring.SANDBOX, ResourceType.NETWORK).denied_resources == ("network",)


@clause("S6.4")
def test_a_ring_without_constraints_has_those_of_ring_3():
    strict = ResourceConstraints(True, Scope.NONE, False, False, 1)
    enforcer = RingEnforcer({Ring.SANDBOX: strict})
    assert enforcer.constraints_for(Ring.PRIVILEGED) is strict
    assert RingEnforcer({}).constraints_for(Ring.PRIVILEGED) is DEFAULT_CONSTRAINTS[Ring.SANDBOX]


@pytest.mark.parametrize("score", [10**400, -(10**400)], ids=["large", "small"])
def test_a_number_beyond_all_others_is_no_score(governor, score):
    with pytest.raises(ValueError, match="eff_score is a number from 0 to 1"):
        governor.ring_of_trust(score)
    with pytest.raises(ValueError, match="eff_score is a number from 0 to 1"):
        governor.join("new", "s", score)


# ---- elevation


@clause("S8.2", "S8.4", "S8.6.1", "S8.6.4", "S21.2")
def test_who_has_earned_it_rises(governor, clock):
    raised = governor.request_elevation("three", "s", Ring.STANDARD, reason="r", trust_score=0.5)
    assert (raised.original_ring, raised.elevated_ring, raised.reason) == (Ring.SANDBOX, Ring.STANDARD, "r")
    assert raised.expires_at == clock.now / SECOND + 300
    assert governor.get_effective_ring("three", "s") is Ring.STANDARD
    governor.request_elevation("two", "s", Ring.PRIVILEGED, attestation="sre", trust_score=0.85)
    assert governor.check("two", "s", action()).allowed


@clause("S8.3.1", "S8.3.2", "S8.3.3", "S8.3.4", "S8.3.5", "S8.3.6", "S8.7", "V8", "V9", "S20.1", "S19.2")
@pytest.mark.parametrize(
    ("who", "given_", "reason"),
    [
        ("two", {"target_ring": Ring.STANDARD, "trust_score": 1}, "invalid_target"),
        ("two", {"target_ring": Ring.SANDBOX, "trust_score": 1}, "invalid_target"),
        ("two", {"target_ring": Ring.ROOT, "trust_score": 1, "attestation": "a"}, "ring_0_forbidden"),
        ("one", {"target_ring": Ring.ROOT}, "ring_0_forbidden"),
        ("two", {"target_ring": Ring.PRIVILEGED, "trust_score": 0.60, "attestation": "a"}, "insufficient_trust"),
        ("two", {"target_ring": Ring.PRIVILEGED, "trust_score": math.nextafter(0.85, 0)}, "insufficient_trust"),
        ("two", {"target_ring": Ring.PRIVILEGED, "attestation": "a"}, "insufficient_trust"),
        ("three", {"target_ring": Ring.STANDARD, "trust_score": math.nextafter(0.5, 0)}, "insufficient_trust"),
        ("two", {"target_ring": Ring.PRIVILEGED, "trust_score": 0.85}, "no_sponsorship"),
        ("two", {"target_ring": Ring.PRIVILEGED, "trust_score": 0.85, "attestation": " "}, "no_sponsorship"),
        ("two", {"target_ring": Ring.PRIVILEGED, "trust_score": 0.85, "attestation": 1}, "no_sponsorship"),
    ],
)
def test_who_has_not_earned_it_is_told_why(governor, who, given_, reason):
    with pytest.raises(RingElevationError) as told:
        governor.request_elevation(who, "s", **given_)
    assert told.value.reason == reason


@clause("S8.3.3")
def test_nobody_rises_twice(governor):
    governor.request_elevation("three", "s", Ring.STANDARD, trust_score=0.9)
    with pytest.raises(RingElevationError) as told:
        governor.request_elevation("three", "s", Ring.PRIVILEGED, attestation="a", trust_score=0.9)
    assert told.value.reason == "duplicate_elevation"
    governor.join("three", "t")
    governor.request_elevation("three", "t", Ring.STANDARD, trust_score=0.9)  # in each session by itself


@clause("B1", "S1.4.4")
@pytest.mark.parametrize("score", [math.nan, 99, -1, math.inf, True, "1", None])
def test_what_is_no_score_raises_nobody(governor, score):
    with pytest.raises(RingElevationError) as told:
        governor.request_elevation("two", "s", Ring.PRIVILEGED, attestation="a", trust_score=score)
    assert told.value.reason == "insufficient_trust"


@clause("B1")
def test_nobody_without_a_name_rises(governor):
    with pytest.raises(ValueError, match="agent_did"):
        governor.request_elevation("", "s", Ring.STANDARD, trust_score=0.9)


@clause("S8.5.1", "S8.5.2", "S8.5.3", "S1.4.3")
@pytest.mark.parametrize(("asked", "got"), [(0, 300), (-5, 300), (1, 1), (3600, 3600), (3601, 3600), (1e300, 3600)])
def test_time_is_limited(governor, clock, asked, got):
    governor.request_elevation("three", "s", Ring.STANDARD, asked, trust_score=0.9)
    clock.pass_(got - 1e-9)
    assert governor.get_effective_ring("three", "s") is Ring.STANDARD
    clock.pass_(1e-9)
    assert governor.get_effective_ring("three", "s") is Ring.SANDBOX


def test_an_elevation_for_less_than_a_moment_is_not_one_for_the_default(governor, clock):
    raised = governor.request_elevation("three", "s", Ring.STANDARD, 1e-10, trust_score=0.9)
    assert raised.expires_at == (clock.now + 1) / SECOND


def test_no_time_is_no_number_that_is_none(governor):
    with pytest.raises(ValueError, match="seconds"):
        governor.request_elevation("three", "s", Ring.STANDARD, math.nan, trust_score=0.9)
    assert governor.get_effective_ring("three", "s") is Ring.SANDBOX


@clause("S8.6.2", "S20.2")
def test_tick_clears_what_is_over(governor, clock):
    governor.request_elevation("three", "s", Ring.STANDARD, 10, trust_score=0.9)
    assert governor.tick() == []
    clock.pass_(10)
    assert governor.tick() == [("three", "s")] and governor.tick() == []
    refused(Status.NOT_ELEVATED, governor.revoke_elevation, "three", "s")


@clause("S8.6.3")
def test_an_elevation_is_revoked_at_once(governor):
    governor.request_elevation("three", "s", Ring.STANDARD, trust_score=0.9)
    governor.revoke_elevation("three", "s")
    assert governor.get_effective_ring("three", "s") is Ring.SANDBOX
    refused(Status.NOT_ELEVATED, governor.revoke_elevation, "three", "s")
    governor.request_elevation("three", "s", Ring.STANDARD, trust_score=0.9)


@clause("B9", "S8.6.4")
def test_an_elevation_lowers_nobody(governor):
    governor.request_elevation("three", "s", Ring.STANDARD, trust_score=0.9)
    assert governor.assign("three", "s", 0.97, True) is Ring.PRIVILEGED


@clause("S8.8a", "S8.8b", "B9")
def test_a_child_is_never_above_its_parent(governor, clock):
    assert governor.register_child("two", "child", "s", 1.0, True) is Ring.STANDARD
    governor.request_elevation("two", "s", Ring.PRIVILEGED, 60, attestation="a", trust_score=0.9)
    assert governor.get_effective_ring("child", "s") is Ring.PRIVILEGED  # as its parent now
    assert governor.register_child("child", "grandchild", "s", 0.7) is Ring.STANDARD
    clock.pass_(60)
    assert governor.get_effective_ring("child", "s") is Ring.STANDARD
    governor.assign("two", "s", 0.1)
    assert {governor.get_effective_ring(each, "s") for each in ("child", "grandchild")} == {Ring.SANDBOX}
    refused(Status.NOT_SEATED, governor.register_child, "nobody", "x", "s")


@clause("S8.8a")
def test_whose_parent_has_gone_is_in_the_sandbox(governor):
    governor.register_child("one", "child", "s", 1.0, True)
    governor.dismiss("one", "s")
    assert governor.get_effective_ring("child", "s") is Ring.SANDBOX
    governor.join("four", "s", 1.0, True)  # in the row of the parent
    assert governor.get_effective_ring("child", "s") is Ring.SANDBOX


# ---- rates


def spent(governor, who, session="s", most=1000):
    """Return how many calls an agent can make now."""
    return next((count for count in range(most) if not governor.try_spend(who, session)), most)


@clause("S9.1", "S9.2", "V10")
def test_each_ring_has_its_burst_and_its_rate(governor, clock):
    assert [tuple(DEFAULT_RING_LIMITS[ring]) for ring in Ring] == [(100, 200), (50, 100), (20, 40), (5, 10)]
    assert [spent(governor, who) for who in ("one", "two", "three")] == [100, 40, 10]
    clock.pass_(1)
    assert [spent(governor, who) for who in ("one", "two", "three")] == [50, 20, 5]
    clock.pass_(1000)
    assert [spent(governor, who) for who in ("one", "two", "three")] == [100, 40, 10]


@clause("S9.4", "S19.2")
def test_one_call_too_many_is_told(governor):
    for _ in range(10):
        governor.spend("three", "s")
    with pytest.raises(RateLimitExceeded, match="three in s"):
        governor.spend("three", "s")


@clause("S9.3")
def test_a_ring_without_limits_has_those_of_ring_2(clock):
    made = Governor(clock, {Ring.STANDARD: Rate(1, 3)})
    made.join("three", "s")
    assert spent(made, "three") == 3


@pytest.mark.parametrize(
    "limits",
    [
        {},
        {Ring.SANDBOX: Rate(1, 1)},
        *(
            {Ring.STANDARD: Rate(*each)}
            for each in ((0, 1), (-1, 1), (math.nan, 1), (math.inf, 1), (1, 0), (1, 1 << 62))
        ),
    ],
)
def test_limits_that_are_none_are_refused(limits):
    with pytest.raises(ValueError, match="rate|burst"):
        Governor(limits=limits)


def test_a_rate_that_divides_no_second_lets_no_call_through_too_early(clock):
    made = Governor(clock, {Ring.STANDARD: Rate(3, 1)})
    made.join("a", "s")
    assert made.try_spend("a", "s")
    clock.now += SECOND // 3
    assert not made.try_spend("a", "s")
    clock.now += 1
    assert made.try_spend("a", "s")


@clause("B8")
@pytest.mark.parametrize("cost", [0, -5, True, 1.5, math.nan, "1", None, 1 << 70])
def test_a_cost_is_a_positive_number(governor, cost):
    with pytest.raises((TypeError, ValueError), match="cost"):
        governor.spend("three", "s", cost)
    assert spent(governor, "three") == 10


@clause("B8", "S9.5")
def test_a_change_of_ring_refills_nothing(governor, clock):
    assert spent(governor, "two") == 40
    for score in (0.1, 0.8) * 50:
        governor.assign("two", "s", score)
        assert spent(governor, "two") == 0
    clock.pass_(1)
    assert spent(governor, "two") == 20
    governor.assign("two", "s", 0.1)
    clock.pass_(1)
    assert spent(governor, "two") == 5


@clause("B8")
def test_a_clock_that_runs_back_gives_and_takes_nothing(governor, clock):
    assert spent(governor, "three") == 10
    clock.pass_(-5)
    assert spent(governor, "three") == 0
    clock.pass_(5.2)
    assert spent(governor, "three") == 1


@clause("B8")
def test_a_clock_that_runs_back_brings_no_elevation_back(governor, clock):
    governor.request_elevation("two", "s", Ring.PRIVILEGED, 60, "ticket", trust_score=0.99)
    clock.pass_(61)
    assert governor.get_effective_ring("two", "s") is Ring.STANDARD
    clock.pass_(-30)
    assert governor.get_effective_ring("two", "s") is Ring.STANDARD


@clause("S9.6", "S20.3", "B8")
def test_there_is_a_bounded_number_of_buckets_and_none_is_evicted(clock):
    assert DEFAULT_MAX_BUCKETS == 100_000
    made = Governor(clock, max_buckets=2)
    made.join("a", "s")
    made.join("a", "t")
    assert spent(made, "a") == 10
    refused(Status.EXHAUSTED, made.join, "b", "s")
    assert spent(made, "a") == 0
    made.dismiss("a", "t")
    made.join("b", "s")


@given(st.lists(st.tuples(st.integers(0, 3 * SECOND), st.integers(1, 12)), max_size=40))
def test_a_bucket_is_one_of_exact_fractions(steps):
    clock = Clock()
    made = Governor(clock)
    made.join("three", "s")
    tokens = Fraction(10)
    for passed, cost in steps:
        clock.now += passed
        tokens = min(Fraction(10), tokens + Fraction(5 * passed, SECOND))
        assert made.try_spend("three", "s", cost) == (tokens >= cost)
        tokens -= cost if tokens >= cost else 0


def test_threads_share_a_bucket(governor):
    paid = []
    threads = [threading.Thread(target=lambda: paid.append(spent(governor, "one"))) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sum(paid) == 100


# ---- quarantine


@clause("S13.1", "S13.2", "S13.3", "S13.4")
def test_who_is_in_quarantine_does_nothing(governor, clock):
    governor.quarantine("one", "s")
    assert governor.is_quarantined("one", "s") and not governor.check("one", "s", action()).allowed
    refused(Status.QUARANTINED, governor.spend, "one", "s")
    clock.pass_(299)
    governor.quarantine("one", "s", 0.5)  # shortens nothing
    assert governor.is_quarantined("one", "s")
    clock.pass_(1)
    assert governor.check("one", "s", action()).allowed
    governor.quarantine("one", "s", 10)
    governor.release("one", "s")
    assert governor.check("one", "s", action()).allowed


# ---- breaches


@clause("B12")
def test_a_few_calls_of_ones_own_ring_are_no_breach(governor, clock):
    for _ in range(2):
        assert governor.record_call("two", "s", Ring.STANDARD) is Severity.NONE
        clock.pass_(0.005)
    assert not governor.is_breaker_tripped("two", "s")


@clause("B12")
def test_a_call_of_ring_0_is_one_at_once(governor):
    assert governor.record_call("three", "s", Ring.ROOT) is Severity.CRITICAL
    assert governor.is_breaker_tripped("three", "s")
    assert not governor.check("three", "s", action(is_read_only=True)).allowed
    refused(Status.TRIPPED, governor.spend, "three", "s")
    assert governor.check("two", "s", action(is_read_only=True)).allowed
    governor.reset_breaker("three", "s")
    assert governor.check("three", "s", action(is_read_only=True)).allowed
    refused(Status.WRONG_STAGE, governor.reset_breaker, "three", "s")


@pytest.mark.parametrize(("called", "counts"), [(Ring.SANDBOX, 1), (Ring.STANDARD, 1), (Ring.PRIVILEGED, 2)])
def test_calls_beyond_ones_ring_count_more(governor, clock, called, counts):
    found = [governor.record_call("three", "s", called) for _ in range(12_000 // counts)]
    for severity, calls in (
        (Severity.LOW, 1200),
        (Severity.MEDIUM, 3000),
        (Severity.HIGH, 6000),
        (Severity.CRITICAL, 12_000),
    ):
        assert found[calls // counts - 1] is severity and found[calls // counts - 2] is Severity(severity - 1)
    clock.pass_(60)
    assert governor.record_call("three", "s", called) is Severity.NONE
    assert governor.is_breaker_tripped("three", "s")  # until somebody has looked at it


# ---- the rest


def test_an_interrupt_while_one_joins_keeps_nobody_else_out(governor, monkeypatch):
    do = governor.do

    def interrupted(*arguments):
        do(*arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(governor, "do", interrupted)
    with pytest.raises(KeyboardInterrupt):
        governor.join("four", "s", 0.97, True)
    monkeypatch.undo()
    assert not governor.check("four", "s", action()).allowed
    assert governor.join("four", "s", 0.97, True) is Ring.PRIVILEGED
    assert governor.join("five", "s", 0.8) is Ring.STANDARD


def test_nobody_acts_in_the_place_of_another_one(governor):
    """While threads ask for an agent without trust, its row is taken by one that is trusted, again and again."""
    found, over = [], threading.Event()

    def ask():
        while not over.is_set():
            found.append(governor.check("low", "s", action()).allowed)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for each in threads:
        each.start()
    for _ in range(2000):
        governor.join("low", "s")
        governor.dismiss("low", "s")
        governor.join("high", "s", 0.97, True)
        governor.dismiss("high", "s")
    over.set()
    for each in threads:
        each.join()
    assert found and not any(found)


def test_a_governor_is_not_copied(governor):
    with pytest.raises(TypeError, match="Governor"):
        copy.copy(governor)


def test_nobody_is_in_a_session_twice(governor):
    refused(Status.TAKEN, governor.join, "one", "s", 0.1)
    assert governor.get_effective_ring("one", "s") is Ring.PRIVILEGED


def meddled(governor, meddle):
    """Let something happen once, in the midst of a look at the ring of an agent."""
    ask, left = governor.call.effective_ring, [meddle]

    def effective_ring(*arguments):
        if left:
            left.pop()()
        return ask(*arguments)

    governor.call = SimpleNamespace(**vars(governor.call) | {"effective_ring": effective_ring})


def handed_over(governor):
    """Give the row of an agent to one with more trust."""
    governor.dismiss("three", "s")
    governor.join("high", "s", 0.97, True)


def test_nobody_gets_the_ring_of_who_has_its_row_now(governor):
    meddled(governor, lambda: handed_over(governor))
    assert governor.get_effective_ring("three", "s") is Ring.SANDBOX
    assert governor.get_effective_ring("high", "s") is Ring.PRIVILEGED


def test_nobody_gets_the_ring_of_who_had_its_row_meanwhile(governor):
    def handed_over_and_back():
        row = governor.seats["three", "s"]
        handed_over(governor)
        governor.dismiss("high", "s")
        governor.join("three", "s", 0.97, True)
        assert governor.seats["three", "s"] == row

    meddled(governor, handed_over_and_back)
    assert governor.get_effective_ring("three", "s") is Ring.SANDBOX


def test_nobody_pays_for_who_had_its_row(governor):
    other = threading.Thread(target=handed_over, args=[governor])

    def meddle():
        other.start()
        other.join(0.05)

    meddled(governor, meddle)
    assert governor.try_spend("three", "s")
    other.join()
    assert governor.state.seat[governor.seats["high", "s"]].due == 0


def test_what_is_refused_takes_no_row_of_an_agent(governor):
    governor.kill("one", "one")
    known = dict(governor.agents)
    refused(Status.KILLED, governor.register_child, "one", "child", "s")
    refused(Status.KILLED, governor.kill, "one", "heir")
    refused(Status.NOT_KILLED, governor.report, "unknown", True)
    refused(Status.NOT_KILLED, governor.report, "two", True)
    with pytest.raises(ValueError, match="agent_did"):
        governor.kill("new", "")
    assert governor.agents == known
