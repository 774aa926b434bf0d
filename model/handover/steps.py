"""What can happen to an agent that moves? Each function is one step of one manager, of one kernel, or a message.

The managers' part of each is a function of `model/manager/`. The rest says when it can happen: a message can come once
it was sent, an outcome can be told once it is so, and a kernel does what the next task of its manager says.
"""

from corollary.language.builtins import maximum
from corollary.language.types import u32, u64
from corollary.model.manager.life import change
from corollary.model.manager.source import come_back, decide, fill, give_up, let_go, release, set_out, snap, stop, want
from corollary.model.manager.target import accept, arrive, check, drop, promise, take_chunk, withdraw
from corollary.model.manager.tasks import set_back
from corollary.spec.agent import Life
from corollary.spec.handover.state import Handover
from corollary.spec.manager.limits import LAST_NUMBER
from corollary.spec.manager.state import AgentId, LaneId, PartitionId, PeerId
from corollary.spec.manager.step import awaits, is_hash, is_void, verb_of
from corollary.spec.manager.vocabulary import Status, Step, Verb


def begin(s: Handover) -> None:
    """The agent runs at the source."""
    s.source.badge = 1
    s.source.state = Life.RUNNING
    s.source_runs = True
    s.ticket = 1


# ---- at the source


def set_out_source(s: Handover, epoch: u64) -> Status:
    """A move begins."""
    return set_out(s.source, PeerId(0), LaneId(0), epoch)


def suspend_source(s: Handover) -> Status:
    """The kernel suspends the agent, as the task says."""
    if verb_of(s.source.step) != Verb.SUSPEND:
        return Status.WRONG_STEP
    s.source_runs = False
    return Status.OK


def stop_source(s: Handover) -> Status:
    """The manager is told that the agent is suspended."""
    if s.source_runs:
        return Status.WRONG_STATE
    return stop(s.source)


def snap_source(s: Handover, chunks: u32, first: u64, second: u64, third: u64, fourth: u64) -> Status:
    """The manager is told that the snapshot is taken."""
    if s.ticket >= LAST_NUMBER:
        return Status.EXHAUSTED
    status = snap(s.source, s.ticket, chunks, first, second, third, fourth)
    if status == Status.OK:
        s.ticket += 1
    return status


def want_source(s: Handover, ticket: u64, there: AgentId, chunk: u32) -> Status:
    """A message comes: the target has room."""
    if ticket > s.heard:
        return Status.UNKNOWN
    return want(s.source, ticket, there, chunk)


def fill_source(s: Handover, ticket: u64, there: AgentId) -> Status:
    """A message comes: the target has everything."""
    if ticket > s.filled:
        return Status.UNKNOWN
    return fill(s.source, ticket, there)


def decide_source(s: Handover) -> Status:
    """The manager decides."""
    status = decide(s.source)
    if status == Status.OK:
        s.decided = s.source.ticket
    return status


def let_go_source(s: Handover, ticket: u64) -> Status:
    """A message comes: the agent runs at the target."""
    if not s.done or ticket != s.decided:
        return Status.UNKNOWN
    return let_go(s.source, ticket)


def release_source(s: Handover) -> Status:
    """The manager is told that nothing is left."""
    return release(s.source)


def give_up_source(s: Handover) -> Status:
    """The move is given up."""
    return give_up(s.source)


def set_back_source(s: Handover) -> Status:
    """The manager is told that its task was refused. A kernel that refuses to resume has not resumed."""
    if s.source.step == Step.NONE:
        return Status.WRONG_STEP
    if s.source.step == Step.RETURNING and s.source_runs:
        return Status.WRONG_STATE
    set_back(s.source)
    return Status.OK


def wake_source(s: Handover) -> Status:
    """The kernel lets the agent run again, as the task says."""
    if verb_of(s.source.step) != Verb.RESUME:
        return Status.WRONG_STEP
    s.source_runs = True
    return Status.OK


def come_back_source(s: Handover) -> Status:
    """The manager is told so."""
    if not s.source_runs:
        return Status.WRONG_STATE
    return come_back(s.source)


def resume_source(s: Handover) -> Status:
    """Somebody else resumes the agent while it is in the middle of nothing."""
    status = change(s.source, Life.SUSPENDED, Life.RUNNING)
    if status == Status.OK:
        s.source_runs = True
    return status


def restart_source(s: Handover) -> Status:
    """The manager begins again with what was written."""
    s.source.asked = 0
    return Status.OK


# ---- at the target


def promise_target(
    s: Handover, badge: u64, ticket: u64, chunks: u32, first: u64, second: u64, third: u64, fourth: u64
) -> Status:
    """A message comes: the source asks for room."""
    if ticket <= s.heard:
        return Status.DOUBLED
    if ticket >= s.ticket:
        return Status.UNKNOWN
    alike = s.source.chunks == chunks and is_hash(s.source.hash, first, second, third, fourth)
    if ticket == s.source.ticket and not alike:
        return Status.UNKNOWN
    status = promise(
        s.target, badge, PartitionId(0), LaneId(0), PeerId(0), AgentId(0), ticket, chunks, first, second, third, fourth
    )
    if status == Status.OK:
        s.heard = ticket
    return status


def take_chunk_target(s: Handover, ticket: u64, chunk: u32) -> Status:
    """A message comes: a chunk."""
    return take_chunk(s.target, PeerId(0), ticket, chunk)


def check_target(s: Handover, first: u64, second: u64, third: u64, fourth: u64) -> Status:
    """The manager is told the hash of all chunks."""
    return check(s.target, first, second, third, fourth)


def fill_target(s: Handover) -> Status:
    """The target says that it has everything."""
    if verb_of(s.target.step) != Verb.SEND_FILLED:
        return Status.WRONG_STEP
    s.filled = maximum(s.filled, s.target.ticket)
    return Status.OK


def accept_target(s: Handover, ticket: u64) -> Status:
    """A message comes: the source has decided."""
    if s.decided == 0 or ticket != s.decided:
        return Status.UNKNOWN
    return accept(s.target, PeerId(0), ticket)


def answer_target(s: Handover) -> Status:
    """The same message comes to a target that knows nothing of the move: it says that the agent runs."""
    if s.decided == 0:
        return Status.UNKNOWN
    if awaits(s.target, PeerId(0), s.decided):
        return Status.WRONG_STEP
    s.done = True
    return Status.OK


def drop_target(s: Handover, ticket: u64) -> Status:
    """A message comes: the move is void."""
    if ticket == 0 or ticket >= s.ticket or not is_void(s.source, ticket):
        return Status.UNKNOWN
    return drop(s.target, PeerId(0), ticket)


def withdraw_target(s: Handover) -> Status:
    """The promise is taken back."""
    return withdraw(s.target)


def set_back_target(s: Handover) -> Status:
    """The manager is told that its task was refused."""
    if s.target.step == Step.NONE:
        return Status.WRONG_STEP
    set_back(s.target)
    return Status.OK


def wake_target(s: Handover) -> Status:
    """The kernel lets the snapshot run, as the task says."""
    if verb_of(s.target.step) != Verb.RESTORE:
        return Status.WRONG_STEP
    s.target_runs = True
    return Status.OK


def arrive_target(s: Handover, epoch: u64) -> Status:
    """The manager is told so."""
    if not s.target_runs:
        return Status.WRONG_STATE
    return arrive(s.target, epoch)


def restart_target(s: Handover) -> Status:
    """The manager begins again with what was written."""
    s.target.asked = 0
    return Status.OK
