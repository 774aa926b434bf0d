"""How are steps taken that belong together? In order, each tried again a few times; if one fails, all are undone.

The component decides what comes next; this module calls what does it. A step that cannot be undone is named.
"""

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from corollary.governance.checks import Refused, number, text, told, whole
from corollary.governance.events import EventType
from corollary.governance.governor import Governor
from corollary.spec.governance.limits import RETRIES_LIMIT, STEPS
from corollary.spec.governance.vocabulary import Phase, Status

DEFAULT_MAX_RETRIES = 2
DEFAULT_RETRY_DELAY = 1.0  # s; before the second retry twice that, and so on
DEFAULT_STEP_TIMEOUT = 300.0  # s
LONGEST = 86_400.0  # s
UNDO_TRIES = 4  # of an undo that others cancel

Call = Callable[[], Awaitable[object]]


class SagaFailed(Refused):
    """A step failed for good. `outcome` says what became of the others."""

    def __init__(self, outcome: "SagaOutcome"):
        super().__init__(Status.WRONG_STAGE, str(outcome))
        self.outcome = outcome


@dataclass(frozen=True)
class SagaStep:
    """A step, and how it is undone; without `undo`, it cannot be. `timeout_seconds` is for each try.

    An `undo` that others cancel is called again.
    """

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

        Whoever is cancelled undoes what was completed, too; a note of the `CancelledError` says how that went.
        """
        steps = tuple(steps)
        for step in steps:
            text("name", step.name, STEPS * STEPS)
            number("timeout_seconds", step.timeout_seconds, 0, LONGEST)
        with self.governor.saga(len(steps), self.max_retries) as row:
            saga = Saga(self, row, steps)
            try:
                await saga.forward()
            except asyncio.CancelledError as asked:
                saga.cancelled = asked
            finally:
                await saga.back()
            outcome = saga.outcome()
        if saga.cancelled is not None:
            saga.cancelled.add_note(str(outcome))
            raise saga.cancelled
        if outcome.phase is not Phase.COMPLETED:
            raise SagaFailed(outcome)
        return outcome


def cancels() -> int:
    """Return how often others have cancelled the current task."""
    task = asyncio.current_task()
    return task.cancelling() if task else 0


async def in_time(call, seconds):
    """Return what a call returns; raises `TimeoutError`."""
    async with asyncio.timeout(seconds):
        return await call()


class Saga:
    """A saga under way."""

    def __init__(self, orchestrator, row, steps):
        self.orchestrator, self.row, self.steps = orchestrator, row, steps
        self.governor, self.id = orchestrator.governor, f"saga:{uuid.uuid4().hex[:8]}"
        self.results, self.undone, self.reasons = [], [], []
        self.cancelled: asyncio.CancelledError | None = None  # how whoever runs it was cancelled last

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
        """Take steps until all are completed, or one has failed for good; raises `CancelledError`."""
        self.tell(EventType.SAGA_CREATED, steps=len(self.steps))
        asked = cancels()
        while self.phase is Phase.READY:
            step, tried = self.steps[self.record.done], self.record.failures
            if tried:
                await self.orchestrator.sleep(self.orchestrator.retry_delay * tried)
            if cancels() > asked:  # and a step has caught it
                raise asyncio.CancelledError
            self.do("begin_step")
            try:
                self.results.append(await in_time(step.execute, step.timeout_seconds))
            except Exception as problem:
                self.reasons.append(f"{step.name}: {told(problem)}")
                self.do("fail_step")
                self.tell(EventType.SAGA_STEP_FAILED, step=step.name)
            else:
                self.do("complete_step")

    async def back(self):
        """Undo what was completed, the last first, unless everything is; whatever happens, the saga is over then."""
        if self.phase in (Phase.READY, Phase.EXECUTING):
            self.reasons.append(f"{self.steps[self.record.done].name}: was cancelled")
        if self.phase is Phase.EXECUTING:
            self.do("fail_step")
        if self.phase is Phase.READY:
            self.do("abandon")
        try:
            if self.phase is Phase.COMPENSATING:
                self.tell(EventType.SAGA_COMPENSATING)
            while self.phase is Phase.COMPENSATING:
                self.do("undo_step", await self.undo(self.next_undone))
        finally:
            while self.phase is Phase.COMPENSATING:  # nobody can wait any more: its coroutine is closed
                self.reasons.append(f"{self.next_undone.name}: nobody waited until it was undone")
                self.do("undo_step", False)
            over, found = self.phase in (Phase.COMPLETED, Phase.COMPENSATED), self.outcome()
            what = EventType.SAGA_COMPLETED if over else EventType.SAGA_ESCALATED
            self.tell(what, phase=found.phase.name, lost=found.lost, reasons=found.reasons)

    @property
    def next_undone(self):
        """The step that is undone next."""
        return self.steps[self.record.done - 1]

    async def undo(self, step):
        """Undo a step; return whether that worked."""
        if step.undo is None:
            self.reasons.append(f"{step.name}: has no way to be undone")
            return False
        for _ in range(UNDO_TRIES):
            task = asyncio.create_task(in_time(step.undo, step.timeout_seconds))
            await self.wait_for(task)
            problem = asyncio.CancelledError() if task.cancelled() else task.exception()
            if problem is None:
                self.undone.append(step.name)
                return True
            self.reasons.append(f"undoing {step.name}: {told(problem)}")
            if not task.cancelling():  # it failed by itself
                break
        return False

    async def wait_for(self, task):
        """Wait until a task is done, however often whoever runs the saga is cancelled."""
        while not task.done():
            try:
                await asyncio.wait([task])
            except asyncio.CancelledError as asked:
                self.cancelled = asked

    def outcome(self):
        """Return how the saga ended."""
        lost = tuple(step.name for at, step in enumerate(self.steps) if self.record.lost >> at & 1)
        return SagaOutcome(self.id, self.phase, tuple(self.results), tuple(self.undone), lost, tuple(self.reasons))
