"""Does time never run backwards, whatever the clock says?

Expired things stay expired, and the log's records are in order of time.
"""

import pytest

from corollary.spec.kernel.limits import SECOND
from corollary.spec.kernel.ring import effective_ring
from corollary.spec.kernel.vocabulary import Ring
from tests.model.properties import broken
from tests.model.test_machine import Checked
from tests.model.world import SLOT_PROOF_ROOTS, Status

COMMAND = 6  # the slot of a capability for a partition that it did not create
ELEVATE_WITH = 5  # the slot in which a partition holds its attestation
LONG_AGO = SECOND


@pytest.fixture
def w():
    """Return a world that checks every promise at every call, late in its day."""
    world = Checked()
    world.spawn(1, 900_000, False)
    world.give(SLOT_PROOF_ROOTS, 1, ELEVATE_WITH)
    world.spawn(2)
    world.give(world.handle(32), 1, COMMAND)
    world.run(1).must("yield_now", now=1000 * SECOND)
    return world.run(1)


def test_a_call_at_an_earlier_hour_is_recorded_at_the_last_that_was_used(w):
    assert w.call("yield_now", now=LONG_AGO) == Status.OK
    assert (w.newest.time, w.last.now, w.s.time) == (1000 * SECOND,) * 3


def test_a_call_that_finds_no_room_uses_time_too(w):
    w.own().quota = 0
    assert w.call("yield_now", now=2000 * SECOND) == Status.WITNESS_FULL
    assert w.s.time == 2000 * SECOND


@pytest.mark.parametrize("act", ["preempt", "fault"])
def test_what_the_kernel_does_by_itself_uses_no_earlier_time(w, act):
    w.s.switches, w.now = 1, LONG_AGO
    getattr(w, act)()
    assert (w.newest.time, w.s.time) == (1000 * SECOND,) * 2


@pytest.mark.parametrize("way", ["call", "preempt", "fault"])
def test_an_elevation_that_expired_never_revives(w, way):
    w.must("ring_elevate", 0, Ring.PRIVILEGED, 10, ELEVATE_WITH)
    assert effective_ring(w.s, 1, w.s.time) == Ring.PRIVILEGED
    later = w.now + 11 * SECOND
    if way == "call":
        w.must("yield_now", now=later)
        w.run(1)
    else:
        w.s.time = later  # time that another partition used
        w.now = LONG_AGO
    assert effective_ring(w.s, 1, w.s.time) == Ring.STANDARD
    if way == "fault":
        w.fault()
    elif way == "preempt":
        w.preempt()
    else:
        assert w.call("partition_release", w.handle(COMMAND, 1), now=LONG_AGO) == Status.RING_DENIED
    assert effective_ring(w.s, 1, w.s.time) == Ring.STANDARD


def test_the_records_of_a_clock_that_jumps_stand_in_order_of_time(w):
    for seconds in (1500, 3, 1700, 0, 1 << 30, 1):
        w.call("yield_now", now=seconds * SECOND)
        w.preempt(now=seconds * SECOND // 2)
    times = [record.time for record in w.records]
    assert times == sorted(times) and broken(w.s) is None


def test_of_what_is_used_up_nothing_comes_back_while_the_clock_runs_back(w):
    while w.call("yield_now", now=1000 * SECOND) == Status.OK:
        w.run(1)
    assert w.call("yield_now", now=LONG_AGO) == Status.RATE_LIMITED
