"""Does every move come to an end? Nothing that happens leads away from it, and something always leads to it."""

from corollary.language.builtins import implies
from corollary.language.property import corollary, theorem
from corollary.spec.agent import Life
from corollary.spec.handover.outcome import (
    may_accept,
    may_answer,
    may_arrive,
    may_check,
    may_come_back,
    may_decide,
    may_drop_promise,
    may_fill,
    may_fill_source,
    may_give_up_move,
    may_let_go,
    may_promise,
    may_release,
    may_snap,
    may_stop,
    may_suspend,
    may_take_chunk,
    may_wake_source,
    may_wake_target,
    may_want,
)
from corollary.spec.handover.state import Handover
from corollary.spec.handover.words import distance, has_current, measure
from corollary.spec.manager.limits import LAST_NUMBER
from corollary.spec.manager.state import AgentId
from corollary.spec.manager.step import has_ticket
from corollary.spec.manager.vocabulary import Status, Step

OF_SOURCE = (
    "stop_source",
    "snap_source",
    "fill_source",
    "decide_source",
    "let_go_source",
    "release_source",
    "give_up_source",
    "come_back_source",
)
"""The steps of the source that lead on whenever they succeed."""
OF_TARGET = ("check_target", "accept_target", "arrive_target")
"""The steps of the target that do, if they are about the move that the source is in the middle of."""
ROOM = ("promise_target", "drop_target")
REPEATED = ("want_source", "take_chunk_target", "fill_target", "wake_target", "answer_target")
"""The steps that may be repeated."""
OF_KERNEL = ("suspend_source", "wake_source")


def is_belated(before: Handover, after: Handover) -> bool:
    """Was room promised for a move that is over? That is so once for each ticket, and is dropped again."""
    current = has_ticket(before.source.step) and after.heard == before.source.ticket
    return after.heard > before.heard and not current


@theorem("END-1", "nothing but the beginning of a move, or a belated message of an old one, leads away from its end")
def never_leads_away(before: Handover, after: Handover) -> bool:
    return distance(before) == 0 or is_belated(before, after) or measure(after) <= measure(before)


@theorem("END-2", "each of these steps of the source leads to the end", about=OF_SOURCE)
def source_leads_on(before: Handover, after: Handover, status: Status) -> bool:
    return implies(status == Status.OK, measure(after) < measure(before))


def is_current(s: Handover) -> bool:
    """Is the target in the middle of the same move as the source?"""
    return s.decided != 0 or has_current(s)


@theorem("END-3", "each of these steps of the target leads to the end of the move", about=OF_TARGET)
def target_leads_on(before: Handover, after: Handover, status: Status) -> bool:
    return implies(status == Status.OK and is_current(before), measure(after) < measure(before))


def has_moved(before: Handover, after: Handover) -> bool:
    """Has anything changed that counts?"""
    runs = before.source_runs != after.source_runs or before.target_runs != after.target_runs
    said = before.filled != after.filled or before.done != after.done
    return runs or said or before.source.step != after.source.step or before.target.chunk != after.target.chunk


@theorem("END-4", "each of these steps leads to the end of the move, or is a repetition", about=REPEATED)
def leads_on_or_repeats(before: Handover, after: Handover) -> bool:
    return implies(is_current(before) and has_moved(before, after), measure(after) < measure(before))


@theorem("END-5", "so does the kernel of the source", about=OF_KERNEL)
def kernel_leads_on(before: Handover, after: Handover) -> bool:
    return implies(has_moved(before, after), measure(after) < measure(before))


@theorem("END-6", "room that is promised, and an old promise that is dropped, lead to the end", about=ROOM)
def room_leads_on(before: Handover, after: Handover, status: Status) -> bool:
    asks = before.source.step == Step.SNAPPED and not is_belated(before, after)
    return implies(status == Status.OK and asks, measure(after) < measure(before))


def source_can_go_on(s: Handover) -> bool:
    """Can the source, or its kernel, lead on?"""
    suspends = may_suspend(s) and s.source_runs
    moves = suspends or may_stop(s) or may_snap(s, 1) or may_decide(s) or may_release(s)
    no_room = has_ticket(s.source.step) and s.heard >= s.source.ticket and not has_current(s)
    gives_up = may_give_up_move(s) and (no_room or s.ticket >= LAST_NUMBER)
    return moves or gives_up or (may_wake_source(s) and not s.source_runs) or may_come_back(s)


def target_can_go_on(s: Handover) -> bool:
    """Can the target, or its kernel, lead on with the move that the source is in the middle of?"""
    hash = s.target.hash
    checks = may_check(s, hash.first, hash.second, hash.third, hash.fourth)
    fills = may_take_chunk(s, s.source.ticket, s.target.chunk) or (checks and has_current(s))
    says = (may_fill(s) and s.filled < s.source.ticket) or (may_answer(s) and not s.done)
    return fills or says or (may_wake_target(s) and not s.target_runs) or may_arrive(s)


def message_can_come(s: Handover) -> bool:
    """Can a message lead on?"""
    ticket = s.source.ticket
    hash = s.source.hash
    asks = may_promise(s, ticket, s.source.chunks, hash.first, hash.second, hash.third, hash.fourth)
    room = s.source.step == Step.SNAPPED and (asks or may_drop_promise(s, s.target.ticket))
    wants = s.source.step == Step.SNAPPED and may_want(s, ticket, AgentId(0), 0)
    filled = may_fill_source(s, ticket, s.source.there)
    return room or wants or filled or may_accept(s, s.decided) or may_let_go(s, s.decided)


@corollary("END-7", "a move that has not ended can go on, and is given up only where room was refused")
def can_go_on(s: Handover) -> bool:
    return distance(s) == 0 or source_can_go_on(s) or target_can_go_on(s) or message_can_come(s)


@corollary("END-8", "at its end the agent is in one place, and can run there")
def ends_in_one_place(s: Handover) -> bool:
    here = s.source.state == Life.RUNNING or s.source.state == Life.SUSPENDED
    there = s.source.state == Life.TERMINATED and s.target.state == Life.RUNNING and s.target_runs
    return implies(distance(s) == 0, here != there)
