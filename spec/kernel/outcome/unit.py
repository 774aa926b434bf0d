"""What do the operations do that link units of large memory, and hand blocks on?"""

from corollary.language.builtins import saturating_sub, subset
from corollary.language.property import ensures, succeeds
from corollary.language.types import u16, u32, u64
from corollary.spec.kernel.block import SIZE, bit, taken_from
from corollary.spec.kernel.hardware import Leaf, UnitLeaf
from corollary.spec.kernel.limits import COLD_BELOW, DORMANT_BELOW, DORMANT_FROM, HOT_FROM, WARM_BELOW, WARM_FROM
from corollary.spec.kernel.outcome.admission import leads, led_to, subject_partition
from corollary.spec.kernel.outcome.block import has_units, is_held, place_of
from corollary.spec.kernel.outcome.memory import commands, owns, same_word
from corollary.spec.kernel.packed import UnitPlace
from corollary.spec.kernel.state import Call, EntryId, Handle, HeadsId, Kernel, PageId, PartitionId, UnitId, Use
from corollary.spec.kernel.vocabulary import Access, Heat, PageKind, Right

# ---- words


def is_part(s: Kernel, unit: UnitId, head: UnitId) -> bool:
    """Does the unit lie in the block that begins with `head`?"""
    return u32(head) <= unit < u32(head) + SIZE[s.block[head].order]


def is_at_work(s: Kernel, unit: UnitId, head: UnitId) -> bool:
    """Is the unit of this block linked?"""
    return UnitPlace(unit).bank == UnitPlace(head).bank and s.block[head].linked & bit(unit) != 0


def stands_there(s: Kernel, table: PageId, entry: EntryId, unit: UnitId) -> bool:
    """Is this word of a table of units a descriptor that leads to the unit?"""
    word = s.memory[table].word[entry]
    of_units = s.page[table].kind == PageKind.TABLE_UNITS
    return of_units and Leaf(word).valid and UnitLeaf(word).unit == unit


def rests_where_it_was(before: Kernel, after: Kernel, unit: UnitId) -> bool:
    """Does a unit know the same block and the same place as before?"""
    old = before.unit[unit]
    new = after.unit[unit]
    return new.head == old.head and new.table == old.table and new.entry == old.entry


# ---- operations


@succeeds("block_map")
def map_is_allowed(
    before: Kernel, call: Call, head: UnitId, unit: UnitId, table: PageId, entry: EntryId, access: Access
) -> bool:
    p = subject_partition(before, call)
    return (
        commands(before, call)
        and owns(before, p, table)
        and is_held(before, p, head)
        and is_part(before, unit, head)
        and before.page[table].kind == PageKind.TABLE_UNITS
        and access != 0
        and subset(access, Access.READ | Access.WRITE)
        and before.memory[table].word[entry] == 0
        and not is_at_work(before, unit, head)
        and before.block[head].heat != Heat.DORMANT
        and before.block[head].heat != Heat.COLD
    )


@ensures(
    "block_map",
    "the entry leads to the unit, with the access named and none to execute; the block and the unit know it",
    changes=("memory", "block.linked", "unit"),
)
def map_is_exact(
    before: Kernel,
    call: Call,
    after: Kernel,
    head: UnitId,
    unit: UnitId,
    table: PageId,
    entry: EntryId,
    access: Access,
    any_page: PageId,
    any_entry: EntryId,
    any_unit: UnitId,
) -> bool:
    reads = access & Access.READ != 0
    writes = access & Access.WRITE != 0
    written = any_page == table and any_entry == entry
    new = after.unit[any_unit]
    placed = new.cached and new.head == head and new.table == table and new.entry == entry
    kept = new.cached == before.unit[any_unit].cached and rests_where_it_was(before, after, any_unit)
    return (
        (
            after.memory[any_page].word[any_entry] == UnitLeaf(unit=unit, readable=reads, writable=writes)
            if written
            else same_word(before, after, any_page, any_entry)
        )
        and after.block[any_unit].linked == before.block[any_unit].linked | (bit(unit) if any_unit == head else u64(0))
        and (placed if any_unit == unit else kept)
    )


@succeeds("block_unmap")
def unmap_is_allowed(before: Kernel, call: Call, head: UnitId, unit: UnitId) -> bool:
    p = subject_partition(before, call)
    return commands(before, call) and is_held(before, p, head) and is_at_work(before, unit, head)


@ensures(
    "block_unmap",
    "no table leads to the unit, and no TLB has that translation",
    changes=("memory", "block.linked", "unit.cached"),
)
def unmap_is_exact(
    before: Kernel,
    call: Call,
    after: Kernel,
    head: UnitId,
    unit: UnitId,
    any_page: PageId,
    any_entry: EntryId,
    any_unit: UnitId,
) -> bool:
    left = taken_from(before.block[any_unit].linked, bit(unit) if any_unit == head else u64(0))
    led = stands_there(before, any_page, any_entry, unit)
    return (
        after.memory[any_page].word[any_entry] == (0 if led else before.memory[any_page].word[any_entry])
        and after.block[any_unit].linked == left
        and after.unit[any_unit].cached == (before.unit[any_unit].cached and any_unit != unit)
    )


@succeeds("block_transfer")
def transfer_is_allowed(before: Kernel, call: Call, unit: UnitId, into: Handle) -> bool:
    p = subject_partition(before, call)
    return (
        commands(before, call)
        and is_held(before, p, unit)
        and before.block[unit].linked == 0
        and leads(before, into, Right.WRITE)
        and led_to(before, into) != p
        and has_units(before, led_to(before, into), before.block[unit].order)
    )


@ensures(
    "block_transfer",
    "the block belongs to the partition named, and counts for that and no more for its old holder",
    changes=("block.holder", "heads", "partition.units_made"),
)
def transfer_is_exact(
    before: Kernel, call: Call, after: Kernel, unit: UnitId, into: Handle, any_unit: UnitId, h: HeadsId, q: PartitionId
) -> bool:
    p = subject_partition(before, call)
    r = led_to(before, into)
    units = u16(SIZE[before.block[unit].order])
    gone = bit(unit) if h == place_of(p, unit) else u64(0)
    come = bit(unit) if h == place_of(r, unit) else u64(0)
    old = before.partition[q].units_made
    fewer = u32(saturating_sub(old, units)) if q == p else u32(old)
    return (
        after.block[any_unit].holder == (r if any_unit == unit else before.block[any_unit].holder)
        and after.heads[h] == taken_from(before.heads[h], gone) | come
        and u32(after.partition[q].units_made) == fewer + (u32(units) if q == r else u32(0))
    )


def is_due(old: Heat, new: Heat, use: Use) -> bool:
    """Is a block that is of so much use to go from one tier to the other?"""
    down = (
        old == Heat.HOT
        and new == Heat.WARM
        and use < WARM_BELOW
        or old == Heat.WARM
        and new == Heat.DORMANT
        and use < DORMANT_BELOW
        or old == Heat.DORMANT
        and new == Heat.COLD
        and use < COLD_BELOW
    )
    up = (
        old == Heat.WARM
        and new == Heat.HOT
        and use >= HOT_FROM
        or old == Heat.DORMANT
        and new == Heat.WARM
        and use >= WARM_FROM
        or old == Heat.COLD
        and new == Heat.DORMANT
        and use >= DORMANT_FROM
    )
    return down or up


@succeeds("block_retier")
def retier_is_allowed(before: Kernel, call: Call, unit: UnitId, old: Heat, new: Heat, use: Use) -> bool:
    block = before.block[unit]
    return (
        commands(before, call)
        and is_held(before, subject_partition(before, call), unit)
        and block.heat == old
        and is_due(old, new, use)
        and (new == Heat.HOT or new == Heat.WARM or block.linked == 0)
    )


@ensures("block_retier", "the block is of the tier that is named", changes=("block.heat",))
def retier_is_exact(
    before: Kernel, call: Call, after: Kernel, unit: UnitId, old: Heat, new: Heat, use: Use, any_unit: UnitId
) -> bool:
    return after.block[any_unit].heat == (new if any_unit == unit else before.block[any_unit].heat)
