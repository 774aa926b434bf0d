"""May an agent do what it asks the outside for? Governance decides, by the ring in which the agent acts.

The ring follows from the trust among its rules, which is none unless they give it. What an agent asks for is an action
that a ring is needed for. An agent that calls more often than its ring allows has to wait; one that goes on asking for
what is beyond its ring is stopped.
"""

import json
import logging
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from corollary.governance import (
    DEFAULT_CONSTRAINTS,
    ActionDescriptor,
    Event,
    EventBus,
    EventType,
    Governor,
    RateLimitExceeded,
    Refused,
    ResourceType,
    Reversibility,
    Ring,
    RingElevation,
)
from corollary.problem import Problem
from corollary.runtime.desk import SECOND, TOOL
from corollary.runtime.store import Agent, Effect

SESSION = "runtime"  # one for all agents of a runtime
KEPT = 10_000  # agents of which it is known what governance did
PAUSE = SECOND // 50  # ns between two tries of calls of tools that wait for others, of one agent
SHOWN = 20  # events of governance that people are shown of an agent
NETWORK = ("http", "websocket", "tcp")  # kinds of effects
FRAME, ENDS = "frame", ("end", "close")  # kinds of effects on what was opened
OPENED = (FRAME, *ENDS)
SAFE = ("GET", "HEAD", "OPTIONS")  # methods of HTTP that only read (RFC 9110, 9.2.1)
log = logging.getLogger("corollary.runtime")


class NotPermitted(Problem):
    """An agent may not do what it asked for; the message says why."""


class Later(Problem):
    """An effect cannot be carried out now. It stays in the outbox, and is tried again, after `seconds` if given."""

    def __init__(self, reason: str, seconds: float | None = None):
        super().__init__(reason)
        self.seconds = seconds


def action(name: str, what: str, undone: Reversibility, reads: bool = False) -> ActionDescriptor:
    """Return an action."""
    return ActionDescriptor(name, what, f"/{name}", reversibility=undone, is_read_only=reads)


class Warden:
    """Lets agents act, each in its ring. It keeps elevations and rates as long as the process lives.

    `clock` returns nanoseconds.
    """

    def __init__(self, clock: Callable[[], int] = time.monotonic_ns):
        self.events = EventBus(SHOWN)
        self.events.subscribe(self.note)
        self.history: dict[str, deque[Event]] = {}  # what people are shown of each agent
        self.governor = Governor(clock, events=self.events)
        self.clock = clock
        self.next: dict[str, int] = {}  # when the next effect may be tried that has to wait for others, by agent
        self.tries: dict[str, int] = {}  # when the next call of a tool is tried that has to wait, by agent
        self.under_way: Counter[str] = Counter()  # calls of tools, by agent
        self.trust: dict[str, tuple[float, bool]] = {}  # in each agent that governance knows
        read = action("read", "read from the network", Reversibility.FULL, reads=True)
        self.actions = {
            "http": action("http", "change something by HTTP", Reversibility.PARTIAL),
            "websocket": action("websocket", "talk over a WebSocket", Reversibility.PARTIAL),
            "tcp": action("tcp", "talk over a connection", Reversibility.PARTIAL),
            FRAME: action("frame", "talk over what is open", Reversibility.PARTIAL),
            TOOL: action("tool", "call a tool", Reversibility.PARTIAL),
            "publish": action("publish", "give a composite its name for ever", Reversibility.NONE),
        }
        self.read, self.unknown = read, action("unknown", "do something of an unknown kind", Reversibility.NONE)

    # ---- rings

    def ring(self, agent: Agent) -> Ring:
        """Return the ring in which an agent acts now."""
        if self.trust.get(agent.name) != trust_in(agent):
            return self.governor.ring_of_trust(*trust_in(agent))
        return self.governor.get_effective_ring(agent.name, SESSION)

    def is_seated(self, agent: Agent) -> bool:
        """Does governance know an agent?"""
        return (agent.name, SESSION) in self.governor.seats

    def seat(self, agent: Agent) -> None:
        """Let governance know an agent, and the trust in it; raises `Refused` when there is no room for another one."""
        if not self.is_seated(agent):
            self.governor.join(agent.name, SESSION, *trust_in(agent))
        elif self.trust.get(agent.name) != trust_in(agent):
            self.governor.assign(agent.name, SESSION, *trust_in(agent))
        self.trust[agent.name] = trust_in(agent)

    def trusts(self, agent: Agent) -> None:
        """Note that the trust in an agent was set; an elevation ends, also if it is the same."""
        if self.is_seated(agent):
            self.governor.assign(agent.name, SESSION, *trust_in(agent))
            self.trust[agent.name] = trust_in(agent)

    def elevate(self, agent: Agent, ring: Ring, seconds: float, attestation: str, reason: str) -> RingElevation:
        """Let an agent act in a better ring for a while; raises `Refused`."""
        self.seat(agent)
        trust = agent.rules.trust
        made = self.governor.request_elevation(agent.name, SESSION, ring, seconds, attestation, reason, trust)
        about = {"agent": agent.name}
        log.info("%s: in ring %d, attested by %r, because %r", agent.name, ring, attestation, reason, extra=about)
        return made

    def demote(self, agent: Agent) -> None:
        """End an elevation before its time; raises `Refused` if there is none."""
        self.seat(agent)
        self.governor.revoke_elevation(agent.name, SESSION)
        log.info("%s: its elevation was ended", agent.name, extra={"agent": agent.name})

    def told(self, agent: Agent) -> list[Event]:
        """Return what governance did about an agent, the last first."""
        return [*self.history.get(agent.name, ())][::-1]

    def note(self, event: Event) -> None:
        """Write to the log what governance did, and keep it for people, but how often somebody had to wait."""
        note(event)
        if event.event_type is not EventType.RATE_LIMITED and event.agent_did is not None:
            self.history.setdefault(event.agent_did, deque(maxlen=SHOWN)).append(event)
            if len(self.history) > KEPT:
                del self.history[next(iter(self.history))]

    def is_stopped(self, agent: Agent) -> bool:
        """Has an agent asked so often for what is beyond its ring that somebody has to look at it?"""
        return self.is_seated(agent) and self.governor.is_breaker_tripped(agent.name, SESSION)

    def let_go_on(self, agent: Agent) -> None:
        """Let an agent act again that was stopped."""
        if self.is_stopped(agent):
            self.governor.reset_breaker(agent.name, SESSION)

    def let_go(self, agent: Agent) -> None:
        """Forget an agent that has ended."""
        self.next.pop(agent.name, None)
        self.trust.pop(agent.name, None)
        self.tries.pop(agent.name, None)
        if self.is_seated(agent):
            self.governor.dismiss(agent.name, SESSION)

    # ---- actions

    def action_of(self, effect: Effect) -> ActionDescriptor | None:
        """Return the action that an effect is; None for what only ends something."""
        if effect.kind in ENDS:
            return None
        if effect.kind == "http" and method_in(effect.body) in SAFE:
            return self.read
        return self.actions.get(effect.kind, self.unknown)

    @contextmanager
    def permit(self, agent: Agent, effect: Effect) -> Iterator[None]:
        """Let an agent do something, and know when it is over; raises `NotPermitted`, or `Later` if it has to wait."""
        asked = self.action_of(effect)
        if asked is None:
            yield
            return
        try:
            self.seat(agent)
            self.check(agent, effect, asked)
        except Refused as problem:
            raise NotPermitted(str(problem)) from None
        self.under_way[agent.name] += effect.kind == TOOL
        try:
            yield
        finally:
            self.under_way[agent.name] -= effect.kind == TOOL
            self.under_way += Counter()  # drops those that are 0

    def check(self, agent, effect, asked):
        """Raise `NotPermitted`, `Later` or `Refused` unless an agent may do something now; it has paid for it then."""
        found = self.governor.check(agent.name, SESSION, asked)
        allowed = DEFAULT_CONSTRAINTS[found.agent_ring]
        reason = "" if found.allowed else found.reason
        if not reason and effect.kind in (*NETWORK, FRAME) and not allowed.permits(ResourceType.NETWORK):
            reason = f"ring {int(found.agent_ring)} has no network"
        if reason:
            self.governor.record_call(agent.name, SESSION, asked.required_ring)
            raise NotPermitted(f"{reason}; the rules give it `trust` {agent.rules.trust:g}")
        if effect.kind == FRAME:
            return  # a connection has been paid for
        if effect.kind == TOOL and self.under_way[agent.name] >= allowed.max_concurrent_tools:
            raise Later(f"{agent.name} has {allowed.max_concurrent_tools} calls of tools under way", self.pause(agent))
        try:
            self.governor.spend(agent.name, SESSION)
        except RateLimitExceeded as problem:
            raise Later(str(problem), self.wait(agent, found.agent_ring)) from None

    def pause(self, agent):
        """Return how many seconds a call of a tool waits until it is tried again: one after the other."""
        now = self.clock()
        self.tries[agent.name] = max(now, self.tries.get(agent.name, 0)) + PAUSE
        return (self.tries[agent.name] - now) / SECOND

    def wait(self, agent, ring):
        """Return how many seconds one more effect has to wait: as many as it takes until those before it had theirs."""
        now = self.clock()
        self.next[agent.name] = max(now, self.next.get(agent.name, 0)) + self.governor.prices[ring][0]
        return (self.next[agent.name] - now) / SECOND


def trust_in(agent: Agent) -> tuple[float, bool]:
    """Return the trust that the rules of an agent give it, and whether others agree."""
    return agent.rules.trust, agent.rules.consensus


def method_in(body: bytes) -> str:
    """Return the method that a request over HTTP names, or an empty text if it is no request."""
    try:
        return str(json.loads(body).get("method", "GET")).upper()
    except (ValueError, RecursionError, AttributeError):
        return ""


def note(event: Event) -> None:
    """Write to the log what governance did."""
    level = logging.INFO if event.event_type in QUIET else logging.WARNING
    more = ", ".join(f"{name} {value}" for name, value in event.payload.items())
    log.log(level, "%s: %s %s", event.agent_did, event.event_type.value, more, extra={"agent": event.agent_did})


QUIET = frozenset({EventType.SESSION_JOINED, EventType.RING_ASSIGNED, EventType.RATE_LIMITED})
"""Events that tell of nothing unusual."""
