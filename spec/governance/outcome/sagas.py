"""When does a saga go on, and where is it then?"""

from corollary.language.builtins import shift_left
from corollary.language.property import ensures, succeeds
from corollary.language.types import u8, u64
from corollary.spec.governance.limits import STEPS
from corollary.spec.governance.state import Governance, Saga, SagaId
from corollary.spec.governance.vocabulary import Phase
from corollary.spec.governance.words import is_over


def is_at(before: Governance, after: Governance, g: SagaId, i: SagaId, phase: Phase) -> bool:
    """Is a saga in a phase, and is every other one where it was?"""
    return after.saga[i].phase == (phase if i == g else before.saga[i].phase)


def turned(saga: Saga) -> Phase:
    """Return the phase of a saga that turns back."""
    return Phase.COMPENSATED if saga.done == 0 else Phase.COMPENSATING


@succeeds("open_saga")
def may_begin(before: Governance, g: SagaId, steps: u8) -> bool:
    return is_over(before.saga[g].phase) and 0 < steps and steps <= STEPS


@ensures("open_saga", "the first step may begin", changes=("saga",))
def is_begun(before: Governance, after: Governance, g: SagaId, steps: u8, retries: u8, i: SagaId) -> bool:
    old = before.saga[i]
    new = after.saga[i]
    if i == g:
        fresh = new.done == 0 and new.failures == 0 and new.lost == 0
        return new.phase == Phase.READY and new.steps == steps and new.retries == retries and fresh
    same = new.steps == old.steps and new.done == old.done and new.retries == old.retries
    return new.phase == old.phase and same and new.failures == old.failures and new.lost == old.lost


@succeeds("begin_step")
def may_execute(before: Governance, g: SagaId) -> bool:
    return before.saga[g].phase == Phase.READY


@ensures("begin_step", "the step executes", changes=("saga.phase",))
def executes(before: Governance, after: Governance, g: SagaId, i: SagaId) -> bool:
    return is_at(before, after, g, i, Phase.EXECUTING)


@succeeds("complete_step")
def may_complete(before: Governance, g: SagaId) -> bool:
    return before.saga[g].phase == Phase.EXECUTING


@ensures(
    "complete_step",
    "one step more is completed, and with the last one the saga is",
    changes=("saga.phase", "saga.done", "saga.failures"),
)
def is_completed(before: Governance, after: Governance, g: SagaId, i: SagaId) -> bool:
    old = before.saga[i]
    new = after.saga[i]
    if i != g:
        return new.phase == old.phase and new.done == old.done and new.failures == old.failures
    if old.done >= STEPS:
        return False
    ends = new.phase == (Phase.COMPLETED if old.done + 1 == old.steps else Phase.READY)
    return new.done == old.done + 1 and ends and new.failures == 0


@succeeds("fail_step")
def may_fail(before: Governance, g: SagaId) -> bool:
    return before.saga[g].phase == Phase.EXECUTING


@ensures(
    "fail_step",
    "the step is tried again as often as it may, and after that all completed ones are undone",
    changes=("saga.phase", "saga.failures"),
)
def has_failed(before: Governance, after: Governance, g: SagaId, i: SagaId) -> bool:
    old = before.saga[i]
    new = after.saga[i]
    if i != g:
        return new.phase == old.phase and new.failures == old.failures
    if old.failures < old.retries:
        return new.phase == Phase.READY and new.failures == old.failures + 1
    return new.phase == turned(old) and new.failures == old.failures


@succeeds("abandon")
def may_abandon(before: Governance, g: SagaId) -> bool:
    return before.saga[g].phase == Phase.READY


@ensures("abandon", "all completed steps are undone next", changes=("saga.phase",))
def is_abandoned(before: Governance, after: Governance, g: SagaId, i: SagaId) -> bool:
    return is_at(before, after, g, i, turned(before.saga[g]))


@succeeds("undo_step")
def may_undo(before: Governance, g: SagaId) -> bool:
    return before.saga[g].phase == Phase.COMPENSATING


@ensures(
    "undo_step",
    "the last completed step counts as undone, or is named; after the first one the saga is over",
    changes=("saga.phase", "saga.done", "saga.lost"),
)
def is_undone(before: Governance, after: Governance, g: SagaId, undone: bool, i: SagaId) -> bool:
    old = before.saga[i]
    new = after.saga[i]
    if i != g:
        return new.phase == old.phase and new.done == old.done and new.lost == old.lost
    if old.done == 0:
        return False
    lost = old.lost if undone else old.lost | shift_left(u64, 1, old.done - 1)
    ended = Phase.COMPENSATED if lost == 0 else Phase.ESCALATED
    return new.done == old.done - 1 and new.lost == lost and new.phase == (old.phase if old.done > 1 else ended)
