"""When can each thing happen to an agent that moves, and what is so afterwards?"""

from corollary.language.builtins import maximum
from corollary.language.property import ensures, succeeds
from corollary.language.types import u32, u64
from corollary.spec.agent import Life
from corollary.spec.handover.state import Handover
from corollary.spec.manager.limits import LAST_NUMBER
from corollary.spec.manager.recent import is_recent
from corollary.spec.manager.state import Agent, AgentId, PeerId
from corollary.spec.manager.step import (
    awaits,
    is_arriving,
    is_hash,
    is_remedy,
    is_void,
    lies,
    may_drop,
    may_give_up,
    verb_of,
)
from corollary.spec.manager.vocabulary import Remedy, Step, Verb

SOURCE = ("source.state", "source.step", "source.asked")
TARGET = ("target.state", "target.step", "target.asked")


def is_at(g: Agent, state: Life, step: Step) -> bool:
    """Is an agent in a state and a step, and no task is out?"""
    return g.state == state and g.step == step and g.asked == 0


# ---- at the source


@succeeds("set_out_source")
def may_set_out(before: Handover, epoch: u64) -> bool:
    g = before.source
    idle = (g.state == Life.RUNNING or g.state == Life.SUSPENDED) and g.step == Step.NONE
    steady = not is_recent(g.failed_at, epoch) and not is_recent(g.violations.last, epoch)
    return idle and steady and not is_recent(g.moved_at, epoch)


@ensures(
    "set_out_source",
    "the agent moves",
    changes=(*SOURCE, "source.woken", "source.peer", "source.lane", "source.moved_at"),
)
def has_set_out(before: Handover, after: Handover, epoch: u64) -> bool:
    new = after.source
    where = new.peer == 0 and new.lane == 0 and new.moved_at == epoch
    return where and new.woken == (before.source.state == Life.RUNNING) and is_at(new, Life.MIGRATING, Step.ADMITTED)


@succeeds("suspend_source")
def may_suspend(before: Handover) -> bool:
    return verb_of(before.source.step) == Verb.SUSPEND


@ensures("suspend_source", "it does not run", changes=("source_runs",))
def is_suspended(before: Handover, after: Handover) -> bool:
    return not after.source_runs


@succeeds("stop_source")
def may_stop(before: Handover) -> bool:
    return not before.source_runs and (before.source.step == Step.ADMITTED or before.source.step == Step.STOPPING)


@ensures("stop_source", "a snapshot is next", changes=SOURCE)
def is_stopped(before: Handover, after: Handover) -> bool:
    if before.source.step == Step.ADMITTED:
        return is_at(after.source, before.source.state, Step.STOPPED)
    return is_at(after.source, Life.SUSPENDED, Step.FREEZING)


@succeeds("snap_source")
def may_snap(before: Handover, chunks: u32) -> bool:
    return before.source.step == Step.STOPPED and before.ticket < LAST_NUMBER and chunks != 0


@ensures(
    "snap_source",
    "the move has a new ticket",
    changes=(*SOURCE, "source.hash", "source.ticket", "source.chunk", "source.chunks", "ticket"),
)
def is_snapped(
    before: Handover, after: Handover, chunks: u32, first: u64, second: u64, third: u64, fourth: u64
) -> bool:
    if before.ticket >= LAST_NUMBER:
        return False
    new = after.source
    ticket = new.ticket == before.ticket and after.ticket == before.ticket + 1
    same = is_hash(new.hash, first, second, third, fourth) and new.chunks == chunks and new.chunk == 0
    return ticket and same and is_at(new, before.source.state, Step.SNAPPED)


@succeeds("want_source")
def may_want(before: Handover, ticket: u64, there: AgentId, chunk: u32) -> bool:
    g = before.source
    asks = g.step == Step.SNAPPED or (g.step == Step.RESERVED and g.there == there)
    return ticket <= before.heard and asks and g.ticket == ticket and chunk < g.chunks


@ensures("want_source", "the chunk is next", changes=(*SOURCE, "source.there", "source.chunk"))
def is_wanted(before: Handover, after: Handover, there: AgentId, chunk: u32) -> bool:
    asked = after.source.there == there and after.source.chunk == chunk
    return asked and is_at(after.source, before.source.state, Step.RESERVED)


@succeeds("fill_source")
def may_fill_source(before: Handover, ticket: u64, there: AgentId) -> bool:
    g = before.source
    said = ticket <= before.filled
    return said and g.step == Step.RESERVED and g.ticket == ticket and g.there == there


@ensures("fill_source", "the decision is next", changes=SOURCE)
def is_filled_source(before: Handover, after: Handover) -> bool:
    return is_at(after.source, before.source.state, Step.MOVED)


@succeeds("decide_source")
def may_decide(before: Handover) -> bool:
    return before.source.step == Step.MOVED


@ensures("decide_source", "the agent is handed over", changes=(*SOURCE, "decided"))
def is_decided(before: Handover, after: Handover) -> bool:
    recorded = after.decided == before.source.ticket
    return recorded and is_at(after.source, before.source.state, Step.COMMITTED)


@succeeds("let_go_source")
def may_let_go(before: Handover, ticket: u64) -> bool:
    told = before.done and ticket == before.decided
    return told and before.source.step == Step.COMMITTED and before.source.ticket == ticket


@ensures("let_go_source", "what is left is to be freed", changes=SOURCE)
def is_let_go(before: Handover, after: Handover) -> bool:
    return is_at(after.source, before.source.state, Step.LEFT)


@succeeds("release_source")
def may_release(before: Handover) -> bool:
    return before.source.step == Step.LEFT


@ensures("release_source", "nothing is left", changes=SOURCE)
def is_released(before: Handover, after: Handover) -> bool:
    return is_at(after.source, Life.TERMINATED, Step.NONE)


def is_turned_back(before: Handover, after: Handover) -> bool:
    """Is an agent that ran to run again, and any other one suspended?"""
    if before.source.woken:
        return is_at(after.source, before.source.state, Step.RETURNING)
    return is_at(after.source, Life.SUSPENDED, Step.NONE)


@succeeds("give_up_source")
def may_give_up_move(before: Handover) -> bool:
    return may_give_up(before.source.step)


@ensures("give_up_source", "an agent that ran is to run again", changes=SOURCE)
def is_given_up(before: Handover, after: Handover) -> bool:
    return is_turned_back(before, after)


@succeeds("set_back_source")
def may_set_back(before: Handover) -> bool:
    runs = before.source.step == Step.RETURNING and before.source_runs
    return before.source.step != Step.NONE and not runs


def is_set_back(old: Agent, new: Agent) -> bool:
    """Was an agent set back that does not move from here?"""
    if old.step == Step.PROMISED:
        return is_at(new, Life.TERMINATED, Step.NONE)
    if old.step == Step.RETURNING or lies(old.step, Step.FREEZING, Step.RECORDING) or is_remedy(old.step):
        return is_at(new, Life.SUSPENDED, Step.NONE)
    if lies(old.step, Step.READING, Step.UNPACKING):
        return is_at(new, Life.HIBERNATED, Step.NONE)
    return is_at(new, old.state, old.step)


@ensures("set_back_source", "what can be given up is given up; the rest is tried again", changes=SOURCE)
def source_is_set_back(before: Handover, after: Handover) -> bool:
    if may_give_up(before.source.step):
        return is_turned_back(before, after)
    return is_set_back(before.source, after.source)


@succeeds("wake_source")
def may_wake_source(before: Handover) -> bool:
    return verb_of(before.source.step) == Verb.RESUME


@ensures("wake_source", "it runs", changes=("source_runs",))
def source_is_awake(before: Handover, after: Handover) -> bool:
    return after.source_runs


@succeeds("come_back_source")
def may_come_back(before: Handover) -> bool:
    return before.source_runs and before.source.step == Step.RETURNING


@ensures("come_back_source", "it runs where it ran", changes=SOURCE)
def is_back(before: Handover, after: Handover) -> bool:
    return is_at(after.source, Life.RUNNING, Step.NONE)


@succeeds("resume_source")
def may_resume(before: Handover) -> bool:
    return before.source.state == Life.SUSPENDED and before.source.step == Step.NONE


@ensures("resume_source", "it runs", changes=(*SOURCE, "source_runs"))
def is_resumed(before: Handover, after: Handover) -> bool:
    return after.source_runs and is_at(after.source, Life.RUNNING, Step.NONE)


@succeeds("restart_source")
def may_restart_source(before: Handover) -> bool:
    return True


@ensures("restart_source", "no task is out", changes=("source.asked",))
def source_is_restarted(before: Handover, after: Handover) -> bool:
    return after.source.asked == 0


# ---- at the target


@succeeds("promise_target")
def may_promise(before: Handover, ticket: u64, chunks: u32, first: u64, second: u64, third: u64, fourth: u64) -> bool:
    alike = before.source.chunks == chunks and is_hash(before.source.hash, first, second, third, fourth)
    sent = ticket < before.ticket and (alike or ticket != before.source.ticket)
    return sent and ticket > before.heard and before.target.state == Life.TERMINATED and chunks != 0


@ensures("promise_target", "there is room, and a chunk is to be asked for", changes=("target", "heard"))
def is_promised(
    before: Handover,
    after: Handover,
    badge: u64,
    ticket: u64,
    chunks: u32,
    first: u64,
    second: u64,
    third: u64,
    fourth: u64,
) -> bool:
    new = after.target
    where = new.place == 0 and new.lane == 0 and new.peer == 0 and new.there == 0
    what = new.badge == badge and new.parent == 0 and new.ticket == ticket and new.chunks == chunks and new.chunk == 0
    same = is_hash(new.hash, first, second, third, fourth) and after.heard == ticket
    return where and what and same and is_at(new, Life.MIGRATING, Step.PROMISED) and is_fresh(new)


def is_fresh(g: Agent) -> bool:
    """Is nothing remembered?"""
    marks = not g.woken and not g.awaited and g.remedy == Remedy.NONE and g.moved_at == 0 and g.failed_at == 0
    receipt = g.receipt.at == 0 and g.receipt.packed == 0 and g.receipt.plain == 0
    last = g.restarts.last == 0 and g.violations.last == 0 and g.readings.last == 0
    second = g.restarts.second == 0 and g.violations.second == 0 and g.readings.second == 0
    third = g.restarts.third == 0 and g.violations.third == 0 and g.readings.third == 0
    return marks and receipt and last and second and third


@succeeds("take_chunk_target")
def may_take_chunk(before: Handover, ticket: u64, chunk: u32) -> bool:
    g = before.target
    mine = g.step == Step.PROMISED and g.peer == 0 and g.ticket == ticket
    return mine and chunk == g.chunk and chunk < g.chunks


@ensures("take_chunk_target", "one more chunk is here", changes=("target.chunk", "target.asked"))
def chunk_is_taken(before: Handover, after: Handover, chunk: u32) -> bool:
    if chunk >= before.target.chunks:
        return False
    return after.target.chunk == chunk + 1 and after.target.asked == 0


@succeeds("check_target")
def may_check(before: Handover, first: u64, second: u64, third: u64, fourth: u64) -> bool:
    g = before.target
    return g.step == Step.PROMISED and g.chunk == g.chunks and is_hash(g.hash, first, second, third, fourth)


@ensures("check_target", "everything is here", changes=TARGET)
def is_checked(before: Handover, after: Handover) -> bool:
    return is_at(after.target, before.target.state, Step.FILLED)


@succeeds("fill_target")
def may_fill(before: Handover) -> bool:
    return verb_of(before.target.step) == Verb.SEND_FILLED


@ensures("fill_target", "it is said", changes=("filled",))
def is_filled(before: Handover, after: Handover) -> bool:
    return after.filled == maximum(before.filled, before.target.ticket)


@succeeds("accept_target")
def may_accept(before: Handover, ticket: u64) -> bool:
    g = before.target
    told = before.decided != 0 and ticket == before.decided
    return told and g.step == Step.FILLED and g.peer == 0 and g.ticket == ticket


@ensures("accept_target", "the agent is to run", changes=TARGET)
def is_accepted(before: Handover, after: Handover) -> bool:
    return is_at(after.target, before.target.state, Step.ACCEPTED)


@succeeds("answer_target")
def may_answer(before: Handover) -> bool:
    return before.decided != 0 and not awaits(before.target, PeerId(0), before.decided)


@ensures("answer_target", "it is said that the agent runs", changes=("done",))
def is_answered(before: Handover, after: Handover) -> bool:
    return after.done


@succeeds("drop_target")
def may_drop_promise(before: Handover, ticket: u64) -> bool:
    g = before.target
    told = ticket != 0 and ticket < before.ticket and is_void(before.source, ticket)
    return told and may_drop(g.step) and g.peer == 0 and g.ticket == ticket


@ensures("drop_target", "the room is free", changes=TARGET)
def is_dropped(before: Handover, after: Handover) -> bool:
    return is_at(after.target, Life.TERMINATED, Step.NONE)


@succeeds("withdraw_target")
def may_withdraw(before: Handover) -> bool:
    return before.target.step == Step.PROMISED


@ensures("withdraw_target", "the room is free", changes=TARGET)
def is_withdrawn(before: Handover, after: Handover) -> bool:
    return is_at(after.target, Life.TERMINATED, Step.NONE)


@succeeds("set_back_target")
def may_set_back_target(before: Handover) -> bool:
    return before.target.step != Step.NONE


@ensures("set_back_target", "what can be given up is given up; the rest is tried again", changes=TARGET)
def target_is_set_back(before: Handover, after: Handover) -> bool:
    return is_arriving(before.target.step) and is_set_back(before.target, after.target)


@succeeds("wake_target")
def may_wake_target(before: Handover) -> bool:
    return verb_of(before.target.step) == Verb.RESTORE


@ensures("wake_target", "it runs", changes=("target_runs",))
def target_is_awake(before: Handover, after: Handover) -> bool:
    return after.target_runs


@succeeds("arrive_target")
def may_arrive(before: Handover) -> bool:
    arriving = before.target.step == Step.ACCEPTED or before.target.step == Step.RESTORING
    return before.target_runs and arriving


@ensures("arrive_target", "the agent has arrived", changes=(*TARGET, "target.moved_at"))
def has_arrived(before: Handover, after: Handover, epoch: u64) -> bool:
    when = epoch if before.target.step == Step.ACCEPTED else before.target.moved_at
    return after.target.moved_at == when and is_at(after.target, Life.RUNNING, Step.NONE)


@succeeds("restart_target")
def may_restart_target(before: Handover) -> bool:
    return True


@ensures("restart_target", "no task is out", changes=("target.asked",))
def target_is_restarted(before: Handover, after: Handover) -> bool:
    return after.target.asked == 0
