"""How are steps taken that belong together? In order, each tried again a few times; if one fails, all are undone.

The component decides what comes next; this module calls what does it. A step that cannot be undone is named.
"""

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from corollary.governance.checks import Refused, number, text, whole
from corollary.governance.events import EventType
from corollary.governance.governor import Governor
from corollary.spec.governance.limits import RETRIES_LIMIT, STEPS
from corollary.spec.governance.vocabulary import Phase, Status

DEFAULT_MAX_RETRIES = 2
DEFAULT_RETRY_DELAY = 1.0  # s; before the second retry twice that, and so on
DEFAULT_STEP_TIMEOUT = 300.0  # s
LONGEST = 86_400.0  # s

Call = Callable[[], Awaitable[object]]


class SagaFailed(Refused):
    """A step failed for good. `outcome` says what became of the others."""

    def __init__(self, outcome: "SagaOutcome"):
        super().__init__(Status.WRONG_STAGE, str(outcome))
        self.outcome = outcome


@dataclass(frozen=True)
class SagaStep:
    """A step, and how it is undone; without `undo`, it cannot be. `timeout_seconds` is for each try."""

    name: str
    execute: Call
    undo: Call | None = None
    timeout_seconds: float = DEFAULT_STEP_TIMEOUT


@dataclass(frozen=True)
class SagaOutcome:
    """How a saga ended: results of the steps in order, or which were undone, and which could not be."""

    saga_id: str
    phase: Phase
    results: tuple[object, ...] = ()
    undone: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()

    def __str__(self):
        lost = f"; not undone, look at it: {', '.join(self.lost)}" if self.lost else ""
        return f"{self.saga_id} is {self.phase.name.lower()}: {'; '.join(self.reasons)}{lost}"


class SagaOrchestrator:
    """Runs sagas. `sleep` waits for seconds; tests give another one."""

    def __init__(
        self,
        governor: Governor,
        max_retries: int = DEFAULT_MAX_RETRIES,
        retry_delay: float = DEFAULT_RETRY_DELAY,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ):
        self.governor, self.sleep = governor, sleep
        self.max_retries = whole("max_retries", max_retries, 0, RETRIES_LIMIT)
        self.retry_delay = number("retry_delay", retry_delay, 0, LONGEST)

    async def run(self, steps: Sequence[SagaStep]) -> SagaOutcome:
        """Take all steps, and return their results; raises `SagaFailed` once those that were completed are undone.

        Whoever is cancelled undoes what was completed, too.
        """
        steps = tuple(steps)
        for step in steps:
            text("name", step.name, STEPS * STEPS)
            number("timeout_seconds", step.timeout_seconds, 0, LONGEST)
        with self.governor.saga(len(steps), self.max_retries) as row:
            saga = Saga(self, row, steps)
            saga.tell(EventType.SAGA_CREATED, steps=len(steps))
            try:
                await saga.forward()
            finally:
                await to_the_end(asyncio.ensure_future(saga.back()))
            outcome = saga.outcome()
        if outcome.phase is not Phase.COMPLETED:
            raise SagaFailed(outcome)
        return outcome


async def to_the_end(task):
    """Wait for a task until it is done, however often somebody cancels that; then be cancelled."""
    cancelled = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as asked:
            cancelled = asked
    task.result()
    if cancelled is not None:
        raise cancelled


class Saga:
    """A saga under way."""

    def __init__(self, orchestrator, row, steps):
        self.orchestrator, self.row, self.steps = orchestrator, row, steps
        self.governor, self.id = orchestrator.governor, f"saga:{uuid.uuid4().hex[:8]}"
        self.results, self.undone, self.reasons = [], [], []

    @property
    def record(self):
        """What the component says."""
        return self.governor.state.saga[self.row]

    @property
    def phase(self):
        """Where the saga is."""
        return Phase(self.record.phase)

    def do(self, name, *arguments):
        """Take a step of the component."""
        self.governor.do(name, self.row, *arguments)

    def tell(self, event_type, **payload):
        """Tell what happened to the saga."""
        self.governor.tell(event_type, None, None, saga_id=self.id, **payload)

    async def forward(self):
        """Take steps until all are completed, or one has failed for good."""
        while self.phase is Phase.READY:
            step, tried = self.steps[self.record.done], self.record.failures
            if tried:
                await self.orchestrator.sleep(self.orchestrator.retry_delay * tried)
            self.do("begin_step")
            try:
                self.results.append(await asyncio.wait_for(step.execute(), step.timeout_seconds))
            except Exception as problem:
                self.reasons.append(f"{step.name}: {type(problem).__name__} {problem}".rstrip())
                self.do("fail_step")
                self.tell(EventType.SAGA_STEP_FAILED, step=step.name)
            else:
                self.do("complete_step")

    async def back(self):
        """Undo what was completed, the last first, unless everything is."""
        if self.phase is Phase.EXECUTING:  # whoever runs it is cancelled
            self.reasons.append(f"{self.steps[self.record.done].name}: was cancelled")
            self.do("fail_step")
        if self.phase is Phase.READY:
            self.do("abandon")
        if self.phase is Phase.COMPENSATING:
            self.tell(EventType.SAGA_COMPENSATING)
        while self.phase is Phase.COMPENSATING:
            step = self.steps[self.record.done - 1]
            self.do("undo_step", await self.undo(step))
        what = EventType.SAGA_ESCALATED if self.phase is Phase.ESCALATED else EventType.SAGA_COMPLETED
        self.tell(what, phase=self.phase.name)

    async def undo(self, step):
        """Undo a step; return whether that worked."""
        if step.undo is None:
            self.reasons.append(f"{step.name}: has no way to be undone")
            return False
        try:
            await asyncio.wait_for(step.undo(), step.timeout_seconds)
        except (Exception, asyncio.CancelledError) as problem:  # nobody but the step itself cancels it here
            self.reasons.append(f"undoing {step.name}: {type(problem).__name__} {problem}".rstrip())
            return False
        self.undone.append(step.name)
        return True

    def outcome(self):
        """Return how the saga ended."""
        lost = tuple(step.name for at, step in enumerate(self.steps) if self.record.lost >> at & 1)
        return SagaOutcome(self.id, self.phase, tuple(self.results), tuple(self.undone), lost, tuple(self.reasons))
