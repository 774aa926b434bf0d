"""What does the target of a move do with its row? It promises room, fills it, and waits for the decision.

Each function can be called in any state of the row, and changes nothing unless it returns OK.
"""

from corollary.language.types import u32, u64
from corollary.language.values import clear
from corollary.model.manager.source import enter, put_hash, settle
from corollary.spec.agent import Life
from corollary.spec.manager.state import Agent, AgentId, LaneId, PartitionId, PeerId
from corollary.spec.manager.step import awaits, is_hash, may_drop
from corollary.spec.manager.vocabulary import Status, Step


def promise(
    g: Agent,
    badge: u64,
    place: PartitionId,
    lane: LaneId,
    peer: PeerId,
    there: AgentId,
    ticket: u64,
    chunks: u32,
    first: u64,
    second: u64,
    third: u64,
    fourth: u64,
) -> Status:
    """Keep a row for an agent that is to come. The kernel has room for it, under a new badge."""
    if g.state != Life.TERMINATED:
        return Status.OCCUPIED
    if chunks == 0:
        return Status.EMPTY
    clear(g)
    g.badge = badge
    g.place = place
    g.state = Life.MIGRATING
    g.lane = lane
    g.peer = peer
    g.there = there
    g.ticket = ticket
    g.chunks = chunks
    put_hash(g.hash, first, second, third, fourth)
    enter(g, Step.PROMISED)
    return Status.OK


def take_chunk(g: Agent, peer: PeerId, ticket: u64, chunk: u32) -> Status:
    """A chunk came, and is stored."""
    if g.step != Step.PROMISED:
        return Status.WRONG_STEP
    if not awaits(g, peer, ticket):
        return Status.WRONG_TICKET
    if chunk < g.chunk:
        return Status.DOUBLED
    if chunk > g.chunk or chunk >= g.chunks:
        return Status.WRONG_CHUNK
    g.chunk += 1
    g.asked = 0
    return Status.OK


def check(g: Agent, first: u64, second: u64, third: u64, fourth: u64) -> Status:
    """All chunks are here, and have this hash."""
    if g.step != Step.PROMISED:
        return Status.WRONG_STEP
    if g.chunk != g.chunks:
        return Status.INCOMPLETE
    if not is_hash(g.hash, first, second, third, fourth):
        return Status.WRONG_HASH
    enter(g, Step.FILLED)
    return Status.OK


def accept(g: Agent, peer: PeerId, ticket: u64) -> Status:
    """The source has handed the agent over."""
    if not awaits(g, peer, ticket):
        return Status.DONE
    if g.step == Step.PROMISED:
        return Status.WRONG_STEP
    if g.step == Step.ACCEPTED:
        return Status.DOUBLED
    enter(g, Step.ACCEPTED)
    return Status.OK


def drop(g: Agent, peer: PeerId, ticket: u64) -> Status:
    """The source has given up."""
    if not may_drop(g.step):
        return Status.WRONG_STEP
    if not awaits(g, peer, ticket):
        return Status.WRONG_TICKET
    settle(g, Life.TERMINATED)
    return Status.OK


def withdraw(g: Agent) -> Status:
    """Take a promise back, which the target may do until it has said that it has everything."""
    if g.step != Step.PROMISED:
        return Status.WRONG_STEP
    settle(g, Life.TERMINATED)
    return Status.OK


def arrive(g: Agent, epoch: u64) -> Status:
    """The agent runs: here after its move, or again after its reconstruction."""
    if g.step != Step.ACCEPTED and g.step != Step.RESTORING:
        return Status.WRONG_STEP
    if g.step == Step.ACCEPTED:
        g.moved_at = epoch
    settle(g, Life.RUNNING)
    return Status.OK
