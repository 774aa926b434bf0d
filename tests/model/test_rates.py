"""How are calls and messages limited?

Tokens arrive with time, as fast as the ring allows; each epoch allows messages.
"""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corollary.language.types import OutOfRange
from corollary.model.kernel import ring
from corollary.spec.kernel.limits import BURST, MESSAGES_PER_EPOCH, QUANTUM, SECOND
from corollary.spec.kernel.ring import CALL_COST, RATE, effective_ring
from corollary.spec.kernel.state import Kernel
from corollary.spec.kernel.vocabulary import Meter, Ring
from tests.model.world import ALL_RIGHTS, BY_NAME, SLOT_SCHEDULER, Status, World

PRIVILEGED, STANDARD, SANDBOX = Ring.PRIVILEGED, Ring.STANDARD, Ring.SANDBOX


# ---- token buckets


class ExactBucket:
    """The token bucket of the requirements in nano-tokens, written independently of the model."""

    def __init__(self, ring_, now):
        self.ring, self.clock, self.tokens = ring_, now, Fraction(2 * RATE[ring_] * SECOND)

    def change(self, ring_):
        """Keep the fill ratio when the ring changes."""
        self.tokens = self.tokens / (2 * RATE[self.ring]) * (2 * RATE[ring_])
        self.ring = ring_

    def call(self, now):
        """Is there a whole token?"""
        elapsed, self.clock = max(0, now - self.clock), max(now, self.clock)
        self.tokens = min(self.tokens + elapsed * RATE[self.ring], Fraction(2 * RATE[self.ring] * SECOND))
        if self.tokens < SECOND:
            return False
        self.tokens -= SECOND
        return True


def bucketed(ring_, now):
    s = Kernel()
    row = s.partition[3]
    row.ring, row.bucket.credit, row.bucket.refilled = ring_, BURST, now
    return s


def spend(s, p, now):
    """Let a partition pay for a call in the ring that the gate applies."""
    return ring.spend(s, p, effective_ring(s, p, now), now)


def test_rates_and_bursts():
    assert [(rate, BURST // cost) for rate, cost in zip(RATE, CALL_COST, strict=True)] == [
        (100, 200),
        (50, 100),
        (20, 40),
        (5, 10),
    ]
    assert [cost * rate for rate, cost in zip(RATE, CALL_COST, strict=True)] == [SECOND] * 4


@given(
    st.sampled_from(list(Ring)),
    st.integers(0, 1 << 62),
    st.lists(
        st.one_of(
            st.tuples(
                st.just("after"),
                st.one_of(st.integers(0, 10**9), st.sampled_from((0, 1, 9_999_999, 10**7, 2 * 10**8, 10**12))),
            ),
            st.tuples(st.just("back"), st.integers(0, 10**10)),
            st.tuples(st.just("ring"), st.sampled_from(list(Ring))),
        ),
        max_size=60,
    ),
)
def test_a_bucket_is_exact(ring_, start, steps):
    s, exact, now = bucketed(ring_, start), ExactBucket(ring_, start), start
    for kind, value in steps:
        if kind == "ring":
            s.partition[3].ring = value
            exact.change(value)
            continue
        now = now + value if kind == "after" else max(0, now - value)
        assert spend(s, 3, now) == exact.call(now)
        assert Fraction(int(s.partition[3].bucket.credit)) * RATE[exact.ring] == exact.tokens


@pytest.mark.parametrize("ring_", Ring)
def test_never_more_than_burst_and_rate_times_time(ring_):
    s, start = bucketed(ring_, SECOND), SECOND
    passed = sum(spend(s, 3, start + step * 5_000_000) for step in range(1000))
    assert passed == min(1000, 2 * RATE[ring_] + (999 * 5_000_000 * RATE[ring_]) // SECOND)


def test_v10_the_eleventh_rapid_call_of_the_sandbox_is_refused():
    w = World()
    w.spawn(1, 0)
    w.run(1)
    now = w.now + 10 * SECOND
    assert [w.call("proof_inspect", now=now) for _ in range(11)] == [Status.OK] * 10 + [Status.RATE_LIMITED]
    assert w.call("proof_inspect", now=now + 200_000_000 - 1) == Status.RATE_LIMITED
    assert w.call("proof_inspect", now=now + 200_000_000) == Status.OK


def test_a_clock_that_runs_back_mints_nothing():
    s = bucketed(SANDBOX, 1000 * SECOND)
    assert [spend(s, 3, 1000 * SECOND) for _ in range(11)] == [True] * 10 + [False]
    assert not any(spend(s, 3, second * SECOND) for second in range(0, 1001, 50))
    assert s.partition[3].bucket.refilled == 1000 * SECOND


def test_flipping_rings_refills_nothing():
    s = bucketed(SANDBOX, SECOND)
    granted = 0
    for turn in range(1000):
        s.partition[3].ring = (SANDBOX, STANDARD, PRIVILEGED)[turn % 3]
        granted += spend(s, 3, SECOND)
    assert granted <= 2 * RATE[PRIVILEGED]


def test_a_refused_call_costs_no_token():
    s = bucketed(SANDBOX, SECOND)
    while spend(s, 3, SECOND):
        pass
    left = s.partition[3].bucket.credit
    assert not spend(s, 3, SECOND) and s.partition[3].bucket.credit == left


@pytest.mark.parametrize("wrong", (-1, float("nan"), float("inf"), 1 << 32), ids=str)
def test_a_score_is_a_number_from_the_start(wrong):
    row = Kernel().partition[1]
    with pytest.raises(OutOfRange):
        row.score = wrong


def test_a_call_costs_what_the_ring_says_and_no_argument_says_otherwise():
    assert all(cost > 0 for cost in CALL_COST)
    assert not any(name in ("cost", "tokens") for operation in BY_NAME.values() for name, _ in operation.parameters)


def test_each_partition_has_a_bucket_of_its_own():
    w = World()
    w.spawn(1, 0)
    w.spawn(2, 0)
    now = w.now + 10 * SECOND
    w.run(1)
    while w.call("proof_inspect", now=now) == Status.OK:
        pass
    assert w.newest.status == Status.RATE_LIMITED
    w.run(2)
    assert w.call("proof_inspect", now=now) == Status.OK


# ---- messages have their own allowance


def speaker():
    """Return a sandboxed partition that may signal a notification, as often as it has messages left."""
    w = World()
    w.spawn(1, 0)
    w.own(1).quota += 2 * MESSAGES_PER_EPOCH
    w.must("notification_create", SLOT_SCHEDULER, 1, 50)
    w.must("capability_grant", 50, 5, ALL_RIGHTS, w.handle(31), 1)
    w.own(1).score, w.own(1).ring = 700_000, STANDARD  # signalling requires ring 2
    w.now += SECOND
    return w.run(1)


def signals(w, now, count=1):
    """Return the results of this many signals at one moment."""
    return [w.call("notification_signal", 5, 1, now=now) for _ in range(count)]


def test_messages_are_as_many_an_epoch_as_there_are_whatever_the_rate_of_the_ring():
    w = speaker()
    assert signals(w, w.now, MESSAGES_PER_EPOCH + 1) == [Status.OK] * MESSAGES_PER_EPOCH + [Status.RATE_LIMITED]
    assert w.own().bucket.credit == BURST


def test_the_allowance_is_whole_again_as_soon_as_the_epoch_is_over_and_not_before():
    w = speaker()
    began = w.now
    signals(w, began, MESSAGES_PER_EPOCH)
    assert signals(w, began + QUANTUM - 1) == [Status.RATE_LIMITED]
    assert signals(w, began + QUANTUM, MESSAGES_PER_EPOCH + 1) == [Status.OK] * MESSAGES_PER_EPOCH + [
        Status.RATE_LIMITED
    ]


def test_a_clock_that_runs_back_brings_no_messages():
    w = speaker()
    now = w.now
    signals(w, now, MESSAGES_PER_EPOCH)
    assert signals(w, now - SECOND) == [Status.RATE_LIMITED]


def test_messages_cost_no_calls_and_calls_no_messages():
    w = speaker()
    while w.call("proof_inspect", now=w.now) == Status.OK:
        pass
    assert w.newest.status == Status.RATE_LIMITED and signals(w, w.now) == [Status.OK]
    assert w.own().messages.used == 1


def test_messages_and_the_way_out_are_what_the_allowance_is_for():
    paid = {name for name, operation in BY_NAME.items() if operation.meter == Meter.MESSAGES}
    assert paid == {
        "edge_send",
        "edge_receive",
        "notification_signal",
        "notification_wait",
        "console_write",
        "witness_read",
        "witness_discard",
        "graph_read",
        "edge_await",
        "notification_await",
        "device_submit",
        "device_complete",
        "agent_measure",
        "agent_speak",
        "block_clean",
    }
