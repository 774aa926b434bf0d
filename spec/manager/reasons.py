"""Why is an operation refused? Each refusal has the first reason of a list that is written here once more.

Of outcomes of tasks, OUTDATED always comes first.
"""

from corollary.language.builtins import implies
from corollary.language.property import theorem
from corollary.language.types import u32, u64
from corollary.spec.agent import Life
from corollary.spec.manager.limits import LAST_NUMBER
from corollary.spec.manager.recent import is_recent
from corollary.spec.manager.state import AgentId, LaneId, Manager, PeerId
from corollary.spec.manager.step import awaits, is_handed_over, is_void, may_drop
from corollary.spec.manager.task import is_out
from corollary.spec.manager.theorems import OUTCOMES
from corollary.spec.manager.vocabulary import Status, Step

SIMPLE = ("stopped", "released", "returned", "restored", "frozen", "packed", "written", "recorded", "freed", "remedied")
"""The operations that are told an outcome in which nothing can be wrong."""


def says(status: Status, reason: Status) -> bool:
    """Is a refusal for this reason?"""
    return implies(status != Status.OK, status == reason)


@theorem("REASON-1", "an outcome is outdated if and only if its task is not out", about=OUTCOMES)
def outdated_is_not_out(before: Manager, after: Manager, status: Status, a: AgentId, number: u64) -> bool:
    return (status == Status.OUTDATED) == (not is_out(before, a, number))


@theorem("REASON-2", "a row with an agent is occupied; else badges must grow", about=("register",))
def why_not_registered(before: Manager, after: Manager, status: Status, a: AgentId) -> bool:
    free = before.agent[a].state == Life.TERMINATED
    return says(status, Status.BADGE_USED if free else Status.OCCUPIED)


@theorem("REASON-3", "likewise, where somebody is awaited", about=("respawn",))
def why_not_respawned(before: Manager, after: Manager, status: Status, a: AgentId) -> bool:
    if before.agent[a].state != Life.TERMINATED:
        return says(status, Status.OCCUPIED)
    return says(status, Status.BADGE_USED if before.agent[a].awaited else Status.NOT_AWAITED)


def in_state(status: Status, right: bool) -> bool:
    """Is a refusal for the state, or else since the agent is in the middle of something?"""
    return says(status, Status.BUSY if right else Status.WRONG_STATE)


@theorem("REASON-4", "an agent that does not begin cannot start", about=("started",))
def why_not_started(before: Manager, after: Manager, status: Status, a: AgentId) -> bool:
    return in_state(status, before.agent[a].state == Life.INITIALIZING)


@theorem("REASON-5", "one that does not run is not suspended, and violates nothing", about=("suspended", "violate"))
def why_not_suspended(before: Manager, after: Manager, status: Status, a: AgentId) -> bool:
    return in_state(status, before.agent[a].state == Life.RUNNING)


@theorem("REASON-6", "one that is not suspended is not resumed, and not hibernated", about=("resumed", "hibernate"))
def why_not_resumed(before: Manager, after: Manager, status: Status, a: AgentId) -> bool:
    return in_state(status, before.agent[a].state == Life.SUSPENDED)


@theorem("REASON-7", "one that neither runs nor is suspended does not fail", about=("fail",))
def why_not_failed(before: Manager, after: Manager, status: Status, a: AgentId) -> bool:
    state = before.agent[a].state
    return in_state(status, state == Life.RUNNING or state == Life.SUSPENDED)


@theorem("REASON-8", "only one that moves cannot be terminated", about=("terminated",))
def why_not_terminated(before: Manager, after: Manager, status: Status, a: AgentId) -> bool:
    return in_state(status, before.agent[a].state != Life.TERMINATED)


@theorem("REASON-9", "one that is not hibernated is not reconstructed, nor one too often", about=("reconstruct",))
def why_not_reconstructed(before: Manager, after: Manager, status: Status, a: AgentId) -> bool:
    g = before.agent[a]
    if g.state == Life.HIBERNATED and g.step == Step.NONE:
        return says(status, Status.TOO_OFTEN)
    return in_state(status, g.state == Life.HIBERNATED)


@theorem("REASON-10", "a task is not given twice, nor without a step", about=("assign",))
def why_not_assigned(before: Manager, after: Manager, status: Status, a: AgentId) -> bool:
    if before.agent[a].step == Step.NONE:
        return says(status, Status.NOTHING_TO_DO)
    return says(status, Status.ASKED if before.agent[a].asked >= before.since else Status.EXHAUSTED)


@theorem("REASON-11", "lane, state, step, rest and failures are looked at in this order", about=("admit",))
def why_not_admitted(before: Manager, after: Manager, status: Status, a: AgentId, lane: LaneId) -> bool:
    g = before.agent[a]
    if before.lane[lane].taken:
        return says(status, Status.LANE_TAKEN)
    if (g.state == Life.RUNNING or g.state == Life.SUSPENDED) and g.step == Step.NONE:
        return says(status, Status.RESTING if is_recent(g.moved_at, before.epoch) else Status.UNSTEADY)
    return in_state(status, g.state == Life.RUNNING or g.state == Life.SUSPENDED)


@theorem("REASON-12", "a snapshot is of no use where none is due, or without a ticket or chunks", about=("snapped",))
def why_not_snapped(before: Manager, after: Manager, status: Status, a: AgentId, number: u64) -> bool:
    if not is_out(before, a, number):
        return says(status, Status.OUTDATED)
    if before.ticket >= LAST_NUMBER:
        return says(status, Status.EXHAUSTED)
    return says(status, Status.EMPTY if before.agent[a].step == Step.STOPPED else Status.WRONG_STEP)


@theorem(
    "REASON-13", "what a target wants is unknown, void, untimely, for another row, or no chunk", about=("hear_want",)
)
def why_not_wanted(before: Manager, after: Manager, status: Status, a: AgentId, ticket: u64, there: AgentId) -> bool:
    g = before.agent[a]
    if ticket == 0 or ticket >= before.ticket:
        return says(status, Status.UNKNOWN)
    if is_void(g, ticket):
        return says(status, Status.VOID)
    if g.step != Step.SNAPPED and g.step != Step.RESERVED:
        return says(status, Status.WRONG_STEP)
    return says(status, Status.WRONG_ROW if g.step == Step.RESERVED and g.there != there else Status.WRONG_CHUNK)


@theorem("REASON-14", "so is the one that asks for the decision, which may have been made", about=("hear_filled",))
def why_not_filled(before: Manager, after: Manager, status: Status, a: AgentId, ticket: u64) -> bool:
    g = before.agent[a]
    if ticket == 0 or ticket >= before.ticket:
        return says(status, Status.UNKNOWN)
    if is_void(g, ticket):
        return says(status, Status.VOID)
    if is_handed_over(g.step):
        return says(status, Status.DECIDED)
    return says(status, Status.WRONG_ROW if g.step == Step.RESERVED else Status.WRONG_STEP)


@theorem("REASON-15", "only a source that has handed over is told so, of this move", about=("hear_done",))
def why_not_done(before: Manager, after: Manager, status: Status, a: AgentId) -> bool:
    return says(status, Status.WRONG_TICKET if before.agent[a].step == Step.COMMITTED else Status.WRONG_STEP)


@theorem("REASON-16", "ticket, lane, badge, row and chunks are looked at in this order", about=("hear_reserve",))
def why_not_promised(
    before: Manager, after: Manager, status: Status, a: AgentId, lane: LaneId, badge: u64, peer: PeerId, ticket: u64
) -> bool:
    if ticket <= before.peer[peer].heard:
        return says(status, Status.DOUBLED)
    if before.lane[lane].taken:
        return says(status, Status.LANE_TAKEN)
    if badge <= before.badge:
        return says(status, Status.BADGE_USED)
    return says(status, Status.EMPTY if before.agent[a].state == Life.TERMINATED else Status.OCCUPIED)


@theorem("REASON-17", "a chunk is of another move, came before, or comes too early", about=("hear_chunk",))
def why_not_taken(
    before: Manager, after: Manager, status: Status, a: AgentId, peer: PeerId, ticket: u64, chunk: u32
) -> bool:
    g = before.agent[a]
    if g.step != Step.PROMISED:
        return says(status, Status.WRONG_STEP)
    if not awaits(g, peer, ticket):
        return says(status, Status.WRONG_TICKET)
    return says(status, Status.DOUBLED if chunk < g.chunk else Status.WRONG_CHUNK)


@theorem("REASON-18", "chunks are missing, or have another hash", about=("checked",))
def why_not_checked(before: Manager, after: Manager, status: Status, a: AgentId, number: u64) -> bool:
    g = before.agent[a]
    if not is_out(before, a, number):
        return says(status, Status.OUTDATED)
    if g.step != Step.PROMISED:
        return says(status, Status.WRONG_STEP)
    return says(status, Status.WRONG_HASH if g.chunk == g.chunks else Status.INCOMPLETE)


@theorem("REASON-19", "a decision is unknown, carried out, too early, or came before", about=("hear_commit",))
def why_not_accepted(before: Manager, after: Manager, status: Status, a: AgentId, peer: PeerId, ticket: u64) -> bool:
    if ticket > before.peer[peer].heard:
        return says(status, Status.UNKNOWN)
    if not awaits(before.agent[a], peer, ticket):
        return says(status, Status.DONE)
    return says(status, Status.WRONG_STEP if before.agent[a].step == Step.PROMISED else Status.DOUBLED)


@theorem("REASON-20", "what is not promised, or is of another move, is not dropped", about=("hear_abort",))
def why_not_dropped(before: Manager, after: Manager, status: Status, a: AgentId) -> bool:
    return says(status, Status.WRONG_TICKET if may_drop(before.agent[a].step) else Status.WRONG_STEP)


@theorem("REASON-21", "what was read is from elsewhere, or has another size", about=("read",))
def why_not_read(before: Manager, after: Manager, status: Status, a: AgentId, number: u64, at: u64) -> bool:
    g = before.agent[a]
    if not is_out(before, a, number):
        return says(status, Status.OUTDATED)
    if g.step != Step.READING:
        return says(status, Status.WRONG_STEP)
    return says(status, Status.WRONG_SIZE if at == g.receipt.at else Status.WRONG_PLACE)


@theorem("REASON-22", "what was unpacked has another size, or another hash", about=("unpacked",))
def why_not_unpacked(before: Manager, after: Manager, status: Status, a: AgentId, number: u64, plain: u64) -> bool:
    g = before.agent[a]
    if not is_out(before, a, number):
        return says(status, Status.OUTDATED)
    if g.step != Step.UNPACKING:
        return says(status, Status.WRONG_STEP)
    return says(status, Status.WRONG_HASH if plain == g.receipt.plain else Status.WRONG_SIZE)


@theorem("REASON-23", "an outcome is outdated, or of another step", about=SIMPLE)
def why_not_told(before: Manager, after: Manager, status: Status, a: AgentId, number: u64) -> bool:
    return says(status, Status.WRONG_STEP if is_out(before, a, number) else Status.OUTDATED)


@theorem("REASON-24", "the agent is in another step", about=("commit", "abort", "refuse"))
def why_not_now(before: Manager, after: Manager, status: Status) -> bool:
    return says(status, Status.WRONG_STEP)


@theorem("REASON-25", "there is no other epoch", about=("begin_epoch",))
def why_no_epoch(before: Manager, after: Manager, status: Status) -> bool:
    return says(status, Status.LAST_EPOCH)
