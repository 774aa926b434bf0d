"""When do the steps of a move succeed, at the source and at the target, and what do they do then?"""

from corollary.language.property import ensures, succeeds
from corollary.language.types import u32, u64
from corollary.spec.agent import Life
from corollary.spec.manager.limits import LAST_NUMBER
from corollary.spec.manager.outcome.words import (
    ENTERS,
    frees,
    goes,
    is_blank,
    is_given,
    is_hashed,
    is_idle,
    is_same,
    is_told,
    takes,
)
from corollary.spec.manager.recent import is_recent
from corollary.spec.manager.state import AgentId, LaneId, Manager, PartitionId, PeerId
from corollary.spec.manager.step import is_hash, may_give_up
from corollary.spec.manager.vocabulary import Step

# ---- from here


@succeeds("admit")
def may_admit(before: Manager, a: AgentId, lane: LaneId) -> bool:
    g = before.agent[a]
    idle = is_idle(before, a, Life.RUNNING) or is_idle(before, a, Life.SUSPENDED)
    steady = not is_recent(g.failed_at, before.epoch) and not is_recent(g.violations.last, before.epoch)
    return not before.lane[lane].taken and idle and steady and not is_recent(g.moved_at, before.epoch)


@ensures(
    "admit",
    "the agent moves to the peer in the lane, and has moved in this epoch",
    changes=(*ENTERS, "agent.woken", "agent.peer", "agent.lane", "agent.moved_at", "lane"),
)
def is_admitted(before: Manager, after: Manager, a: AgentId, peer: PeerId, lane: LaneId, i: AgentId, q: LaneId) -> bool:
    old = before.agent[i]
    new = after.agent[i]
    woken = new.woken == (old.state == Life.RUNNING if i == a else old.woken)
    where = new.peer == (peer if i == a else old.peer) and new.lane == (lane if i == a else old.lane)
    when = is_given(old.moved_at, new.moved_at, i == a, before.epoch)
    goes_on = goes(before, after, a, i, Life.MIGRATING, Step.ADMITTED)
    return woken and where and when and goes_on and takes(before, after, a, lane, q)


@succeeds("stopped")
def may_stop(before: Manager, a: AgentId, number: u64) -> bool:
    return is_told(before, a, number, Step.ADMITTED) or is_told(before, a, number, Step.STOPPING)


@ensures("stopped", "a snapshot is next, for the move or for the disk", changes=ENTERS)
def is_stopped(before: Manager, after: Manager, a: AgentId, i: AgentId) -> bool:
    if before.agent[a].step == Step.ADMITTED:
        return goes(before, after, a, i, Life.MIGRATING, Step.STOPPED)
    return goes(before, after, a, i, Life.SUSPENDED, Step.FREEZING)


@succeeds("snapped")
def may_snap(before: Manager, a: AgentId, number: u64, chunks: u32) -> bool:
    return is_told(before, a, number, Step.STOPPED) and before.ticket < LAST_NUMBER and chunks != 0


@ensures(
    "snapped",
    "the move has a ticket that no other has",
    changes=(*ENTERS, "agent.ticket", "agent.chunk", "agent.chunks", "agent.hash", "ticket"),
)
def is_snapped(
    before: Manager,
    after: Manager,
    a: AgentId,
    chunks: u32,
    first: u64,
    second: u64,
    third: u64,
    fourth: u64,
    i: AgentId,
) -> bool:
    if before.ticket >= LAST_NUMBER:
        return False
    old = before.agent[i]
    new = after.agent[i]
    ticket = is_given(old.ticket, new.ticket, i == a, before.ticket) and after.ticket == before.ticket + 1
    sizes = new.chunks == (chunks if i == a else old.chunks) and new.chunk == (0 if i == a else old.chunk)
    hash = is_hashed(before, after, a, i, first, second, third, fourth)
    return ticket and sizes and hash and goes(before, after, a, i, Life.MIGRATING, Step.SNAPPED)


@succeeds("hear_want")
def may_want(before: Manager, a: AgentId, ticket: u64, there: AgentId, chunk: u32) -> bool:
    g = before.agent[a]
    asks = g.step == Step.SNAPPED or (g.step == Step.RESERVED and g.there == there)
    return asks and ticket != 0 and g.ticket == ticket and chunk < g.chunks


@ensures("hear_want", "the chunk is next, to the row there", changes=(*ENTERS, "agent.there", "agent.chunk"))
def is_wanted(before: Manager, after: Manager, a: AgentId, there: AgentId, chunk: u32, i: AgentId) -> bool:
    old = before.agent[i]
    new = after.agent[i]
    asked = new.there == (there if i == a else old.there) and new.chunk == (chunk if i == a else old.chunk)
    return asked and goes(before, after, a, i, Life.MIGRATING, Step.RESERVED)


@succeeds("hear_filled")
def may_fill(before: Manager, a: AgentId, ticket: u64, there: AgentId) -> bool:
    g = before.agent[a]
    return g.step == Step.RESERVED and g.ticket == ticket and g.there == there and ticket != 0


@ensures("hear_filled", "the decision is next", changes=ENTERS)
def is_filled(before: Manager, after: Manager, a: AgentId, i: AgentId) -> bool:
    return goes(before, after, a, i, Life.MIGRATING, Step.MOVED)


@succeeds("commit")
def may_commit(before: Manager, a: AgentId) -> bool:
    return before.agent[a].step == Step.MOVED


@ensures("commit", "the agent is handed over", changes=ENTERS)
def is_committed(before: Manager, after: Manager, a: AgentId, i: AgentId) -> bool:
    return goes(before, after, a, i, Life.MIGRATING, Step.COMMITTED)


@succeeds("hear_done")
def may_let_go(before: Manager, a: AgentId, ticket: u64) -> bool:
    return before.agent[a].step == Step.COMMITTED and before.agent[a].ticket == ticket


@ensures("hear_done", "what is left here is to be freed", changes=ENTERS)
def is_let_go(before: Manager, after: Manager, a: AgentId, i: AgentId) -> bool:
    return goes(before, after, a, i, Life.MIGRATING, Step.LEFT)


@succeeds("released")
def may_release(before: Manager, a: AgentId, number: u64) -> bool:
    return is_told(before, a, number, Step.LEFT)


@ensures("released", "row and lane are free", changes=(*ENTERS, "lane.taken"))
def is_released(before: Manager, after: Manager, a: AgentId, i: AgentId, q: LaneId) -> bool:
    freed = frees(before, after, a, q, Life.TERMINATED)
    return freed and goes(before, after, a, i, Life.TERMINATED, Step.NONE)


@succeeds("abort")
def may_abort_move(before: Manager, a: AgentId) -> bool:
    return may_give_up(before.agent[a].step)


@ensures("abort", "an agent that ran is to run again, and any other one is suspended", changes=(*ENTERS, "lane.taken"))
def is_aborted(before: Manager, after: Manager, a: AgentId, i: AgentId, q: LaneId) -> bool:
    if before.agent[a].woken:
        kept = frees(before, after, a, q, Life.MIGRATING)
        return kept and goes(before, after, a, i, Life.MIGRATING, Step.RETURNING)
    freed = frees(before, after, a, q, Life.SUSPENDED)
    return freed and goes(before, after, a, i, Life.SUSPENDED, Step.NONE)


@succeeds("returned")
def may_return(before: Manager, a: AgentId, number: u64) -> bool:
    return is_told(before, a, number, Step.RETURNING)


@ensures("returned", "the agent runs where it ran", changes=(*ENTERS, "lane.taken"))
def is_returned(before: Manager, after: Manager, a: AgentId, i: AgentId, q: LaneId) -> bool:
    freed = frees(before, after, a, q, Life.RUNNING)
    return freed and goes(before, after, a, i, Life.RUNNING, Step.NONE)


# ---- to here


@succeeds("hear_reserve")
def may_promise(before: Manager, a: AgentId, lane: LaneId, badge: u64, peer: PeerId, ticket: u64, chunks: u32) -> bool:
    free = before.agent[a].state == Life.TERMINATED and not before.lane[lane].taken
    return free and ticket > before.peer[peer].heard and badge > before.badge and chunks != 0


@ensures(
    "hear_reserve",
    "row, lane and badge are kept for the agent, and its ticket was heard",
    changes=("agent", "lane", "badge", "peer.heard"),
)
def is_promised(
    before: Manager,
    after: Manager,
    a: AgentId,
    lane: LaneId,
    badge: u64,
    place: PartitionId,
    peer: PeerId,
    there: AgentId,
    ticket: u64,
    chunks: u32,
    first: u64,
    second: u64,
    third: u64,
    fourth: u64,
    i: AgentId,
    q: LaneId,
    p: PeerId,
) -> bool:
    new = after.agent[i]
    heard = is_given(before.peer[p].heard, after.peer[p].heard, p == peer, ticket) and after.badge == badge
    rest = heard and takes(before, after, a, lane, q)
    if i != a:
        return rest and is_same(before.agent[i], new)
    who = new.badge == badge and new.parent == 0 and new.place == place
    move = (
        new.lane == lane and new.peer == peer and new.there == there and new.ticket == ticket and new.chunks == chunks
    )
    hash = is_hash(new.hash, first, second, third, fourth)
    return (
        rest and who and move and hash and new.state == Life.MIGRATING and new.step == Step.PROMISED and is_blank(new)
    )


@succeeds("hear_chunk")
def may_take(before: Manager, a: AgentId, peer: PeerId, ticket: u64, chunk: u32) -> bool:
    g = before.agent[a]
    mine = g.step == Step.PROMISED and g.peer == peer and g.ticket == ticket
    return mine and chunk == g.chunk and chunk < g.chunks


@ensures(
    "hear_chunk", "one more chunk is here, and the next is to be asked for", changes=("agent.chunk", "agent.asked")
)
def is_taken(before: Manager, after: Manager, a: AgentId, chunk: u32, i: AgentId) -> bool:
    old = before.agent[i]
    new = after.agent[i]
    if chunk >= before.agent[a].chunks:
        return False
    return new.chunk == (chunk + 1 if i == a else old.chunk) and is_given(old.asked, new.asked, i == a, 0)


@succeeds("checked")
def may_check(before: Manager, a: AgentId, number: u64, first: u64, second: u64, third: u64, fourth: u64) -> bool:
    g = before.agent[a]
    whole = g.chunk == g.chunks and is_hash(g.hash, first, second, third, fourth)
    return is_told(before, a, number, Step.PROMISED) and whole


@ensures("checked", "the source is to be told that everything is here", changes=ENTERS)
def is_checked(before: Manager, after: Manager, a: AgentId, i: AgentId) -> bool:
    return goes(before, after, a, i, Life.MIGRATING, Step.FILLED)


@succeeds("hear_commit")
def may_accept(before: Manager, a: AgentId, peer: PeerId, ticket: u64) -> bool:
    g = before.agent[a]
    return g.step == Step.FILLED and g.peer == peer and g.ticket == ticket


@ensures("hear_commit", "the agent is to run here", changes=ENTERS)
def is_accepted(before: Manager, after: Manager, a: AgentId, i: AgentId) -> bool:
    return goes(before, after, a, i, Life.MIGRATING, Step.ACCEPTED)


@succeeds("hear_abort")
def may_drop_move(before: Manager, a: AgentId, peer: PeerId, ticket: u64) -> bool:
    g = before.agent[a]
    return (g.step == Step.PROMISED or g.step == Step.FILLED) and g.peer == peer and g.ticket == ticket


@ensures("hear_abort", "row and lane are free", changes=(*ENTERS, "lane.taken"))
def is_dropped(before: Manager, after: Manager, a: AgentId, i: AgentId, q: LaneId) -> bool:
    freed = frees(before, after, a, q, Life.TERMINATED)
    return freed and goes(before, after, a, i, Life.TERMINATED, Step.NONE)


@succeeds("refuse")
def may_refuse(before: Manager, a: AgentId) -> bool:
    return before.agent[a].step == Step.PROMISED


@ensures("refuse", "row and lane are free", changes=(*ENTERS, "lane.taken"))
def is_refused(before: Manager, after: Manager, a: AgentId, i: AgentId, q: LaneId) -> bool:
    freed = frees(before, after, a, q, Life.TERMINATED)
    return freed and goes(before, after, a, i, Life.TERMINATED, Step.NONE)


@succeeds("restored")
def may_arrive(before: Manager, a: AgentId, number: u64) -> bool:
    return is_told(before, a, number, Step.ACCEPTED) or is_told(before, a, number, Step.RESTORING)


@ensures(
    "restored",
    "the agent runs, and has moved in this epoch if it came",
    changes=(*ENTERS, "agent.moved_at", "lane.taken"),
)
def is_restored(before: Manager, after: Manager, a: AgentId, i: AgentId, q: LaneId) -> bool:
    came = i == a and before.agent[a].step == Step.ACCEPTED
    when = is_given(before.agent[i].moved_at, after.agent[i].moved_at, came, before.epoch)
    freed = frees(before, after, a, q, Life.RUNNING)
    return when and freed and goes(before, after, a, i, Life.RUNNING, Step.NONE)
