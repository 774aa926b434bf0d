"""How does a saga go on? Steps are taken in order; if one fails for good, all that were completed are undone."""

from corollary.language.builtins import shift_left
from corollary.language.types import u8, u64
from corollary.language.values import clear
from corollary.spec.governance.limits import STEPS
from corollary.spec.governance.state import Governance, Saga, SagaId
from corollary.spec.governance.vocabulary import Phase, Status
from corollary.spec.governance.words import is_over


def open_saga(s: Governance, g: SagaId, steps: u8, retries: u8) -> Status:
    """Begin a saga of some steps, each of which is tried again as often as that."""
    if not is_over(s.saga[g].phase):
        return Status.TAKEN
    if steps == 0 or steps > STEPS:
        return Status.BAD_LIMIT
    clear(s.saga[g])
    s.saga[g].phase = Phase.READY
    s.saga[g].steps = steps
    s.saga[g].retries = retries
    return Status.OK


def begin_step(s: Governance, g: SagaId) -> Status:
    """Begin the next step, or try it again."""
    if s.saga[g].phase != Phase.READY:
        return Status.WRONG_STAGE
    s.saga[g].phase = Phase.EXECUTING
    return Status.OK


def complete_step(s: Governance, g: SagaId) -> Status:
    """Note that the step is completed."""
    saga = s.saga[g]
    if saga.phase != Phase.EXECUTING:
        return Status.WRONG_STAGE
    if saga.done < STEPS:
        saga.done += 1
    saga.failures = 0
    saga.phase = Phase.COMPLETED if saga.done == saga.steps else Phase.READY
    return Status.OK


def turn_back(saga: Saga) -> None:
    """Begin to undo what was completed, if anything was."""
    saga.phase = Phase.COMPENSATING if saga.done > 0 else Phase.COMPENSATED


def fail_step(s: Governance, g: SagaId) -> Status:
    """Note that the step failed: it is tried again, or the saga turns back."""
    saga = s.saga[g]
    if saga.phase != Phase.EXECUTING:
        return Status.WRONG_STAGE
    if saga.failures < saga.retries:
        saga.failures += 1
        saga.phase = Phase.READY
    else:
        turn_back(saga)
    return Status.OK


def abandon(s: Governance, g: SagaId) -> Status:
    """Give a saga up between two steps."""
    if s.saga[g].phase != Phase.READY:
        return Status.WRONG_STAGE
    turn_back(s.saga[g])
    return Status.OK


def undo_step(s: Governance, g: SagaId, undone: bool) -> Status:
    """Note whether the last step that is completed and not undone was undone."""
    saga = s.saga[g]
    if saga.phase != Phase.COMPENSATING or saga.done == 0:
        return Status.WRONG_STAGE
    saga.done -= 1
    if not undone:
        saga.lost |= shift_left(u64, 1, saga.done)
    if saga.done == 0:
        saga.phase = Phase.COMPENSATED if saga.lost == 0 else Phase.ESCALATED
    return Status.OK
