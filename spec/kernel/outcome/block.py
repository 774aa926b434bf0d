"""What do the operations on large memory do?"""

from corollary.language.builtins import saturating_sub
from corollary.language.property import ensures, succeeds
from corollary.language.types import u8, u16, u32, u64
from corollary.spec.kernel.block import ALL_UNITS, NOWHERE, SIZE, bit, first_dirty, first_fit, span, taken_from
from corollary.spec.kernel.limits import UNIT_PARTS
from corollary.spec.kernel.outcome.admission import has_message, has_room, stands, subject_partition
from corollary.spec.kernel.outcome.memory import commands
from corollary.spec.kernel.outcome.words import is_there, tells
from corollary.spec.kernel.packed import HeadsPlace, UnitPlace
from corollary.spec.kernel.state import BankId, Call, HeadsId, Kernel, Order, PartitionId, UnitId
from corollary.spec.kernel.vocabulary import Heat, Ring

# ---- words


def is_held(s: Kernel, p: PartitionId, unit: UnitId) -> bool:
    """Does a block of the partition begin here?"""
    return s.block[unit].used and s.block[unit].holder == p


def has_units(s: Kernel, p: PartitionId, order: Order) -> bool:
    """May the partition have so many more units?"""
    return u32(s.partition[p].units_made) + SIZE[order] <= s.partition[p].units


def dirt_is_left(s: Kernel) -> bool:
    """Is any unit dirty?"""
    low = s.bank[BankId(0)]
    high = s.bank[BankId(1)]
    return low.clean | low.taken != ALL_UNITS or high.clean | high.taken != ALL_UNITS


def place_of(p: PartitionId, unit: UnitId) -> HeadsId:
    """The place of the mask of a partition's blocks in the bank of a unit."""
    return HeadsPlace(bank=UnitPlace(unit).bank, partition=p)


# ---- operations


@succeeds("block_create")
def create_is_allowed(before: Kernel, call: Call, order: Order) -> bool:
    p = subject_partition(before, call)
    return (
        commands(before, call)
        and is_there(before, p)
        and has_units(before, p, order)
        and first_fit(before, order) != NOWHERE
    )


@ensures(
    "block_create",
    "the partition has a hot block where the first clean units lie together; the caller is told where it begins",
    changes=(
        "block.used",
        "block.order",
        "block.holder",
        "block.linked",
        "block.heat",
        "heads",
        "bank",
        "partition.units_made",
        "result",
    ),
)
def create_is_exact(
    before: Kernel, call: Call, after: Kernel, order: Order, any_unit: UnitId, h: HeadsId, b: BankId, q: PartitionId
) -> bool:
    p = subject_partition(before, call)
    found = first_fit(before, order)
    unit = UnitId.truncate(found)
    old = before.block[any_unit]
    new = after.block[any_unit]
    made = new.used and new.order == order and new.holder == p and new.linked == 0 and new.heat == Heat.HOT
    kept = (
        new.used == old.used
        and new.order == old.order
        and new.holder == old.holder
        and new.linked == old.linked
        and new.heat == old.heat
    )
    units = span(unit, order) if b == UnitPlace(unit).bank else u64(0)
    return (
        (made if any_unit == unit else kept)
        and after.heads[h] == before.heads[h] | (bit(unit) if h == place_of(p, unit) else u64(0))
        and after.bank[b].clean == taken_from(before.bank[b].clean, units)
        and after.bank[b].taken == before.bank[b].taken | units
        and u32(after.partition[q].units_made)
        == u32(before.partition[q].units_made) + (u32(SIZE[order]) if q == p else u32(0))
        and tells(call, u64(found), 0, 0)
    )


@succeeds("block_release")
def release_is_allowed(before: Kernel, call: Call, unit: UnitId) -> bool:
    held = is_held(before, subject_partition(before, call), unit)
    return commands(before, call) and held and before.block[unit].linked == 0


@ensures(
    "block_release",
    "the block is gone, and its units are dirty",
    changes=("block.used", "heads", "bank.taken", "partition.units_made"),
)
def release_is_exact(
    before: Kernel, call: Call, after: Kernel, unit: UnitId, any_unit: UnitId, h: HeadsId, b: BankId, q: PartitionId
) -> bool:
    block = before.block[unit]
    listed = bit(unit) if h == place_of(block.holder, unit) else u64(0)
    units = span(unit, block.order) if b == UnitPlace(unit).bank else u64(0)
    less = u16(SIZE[block.order]) if q == block.holder else u16(0)
    return (
        after.block[any_unit].used == (before.block[any_unit].used and any_unit != unit)
        and after.heads[h] == taken_from(before.heads[h], listed)
        and after.bank[b].taken == taken_from(before.bank[b].taken, units)
        and after.partition[q].units_made == saturating_sub(before.partition[q].units_made, less)
    )


@succeeds("block_clean")
def clean_is_allowed(before: Kernel, call: Call) -> bool:
    return (
        has_room(before) and has_message(before, call) and stands(before, call, Ring.SANDBOX) and dirt_is_left(before)
    )


@ensures(
    "block_clean",
    "one more part is zero of the unit that was being cleared, or of the first dirty one; with its last part the unit "
    "is clean; the caller is told how many parts are left",
    changes=("bank.clean", "cleaning", "cleaned", "result"),
)
def clean_is_exact(before: Kernel, call: Call, after: Kernel, b: BankId) -> bool:
    unit = first_dirty(before) if before.cleaned == 0 else before.cleaning
    parts = u32(before.cleaned) + 1
    done = parts == UNIT_PARTS
    cleared = bit(unit) if done and b == UnitPlace(unit).bank else u64(0)
    return (
        after.bank[b].clean == before.bank[b].clean | cleared
        and after.cleaning == unit
        and after.cleaned == (u32(0) if done else parts)
        and tells(call, u64(UNIT_PARTS - u8(parts)), 0, 0)
    )
