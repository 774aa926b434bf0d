"""How does large memory get a holder, how does it come back, and how is it cleared?"""

from corollary.language.builtins import saturating_sub
from corollary.language.frontend import hardware
from corollary.language.types import u8, u16, u32, u64
from corollary.model.kernel.operation import operation
from corollary.spec.kernel.block import (
    NOWHERE,
    SIZE,
    any_dirty,
    bit,
    first_dirty,
    first_fit,
    heads_id,
    holds,
    span,
    taken_from,
)
from corollary.spec.kernel.capability import named_partition
from corollary.spec.kernel.limits import UNIT_PARTS
from corollary.spec.kernel.packed import UnitPlace
from corollary.spec.kernel.partition import alive
from corollary.spec.kernel.state import Call, Kernel, Order, PartitionId, UnitId, UnitPartId
from corollary.spec.kernel.vocabulary import Heat, Status


@hardware("zeros in 64 KiB of large memory, by DC ZVA, before anything that follows (C5.3)")
def clear_part(s: Kernel, unit: UnitId, part: UnitPartId) -> None:
    """Clear a part of a unit; it counts if it is the next one of the unit that is being cleared."""
    if unit == s.cleaning and part == s.cleaned:
        s.cleaned = u8(part) + 1


def hold(s: Kernel, p: PartitionId, unit: UnitId, order: Order) -> None:
    """Make a block of clean units, and give it to a partition."""
    bank = UnitPlace(unit).bank
    s.bank[bank].clean = taken_from(s.bank[bank].clean, span(unit, order))
    s.bank[bank].taken = s.bank[bank].taken | span(unit, order)
    s.heads[heads_id(p, bank)] = s.heads[heads_id(p, bank)] | bit(unit)
    s.block[unit].used = True
    s.block[unit].order = order
    s.block[unit].holder = p
    s.block[unit].linked = 0
    s.block[unit].heat = Heat.HOT
    s.partition[p].units_made += SIZE[order]


def let_go(s: Kernel, unit: UnitId) -> None:
    """Take a block from its holder; its units are dirty."""
    bank = UnitPlace(unit).bank
    block = s.block[unit]
    p = block.holder
    s.bank[bank].taken = taken_from(s.bank[bank].taken, span(unit, block.order))
    s.heads[heads_id(p, bank)] = taken_from(s.heads[heads_id(p, bank)], bit(unit))
    s.partition[p].units_made = saturating_sub(s.partition[p].units_made, u16(SIZE[block.order]))
    block.used = False


@operation
def block_create(s: Kernel, call: Call, order: Order) -> Status:
    """Give the partition 2^order units of large memory, all zero; return the first of them."""
    p = named_partition(s, call)
    own = s.partition[p]
    found = first_fit(s, order)
    if not alive(s, p):
        return Status.WRONG_STATE
    if u32(own.units_made) + SIZE[order] > own.units:
        return Status.LIMIT_REACHED
    if found == NOWHERE:
        return Status.NO_BLOCK
    hold(s, p, UnitId(found), order)
    call.result[0] = found
    return Status.OK


@operation
def block_release(s: Kernel, call: Call, unit: UnitId) -> Status:
    """Take a block of the partition back, of which no unit is linked; it is dirty until it is cleaned."""
    if not holds(s, named_partition(s, call), unit):
        return Status.NOT_HELD
    if s.block[unit].linked != 0:
        return Status.STILL_SHARED
    let_go(s, unit)
    return Status.OK


@operation
def block_clean(s: Kernel, call: Call) -> Status:
    """Clear 64 KiB of a dirty unit; return how much of it is left. When all of it is zero, it is clean."""
    if not any_dirty(s):
        return Status.WRONG_STATE
    if s.cleaned == 0:
        s.cleaning = first_dirty(s)
    clear_part(s, s.cleaning, UnitPartId(s.cleaned))
    call.result[0] = u64(UNIT_PARTS - s.cleaned)
    if s.cleaned == UNIT_PARTS:
        bank = UnitPlace(s.cleaning).bank
        s.bank[bank].clean = s.bank[bank].clean | bit(s.cleaning)
        s.cleaned = 0
    return Status.OK
