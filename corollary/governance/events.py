"""Who is told what happens? Subscribers of a bus, at once, and whoever asks it later.

The types are those of what there is here: the specification also names some of features that were removed from it.
"""

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable, Mapping
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

from corollary.governance.checks import member, whole
from corollary.lasting import Lock

DEFAULT_HISTORY, LONGEST_HISTORY = 100_000, 10_000_000  # events
FAILURES = 1000  # of subscribers, that are kept


class EventType(Enum):
    """What happened."""

    SESSION_CREATED = "session.created"
    SESSION_JOINED = "session.joined"
    SESSION_ACTIVATED = "session.activated"
    SESSION_TERMINATED = "session.terminated"
    SESSION_ARCHIVED = "session.archived"
    RING_ASSIGNED = "ring.assigned"
    RING_ELEVATED = "ring.elevated"
    RING_DEMOTED = "ring.demoted"
    RING_ELEVATION_EXPIRED = "ring.elevation_expired"
    RING_BREACH_DETECTED = "ring.breach_detected"
    QUARANTINE_ENTERED = "quarantine.entered"
    QUARANTINE_RELEASED = "quarantine.released"
    SAGA_CREATED = "saga.created"
    SAGA_STEP_FAILED = "saga.step_failed"
    SAGA_COMPENSATING = "saga.compensating"
    SAGA_COMPLETED = "saga.completed"
    SAGA_ESCALATED = "saga.escalated"
    RATE_LIMITED = "enforcement.rate_limited"
    AGENT_KILLED = "enforcement.agent_killed"
    DELTA_CAPTURED = "audit.delta_captured"


class Event(NamedTuple):
    """Something that happened. `timestamp` is in seconds since 1970; events of one cause share `causal_trace_id`."""

    event_id: str  # 16 hexadecimal digits
    event_type: EventType
    timestamp: float
    session_id: str | None
    agent_did: str | None
    causal_trace_id: str
    parent_event_id: str | None
    payload: Mapping[str, object]


Subscriber = Callable[[Event], object]


class EventBus:
    """Keeps the last events, and tells subscribers. The others are told, too, when one of them raises.

    `failures` keeps what was raised, without a traceback.
    """

    def __init__(self, history: int = DEFAULT_HISTORY, clock: Callable[[], float] = time.time):
        self.events: deque[Event] = deque(maxlen=whole("history", history, 1, LONGEST_HISTORY))
        self.failures: deque[tuple[Event, BaseException]] = deque(maxlen=FAILURES)
        self.subscribers: list[tuple[EventType | None, Subscriber]] = []
        self.clock, self.lock = clock, Lock()

    def subscribe(self, subscriber: Subscriber, event_type: EventType | None = None) -> Callable[[], None]:
        """Tell somebody of each event of a type, or of all; return what ends that."""
        entry = (None if event_type is None else member("event_type", event_type, EventType), subscriber)
        with self.lock.here:
            self.subscribers.append(entry)

        def unsubscribe():
            with self.lock.here:
                self.subscribers = [each for each in self.subscribers if each is not entry]

        return unsubscribe

    def publish(
        self,
        event_type: EventType,
        session_id: str | None = None,
        agent_did: str | None = None,
        parent: Event | None = None,
        **payload: object,
    ) -> Event:
        """Note that something happened, by itself or because of another event, and tell who subscribed."""
        name = os.urandom(8).hex()
        event = Event(
            name,
            member("event_type", event_type, EventType),
            self.clock(),
            session_id,
            agent_did,
            parent.causal_trace_id if parent else name,
            parent.event_id if parent else None,
            MappingProxyType(payload),
        )
        with self.lock.here:
            self.events.append(event)
            told = list(self.subscribers)
        for wanted, subscriber in told:
            if wanted in (None, event_type):
                self.tell(subscriber, event)
        return event

    def tell(self, subscriber, event):
        """Tell a subscriber; note what it raises."""
        try:
            subscriber(event)
        except (Exception, SystemExit, asyncio.CancelledError) as problem:  # it ends and cancels nobody here
            problem.__cause__ = problem.__context__ = None  # these, and a traceback, keep what the subscriber had
            self.failures.append((event, problem.with_traceback(None)))

    def query(
        self,
        event_type: EventType | None = None,
        session_id: str | None = None,
        agent_did: str | None = None,
        since: float | None = None,
        until: float | None = None,
    ) -> list[Event]:
        """Return the events that are all of what is given, the oldest first; times are inclusive."""
        with self.lock.here:
            events = list(self.events)
        return [
            each
            for each in events
            if event_type in (None, each.event_type)
            and session_id in (None, each.session_id)
            and agent_did in (None, each.agent_did)
            and (since is None or since <= each.timestamp)
            and (until is None or each.timestamp <= until)
        ]
