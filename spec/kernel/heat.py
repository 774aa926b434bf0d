"""When does a block of large memory become hotter or colder, and what may be done with it then?

A block moves by one tier at a time. Of how much use it is says who moves it, and the log keeps that.
"""

from corollary.language.builtins import implies
from corollary.language.property import invariant, theorem
from corollary.language.types import u8, u16
from corollary.spec.kernel.gate import BLOCK_RETIER
from corollary.spec.kernel.limits import COLD_BELOW, DORMANT_BELOW, DORMANT_FROM, HOT_FROM, WARM_BELOW, WARM_FROM
from corollary.spec.kernel.state import Call, Kernel, UnitId, Use
from corollary.spec.kernel.vocabulary import Heat


def at_hand(heat: Heat) -> bool:
    """May units of a block of this tier be linked?"""
    return heat == Heat.HOT or heat == Heat.WARM


def cools(old: Heat, new: Heat) -> bool:
    """Is one tier the next colder one of the other?"""
    return u8(new) == u8(old) + 1


def are_adjacent(old: Heat, new: Heat) -> bool:
    """Is there no tier between the two?"""
    return cools(old, new) or cools(new, old)


def limit_of(old: Heat, hot: u16, warm: u16, dormant: u16) -> u16:
    """Which of three limits is for the step between a tier and the next colder one?"""
    if old == Heat.HOT:
        return hot
    return warm if old == Heat.WARM else dormant


def is_due(old: Heat, new: Heat, use: Use) -> bool:
    """Does a block that is of so much use go from one tier to the next?"""
    if cools(old, new):
        return use < limit_of(old, WARM_BELOW, DORMANT_BELOW, COLD_BELOW)
    return use >= limit_of(new, HOT_FROM, WARM_FROM, DORMANT_FROM)


@invariant("HEAT-1", "no unit of a dormant or cold block is linked")
def linked_is_at_hand(s: Kernel, head: UnitId) -> bool:
    return implies(s.block[head].linked != 0, at_hand(s.block[head].heat))


@theorem("HEAT-2", "a block goes from its tier to the next one only, and only when that is asked for")
def heat_is_adjacent(before: Kernel, call: Call, after: Kernel, head: UnitId) -> bool:
    old = before.block[head]
    new = after.block[head]
    moved = old.used and new.used and old.heat != new.heat
    return implies(moved, call.operation == BLOCK_RETIER and are_adjacent(old.heat, new.heat))


@theorem("HEAT-3", "a block begins hot")
def blocks_begin_hot(before: Kernel, after: Kernel, head: UnitId) -> bool:
    return implies(not before.block[head].used and after.block[head].used, after.block[head].heat == Heat.HOT)
