"""Who may do what, now? A governor knows the agents and their sessions, and asks the component.

Stricter than the specification: nobody says in which ring it is; a ring change refills no bucket; a bucket is never
evicted, and when there is no room for another one, the agent is refused; costs are whole and positive; a child that
rises stays below its parent; whoever a governor does not know may do nothing.
"""

import ctypes
import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from heapq import heappushpop
from types import MappingProxyType
from typing import Any, NamedTuple

from corollary.governance.checks import (
    EXCEED,
    REACH,
    Refused,
    flag,
    identifier,
    member,
    number,
    parts_per_million,
    whole,
)
from corollary.governance.events import EventBus, EventType
from corollary.governance.library import library, made
from corollary.governance.rings import ActionDescriptor, RingCheckResult, results
from corollary.lasting import Lock
from corollary.problem import Problem
from corollary.spec.governance.limits import AGENTS, SAGAS, SEATS, SESSIONS, SPAN_LIMIT, STEPS
from corollary.spec.governance.vocabulary import Severity, Stage, Status
from corollary.spec.governance.words import is_over
from corollary.spec.ring import BURST, ELEVATION_DEFAULT, ELEVATION_LIMIT, RATE, SECOND, Ring
from corollary.uncopied import Uncopied

DEFAULT_MAX_BUCKETS = 100_000
DEFAULT_QUARANTINE = 300  # s
STATUSES, RINGS = tuple(Status), tuple(Ring)
LONGEST = 1 << 32  # s; the longest time that may be asked for

STAGED = MappingProxyType(
    {
        Stage.ACTIVE: EventType.SESSION_ACTIVATED,
        Stage.TERMINATING: EventType.SESSION_TERMINATED,
        Stage.ARCHIVED: EventType.SESSION_ARCHIVED,
    }
)


class Rate(NamedTuple):
    """How many calls a second a bucket lets through in the long run, and how many at once."""

    rate: float
    burst: int

    @property
    def cost(self) -> int:
        """What a call costs, in ns of credit; rounded so that no call comes too early."""
        return math.ceil(SECOND / self.rate)

    @property
    def span(self) -> int:
        """What the bucket holds, in ns of credit."""
        return self.burst * self.cost


DEFAULT_RING_LIMITS: Mapping[Ring, Rate] = MappingProxyType(
    {ring: Rate(RATE[ring], RATE[ring] * BURST // SECOND) for ring in Ring}
)


class RateLimitExceeded(Problem):
    """An agent makes more calls than its ring allows. Nothing was paid."""


class RingElevationError(Refused):
    """An agent does not rise; `reason` is the code of the specification."""

    @property
    def reason(self) -> str:
        """The code, in lower case."""
        return self.status.name.lower()


@dataclass(frozen=True)
class RingElevation:
    """A better ring for a while. `expires_at` is in seconds of the governor's clock."""

    agent_did: str
    session_id: str
    original_ring: Ring
    elevated_ring: Ring
    expires_at: float
    reason: str = ""


class Row(int):
    """A row as somebody has it: whoever has that number next has another `Row`."""


class Rows:
    """Rows: those that were given back, then new ones. One that an interrupt kept from it is lost."""

    def __init__(self):
        self.next, self.back = 0, []

    def take(self) -> Row:
        """Return a row that nobody has."""
        if self.back:
            return Row(self.back.pop())
        self.next += 1
        return Row(self.next - 1)

    def give(self, row: Row) -> None:
        """Take a row back."""
        self.back.append(row)


class Governor(Uncopied):
    """The agents of some sessions, each with its trust, its ring and its bucket, and those that were killed.

    `clock` returns nanoseconds; one that runs back gives nothing. `limits` are the rates of the rings; a ring without
    one has that of ring 2. `events` is told what happens. All methods may be called by several threads at once. Texts
    that are no identifiers, and numbers out of range, raise `TypeError` or `ValueError`; what is refused otherwise
    raises `Refused`.
    """

    advice = "make another one"

    def __init__(
        self,
        clock: Callable[[], int] = time.monotonic_ns,
        limits: Mapping[Ring, Rate] = DEFAULT_RING_LIMITS,
        max_buckets: int = DEFAULT_MAX_BUCKETS,
        events: EventBus | None = None,
    ):
        self.events = events
        self.clock, self.max_buckets = clock, whole("max_buckets", max_buckets, 1, SEATS)
        if Ring.STANDARD not in limits:
            raise ValueError("limits has no rate of ring 2, which rings without one have")
        self.limits = {ring: checked_rate(limits.get(ring, limits[Ring.STANDARD])) for ring in Ring}
        self.prices = [(rate.cost, rate.span) for rate in self.limits.values()]  # by ring
        self.latest = [0]  # the time that was seen
        self.state, self.lock = made(), Lock()
        self.address = ctypes.addressof(self.state)
        self.agents: dict[str, int] = {}  # rows; not freed, so that who was killed stays known
        self.seats: dict[tuple[str, str], Row] = {}
        self.left: dict[tuple[str, str], Row] = {}  # seats of those who may come again
        self.sessions: dict[str, Row] = {}
        self.free, self.forgotten, self.over = Rows(), Rows(), Rows()  # of seats, of sessions, and of sagas
        self.call = library()

    def now(self) -> int:
        """Return the time in nanoseconds, or the latest that was seen, if the clock ran back."""
        heappushpop(self.latest, self.clock())  # keeps the later one, and no thread comes between: it is written in C
        return self.latest[0]

    def tell(self, event_type: EventType, session_id: str | None, agent_did: str | None, **payload: Any) -> None:
        """Tell the bus, if there is one, what has happened."""
        if self.events is not None:
            self.events.publish(event_type, session_id, agent_did, **payload)

    # ---- rows

    def agent(self, agent_did: str) -> int:
        """Return the row of an agent, a new one if need be."""
        try:
            return self.agents[agent_did]
        except (KeyError, TypeError):
            identifier("agent_did", agent_did)
        with self.lock.here:
            if len(self.agents) >= AGENTS and agent_did not in self.agents:
                raise Refused(Status.EXHAUSTED, f"a governor knows {AGENTS} agents at most")
            return self.agents.setdefault(agent_did, len(self.agents))

    @contextmanager
    def known(self, *agents: str) -> Iterator[list[int]]:
        """Yield the rows of agents; those that are new are free again if what follows fails."""
        with self.lock.here:
            new = {each for each in agents if each not in self.agents}
            try:
                yield [self.agent(each) for each in agents]
            except Exception:
                while self.agents and next(reversed(self.agents)) in new:
                    self.agents.popitem()
                raise

    def seat(self, agent_did: str, session_id: str) -> Row:
        """Return the row of an agent in a session; raises `Refused` if it is not there."""
        try:
            return self.seats[agent_did, session_id]
        except (KeyError, TypeError):
            identifier("agent_did", agent_did)
            identifier("session_id", session_id)
            raise Refused(Status.NOT_SEATED, f"{agent_did} in {session_id}") from None

    def do(self, name: str, *arguments: int) -> None:
        """Take a step; raises `Refused`."""
        status = getattr(self.call, name)(self.address, *arguments)
        if status:
            raise Refused(Status(status))

    def do_in(self, name: str, agent_did: str, session_id: str, *arguments: int) -> None:
        """Take a step about an agent in a session, which nobody else gets meanwhile; raises `Refused`."""
        with self.lock.here:
            self.do(name, self.seat(agent_did, session_id), *arguments)

    # ---- who is there

    def join(self, agent_did: str, session_id: str, eff_score: float = 0.0, has_consensus: bool = False) -> Ring:
        """Let an agent into a session, and return the ring that follows from its trust."""
        self.seated(agent_did, session_id, eff_score, has_consensus, "enrol")
        return self.joined(agent_did, session_id)

    def register_child(
        self, parent_did: str, child_did: str, session_id: str, eff_score: float = 0.0, has_consensus: bool = False
    ) -> Ring:
        """Let the child of an agent into its session, and return the ring in which it acts: not above its parent's."""
        self.seated(child_did, session_id, eff_score, has_consensus, "register_child", parent_did)
        return self.joined(child_did, session_id)

    def seated(self, agent_did, session_id, eff_score, has_consensus, step, *parents):
        """Give an agent a row, or the one that it left."""
        key = (identifier("agent_did", agent_did), identifier("session_id", session_id))
        score = parts_per_million("eff_score", eff_score, EXCEED)
        consensus = flag("has_consensus", has_consensus)
        with self.lock.here:
            above = [self.seat(each, session_id) for each in parents]
            if key in self.seats:
                raise Refused(Status.TAKEN, f"{agent_did} is in {session_id}")
            if key in self.left:
                self.back(key, score, consensus)
            else:
                self.seats[key] = self.taken(agent_did, step, *above, score, consensus, *(self.now() for _ in parents))

    def taken(self, agent_did, step, *arguments):
        """Return a row that nobody had, for an agent."""
        if len(self.seats) + len(self.left) >= self.max_buckets:
            raise Refused(Status.EXHAUSTED, f"there is room for {self.max_buckets} agents in sessions")
        with self.known(agent_did) as [agent]:
            row = self.free.take()
            try:
                self.do(step, row, agent, *arguments)
            except Refused:
                self.free.give(row)
                raise
        return row

    def back(self, key, score, consensus):
        """Let an agent into a session that it left; it owes what it owed."""
        self.check_alive(key[0])
        self.do("assign", self.left[key], score, consensus)
        self.seats[key] = self.left.pop(key)

    def joined(self, agent_did, session_id):
        """Tell that an agent has joined, and return its ring."""
        ring = self.get_effective_ring(agent_did, session_id)
        self.tell(EventType.SESSION_JOINED, session_id, agent_did)
        self.tell(EventType.RING_ASSIGNED, session_id, agent_did, ring=int(ring))
        return ring

    def leave(self, agent_did: str, session_id: str) -> None:
        """Let an agent out of a session for a while: it may do nothing there until it joins again."""
        with self.lock.here:
            self.left[agent_did, session_id] = self.seat(agent_did, session_id)
            del self.seats[agent_did, session_id]

    def dismiss(self, agent_did: str, session_id: str) -> None:
        """Let an agent out of a session that is over, and forget its bucket. Its children fall to ring 3."""
        with self.lock.here:
            key = agent_did, session_id
            row = self.left[key] if key in self.left else self.seat(agent_did, session_id)
            self.seats.pop(key, None)
            self.left.pop(key, None)
            self.do("dismiss", row)
            self.free.give(row)

    def assign(self, agent_did: str, session_id: str, eff_score: float, has_consensus: bool = False) -> Ring:
        """Set the trust of an agent, and return the ring in which it acts then; an elevation ends."""
        score = parts_per_million("eff_score", eff_score, EXCEED)
        old = self.get_effective_ring(agent_did, session_id)
        self.do_in("assign", agent_did, session_id, score, flag("has_consensus", has_consensus))
        ring = self.get_effective_ring(agent_did, session_id)
        what = EventType.RING_DEMOTED if ring > old else EventType.RING_ASSIGNED
        self.tell(what, session_id, agent_did, ring=int(ring))
        return ring

    # ---- rings

    def ring_of_trust(self, eff_score: float, has_consensus: bool = False) -> Ring:
        """Return the ring that follows from trust, never ring 0."""
        score = parts_per_million("eff_score", eff_score, EXCEED)
        return RINGS[self.call.ring_for(score, flag("has_consensus", has_consensus))]

    def get_effective_ring(self, agent_did: str, session_id: str) -> Ring:
        """Return the ring in which an agent acts now; that of the sandbox if it is not there."""
        row = self.seats.get((agent_did, session_id))
        if row is None:
            return Ring.SANDBOX
        ring = RINGS[self.call.effective_ring(self.address, row, self.now())]
        return ring if self.seats.get((agent_did, session_id)) is row else Ring.SANDBOX  # else another one may have it

    def check(self, agent_did: str, session_id: str, action: ActionDescriptor) -> RingCheckResult:
        """May an agent do this now? In the ring that follows from its trust, its elevation and its parents."""
        if type(action) is not ActionDescriptor:
            raise TypeError(f"an ActionDescriptor is asked for, not {action!r}")
        required = action.required_ring
        row = self.seats.get((agent_did, session_id))
        if row is None:
            return results()[Status.NOT_SEATED][Ring.SANDBOX][required]
        now = self.now()
        status = self.call.check(self.address, row, required, now)
        if self.seats.get((agent_did, session_id)) is not row:  # it went meanwhile, and another one may have its row
            status = Status.NOT_SEATED
        return results()[status][self.call.effective_ring(self.address, row, now)][required]

    def request_elevation(
        self,
        agent_did: str,
        session_id: str,
        target_ring: Ring,
        ttl_seconds: float = ELEVATION_DEFAULT,
        attestation: str | None = None,
        reason: str = "",
        trust_score: float | None = None,
    ) -> RingElevation:
        """Let an agent have a better ring for a while; raises `RingElevationError`.

        A time of 0 or less is the default, and one that is too long is cut. A score that is none is too low.
        """
        member("target_ring", target_ring, Ring)
        asked = whole_nanoseconds(min(max(ttl_seconds, 0), ELEVATION_LIMIT))
        attested = isinstance(attestation, str) and bool(attestation.strip())
        with self.lock.here:
            row, now = self.seat(agent_did, session_id), self.now()
            old = self.get_effective_ring(agent_did, session_id)
            score = reached(trust_score)
            status = Status(self.call.elevate(self.address, row, target_ring, score, attested, asked, now))
            ends = self.state.seat[row].elevation.expires / SECOND
        if status is not Status.OK:
            raise RingElevationError(status, f"{agent_did} in {session_id} does not rise to ring {int(target_ring)}")
        self.tell(EventType.RING_ELEVATED, session_id, agent_did, ring=int(target_ring), expires_at=ends)
        return RingElevation(agent_did, session_id, old, target_ring, ends, reason)

    def revoke_elevation(self, agent_did: str, session_id: str) -> None:
        """End an elevation before its time; raises `Refused` if there is none."""
        self.do_in("revoke", agent_did, session_id)

    def tick(self) -> list[tuple[str, str]]:
        """Clear the elevations that are over, and return whose they were. They have had no effect since they ended."""
        now, expire = self.now(), self.call.expire
        with self.lock.here:
            over = [key for key, row in self.seats.items() if expire(self.address, row, now) == Status.OK]
        for agent_did, session_id in over:
            self.tell(EventType.RING_ELEVATION_EXPIRED, session_id, agent_did)
        return over

    # ---- rates

    def spend(self, agent_did: str, session_id: str, cost: int = 1) -> None:
        """Pay for some calls; raises `RateLimitExceeded`, and `Refused` for who may not act at all."""
        status = self.paid(agent_did, session_id, cost)
        if status is Status.RATE_LIMITED:
            self.tell(EventType.RATE_LIMITED, session_id, agent_did, cost=cost)
            raise RateLimitExceeded(f"{agent_did} in {session_id} makes too many calls: wait")
        if status is not Status.OK:
            raise Refused(status, f"{agent_did} in {session_id}")

    def try_spend(self, agent_did: str, session_id: str, cost: int = 1) -> bool:
        """Pay for some calls if the agent may make them."""
        return self.paid(agent_did, session_id, cost) is Status.OK

    def paid(self, agent_did, session_id, cost):
        """Pay for some calls; return the status."""
        with self.lock.here:  # so nobody else can have the row
            now, row = self.now(), self.seat(agent_did, session_id)
            price, span = self.prices[self.call.effective_ring(self.address, row, now)]
            if cost != 1 or type(cost) is not int:
                price *= whole("cost", cost, 1, SPAN_LIMIT // price)
            return STATUSES[self.call.spend(self.address, row, price, span, now)]

    # ---- quarantine

    def quarantine(self, agent_did: str, session_id: str, duration_seconds: float = DEFAULT_QUARANTINE) -> None:
        """Keep an agent from acting for a while. A quarantine that lasts longer stays."""
        time_ = whole_nanoseconds(number("duration_seconds", duration_seconds, 0, LONGEST))
        self.do_in("quarantine", agent_did, session_id, time_, self.now())
        self.tell(EventType.QUARANTINE_ENTERED, session_id, agent_did, duration_seconds=duration_seconds)

    def release(self, agent_did: str, session_id: str) -> None:
        """End a quarantine; raises `Refused` if there is none."""
        self.do_in("release", agent_did, session_id)
        self.tell(EventType.QUARANTINE_RELEASED, session_id, agent_did)

    def is_quarantined(self, agent_did: str, session_id: str) -> bool:
        """Is an agent in quarantine now?"""
        return self.now() < self.state.seat[self.seat(agent_did, session_id)].quarantined

    # ---- breaches

    def record_call(self, agent_did: str, session_id: str, called_ring: Ring) -> Severity:
        """Count a call of what needs a ring, let through or not; return how bad the calls of the last minute are.

        A call beyond the agent's ring counts more. From HIGH on the agent is stopped until `reset_breaker`.
        """
        called = member("called_ring", called_ring, Ring)
        with self.lock.here:
            row = self.seat(agent_did, session_id)
            self.do("record_call", row, called, self.now())
            severity = Severity(self.state.seat[row].breach.severity)
        if severity is not Severity.NONE:
            self.tell(EventType.RING_BREACH_DETECTED, session_id, agent_did, severity=severity.name)
        return severity

    def is_breaker_tripped(self, agent_did: str, session_id: str) -> bool:
        """Is an agent stopped for what it has called?"""
        return bool(self.state.seat[self.seat(agent_did, session_id)].breach.tripped)

    def reset_breaker(self, agent_did: str, session_id: str) -> None:
        """Let an agent act again that was stopped; raises `Refused` if it was not."""
        self.do_in("reset_breaker", agent_did, session_id)

    # ---- sessions

    def open_session(self, session_id: str) -> None:
        """Begin a session; raises `Refused` if there is one of this name, or no room for another one."""
        identifier("session_id", session_id)
        with self.lock.here:
            if session_id in self.sessions:
                raise Refused(Status.TAKEN, session_id)
            if len(self.sessions) >= SESSIONS:
                raise Refused(Status.EXHAUSTED, f"there is room for {SESSIONS} sessions")
            row = self.forgotten.take()
            self.do("open_session", row)
            self.sessions[session_id] = row
        self.tell(EventType.SESSION_CREATED, session_id, None)

    def session(self, session_id: str) -> Row:
        """Return the row of a session; raises `Refused` if there is none."""
        row = self.sessions.get(identifier("session_id", session_id))
        if row is None:
            raise Refused(Status.WRONG_STAGE, f"there is no session {session_id}")
        return row

    def stage(self, session_id: str) -> Stage:
        """Return the stage of a session; VACANT if there is none."""
        row = self.sessions.get(session_id)
        return Stage.VACANT if row is None else Stage(self.state.session[row].stage)

    def advance(self, session_id: str, stage: Stage) -> None:
        """Let a session come to the stage that follows; raises `Refused` for any other."""
        member("stage", stage, Stage)
        self.do("advance", self.session(session_id), stage)
        if stage in STAGED:
            self.tell(STAGED[stage], session_id, None)

    def forget(self, session_id: str) -> None:
        """Free what a session that is archived takes here."""
        with self.lock.here:
            row = self.session(session_id)
            self.do("forget", row)
            del self.sessions[session_id]
            self.forgotten.give(row)

    # ---- kills

    def kill(self, agent_did: str, substitute: str) -> None:
        """Let an agent and its substitute never act again, in no session; raises `Refused` if it was killed before."""
        with self.known(agent_did, substitute) as rows:
            self.do("kill", *rows)
        for each in dict.fromkeys((agent_did, substitute)):
            self.tell(EventType.AGENT_KILLED, None, each)

    def report(self, agent_did: str, terminated: bool) -> None:
        """Note, for good, whether an agent that was killed has ended; raises `Refused` if it was not killed."""
        row = self.agents.get(identifier("agent_did", agent_did))
        if row is None:
            raise Refused(Status.NOT_KILLED, agent_did)
        self.do("report", row, flag("terminated", terminated))

    def is_killed(self, agent_did: str) -> bool:
        """Was an agent killed, or did it stand in for one that was?"""
        row = self.agents.get(agent_did)
        return row is not None and bool(self.state.agent[row].killed)

    def check_alive(self, agent_did: str) -> None:
        """Raise `Refused` if an agent was killed."""
        if self.is_killed(identifier("agent_did", agent_did)):
            raise Refused(Status.KILLED, agent_did)

    # ---- sagas

    @contextmanager
    def saga(self, steps: int, retries: int) -> Iterator[Row]:
        """Yield a row for a saga, which is free again when it is over."""
        with self.lock.here:
            count = whole("steps", steps, 1, STEPS)
            row = self.over.take()
            if row >= SAGAS:
                self.over.give(row)
                raise Refused(Status.EXHAUSTED, f"{SAGAS} sagas are under way")
            self.do("open_saga", row, count, retries)
        try:
            yield row
        finally:
            if is_over(self.state.saga[row].phase):  # else its row is lost, rather than taken by another one
                with self.lock.here:
                    self.over.give(row)


def checked_rate(rate: Rate) -> Rate:
    """Return a rate with numbers that make sense; raises `TypeError` or `ValueError`."""
    number("rate", rate.rate, 1e-3, SECOND)
    whole("burst", rate.burst, 1, SPAN_LIMIT // Rate(*rate).cost)
    return Rate(*rate)


def whole_nanoseconds(seconds: float) -> int:
    """Return a time in nanoseconds, at least one if it is any time; raises `ValueError` for NaN."""
    return max(round(number("a time in seconds", seconds, 0, LONGEST) * SECOND), int(seconds > 0))


def reached(trust_score: float | None) -> int:
    """Return a score in millionths, as far as it is reached; 0 for what is no score."""
    try:
        return parts_per_million("trust_score", trust_score, REACH)
    except (TypeError, ValueError):
        return 0
