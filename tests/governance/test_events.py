"""Is everybody told what happens, whatever one of them does, and can it be asked for later?"""

import asyncio
import gc
import re
import threading
import weakref
from typing import Any

import pytest

from corollary.governance import (
    DeltaEngine,
    EventBus,
    EventType,
    Governor,
    KillSwitch,
    RateLimitExceeded,
    Ring,
    SagaFailed,
    SagaOrchestrator,
    SagaStep,
    SharedSession,
)
from tests.governance.clauses import clause
from tests.governance.test_rings import Clock
from tests.runtime.stores import run


@clause("AC12.3")
def test_an_event_says_what_happened():
    bus = EventBus(clock=lambda: 1.5)
    found = bus.publish(EventType.RING_ASSIGNED, "s", "a", ring=2)
    assert re.fullmatch("[0-9a-f]{16}", found.event_id) and found.timestamp == 1.5
    assert (found.event_type, found.session_id, found.agent_did) == (EventType.RING_ASSIGNED, "s", "a")
    assert dict(found.payload) == {"ring": 2} and bus.query() == [found]
    assert bus.publish(EventType.RING_ASSIGNED).event_id != found.event_id


@clause("AC12.4-5")
def test_events_stay_as_they_are_and_the_oldest_goes_first():
    bus = EventBus(2)
    found = [bus.publish(EventType.RING_ASSIGNED, str(number)) for number in range(3)]
    last: Any = found[2]
    assert bus.query() == found[1:] and EventBus().events.maxlen == 100_000
    with pytest.raises(AttributeError):
        last.timestamp = 0
    with pytest.raises(TypeError):
        last.payload["ring"] = 0
    with pytest.raises(ValueError, match="history"):
        EventBus(0)


@clause("AC12.6", "B14")
@pytest.mark.parametrize("problem", [OSError, SystemExit, asyncio.CancelledError])
def test_who_raises_keeps_nobody_from_being_told(problem):
    bus, all_, killed = EventBus(), [], []

    def raising(event):
        raise problem(event.event_id)

    bus.subscribe(raising)
    end = bus.subscribe(all_.append)
    bus.subscribe(killed.append, EventType.AGENT_KILLED)
    first, second = bus.publish(EventType.AGENT_KILLED), bus.publish(EventType.RING_ASSIGNED)
    end()
    third = bus.publish(EventType.AGENT_KILLED)
    assert all_ == [first, second] and killed == [first, third]
    assert [event for event, _ in bus.failures] == [first, second, third]
    with pytest.raises(TypeError, match="event_type"):
        bus.publish("ring.assigned")


def test_what_a_subscriber_raised_keeps_nothing_that_it_had():
    bus = EventBus()

    class Large:
        """Something that takes much memory."""

    def raising(_):
        large = Large()
        kept.append(weakref.ref(large))
        try:
            raise KeyError(1)
        except KeyError as problem:
            raise OSError("no") from problem

    kept: list[Any] = []
    bus.subscribe(raising)
    bus.publish(EventType.RING_ASSIGNED)
    gc.collect()
    [(_, problem)] = bus.failures
    assert str(problem) == "no" and problem.__traceback__ is None and kept[0]() is None


@clause("AC12.7")
def test_events_are_found_by_what_they_are():
    times = iter(range(4))
    bus = EventBus(clock=lambda: next(times))
    found = [
        bus.publish(what, session, agent)
        for what, session, agent in (
            (EventType.RING_ASSIGNED, "s", "a"),
            (EventType.RING_ASSIGNED, "t", "a"),
            (EventType.RING_DEMOTED, "s", "a"),
            (EventType.RING_ASSIGNED, "s", "b"),
        )
    ]
    assert bus.query(EventType.RING_ASSIGNED) == [found[0], found[1], found[3]]
    assert bus.query(session_id="s", agent_did="a") == [found[0], found[2]]
    assert bus.query(since=1, until=2) == found[1:3]
    assert bus.query(EventType.RING_ASSIGNED, "s", "b", 3, 3) == [found[3]]


@clause("AC20.3")
def test_what_came_of_an_event_shares_its_trace():
    bus = EventBus()
    cause = bus.publish(EventType.RING_BREACH_DETECTED, "s", "a")
    effect = bus.publish(EventType.AGENT_KILLED, "s", "a", cause)
    last = bus.publish(EventType.SESSION_TERMINATED, "s", parent=effect)
    assert cause.parent_event_id is None and effect.parent_event_id == cause.event_id
    assert {cause.causal_trace_id, effect.causal_trace_id, last.causal_trace_id} == {cause.event_id}
    assert last.parent_event_id == effect.event_id


@clause("AC12.1-2")
def test_all_parts_tell_one_bus():
    bus, clock = EventBus(), Clock()
    governor = Governor(clock, events=bus)
    session = SharedSession(governor, "s")
    session.begin_handshake()
    for who in ("a", "b", "c"):
        session.join(who, 0.8)
    session.activate()
    governor.assign("a", "s", 0.1)
    governor.request_elevation("a", "s", Ring.STANDARD, 1, trust_score=0.9)
    clock.pass_(1)
    governor.tick()
    governor.quarantine("b", "s")
    governor.release("b", "s")
    governor.record_call("b", "s", Ring.ROOT)
    with pytest.raises(RateLimitExceeded):
        governor.spend("c", "s", 41)
    DeltaEngine(governor, "s").capture("c")
    sagas(governor)
    KillSwitch(governor).kill("c", "s")
    session.terminate()
    session.archive()
    assert {each.event_type for each in bus.query()} == {*EventType}
    assert [each.payload["ring"] for each in bus.query(EventType.RING_DEMOTED)] == [3]


def sagas(governor):
    """Run a saga that is completed, and one that escalates."""

    async def done():
        pass

    async def fails():
        raise OSError

    async def both():
        orchestrator = SagaOrchestrator(governor, max_retries=0)
        await orchestrator.run([SagaStep("a", done)])
        with pytest.raises(SagaFailed):
            await orchestrator.run([SagaStep("a", done), SagaStep("b", fails)])

    run(both())


def test_subscribers_are_told_of_who_joins_when_others_may_go_on():
    bus, told = EventBus(), []
    governor = Governor(events=bus)
    session = SharedSession(governor, "s")
    session.begin_handshake()

    def others_go_on(event):
        other = threading.Thread(target=governor.tick)
        other.start()
        other.join(0.5)
        told.append(not other.is_alive())

    bus.subscribe(others_go_on, EventType.SESSION_JOINED)
    session.join("a")
    session.leave("a")
    session.join("a")
    governor.leave("a", "s")
    governor.join("a", "s")
    assert told == [True] * 3
