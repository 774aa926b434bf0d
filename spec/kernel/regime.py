"""What does the Arm hardware do with the addresses that the kernel itself uses? Stage 1 at EL2, one privilege level.

`stage1_walk` is the architecture's translation from raw register values and raw descriptors (Arm ARM DDI 0487, section
given), for HCR_EL2.E2H = 0 and 4 KiB granules. It is a model of hardware, compared with the `AT` instruction, never
part of the kernel.
"""

from corollary.language.types import Array, Index, u8, u64
from corollary.language.values import Record, clear
from corollary.spec.kernel.hardware import (
    ACCESS_FLAG,
    ADDRESS_MASK,
    EXECUTE_NEVER,
    SHAREABLE,
    TABLE_FIXED,
    TABLE_OR_PAGE,
    VALID,
)
from corollary.spec.kernel.limits import PAGE_BITS

ENTRY_BITS = 9  # of an address, for each level

# SCTLR_EL2 (D19.2.120)
SCTLR_M = 1 << 0  # translation is on
SCTLR_WXN = 1 << 19  # what is writable is not executable
SCTLR_EE = 1 << 25  # descriptors are big-endian

# TCR_EL2 (D19.2.136)
TCR_T0SZ = 0x3F  # an address has 64 - T0SZ bits
TCR_TG0 = 3 << 14  # 0 for 4 KiB
TCR_PS_SHIFT = 16  # physical addresses have as many bits as OUTPUT_BITS says
TCR_TBI = 1 << 20  # the top byte of an address is ignored
TCR_HPD = 1 << 24  # tables do not limit permissions
OUTPUT_BITS = (32, 36, 40, 42, 44, 48, 0, 0)
INPUT_LEAST, INPUT_MOST = 25, 48

# Descriptors (D8.3.1)
PRIVILEGED = 1 << 6  # AP[1], one at EL2
READ_ONLY = 1 << 7  # AP[2]
TABLE_EXECUTE_NEVER = 1 << 60  # XNTable
TABLE_READ_ONLY = 1 << 62  # APTable[1]
ATTRIBUTE_SHIFT = 2  # AttrIndx: which byte of MAIR_EL2
SHAREABLE_SHIFT = 8
ALL = (1 << 64) - 1
TABLE_MEANINGLESS = ALL & ~(ADDRESS_MASK | TABLE_EXECUTE_NEVER | TABLE_READ_ONLY | TABLE_FIXED)
ATTRIBUTES = 7 << ATTRIBUTE_SHIFT | SHAREABLE
PERMISSIONS = EXECUTE_NEVER | READ_ONLY | PRIVILEGED | ACCESS_FLAG
LEAF_MEANINGLESS = ALL & ~(ADDRESS_MASK | PERMISSIONS | ATTRIBUTES | TABLE_FIXED)

WALKED = 1 << 13  # words of the memory that a walk may read
WalkedId = Index("WalkedId", WALKED)


class Regime(Record):
    """How EL2 translates: its registers, and the memory from `base` on, which holds its tables."""

    sctlr: u64
    tcr: u64
    mair: u64
    ttbr: u64
    base: u64
    word: Array[u64, WALKED]


class Mapped(Record):
    """The outcome of a translation at EL2.

    `unspecified` means that a register or descriptor has a value without a meaning, or with one that this model leaves
    out.
    """

    fault: bool
    unspecified: bool
    level: u8  # of the last descriptor that counts
    output: u64  # physical address
    limited: bool  # a table on the way limits what can be done
    place: u8  # of the attributes in MAIR_EL2
    attributes: u8  # of memory: the byte there
    shareability: u8
    write: bool
    execute: bool
    never: bool  # a descriptor forbids execution, whatever SCTLR_EL2.WXN says


def is_known(r: Regime) -> bool:
    """Do the registers ask for what this model covers: 4 KiB granules, little-endian tables, whole addresses?"""
    size = 64 - (r.tcr & TCR_T0SZ)
    return (
        r.sctlr & SCTLR_M != 0
        and r.sctlr & SCTLR_EE == 0
        and r.tcr & (TCR_TG0 | TCR_TBI | TCR_HPD) == 0
        and size >= INPUT_LEAST
        and size <= INPUT_MOST
    )


def first_level(size: u64) -> u8:
    """Return the level where the walk of an address of `size` bits begins (D8.2.8)."""
    if size > PAGE_BITS + 3 * ENTRY_BITS:
        return 0
    return 1 if size > PAGE_BITS + 2 * ENTRY_BITS else 2


def is_large(r: Regime, address: u64) -> bool:
    """Has a physical address more bits than TCR_EL2.PS allows (D8.2.6)?"""
    return address >> OUTPUT_BITS[(r.tcr >> TCR_PS_SHIFT) & 7] != 0


def is_fault(r: Regime, descriptor: u64, level: u8) -> bool:
    """Does a walk that reads this descriptor at this level end in a fault (D8.3, D8.4)?"""
    if descriptor & VALID == 0 or is_large(r, descriptor & ADDRESS_MASK):
        return True
    if level == 3:
        return descriptor & TABLE_OR_PAGE == 0 or descriptor & ACCESS_FLAG == 0
    return descriptor & TABLE_OR_PAGE == 0 and (level == 0 or descriptor & ACCESS_FLAG == 0)


def leaf(r: Regime, descriptor: u64, limits: u64, within: u64, address: u64, mapped: Mapped) -> None:
    """Translate an address by the descriptor of a page or block (D8.4, D8.5).

    `within` has the address bits that differ inside the page or block. `limits` has the limits of the tables above it.
    """
    mapped.unspecified = (
        descriptor & LEAF_MEANINGLESS != 0 or descriptor & PRIVILEGED == 0 or descriptor & ADDRESS_MASK & within != 0
    )
    mapped.output = descriptor & ADDRESS_MASK | address & within
    mapped.limited = limits & (TABLE_READ_ONLY | TABLE_EXECUTE_NEVER) != 0
    mapped.place = u8((descriptor >> ATTRIBUTE_SHIFT) & 7)
    mapped.attributes = u8((r.mair >> (8 * mapped.place)) & 0xFF)
    mapped.shareability = u8((descriptor >> SHAREABLE_SHIFT) & 3)
    mapped.write = descriptor & READ_ONLY == 0 and limits & TABLE_READ_ONLY == 0
    mapped.never = descriptor & EXECUTE_NEVER != 0 or limits & TABLE_EXECUTE_NEVER != 0
    mapped.execute = not mapped.never and not (mapped.write and r.sctlr & SCTLR_WXN != 0)


def stage1_walk(r: Regime, address: u64, mapped: Mapped) -> None:
    """Translate an address as the hardware does at EL2 (D8.2)."""
    clear(mapped)
    mapped.unspecified = not is_known(r)
    size = 64 - (r.tcr & TCR_T0SZ)
    mapped.fault = address >> size != 0
    if mapped.unspecified or mapped.fault:
        return
    level = first_level(size)
    table = r.ttbr & ADDRESS_MASK
    limits: u64 = 0
    for step in range(4):
        shift = PAGE_BITS + ENTRY_BITS * (3 - level)
        place = table + 8 * ((address >> shift) & 511)
        mapped.level = level
        mapped.unspecified = place < r.base or (place - r.base) >> 3 >= WALKED
        if mapped.unspecified:
            return
        descriptor = r.word[WalkedId((place - r.base) >> 3)]
        mapped.fault = is_fault(r, descriptor, level)
        if mapped.fault:
            return
        if level == 3 or descriptor & TABLE_OR_PAGE == 0:
            leaf(r, descriptor, limits, (u64(1) << shift) - 1, address, mapped)
            return
        mapped.unspecified = descriptor & TABLE_MEANINGLESS != 0
        if mapped.unspecified:
            return
        limits = limits | descriptor
        table = descriptor & ADDRESS_MASK
        level += 1
