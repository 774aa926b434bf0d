"""How does an agent move from here, or to here? Operations for outcomes of tasks, and for messages of the other end."""

from corollary.language.types import u32, u64
from corollary.model.manager.source import come_back, decide, fill, give_up, let_go, release, set_out, snap, stop, want
from corollary.model.manager.target import accept, arrive, check, drop, promise, take_chunk, withdraw
from corollary.model.manager.tasks import free_lane
from corollary.spec.manager.limits import LAST_NUMBER
from corollary.spec.manager.state import AgentId, LaneId, Manager, PartitionId, PeerId
from corollary.spec.manager.task import is_out
from corollary.spec.manager.vocabulary import Status

# ---- from here


def admit(s: Manager, a: AgentId, peer: PeerId, lane: LaneId) -> Status:
    """Let an agent move to a peer in a lane."""
    if s.lane[lane].taken:
        return Status.LANE_TAKEN
    status = set_out(s.agent[a], peer, lane, s.epoch)
    if status == Status.OK:
        s.lane[lane].taken = True
        s.lane[lane].agent = a
    return status


def stopped(s: Manager, a: AgentId, number: u64) -> Status:
    """The kernel has suspended an agent."""
    if not is_out(s, a, number):
        return Status.OUTDATED
    return stop(s.agent[a])


def snapped(
    s: Manager, a: AgentId, number: u64, chunks: u32, first: u64, second: u64, third: u64, fourth: u64
) -> Status:
    """The kernel has taken the snapshot of an agent that moves: so many chunks, with this hash."""
    if not is_out(s, a, number):
        return Status.OUTDATED
    if s.ticket >= LAST_NUMBER:
        return Status.EXHAUSTED
    status = snap(s.agent[a], s.ticket, chunks, first, second, third, fourth)
    if status == Status.OK:
        s.ticket += 1
    return status


def hear_want(s: Manager, a: AgentId, ticket: u64, there: AgentId, chunk: u32) -> Status:
    """The target has room in a row, and wants a chunk. If the answer is VOID, tell it so."""
    if ticket == 0 or ticket >= s.ticket:
        return Status.UNKNOWN
    return want(s.agent[a], ticket, there, chunk)


def hear_filled(s: Manager, a: AgentId, ticket: u64, there: AgentId) -> Status:
    """The target has everything, and asks what is decided. If the answer is VOID, tell it so."""
    if ticket == 0 or ticket >= s.ticket:
        return Status.UNKNOWN
    return fill(s.agent[a], ticket, there)


def commit(s: Manager, a: AgentId) -> Status:
    """Hand an agent over."""
    return decide(s.agent[a])


def hear_done(s: Manager, a: AgentId, ticket: u64) -> Status:
    """The agent runs at the target."""
    return let_go(s.agent[a], ticket)


def released(s: Manager, a: AgentId, number: u64) -> Status:
    """The kernel has freed what was left of an agent that moved."""
    if not is_out(s, a, number):
        return Status.OUTDATED
    status = release(s.agent[a])
    free_lane(s, a)
    return status


def abort(s: Manager, a: AgentId) -> Status:
    """Give a move up that is not decided."""
    status = give_up(s.agent[a])
    free_lane(s, a)
    return status


def returned(s: Manager, a: AgentId, number: u64) -> Status:
    """The kernel lets an agent run again whose move was given up."""
    if not is_out(s, a, number):
        return Status.OUTDATED
    status = come_back(s.agent[a])
    free_lane(s, a)
    return status


# ---- to here


def hear_reserve(
    s: Manager,
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
) -> Status:
    """A source asks for room, for an agent in its row `there`; the kernel has some, under a new badge."""
    if ticket <= s.peer[peer].heard:
        return Status.DOUBLED
    if s.lane[lane].taken:
        return Status.LANE_TAKEN
    if badge <= s.badge:
        return Status.BADGE_USED
    g = s.agent[a]
    status = promise(g, badge, place, lane, peer, there, ticket, chunks, first, second, third, fourth)
    if status == Status.OK:
        s.badge = badge
        s.peer[peer].heard = ticket
        s.lane[lane].taken = True
        s.lane[lane].agent = a
    return status


def hear_chunk(s: Manager, a: AgentId, peer: PeerId, ticket: u64, chunk: u32) -> Status:
    """A chunk came, and is stored."""
    return take_chunk(s.agent[a], peer, ticket, chunk)


def checked(s: Manager, a: AgentId, number: u64, first: u64, second: u64, third: u64, fourth: u64) -> Status:
    """All chunks together have this hash."""
    if not is_out(s, a, number):
        return Status.OUTDATED
    return check(s.agent[a], first, second, third, fourth)


def hear_commit(s: Manager, a: AgentId, peer: PeerId, ticket: u64) -> Status:
    """The source has handed an agent over. If the answer is DONE, tell it so."""
    if ticket > s.peer[peer].heard:
        return Status.UNKNOWN
    return accept(s.agent[a], peer, ticket)


def hear_abort(s: Manager, a: AgentId, peer: PeerId, ticket: u64) -> Status:
    """The source has given up."""
    status = drop(s.agent[a], peer, ticket)
    free_lane(s, a)
    return status


def refuse(s: Manager, a: AgentId) -> Status:
    """Take a promise back."""
    status = withdraw(s.agent[a])
    free_lane(s, a)
    return status


def restored(s: Manager, a: AgentId, number: u64) -> Status:
    """The kernel lets a snapshot run, of an agent that came or was reconstructed."""
    if not is_out(s, a, number):
        return Status.OUTDATED
    status = arrive(s.agent[a], s.epoch)
    free_lane(s, a)
    return status
