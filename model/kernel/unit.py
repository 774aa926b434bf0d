"""How do units of large memory get into stage-2 tables and out of them, and how does a block change hands?"""

from corollary.language.builtins import saturating_sub
from corollary.language.frontend import hardware
from corollary.language.types import u32, u64
from corollary.model.kernel.capability import may_act_on, partition_of_handle
from corollary.model.kernel.memory import belongs
from corollary.model.kernel.operation import operation
from corollary.spec.kernel.block import bit, heads_id, holds, taken_from, units_in
from corollary.spec.kernel.capability import named_partition
from corollary.spec.kernel.hardware import vmid, vttbr
from corollary.spec.kernel.heat import are_adjacent, at_hand, is_due
from corollary.spec.kernel.memory import lies_in
from corollary.spec.kernel.packed import UnitPlace
from corollary.spec.kernel.state import Call, EntryId, Handle, Kernel, PageId, PartitionId, UnitId, Use
from corollary.spec.kernel.unit import as_data, has_linked, unit_descriptor, unit_in_table
from corollary.spec.kernel.vocabulary import Access, Heat, PageKind, Right, Status


@hardware("TLBI VMALLS12E1IS for the VMID in `base`, with the barriers of break-before-make (D8.14)")
def flush_unit(s: Kernel, unit: UnitId, base: u64) -> None:
    """Make the hardware forget a unit under this VMID; it fetches it again if the descriptor is still there."""
    if vmid(base) == s.block[s.unit[unit].head].holder and not unit_in_table(s, unit):
        s.unit[unit].cached = False


def link_unit(s: Kernel, head: UnitId, unit: UnitId, table: PageId, entry: EntryId, access: Access) -> None:
    """Write the descriptor of a unit into an empty entry and remember where it is."""
    s.memory[table].word[entry] = unit_descriptor(unit, access)
    s.block[head].linked = s.block[head].linked | bit(unit)
    s.unit[unit].cached = True
    s.unit[unit].head = head
    s.unit[unit].table = table
    s.unit[unit].entry = entry


def unlink_unit(s: Kernel, head: UnitId, unit: UnitId) -> None:
    """Break before make: take the descriptor out, then flush the translation, then forget that it was linked."""
    place = s.unit[unit]
    if unit_in_table(s, unit):
        s.memory[place.table].word[place.entry] = 0
    flush_unit(s, unit, vttbr(s, s.block[head].holder))
    s.block[head].linked = taken_from(s.block[head].linked, bit(unit))


def hand(s: Kernel, unit: UnitId, p: PartitionId) -> None:
    """Give a block that is linked nowhere to a partition."""
    block = s.block[unit]
    giver = block.holder
    bank = UnitPlace(unit).bank
    s.heads[heads_id(giver, bank)] = taken_from(s.heads[heads_id(giver, bank)], bit(unit))
    s.heads[heads_id(p, bank)] = s.heads[heads_id(p, bank)] | bit(unit)
    s.partition[giver].units_made = saturating_sub(s.partition[giver].units_made, units_in(s, unit))
    s.partition[p].units_made += units_in(s, unit)
    block.holder = p


@operation
def block_map(
    s: Kernel, call: Call, head: UnitId, unit: UnitId, table: PageId, entry: EntryId, access: Access
) -> Status:
    """Map a unit of the block of a partition that begins with `head`, to read or to write, never to execute.

    The place is an empty entry of a table of units of the partition's own.
    """
    p = named_partition(s, call)
    if not belongs(s, table, p):
        return Status.NOT_OWNER
    if not holds(s, p, head) or not lies_in(s, unit, head):
        return Status.NOT_HELD
    if s.page[table].kind != PageKind.TABLE_UNITS:
        return Status.WRONG_PAGE_KIND
    if not as_data(access):
        return Status.WRITE_XOR_EXECUTE
    if not at_hand(s.block[head].heat):
        return Status.WRONG_STATE
    if s.memory[table].word[entry] != 0:
        return Status.ENTRY_IN_USE
    if has_linked(s, head, unit):
        return Status.ALREADY_LINKED
    link_unit(s, head, unit, table, entry, access)
    return Status.OK


@operation
def block_unmap(s: Kernel, call: Call, head: UnitId, unit: UnitId) -> Status:
    """Take a unit of a block out of the table it is linked in, though its holder was destroyed."""
    if not holds(s, named_partition(s, call), head):
        return Status.NOT_HELD
    if not has_linked(s, head, unit):
        return Status.NOT_LINKED
    unlink_unit(s, head, unit)
    return Status.OK


@operation
def block_transfer(s: Kernel, call: Call, unit: UnitId, into: Handle) -> Status:
    """Hand a block, with all that its units hold, to the partition `into`; none of its units may be linked."""
    p = named_partition(s, call)
    if not holds(s, p, unit):
        return Status.NOT_HELD
    if s.block[unit].linked != 0:
        return Status.STILL_SHARED
    if not may_act_on(s, s.current, into, Right.WRITE):
        return Status.INSUFFICIENT_RIGHTS
    r = partition_of_handle(s, s.current, into)
    if r == p:
        return Status.INVALID_TARGET
    if u32(s.partition[r].units_made) + units_in(s, unit) > s.partition[r].units:
        return Status.LIMIT_REACHED
    hand(s, unit, r)
    return Status.OK


@operation
def block_retier(s: Kernel, call: Call, unit: UnitId, old: Heat, new: Heat, use: Use) -> Status:
    """Move a block from its `old` tier to the next hotter or colder one, as it is of so much use, of 10000.

    None of its units may be linked when it becomes dormant.
    """
    block = s.block[unit]
    if not holds(s, named_partition(s, call), unit):
        return Status.NOT_HELD
    if block.heat != old or not are_adjacent(old, new):
        return Status.WRONG_STATE
    if not is_due(old, new, use):
        return Status.NOT_DUE
    if not at_hand(new) and block.linked != 0:
        return Status.STILL_SHARED
    block.heat = new
    return Status.OK
