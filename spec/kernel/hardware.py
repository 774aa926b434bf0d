"""What does the Arm hardware do with the registers and tables that the kernel writes?

Register values are built from named fields (Arm ARM DDI 0487, section given). `stage2_walk` is the
architecture's translation of an intermediate physical address, from raw register values and raw
descriptors; it is a model of hardware, compared with the `AT` instruction, never part of the kernel.
"""

from corollary.language.types import u64
from corollary.language.values import Record, clear
from corollary.spec.kernel.limits import PAGE_BITS, PAGES
from corollary.spec.kernel.state import EntryId, Kernel, PageId, PartitionId
from corollary.spec.kernel.vocabulary import Access

POOL_BASE = 0x4400_0000
POOL_END = POOL_BASE + (PAGES << PAGE_BITS)

# VTCR_EL2 (D19.2.162)
VTCR_T0SZ = 25  # 39-bit intermediate physical addresses
VTCR_SL0 = 1 << 6  # the walk starts at level 1: one root of 512 entries
VTCR_IRGN0 = 1 << 8  # table walks inner write-back
VTCR_ORGN0 = 1 << 10  # and outer write-back cacheable
VTCR_SH0 = 3 << 12  # inner shareable
VTCR_TG0 = 0 << 14  # 4 KiB granule
VTCR_PS = 2 << 16  # 40-bit physical addresses
VTCR_RES1 = 1 << 31
VTCR = VTCR_T0SZ | VTCR_SL0 | VTCR_IRGN0 | VTCR_ORGN0 | VTCR_SH0 | VTCR_TG0 | VTCR_PS | VTCR_RES1
VMID_SHIFT = 48

# Stage-2 descriptors (D8.3.2)
VALID = 1 << 0
TABLE_OR_PAGE = 1 << 1
MEMORY_NORMAL = 0xF << 2  # write-back
S2AP_READ = 1 << 6
S2AP_WRITE = 1 << 7
SHAREABLE = 3 << 8  # inner
ACCESS_FLAG = 1 << 10
EXECUTE_NEVER = 1 << 54
SOFTWARE_SHIFT = 55  # four bits that the hardware ignores hold the mapping's ordinal
ADDRESS_MASK = 0x0000_FFFF_FFFF_F000
LEAF_FIXED = VALID | TABLE_OR_PAGE | MEMORY_NORMAL | SHAREABLE | ACCESS_FLAG
TABLE_FIXED = VALID | TABLE_OR_PAGE


class Walk(Record):
    """The outcome of a translation; `outside` means that the hardware left the memory that the kernel accounts for."""

    fault: bool
    outside: bool
    page: PageId
    access: Access


def page_address(page: PageId) -> u64:
    """The physical address of a page of the pool."""
    return POOL_BASE + (u64(page) << PAGE_BITS)


def in_pool(address: u64) -> bool:
    """Is the physical address in the pool?"""
    return POOL_BASE <= address < POOL_END


def page_at(address: u64) -> PageId:
    """The page of the pool that holds a physical address."""
    return PageId((address - POOL_BASE) >> PAGE_BITS)


def vttbr(s: Kernel, p: PartitionId) -> u64:
    """VTTBR_EL2 while partition `p` runs: its VMID and the address of its root table."""
    return (u64(p) << VMID_SHIFT) | page_address(s.partition[p].root)


def vmid(base: u64) -> u64:
    """The VMID in a value of VTTBR_EL2."""
    return base >> VMID_SHIFT


def permitted(descriptor: u64) -> Access:
    """The access that a leaf descriptor permits (D8.4.2)."""
    read = Access.READ if descriptor & S2AP_READ != 0 else Access(0)
    write = Access.WRITE if descriptor & S2AP_WRITE != 0 else Access(0)
    execute = Access.EXECUTE if descriptor & EXECUTE_NEVER == 0 else Access(0)
    return read | write | execute


def stage2_walk(s: Kernel, vtcr: u64, base: u64, ipa: u64, walk: Walk) -> None:
    """Translate `ipa` as the hardware does with VTCR_EL2 = `vtcr` and VTTBR_EL2 = `base` (D8.2)."""
    clear(walk)
    size = 64 - (vtcr & 0x3F)
    if ipa >> size != 0:
        walk.fault = True
        return
    level = 2 - ((vtcr >> 6) & 3)
    table = base & ADDRESS_MASK
    for step in range(4):
        shift = PAGE_BITS + 9 * (3 - level)
        # the first table covers the whole address width, so it may be several pages in a row
        index = ipa >> shift if step == 0 else (ipa >> shift) & 511
        address = table + 8 * index
        if not in_pool(address):
            walk.outside = True
            return
        descriptor = s.memory[page_at(address)].word[EntryId.truncate(address >> 3)]
        if descriptor & VALID == 0:
            walk.fault = True
            return
        table = descriptor & ADDRESS_MASK
        if level == 3 or descriptor & TABLE_OR_PAGE == 0:
            walk.outside = not in_pool(table) or level != 3 or descriptor & TABLE_OR_PAGE == 0
            walk.fault = not walk.outside and descriptor & ACCESS_FLAG == 0  # nothing here sets the flag (D8.5.1)
            if walk.outside or walk.fault:
                return
            walk.page = page_at(table)
            walk.access = permitted(descriptor)
            return
        level += 1
