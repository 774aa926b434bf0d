"""What always holds of both ends together, whatever is lost, doubled, late, refused or begun again?"""

from corollary.language.builtins import implies, wrapping_sub
from corollary.language.property import corollary, invariant
from corollary.language.types import u64
from corollary.spec.agent import Life
from corollary.spec.handover.state import Handover
from corollary.spec.handover.words import has_current, in_transit, is_like
from corollary.spec.manager.step import (
    fits,
    has_ticket,
    is_arriving,
    is_handed_over,
    is_held_at_source,
    is_held_at_target,
    lies,
    may_give_up,
)
from corollary.spec.manager.vocabulary import Step


@invariant("PAIR-1", "the agent does not run at both ends")
def runs_once(s: Handover) -> bool:
    return not (s.source_runs and s.target_runs)


@invariant("PAIR-2", "one end has the agent, and the other does not; or it is handed over and still to be accepted")
def is_owned_once(s: Handover) -> bool:
    at_source = is_held_at_source(s.source)
    at_target = is_held_at_target(s.target)
    return at_source != at_target or (not at_source and in_transit(s))


@invariant("PAIR-3", "the agent runs only where it is had")
def runs_where_owned(s: Handover) -> bool:
    source = implies(s.source_runs, is_held_at_source(s.source))
    return source and implies(s.target_runs, is_held_at_target(s.target))


@invariant("PAIR-4", "at the source it runs until it is suspended, or after it is to run again")
def source_runs_in_time(s: Handover) -> bool:
    g = s.source
    suspending = g.step == Step.ADMITTED and g.woken
    return implies(s.source_runs, g.state == Life.RUNNING or suspending or g.step == Step.RETURNING)


@invariant("PAIR-5", "each end has the steps of its part")
def steps_are_parted(s: Handover) -> bool:
    moves = lies(s.source.step, Step.ADMITTED, Step.RETURNING)
    still = s.source.step == Step.NONE and s.source.state != Life.INITIALIZING
    waits = s.target.step == Step.NONE and (s.target.state == Life.TERMINATED or s.target.state == Life.RUNNING)
    parted = (moves or still) and (waits or (is_arriving(s.target.step) and s.target.peer == 0))
    kept = s.source.state != Life.HIBERNATED and s.source.state != Life.RECONSTRUCTING
    return parted and kept and fits(s.source.state, s.source.step) and fits(s.target.state, s.target.step)


@invariant("PAIR-6", "a move has the last ticket that was given, and a promise the last that was heard")
def tickets_are_last(s: Handover) -> bool:
    source = implies(has_ticket(s.source.step), s.source.ticket == wrapping_sub(u64, s.ticket, 1))
    target = implies(is_arriving(s.target.step), s.target.ticket == s.heard and s.heard != 0)
    return s.ticket >= 1 and s.heard < s.ticket and s.filled <= s.heard and source and target


@invariant("PAIR-7", "what the target was promised is what the source has sent")
def promise_is_kept(s: Handover) -> bool:
    same = is_arriving(s.target.step) and s.target.ticket == s.source.ticket and has_ticket(s.source.step)
    return implies(same, is_like(s.source, s.target)) and implies(has_ticket(s.source.step), s.source.ticket != 0)


@invariant("PAIR-8", "whoever said that it has everything has it, until the source has decided")
def filled_stays(s: Handover) -> bool:
    said = may_give_up(s.source.step) and has_ticket(s.source.step) and s.filled == s.source.ticket
    kept = has_current(s) and s.target.step == Step.FILLED
    moved = implies(lies(s.source.step, Step.MOVED, Step.LEFT), s.filled == s.source.ticket)
    reserved = implies(s.source.step == Step.RESERVED, s.heard == s.source.ticket)
    return moved and reserved and implies(said, kept)


@invariant("PAIR-9", "the record of the decision is the row of the source")
def decision_is_recorded(s: Handover) -> bool:
    gone = s.source.state == Life.TERMINATED
    decided = implies(s.decided != 0, is_handed_over(s.source.step) or gone)
    ticket = implies(is_handed_over(s.source.step), s.decided == s.source.ticket)
    return decided and ticket and implies(gone, s.decided != 0 and s.source.step == Step.NONE)


@invariant("PAIR-10", "after the decision the target has the agent, whole")
def decided_is_whole(s: Handover) -> bool:
    runs = s.target.step == Step.NONE and s.target.state == Life.RUNNING
    there = s.target.step == Step.FILLED or s.target.step == Step.ACCEPTED or runs
    whole = there and s.target.ticket == s.decided and is_like(s.source, s.target)
    return implies(s.decided != 0, whole)


@invariant("PAIR-11", "before the decision the target has no agent")
def undecided_is_not_there(s: Handover) -> bool:
    there = s.target.step == Step.ACCEPTED or s.target.state == Life.RUNNING
    return implies(s.decided == 0, not there and not s.target_runs)


@invariant("PAIR-12", "the source is free only after the agent ran at the target")
def is_freed_last(s: Handover) -> bool:
    free = s.source.step == Step.LEFT or s.source.state == Life.TERMINATED
    arrived = s.target.state == Life.RUNNING
    return implies(free, s.done) and implies(s.done, arrived) and implies(arrived, s.target_runs)


@invariant("PAIR-13", "chunks are counted")
def chunks_are_counted(s: Handover) -> bool:
    asked = implies(has_ticket(s.source.step), s.source.chunks != 0)
    return s.target.chunk <= s.target.chunks and implies(is_arriving(s.target.step), s.target.chunks != 0) and asked


@corollary("PAIR-14", "a snapshot that runs at the target is the one that was taken at the source")
def is_the_same_agent(s: Handover) -> bool:
    return implies(s.target_runs, is_like(s.source, s.target))
