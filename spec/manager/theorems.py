"""What does each step of the manager leave alone, and what does it lead to?"""

from corollary.language.builtins import implies, saturating_sub
from corollary.language.property import theorem
from corollary.language.types import u8, u64
from corollary.spec.agent import Life, may_follow
from corollary.spec.manager.limits import EPOCHS
from corollary.spec.manager.recent import is_noted, is_recent
from corollary.spec.manager.state import AgentId, Manager, PeerId
from corollary.spec.manager.step import awaits, has_ticket, is_handed_over, is_hash, is_void, lies, may_give_up, rank
from corollary.spec.manager.vocabulary import Remedy, Status, Step

OUTCOMES = (
    "stopped",
    "snapped",
    "released",
    "returned",
    "checked",
    "restored",
    "frozen",
    "packed",
    "written",
    "recorded",
    "freed",
    "read",
    "unpacked",
    "remedied",
    "failed",
)
"""The operations that are told the outcome of a task."""


def level(remedy: Remedy) -> u8:
    """Return a number that grows with what a remedy costs."""
    return u8(remedy)


@theorem("LIFE-1", "an agent goes along an edge of the table, or stays; only a free row gets another agent")
def goes_along_edges(before: Manager, after: Manager, a: AgentId) -> bool:
    old = before.agent[a]
    new = after.agent[a]
    if old.badge != new.badge:
        begins = new.state == Life.INITIALIZING or (new.state == Life.MIGRATING and new.step == Step.PROMISED)
        return old.state == Life.TERMINATED and begins
    return old.state == new.state or may_follow(old.state, new.state)


@theorem("LIFE-2", "a badge is never used again")
def badges_grow(before: Manager, after: Manager, a: AgentId) -> bool:
    is_new = after.agent[a].badge != before.agent[a].badge
    return before.badge <= after.badge and implies(is_new, after.agent[a].badge > before.badge)


@theorem("STEP-1", "what an agent is in the middle of comes closer to its end, whatever happens")
def steps_fall(before: Manager, after: Manager, a: AgentId) -> bool:
    old = before.agent[a].step
    return old == Step.NONE or rank(after.agent[a].step) <= rank(old)


@theorem("STEP-2", "a step of one agent leaves the others alone")
def moves_one(before: Manager, after: Manager, a: AgentId, b: AgentId) -> bool:
    one = before.agent[a].step == after.agent[a].step and before.agent[a].state == after.agent[a].state
    other = before.agent[b].step == after.agent[b].step and before.agent[b].state == after.agent[b].state
    return a == b or one or other


@theorem("MOVE-1", "an agent is handed over once the target has everything, and never comes back")
def hands_over_once(before: Manager, after: Manager, a: AgentId) -> bool:
    old = before.agent[a].step
    new = after.agent[a].step
    decided = implies(new == Step.COMMITTED and old != new, old == Step.MOVED)
    left = implies(new == Step.LEFT and old != new, old == Step.COMMITTED)
    stays = is_handed_over(new) or (old == Step.LEFT and after.agent[a].state == Life.TERMINATED)
    return decided and left and implies(is_handed_over(old), stays)


@theorem("MOVE-2", "what was promised runs only after the source has handed it over")
def runs_after_commit(before: Manager, after: Manager, a: AgentId) -> bool:
    old = before.agent[a].step
    new = after.agent[a]
    accepted = implies(new.step == Step.ACCEPTED and old != Step.ACCEPTED, old == Step.FILLED)
    waits = implies(old == Step.FILLED or old == Step.PROMISED, new.state != Life.RUNNING)
    return accepted and waits and implies(old == Step.ACCEPTED, new.step == Step.ACCEPTED or new.state == Life.RUNNING)


@theorem("MOVE-3", "only a commit or an abort of the source ends the wait of a target that has everything")
def waits_for_source(before: Manager, after: Manager, a: AgentId) -> bool:
    dropped = after.agent[a].state == Life.TERMINATED
    filled = before.agent[a].step == Step.FILLED
    return implies(filled, after.agent[a].step == Step.FILLED or after.agent[a].step == Step.ACCEPTED or dropped)


@theorem("MOVE-4", "an agent rests for `EPOCHS` before it moves", about=("admit",))
def rests_before_move(before: Manager, after: Manager, status: Status, a: AgentId) -> bool:
    rested = saturating_sub(before.epoch, before.agent[a].moved_at) >= EPOCHS
    return implies(status == Status.OK, rested and is_recent(after.agent[a].moved_at, after.epoch))


@theorem("MOVE-5", "no promise is made twice for a ticket")
def promises_once(before: Manager, after: Manager, p: PeerId) -> bool:
    return before.peer[p].heard <= after.peer[p].heard


@theorem("MOVE-6", "the ticket and the hash of a move stay as they are until it ends")
def move_is_fixed(before: Manager, after: Manager, a: AgentId) -> bool:
    old = before.agent[a]
    new = after.agent[a]
    same = new.ticket == old.ticket and new.chunks == old.chunks
    hash = is_hash(new.hash, old.hash.first, old.hash.second, old.hash.third, old.hash.fourth)
    goes_on = (has_ticket(old.step) and has_ticket(new.step)) or lies(old.step, Step.PROMISED, Step.ACCEPTED)
    return implies(goes_on, same and hash)


@theorem("MOVE-7", "a move that is not decided can be given up, and its agent is the source's again", about=("abort",))
def may_abort(before: Manager, after: Manager, status: Status, a: AgentId) -> bool:
    again = after.agent[a].step == Step.RETURNING or after.agent[a].state == Life.SUSPENDED
    return implies(may_give_up(before.agent[a].step), status == Status.OK and again)


@theorem(
    "MOVE-8", "a source calls only a move void that it is not in the middle of", about=("hear_want", "hear_filled")
)
def void_is_over(before: Manager, after: Manager, status: Status, a: AgentId, ticket: u64) -> bool:
    return implies(status == Status.VOID, is_void(before.agent[a], ticket) and ticket < before.ticket)


@theorem("MOVE-9", "a move that is over stays void")
def void_stays(before: Manager, after: Manager, a: AgentId, t: u64) -> bool:
    return implies(t < before.ticket and is_void(before.agent[a], t), is_void(after.agent[a], t))


@theorem("MOVE-10", "a target says only of a ticket that it heard that all is done", about=("hear_commit",))
def done_was_heard(before: Manager, after: Manager, status: Status, a: AgentId, peer: PeerId, ticket: u64) -> bool:
    over = not awaits(before.agent[a], peer, ticket) and ticket <= before.peer[peer].heard
    return implies(status == Status.DONE, over)


@theorem("COLD-1", "pages are freed only after the receipt is in the log")
def frees_after_receipt(before: Manager, after: Manager, a: AgentId) -> bool:
    frees = after.agent[a].step == Step.FREEING and before.agent[a].step != Step.FREEING
    colder = after.agent[a].state == Life.HIBERNATED and before.agent[a].state != Life.HIBERNATED
    return implies(frees or colder, before.agent[a].step == Step.RECORDING)


@theorem("COLD-2", "the receipt of a hibernated agent stays as it is")
def receipt_is_fixed(before: Manager, after: Manager, a: AgentId) -> bool:
    old = before.agent[a]
    new = after.agent[a]
    hash = is_hash(new.hash, old.hash.first, old.hash.second, old.hash.third, old.hash.fourth)
    sizes = new.receipt.packed == old.receipt.packed and new.receipt.plain == old.receipt.plain
    return implies(old.state == Life.HIBERNATED, hash and sizes and new.receipt.at == old.receipt.at)


@theorem("COLD-3", "an agent is reconstructed only from what was unpacked and is as its receipt says")
def restores_what_was_checked(before: Manager, after: Manager, a: AgentId) -> bool:
    begins = after.agent[a].state == Life.RECONSTRUCTING and before.agent[a].state != Life.RECONSTRUCTING
    return implies(begins, before.agent[a].step == Step.UNPACKING)


@theorem("FAIL-2", "within `EPOCHS` of the last failure the remedy is the last one or the next greater one")
def remedies_grow(before: Manager, after: Manager, a: AgentId) -> bool:
    old = before.agent[a]
    new = after.agent[a]
    grows = level(new.remedy) == level(old.remedy) or level(new.remedy) == level(old.remedy) + 1
    return implies(is_recent(old.failed_at, before.epoch) and new.badge == old.badge, grows)


@theorem("FAIL-3", "the first of four restarts is `EPOCHS` before the last", about=("fail",))
def restarts_are_few(before: Manager, after: Manager, a: AgentId) -> bool:
    restarted = after.agent[a].step == Step.RESTARTING and before.agent[a].step == Step.NONE
    noted = is_noted(before.agent[a].restarts, after.agent[a].restarts, after.epoch)
    return implies(restarted, noted and saturating_sub(before.epoch, before.agent[a].restarts.third) >= EPOCHS)


@theorem("FAIL-4", "after `EPOCHS` without a failure the least remedy is next", about=("fail",))
def begins_anew(before: Manager, after: Manager, status: Status, a: AgentId) -> bool:
    calm = not is_recent(before.agent[a].failed_at, before.epoch)
    return implies(calm and status == Status.OK, after.agent[a].remedy == Remedy.RESTART)


@theorem("QUOTA-1", "the third violation in `EPOCHS` stops the agent, and no earlier one does", about=("violate",))
def third_violation_stops(before: Manager, after: Manager, status: Status, a: AgentId) -> bool:
    stops = after.agent[a].step == Step.STOPPING
    three = is_recent(after.agent[a].violations.third, after.epoch)
    return implies(status == Status.OK, stops == three)


@theorem("TASK-4", "an outcome counts once, and only if it is of the task that is out", about=OUTCOMES)
def counts_once(before: Manager, after: Manager, status: Status, a: AgentId, number: u64) -> bool:
    was_out = before.agent[a].asked == number and number >= before.since
    return implies(status == Status.OK, was_out and after.agent[a].asked == 0)
