"""What does the Arm hardware do with the addresses that the kernel itself uses? Stage 1 at EL2, one privilege level.

`stage1_walk` is the architecture's translation from raw register values and raw descriptors (Arm ARM DDI 0487, section
given), for HCR_EL2.E2H = 0 and 4 KiB granules. It is a model of hardware, compared with the `AT` instruction, never
part of the kernel.
"""

from corollary.language.types import Array, Index, u8, u64
from corollary.language.values import Record, clear
from corollary.language.word import Word, at
from corollary.spec.kernel.hardware import ADDRESS_MASK, AddressBits
from corollary.spec.kernel.limits import PAGE_BITS

ENTRY_BITS = 9  # of an address, for each level

OUTPUT_BITS = (32, 36, 40, 42, 44, 48, 0, 0)  # of a physical address, by TCR_EL2.PS
INPUT_LEAST, INPUT_MOST = 25, 48
ALL = (1 << 64) - 1

OutputSize = Index("OutputSize", len(OUTPUT_BITS))
AttributesId = Index("AttributesId", 8)
Shareability = Index("Shareability", 4)
Granule = Index("Granule", 4)


class Sctlr(Word[u64]):
    """What SCTLR_EL2 says about translation (D19.2.120)."""

    on: bool = at(0)  # M
    writable_never_executed: bool = at(19)  # WXN
    big_endian: bool = at(25)  # EE


class Tcr(Word[u64]):
    """What TCR_EL2 says about addresses and tables (D19.2.136)."""

    t0sz: AddressBits = at(0)  # an address has 64 - T0SZ bits
    tg0: Granule = at(14)  # 0 for 4 KiB
    ps: OutputSize = at(16)
    tbi: bool = at(20)  # the top byte of an address is ignored
    hpd: bool = at(24)  # tables do not limit permissions


class Descriptor(Word[u64]):
    """A descriptor of a page, of a block or of a table of the next level (D8.3.1)."""

    valid: bool = at(0)
    table_or_page: bool = at(1)
    place: AttributesId = at(2)  # AttrIndx: which byte of MAIR_EL2
    privileged: bool = at(6)  # AP[1], one at EL2
    read_only: bool = at(7)  # AP[2]
    shareability: Shareability = at(8)
    accessed: bool = at(10)
    never_executed: bool = at(54)  # XN


class TableDescriptor(Word[u64]):
    """A descriptor of a table, and what it limits below (D8.3.1)."""

    valid: bool = at(0)
    table_or_page: bool = at(1)
    never_executed: bool = at(60)  # XNTable
    read_only: bool = at(62)  # APTable[1]


TABLE_MEANINGLESS = ALL & ~(ADDRESS_MASK | sum(part.mask for part in TableDescriptor.parts.values()))
LEAF_MEANINGLESS = ALL & ~(ADDRESS_MASK | sum(part.mask for part in Descriptor.parts.values()))

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
    size = 64 - u64(Tcr(r.tcr).t0sz)
    return (
        Sctlr(r.sctlr).on
        and not Sctlr(r.sctlr).big_endian
        and Tcr(r.tcr).tg0 == 0
        and not Tcr(r.tcr).tbi
        and not Tcr(r.tcr).hpd
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
    return address >> OUTPUT_BITS[Tcr(r.tcr).ps] != 0


def is_fault(r: Regime, descriptor: u64, level: u8) -> bool:
    """Does a walk that reads this descriptor at this level end in a fault (D8.3, D8.4)?"""
    entry = Descriptor(descriptor)
    if not entry.valid or is_large(r, descriptor & ADDRESS_MASK):
        return True
    if level == 3:
        return not entry.table_or_page or not entry.accessed
    return not entry.table_or_page and (level == 0 or not entry.accessed)


def leaf(r: Regime, descriptor: u64, limits: u64, within: u64, address: u64, mapped: Mapped) -> None:
    """Translate an address by the descriptor of a page or block (D8.4, D8.5).

    `within` has the address bits that differ inside the page or block. `limits` has the limits of the tables above it.
    """
    entry = Descriptor(descriptor)
    above = TableDescriptor(limits)
    mapped.unspecified = (
        descriptor & LEAF_MEANINGLESS != 0 or not entry.privileged or descriptor & ADDRESS_MASK & within != 0
    )
    mapped.output = descriptor & ADDRESS_MASK | address & within
    mapped.limited = above.read_only or above.never_executed
    mapped.place = u8(entry.place)
    mapped.attributes = u8((r.mair >> (8 * mapped.place)) & 0xFF)
    mapped.shareability = u8(entry.shareability)
    mapped.write = not entry.read_only and not above.read_only
    mapped.never = entry.never_executed or above.never_executed
    mapped.execute = not mapped.never and not (mapped.write and Sctlr(r.sctlr).writable_never_executed)


def stage1_walk(r: Regime, address: u64, mapped: Mapped) -> None:
    """Translate an address as the hardware does at EL2 (D8.2)."""
    clear(mapped)
    mapped.unspecified = not is_known(r)
    size = 64 - u64(Tcr(r.tcr).t0sz)
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
        if level == 3 or not Descriptor(descriptor).table_or_page:
            leaf(r, descriptor, limits, (u64(1) << shift) - 1, address, mapped)
            return
        mapped.unspecified = descriptor & TABLE_MEANINGLESS != 0
        if mapped.unspecified:
            return
        limits = limits | descriptor
        table = descriptor & ADDRESS_MASK
        level += 1
