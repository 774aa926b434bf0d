"""How is an agent ended? First it is killed, with its substitute, for good; then its callback is asked to end it.

The component notes a kill before the callback is called, as one that ended nothing, so a result is there whatever the
callback does. One agent is killed once, however many ask. Stricter than the specification: a substitute never gets
steps, since it is killed, too; the steps in flight are to be compensated.
"""

import inspect
import os
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from enum import Enum
from typing import NamedTuple

from corollary.governance.checks import identifier, member, number, told
from corollary.governance.governor import Governor

DEFAULT_TIMEOUT, LONGEST_TIMEOUT = 5.0, 3600.0  # s


class KillReason(Enum):
    """Why an agent is killed."""

    BEHAVIORAL_DRIFT = "behavioral_drift"
    RATE_LIMIT = "rate_limit"
    RING_BREACH = "ring_breach"
    MANUAL = "manual"
    QUARANTINE_TIMEOUT = "quarantine_timeout"
    SESSION_TIMEOUT = "session_timeout"


class HandoffStatus(Enum):
    """What became of a step that was in flight."""

    COMPENSATED = "compensated"  # it is to be compensated: nobody takes it over


class StepHandoff(NamedTuple):
    """A step that was in flight."""

    step_id: str
    from_agent: str
    to_agent: str | None
    status: HandoffStatus


class KillResult(NamedTuple):
    """How a kill went. `details` says why the agent may still run, if `terminated` is False."""

    kill_id: str
    agent_did: str
    session_id: str
    reason: KillReason
    timestamp: datetime
    handoffs: tuple[StepHandoff, ...]
    compensation_triggered: bool
    terminated: bool
    details: str

    @property
    def handoff_success_count(self) -> int:
        """How many steps somebody took over: none."""
        return 0


class KillSwitch:
    """Ends agents of a governor. `timeout` is in seconds: how long a callback may take."""

    def __init__(self, governor: Governor, timeout: float = DEFAULT_TIMEOUT):
        self.governor, self.timeout = governor, number("timeout", timeout, 0, LONGEST_TIMEOUT)
        self.callbacks: dict[str, Callable[[], object]] = {}
        self.substitutes: dict[str, str] = {}  # by session
        self.results: dict[str, KillResult] = {}  # by agent

    def register_agent(self, agent_did: str, callback: Callable[[], object]) -> None:
        """Note how an agent is ended; raises `Refused` if it was killed, `TypeError` if that had to be awaited."""
        if inspect.iscoroutinefunction(callback):
            raise TypeError(f"{agent_did}: nobody awaits what {callback!r} returns: register a function that ends it")
        self.governor.check_alive(agent_did)
        self.callbacks[agent_did] = callback

    def register_substitute(self, session_id: str, agent_did: str) -> None:
        """Note who stands in for the agents of a session; raises `Refused` if it was killed."""
        self.governor.check_alive(agent_did)
        self.substitutes[identifier("session_id", session_id)] = agent_did

    def kill(
        self,
        agent_did: str,
        session_id: str,
        reason: KillReason = KillReason.MANUAL,
        in_flight_steps: Sequence[str] = (),
    ) -> KillResult:
        """Kill an agent and the substitute of the session; return how that went, whatever its callback does.

        Raises `Refused` if it was killed before: `results` has how that went.
        """
        member("reason", reason, KillReason)
        identifier("session_id", session_id)
        steps = tuple(in_flight_steps)
        substitute = self.substitutes.get(session_id, agent_did)
        self.governor.kill(agent_did, substitute)
        details = "it was interrupted before the callback returned"
        try:
            details = self.ended(self.callbacks.get(agent_did))
        finally:
            self.governor.report(agent_did, not details)
            result = self.results[agent_did] = made(agent_did, session_id, reason, steps, details)
            for gone in (agent_did, substitute):
                self.callbacks.pop(gone, None)
            if substitute != agent_did or agent_did in self.substitutes.values():
                self.substitutes = {session: who for session, who in self.substitutes.items() if self.is_alive(who)}
        return result

    def is_alive(self, agent_did: str) -> bool:
        """Was an agent not killed?"""
        return not self.governor.is_killed(agent_did)

    def ended(self, callback):
        """Call a callback; return why it did not end the agent, an empty text if it did."""
        if callback is None:
            return "no callback is registered"
        said, done = [], threading.Event()
        threading.Thread(target=answer, args=(callback, said, done), daemon=True).start()
        if not done.wait(self.timeout):
            return f"the callback took longer than {self.timeout} s"
        return said[0]


def answer(callback, said, done):
    """Call a callback, and note why it did not end the agent."""
    try:
        said.append(unawaited(callback()))
    except BaseException as problem:  # whatever it raises, the agent may still run
        said.append(f"the callback raised {told(problem)}")
    finally:
        done.set()


def unawaited(result):
    """Return that somebody would have to await a result before it ends anything; an empty text if nobody has to."""
    if not inspect.isawaitable(result):
        return ""
    if inspect.iscoroutine(result):
        result.close()
    return "the callback returned what nobody awaits: register a function that ends the agent"


def made(agent_did, session_id, reason, steps, details):
    """Return the result of a kill."""
    handoffs = tuple(StepHandoff(step, agent_did, None, HandoffStatus.COMPENSATED) for step in steps)
    return KillResult(
        kill_id=f"kill:{os.urandom(4).hex()}",
        agent_did=agent_did,
        session_id=session_id,
        reason=reason,
        timestamp=datetime.now(UTC),
        handoffs=handoffs,
        compensation_triggered=bool(handoffs),
        terminated=not details,
        details=details,
    )
