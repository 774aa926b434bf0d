"""Where are units of large memory linked into stage-2 tables, and how does a block change hands?

A table of units is a table of level 2 whose entries lead to units of 2 MiB, and to no other table. A block knows which
of its units are linked; a unit knows where. So a block without linked units is in no table and in no TLB.
"""

from corollary.language.builtins import implies, subset
from corollary.language.property import by_itself, corollary, invariant, theorem
from corollary.language.types import u64
from corollary.spec.kernel.block import bit, heads_id
from corollary.spec.kernel.gate import BLOCK_TRANSFER
from corollary.spec.kernel.hardware import UnitLeaf, permitted
from corollary.spec.kernel.integrity import acts_on
from corollary.spec.kernel.memory import has_unit, lies_in, valid
from corollary.spec.kernel.packed import UnitPlace
from corollary.spec.kernel.state import Call, EntryId, Kernel, PageId, UnitId
from corollary.spec.kernel.vocabulary import Access, PageKind, PartitionState, Right

DATA_ACCESS = Access.READ | Access.WRITE


def unit_descriptor(unit: UnitId, access: Access) -> u64:
    """The level-2 descriptor of a unit with the given access."""
    return UnitLeaf(unit=unit, readable=access & Access.READ != 0, writable=access & Access.WRITE != 0)


def unit_of(descriptor: u64) -> UnitId:
    """The unit that a valid descriptor of a table of units leads to."""
    return UnitLeaf(descriptor).unit


def as_data(access: Access) -> bool:
    """Does the access give some right, and none to execute?"""
    return access != 0 and subset(access, DATA_ACCESS)


def has_linked(s: Kernel, head: UnitId, unit: UnitId) -> bool:
    """Is the unit one of those that a block has linked?"""
    return UnitPlace(head).bank == UnitPlace(unit).bank and s.block[head].linked & bit(unit) != 0


def is_linked(s: Kernel, unit: UnitId) -> bool:
    """Is the unit linked?"""
    return has_linked(s, s.unit[unit].head, unit)


def unit_in_table(s: Kernel, unit: UnitId) -> bool:
    """Is the descriptor of a unit where it was linked? A table that is gone took its descriptors with it."""
    place = s.unit[unit]
    descriptor = s.memory[place.table].word[place.entry]
    return s.page[place.table].kind == PageKind.TABLE_UNITS and valid(descriptor) and unit_of(descriptor) == unit


# ---- what always holds


@invariant("UNIT-1", "a block that is not there has no linked units")
def no_block_links_nothing(s: Kernel, head: UnitId) -> bool:
    return implies(not s.block[head].used, s.block[head].linked == 0)


@invariant("UNIT-2", "what a block has linked are units of its own, which know it")
def linked_units_are_own(s: Kernel, head: UnitId, unit: UnitId) -> bool:
    return implies(has_linked(s, head, unit), s.unit[unit].head == head and lies_in(s, unit, head))


@invariant("UNIT-3", "a TLB may hold a unit only while it is linked, and then it is reckoned to")
def unlinked_units_are_flushed(s: Kernel, unit: UnitId) -> bool:
    return s.unit[unit].cached == is_linked(s, unit)


@invariant(
    "UNIT-4",
    "a descriptor in a table of units is one that the kernel made: fixed attributes, a unit that is never executed",
)
def unit_is_well_formed(s: Kernel, table: PageId, entry: EntryId) -> bool:
    descriptor = s.memory[table].word[entry]
    access = permitted(descriptor)
    return implies(
        s.page[table].kind == PageKind.TABLE_UNITS and valid(descriptor),
        as_data(access) and descriptor == unit_descriptor(unit_of(descriptor), access),
    )


@invariant("UNIT-5", "the unit of a descriptor knows its place, and belongs to a block of the table's owner")
def unit_is_known(s: Kernel, table: PageId, entry: EntryId) -> bool:
    descriptor = s.memory[table].word[entry]
    unit = unit_of(descriptor)
    place = s.unit[unit]
    return implies(
        s.page[table].kind == PageKind.TABLE_UNITS and valid(descriptor),
        is_linked(s, unit)
        and place.table == table
        and place.entry == entry
        and s.block[place.head].holder == s.page[table].owner,
    )


@corollary("UNIT-6", "what a TLB may hold is a unit of a block, so it is neither clean nor being cleared")
def cached_is_taken(s: Kernel, unit: UnitId) -> bool:
    bank = s.bank[UnitPlace(unit).bank]
    being_cleared = s.cleaned != 0 and s.cleaning == unit
    held = has_unit(s, s.block[s.unit[unit].head].holder, unit)
    return implies(
        s.unit[unit].cached, held and bank.taken & bit(unit) != 0 and bank.clean & bit(unit) == 0 and not being_cleared
    )


# ---- what every step keeps


@theorem("UNIT-7", "a block goes, and changes hands, only when no TLB holds any of its units, for whomever")
def blocks_go_unlinked(before: Kernel, after: Kernel, head: UnitId, unit: UnitId) -> bool:
    old = before.block[head]
    new = after.block[head]
    left = old.used and (not new.used or new.holder != old.holder)
    return implies(left and lies_in(before, unit, head), not before.unit[unit].cached and not after.unit[unit].cached)


@theorem("UNIT-8", "a block has another holder only after it was transferred, whole, and counts for that one")
def holders_are_given(before: Kernel, call: Call, after: Kernel, head: UnitId) -> bool:
    old = before.block[head]
    new = after.block[head]
    moved = old.used and new.used and old.holder != new.holder
    bank = UnitPlace(head).bank
    listed = after.heads[heads_id(new.holder, bank)] & bit(head) != 0
    left = after.heads[heads_id(old.holder, bank)] & bit(head) == 0
    return implies(moved, call.operation == BLOCK_TRANSFER and listed and left)


@theorem("UNIT-9", "nothing of a destroyed partition is linked anew")
def the_dead_link_no_unit(before: Kernel, after: Kernel, unit: UnitId) -> bool:
    made = not before.unit[unit].cached and after.unit[unit].cached
    holder = before.partition[before.block[after.unit[unit].head].holder]
    return implies(made, holder.state != PartitionState.DESTROYED)


def same_unit(before: Kernel, after: Kernel, unit: UnitId) -> bool:
    """Is a unit linked as before?"""
    old = before.unit[unit]
    new = after.unit[unit]
    return old.cached == new.cached and old.head == new.head and old.table == new.table and old.entry == new.entry


@theorem("INT-40", "a unit is linked, and comes out of its table, only through a handle with WRITE on its holder")
def units_obey_their_holder(before: Kernel, call: Call, after: Kernel, unit: UnitId) -> bool:
    holder = before.block[after.unit[unit].head].holder
    return implies(not same_unit(before, after, unit), acts_on(before, call, holder, Right.WRITE))


@theorem("INT-41", "what happens without a call links no unit, and takes none out of its table", about=by_itself)
def units_are_left_alone(before: Kernel, after: Kernel, unit: UnitId) -> bool:
    return same_unit(before, after, unit)


@theorem("INT-42", "a block goes to the caller, or to whom a handle with WRITE names")
def blocks_go_where_named(before: Kernel, call: Call, after: Kernel, unit: UnitId) -> bool:
    p = after.block[unit].holder
    received = after.block[unit].used and (not before.block[unit].used or before.block[unit].holder != p)
    return implies(received and p != before.current, acts_on(before, call, p, Right.WRITE))
