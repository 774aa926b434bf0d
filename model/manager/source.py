"""What does the source of a move do with its row? It alone decides, and until then it may give up at any moment.

Each function can be called in any state of the row, and changes nothing unless it returns OK.
"""

from corollary.language.types import u32, u64
from corollary.spec.agent import Life
from corollary.spec.manager.recent import is_recent
from corollary.spec.manager.state import Agent, AgentId, Hash, LaneId, PeerId
from corollary.spec.manager.step import is_handed_over, is_void, may_give_up
from corollary.spec.manager.vocabulary import Status, Step


def enter(g: Agent, step: Step) -> None:
    """Go on to a step: no task is out for it."""
    g.step = step
    g.asked = 0


def settle(g: Agent, state: Life) -> None:
    """End what the agent was in the middle of, in a state."""
    g.state = state
    enter(g, Step.NONE)


def put_hash(hash: Hash, first: u64, second: u64, third: u64, fourth: u64) -> None:
    """Set a hash."""
    hash.first = first
    hash.second = second
    hash.third = third
    hash.fourth = fourth


def set_out(g: Agent, peer: PeerId, lane: LaneId, epoch: u64) -> Status:
    """Begin a move."""
    if g.state != Life.RUNNING and g.state != Life.SUSPENDED:
        return Status.WRONG_STATE
    if g.step != Step.NONE:
        return Status.BUSY
    if is_recent(g.moved_at, epoch):
        return Status.RESTING
    if is_recent(g.failed_at, epoch) or is_recent(g.violations.last, epoch):
        return Status.UNSTEADY
    g.woken = g.state == Life.RUNNING
    g.state = Life.MIGRATING
    enter(g, Step.ADMITTED)
    g.peer = peer
    g.lane = lane
    g.moved_at = epoch
    return Status.OK


def stop(g: Agent) -> Status:
    """The agent does not run: it moves, or is hibernated."""
    if g.step == Step.ADMITTED:
        enter(g, Step.STOPPED)
        return Status.OK
    if g.step != Step.STOPPING:
        return Status.WRONG_STEP
    g.state = Life.SUSPENDED
    enter(g, Step.FREEZING)
    return Status.OK


def snap(g: Agent, ticket: u64, chunks: u32, first: u64, second: u64, third: u64, fourth: u64) -> Status:
    """The snapshot is taken; the move gets its ticket."""
    if g.step != Step.STOPPED:
        return Status.WRONG_STEP
    if chunks == 0:
        return Status.EMPTY
    put_hash(g.hash, first, second, third, fourth)
    g.ticket = ticket
    g.chunks = chunks
    g.chunk = 0
    enter(g, Step.SNAPPED)
    return Status.OK


def want(g: Agent, ticket: u64, there: AgentId, chunk: u32) -> Status:
    """The target has room, and wants a chunk."""
    if is_void(g, ticket):
        return Status.VOID
    if g.step != Step.SNAPPED and g.step != Step.RESERVED:
        return Status.WRONG_STEP
    if g.step == Step.RESERVED and g.there != there:
        return Status.WRONG_ROW
    if chunk >= g.chunks:
        return Status.WRONG_CHUNK
    g.there = there
    g.chunk = chunk
    enter(g, Step.RESERVED)
    return Status.OK


def fill(g: Agent, ticket: u64, there: AgentId) -> Status:
    """The target has everything, and asks what is decided. Only a move that is over is VOID, whatever row asks."""
    if is_void(g, ticket):
        return Status.VOID
    if is_handed_over(g.step):
        return Status.DECIDED
    if g.step != Step.RESERVED:
        return Status.WRONG_STEP
    if g.there != there:
        return Status.WRONG_ROW
    enter(g, Step.MOVED)
    return Status.OK


def decide(g: Agent) -> Status:
    """Hand the agent over. Once this is written, it never runs here again."""
    if g.step != Step.MOVED:
        return Status.WRONG_STEP
    enter(g, Step.COMMITTED)
    return Status.OK


def let_go(g: Agent, ticket: u64) -> Status:
    """The agent runs at the target."""
    if g.step != Step.COMMITTED:
        return Status.WRONG_STEP
    if g.ticket != ticket:
        return Status.WRONG_TICKET
    enter(g, Step.LEFT)
    return Status.OK


def release(g: Agent) -> Status:
    """Nothing of the agent is left here."""
    if g.step != Step.LEFT:
        return Status.WRONG_STEP
    settle(g, Life.TERMINATED)
    return Status.OK


def turn_back(g: Agent) -> None:
    """Let an agent that ran run again; any other one is suspended, as it was."""
    if g.woken:
        enter(g, Step.RETURNING)
    else:
        settle(g, Life.SUSPENDED)


def give_up(g: Agent) -> Status:
    """End a move that is not decided."""
    if not may_give_up(g.step):
        return Status.WRONG_STEP
    turn_back(g)
    return Status.OK


def come_back(g: Agent) -> Status:
    """The agent runs again after its move was given up."""
    if g.step != Step.RETURNING:
        return Status.WRONG_STEP
    settle(g, Life.RUNNING)
    return Status.OK
