"""Where is the agent, and how far is it from there to the end of its move?"""

from corollary.language.builtins import saturating_sub
from corollary.language.types import u8, u64
from corollary.spec.agent import Life
from corollary.spec.handover.state import Handover
from corollary.spec.manager.state import Agent
from corollary.spec.manager.step import has_ticket, is_hash, may_drop
from corollary.spec.manager.vocabulary import Step

CHUNKS = 1 << 32  # more than any snapshot has


def is_like(one: Agent, other: Agent) -> bool:
    """Have both ends the same snapshot?"""
    hash = one.hash
    return one.chunks == other.chunks and is_hash(other.hash, hash.first, hash.second, hash.third, hash.fourth)


def has_current(s: Handover) -> bool:
    """Does the target keep room for the move that the source is in the middle of?"""
    return has_ticket(s.source.step) and may_drop(s.target.step) and s.target.ticket == s.source.ticket


def in_transit(s: Handover) -> bool:
    """Is the agent handed over, and the target does not know yet?"""
    return s.decided != 0 and s.target.step == Step.FILLED


def distance(s: Handover) -> u8:
    """Return how many kinds of steps are to come until the agent runs at one end, and the other one is free."""
    if s.decided != 0:
        return distance_decided(s)
    step = s.source.step
    if step == Step.NONE:
        return 0
    if step == Step.RETURNING:
        return 1 if s.source_runs else 2
    if step == Step.MOVED:
        return 7
    if step == Step.STOPPED:
        return 16
    if step == Step.ADMITTED:
        return 18 if s.source_runs else 17
    return distance_moving(s)


def distance_decided(s: Handover) -> u8:
    """Return the same after the decision."""
    if s.source.step == Step.NONE:
        return 0
    if s.source.step == Step.LEFT:
        return 1
    if s.target.step == Step.FILLED:
        return 6
    if s.target.step == Step.ACCEPTED:
        return 4 if s.target_runs else 5
    return 2 if s.done else 3


def distance_moving(s: Handover) -> u8:
    """Return the same while the target is asked for room, and is sent chunks."""
    more: u8 = 3 if s.source.step == Step.SNAPPED else 0
    if not has_current(s):
        if s.heard >= s.source.ticket:
            return 3  # the promise was taken back: the source is to give up
        return 14 if s.target.state == Life.TERMINATED else 15
    if s.target.step == Step.PROMISED:
        return 10 + more
    return (8 if s.filled >= s.source.ticket else 9) + more


def measure(s: Handover) -> u64:
    """Return a number that falls until the end: the distance, then the chunks that are missing."""
    missing = saturating_sub(s.target.chunks, s.target.chunk) if has_current(s) and s.decided == 0 else 0
    return u64(distance(s)) * CHUNKS + missing
