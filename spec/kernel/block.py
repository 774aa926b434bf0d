"""Which blocks of large memory are there, who holds them, and what is known of the units in none?

Large memory is a row of units of 2 MiB, in two banks. A block of order k is 2^k units that begin at a multiple of that,
as in a buddy allocator. A bank keeps one mask of its clean units. Those of them that can begin a block of an order
follow from it (`runs`), so no list of an order can contradict another, and buddies come together by themselves.
"""

from corollary.language.builtins import implies, shift_left, trailing_zeros
from corollary.language.property import by_itself, corollary, invariant, theorem
from corollary.language.types import u8, u16, u32, u64
from corollary.spec.kernel.capability import named_partition
from corollary.spec.kernel.gate import BLOCK_CLEAN, BLOCK_CREATE, BLOCK_RELEASE
from corollary.spec.kernel.integrity import acts_on
from corollary.spec.kernel.limits import BANK_UNITS, ORDERS, UNIT_PARTS, UNITS
from corollary.spec.kernel.packed import HeadsPlace, UnitPlace
from corollary.spec.kernel.state import BankId, Call, HeadsId, Kernel, Order, PartitionId, UnitId
from corollary.spec.kernel.vocabulary import PartitionState, Right, Status

ALL_UNITS = (1 << BANK_UNITS) - 1
SIZE = tuple(1 << order for order in range(ORDERS))
"""Order -> units."""
SPAN = tuple((1 << size) - 1 for size in SIZE)
"""Order -> the mask of a block that begins a bank."""
BEGINS = tuple(sum(1 << first for first in range(0, BANK_UNITS, size)) for size in SIZE)
"""Order -> the mask of where a block may begin."""
NOWHERE = UNITS  # in place of a unit


def bit(unit: UnitId) -> u64:
    """The mask of a unit in its bank."""
    return shift_left(u64, 1, UnitPlace(unit).position)


def span(unit: UnitId, order: Order) -> u64:
    """The mask of the units of a block in its bank."""
    units = SPAN[order]
    return shift_left(u64, units, UnitPlace(unit).position)


def begins(unit: UnitId, order: Order) -> bool:
    """May a block of an order begin here?"""
    places = BEGINS[order]
    return places & bit(unit) != 0


def taken_from(units: u64, taken: u64) -> u64:
    """The units of a mask that are not taken."""
    return units & (ALL_UNITS ^ taken)


def units_in(s: Kernel, unit: UnitId) -> u16:
    """How many units a block has that begins here."""
    return shift_left(u16, 1, s.block[unit].order)


def heads_id(p: PartitionId, bank: BankId) -> HeadsId:
    """The place of a partition's blocks in a bank."""
    return HeadsPlace(bank=bank, partition=p)


def runs(units: u64, order: Order) -> u64:
    """Where a block of an order can begin, of the units of a mask."""
    found = units
    for i in range(ORDERS - 1):
        if i < order:
            found = found & (found >> SIZE[i])
    return found & BEGINS[order]


def lowest(low: u64, high: u64) -> u8:
    """The first unit of two masks, one for each bank, or NOWHERE."""
    if low != 0:
        return u8(trailing_zeros(u64, low))
    return u8(BANK_UNITS + trailing_zeros(u64, high))


def first_fit(s: Kernel, order: Order) -> u8:
    """The first unit where a block of an order can be made of clean units, or NOWHERE."""
    return lowest(runs(s.bank[BankId(0)].clean, order), runs(s.bank[BankId(1)].clean, order))


def dirty(s: Kernel, b: BankId) -> u64:
    """The units of a bank that may hold anything: all are at first, and after they were in a block."""
    return ALL_UNITS ^ (s.bank[b].clean | s.bank[b].taken)


def any_dirty(s: Kernel) -> bool:
    """Is there a unit to be cleaned?"""
    return dirty(s, BankId(0)) != 0 or dirty(s, BankId(1)) != 0


def first_dirty(s: Kernel) -> UnitId:
    """The first dirty unit, if there is one."""
    return UnitId.truncate(lowest(dirty(s, BankId(0)), dirty(s, BankId(1))))


def holds(s: Kernel, p: PartitionId, unit: UnitId) -> bool:
    """Does a block of the partition begin with this unit?"""
    return s.block[unit].used and s.block[unit].holder == p


def holds_blocks(s: Kernel, p: PartitionId) -> bool:
    """Does the partition have any block?"""
    return s.heads[heads_id(p, BankId(0))] != 0 or s.heads[heads_id(p, BankId(1))] != 0


def first_head(s: Kernel, p: PartitionId) -> u8:
    """The first block of a partition, or NOWHERE."""
    return lowest(s.heads[heads_id(p, BankId(0))], s.heads[heads_id(p, BankId(1))])


# ---- what always holds


@invariant("BLOCK-1", "a block begins at a multiple of its size, so it lies in its bank")
def block_is_aligned(s: Kernel, unit: UnitId) -> bool:
    block = s.block[unit]
    return implies(block.used, begins(unit, block.order))


@invariant("BLOCK-2", "the units of a block are taken")
def block_is_taken(s: Kernel, unit: UnitId) -> bool:
    block = s.block[unit]
    return implies(block.used, taken_from(span(unit, block.order), s.bank[UnitPlace(unit).bank].taken) == 0)


@invariant("BLOCK-3", "no two blocks overlap")
def blocks_lie_apart(s: Kernel, unit: UnitId, other: UnitId) -> bool:
    one = s.block[unit]
    two = s.block[other]
    apart = span(unit, one.order) & span(other, two.order) == 0
    return implies(one.used, not two.used or unit == other or UnitPlace(unit).bank != UnitPlace(other).bank or apart)


@invariant("BLOCK-4", "the list of a partition has the first unit of each of its blocks, and no other")
def heads_are_listed(s: Kernel, p: PartitionId, unit: UnitId) -> bool:
    listed = s.heads[heads_id(p, UnitPlace(unit).bank)] & bit(unit) != 0
    return listed == holds(s, p, unit)


@invariant("BLOCK-5", "no unit is both clean and taken: nobody can write to what will be handed out as zero")
def clean_is_free(s: Kernel) -> bool:
    low = s.bank[BankId(0)]
    high = s.bank[BankId(1)]
    return low.clean & low.taken == 0 and high.clean & high.taken == 0


def covered(s: Kernel, unit: UnitId) -> bool:
    """Is the unit in a block? There is one place for the beginning of a block of each order."""
    found = False
    for i in range(ORDERS):
        head = s.block[UnitId.truncate((u32(unit) >> i) << i)]
        found = found or (head.used and head.order == i)
    return found


@invariant("BLOCK-6", "no unit is lost: what is taken is in a block, and what is not is clean or can be cleaned")
def units_are_kept(s: Kernel, unit: UnitId) -> bool:
    return implies(s.bank[UnitPlace(unit).bank].taken & bit(unit) != 0, covered(s, unit))


@invariant("BLOCK-7", "what is being cleared is dirty, and not all of it is zero")
def cleaning_is_dirty(s: Kernel) -> bool:
    unit = s.cleaning
    return s.cleaned < UNIT_PARTS and implies(s.cleaned != 0, dirty(s, UnitPlace(unit).bank) & bit(unit) != 0)


@invariant("BLOCK-8", "a vacant partition has no blocks")
def vacant_holds_nothing(s: Kernel, p: PartitionId) -> bool:
    return implies(s.partition[p].state == PartitionState.VACANT, not holds_blocks(s, p))


@corollary("BLOCK-9", "what is being cleared is in no block")
def cleaning_is_nobodys(s: Kernel, unit: UnitId) -> bool:
    block = s.block[unit]
    elsewhere = UnitPlace(unit).bank != UnitPlace(s.cleaning).bank
    return implies(block.used and s.cleaned != 0, elsewhere or span(unit, block.order) & bit(s.cleaning) == 0)


@corollary("WORD-5", "a block can begin at multiples of its size, where all of its units are there")
def runs_are_blocks(s: Kernel, units: u64, order: Order, unit: UnitId) -> bool:
    whole = taken_from(span(unit, order), units) == 0
    multiple = (u32(unit) >> order) << order == unit
    return (runs(units, order) & bit(unit) != 0) == (whole and multiple)


@corollary("WORD-6", "the lowest unit of two masks is in its mask, and nothing is before it")
def lowest_is_first(s: Kernel, low: u64, high: u64, unit: UnitId) -> bool:
    found = lowest(low, high)
    mask = low if UnitPlace(unit).bank == 0 else high
    there = mask & bit(unit) != 0
    return implies(unit < found, not there) and implies(unit == found, there)


# ---- what every step keeps


@theorem("BLOCK-10", "a unit becomes clean when the last of its parts is cleared, one after the other, and not before")
def clean_is_cleared(before: Kernel, after: Kernel, b: BankId) -> bool:
    grown = taken_from(after.bank[b].clean, before.bank[b].clean)
    done = before.cleaned == UNIT_PARTS - 1 and after.cleaned == 0 and b == UnitPlace(before.cleaning).bank
    return grown == (bit(before.cleaning) if done else u64(0))


@theorem("BLOCK-11", "nobody gets a block that is not all zero: each of its units was clean")
def blocks_are_clean(before: Kernel, after: Kernel, unit: UnitId) -> bool:
    made = not before.block[unit].used and after.block[unit].used
    units = span(unit, after.block[unit].order)
    return implies(made, taken_from(units, before.bank[UnitPlace(unit).bank].clean) == 0)


@theorem("BLOCK-12", "all units of a block that is released are dirty, until they are cleared")
def released_is_dirty(before: Kernel, after: Kernel, unit: UnitId) -> bool:
    gone = before.block[unit].used and not after.block[unit].used
    units = span(unit, before.block[unit].order)
    return implies(gone, taken_from(units, dirty(after, UnitPlace(unit).bank)) == 0)


@theorem("BLOCK-13", "a block keeps its size as long as it is there")
def blocks_stay(before: Kernel, after: Kernel, unit: UnitId) -> bool:
    old = before.block[unit]
    new = after.block[unit]
    return implies(old.used and new.used, old.order == new.order)


def same_banks(before: Kernel, after: Kernel, b: BankId) -> bool:
    """Is the same free, clean and being cleared as before?"""
    old = before.bank[b]
    new = after.bank[b]
    same = old.clean == new.clean and old.taken == new.taken
    return same and before.cleaning == after.cleaning and before.cleaned == after.cleaned


@theorem("BLOCK-14", "what is free, clean or being cleared changes only by operations on blocks")
def others_leave_banks(before: Kernel, call: Call, after: Kernel, b: BankId) -> bool:
    operation = call.operation
    on_blocks = operation == BLOCK_CREATE or operation == BLOCK_RELEASE or operation == BLOCK_CLEAN
    return implies(not on_blocks, same_banks(before, after, b))


@theorem("BLOCK-15", "whoever is reclaimed has no block left", about=("partition_reclaim",))
def reclaimed_holds_nothing(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return implies(status == Status.OK, not holds_blocks(before, named_partition(before, call)))


def same_block(before: Kernel, after: Kernel, unit: UnitId) -> bool:
    """Is a block as before?"""
    old = before.block[unit]
    new = after.block[unit]
    same = old.used == new.used and old.order == new.order and old.holder == new.holder
    return same and old.linked == new.linked and old.heat == new.heat


@theorem("INT-37", "a block changes only through a handle with WRITE on its holder")
def blocks_obey_their_holder(before: Kernel, call: Call, after: Kernel, unit: UnitId) -> bool:
    old = before.block[unit]
    holder = old.holder if old.used else after.block[unit].holder
    return implies(not same_block(before, after, unit), acts_on(before, call, holder, Right.WRITE))


@theorem("INT-38", "the list of another's blocks changes only through a handle with WRITE on it")
def heads_obey_their_holder(before: Kernel, call: Call, after: Kernel, h: HeadsId) -> bool:
    p = HeadsPlace(h).partition
    return implies(before.heads[h] != after.heads[h] and p != before.current, acts_on(before, call, p, Right.WRITE))


@theorem("INT-39", "what happens without a call changes nothing of large memory", about=by_itself)
def large_memory_is_left_alone(before: Kernel, after: Kernel, unit: UnitId, h: HeadsId, b: BankId) -> bool:
    same = before.heads[h] == after.heads[h]
    return same and same_block(before, after, unit) and same_banks(before, after, b)
