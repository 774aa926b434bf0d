"""What does the Arm hardware do with the registers and tables that the kernel writes?

Register values are built from named fields (Arm ARM DDI 0487, section given). `stage2_walk` is the
architecture's translation of an intermediate physical address, from raw register values and raw
descriptors; it is a model of hardware, compared with the `AT` instruction, never part of the kernel.
"""

from corollary.language.types import Index, u16, u64
from corollary.language.values import Record, clear
from corollary.language.word import Word, at
from corollary.spec.kernel.limits import PAGE_BITS, PAGES, UNIT_SHIFT, UNITS
from corollary.spec.kernel.state import EntryId, Kernel, Ordinal, PageId, PartitionId, UnitId
from corollary.spec.kernel.vocabulary import Access

POOL_BASE = 0x4400_0000
POOL_END = POOL_BASE + (PAGES << PAGE_BITS)
UNITS_BASE = 0x6000_0000
UNITS_END = UNITS_BASE + (UNITS << UNIT_SHIFT)
AddressBits = Index("AddressBits", 64)
StartLevel = Index("StartLevel", 4)
INNER_SHAREABLE = 3

VTCR_T0SZ = 25  # 39-bit intermediate physical addresses
POOL_SHIFT = PAGE_BITS + PageId.bits
UNITS_SHIFT = UNIT_SHIFT + UnitId.bits
ADDRESS_BITS = 48  # of a descriptor and of VTTBR_EL2, where addresses lie in place
ADDRESS_MASK = 0x0000_FFFF_FFFF_F000

assert POOL_BASE % (1 << POOL_SHIFT) == 0, "the bits of an address below the pool are the number of the page"
assert UNITS_BASE % (1 << UNITS_SHIFT) == 0, "the bits of an address below large memory are the number of the unit"


class Vtcr(Word[u64]):
    """VTCR_EL2 (D19.2.162), which says how the hardware walks."""

    t0sz: AddressBits = at(0, fixed=VTCR_T0SZ)
    sl0: StartLevel = at(6, fixed=1)  # the walk starts at level 1: one root of 512 entries
    irgn0 = at(8, 2, fixed=1)  # table walks inner write-back
    orgn0 = at(10, 2, fixed=1)  # and outer write-back cacheable
    sh0 = at(12, 2, fixed=INNER_SHAREABLE)
    tg0 = at(14, 2, fixed=0)  # 4 KiB granule
    ps = at(16, 3, fixed=2)  # 40-bit physical addresses
    res1 = at(31, 1, fixed=1)


VTCR = u64(Vtcr())


class Vttbr(Word[u64]):
    """VTTBR_EL2 (D19.2.165) while a partition runs: the address of its root table, and its VMID."""

    root: PageId = at(PAGE_BITS)
    pool = at(POOL_SHIFT, ADDRESS_BITS - POOL_SHIFT, fixed=POOL_BASE >> POOL_SHIFT)
    vmid: u16 = at(ADDRESS_BITS)


class Link(Word[u64]):
    """A descriptor of level 1 or 2 that leads to a table of the next level (D8.3.1)."""

    valid: bool = at(0, fixed=True)
    table_or_page: bool = at(1, fixed=True)
    page: PageId = at(PAGE_BITS)
    pool = at(POOL_SHIFT, ADDRESS_BITS - POOL_SHIFT, fixed=POOL_BASE >> POOL_SHIFT)


class Leaf(Word[u64]):
    """A descriptor of level 3: a page, and what a guest may do there (D8.3.2)."""

    valid: bool = at(0, fixed=True)
    table_or_page: bool = at(1, fixed=True)
    memory = at(2, 4, fixed=0xF)  # normal, write-back
    readable: bool = at(6)  # S2AP[0]
    writable: bool = at(7)  # S2AP[1]
    shareable = at(8, 2, fixed=INNER_SHAREABLE)
    accessed: bool = at(10, fixed=True)
    page: PageId = at(PAGE_BITS)
    pool = at(POOL_SHIFT, ADDRESS_BITS - POOL_SHIFT, fixed=POOL_BASE >> POOL_SHIFT)
    never_executed: bool = at(54)  # XN
    ordinal: Ordinal = at(55)  # of the mapping, in four bits that the hardware ignores


class UnitLeaf(Word[u64]):
    """A descriptor of level 2: a unit of large memory, and what a guest may do there; never execute (D8.3.2)."""

    valid: bool = at(0, fixed=True)
    table_or_page: bool = at(1, fixed=False)
    memory = at(2, 4, fixed=0xF)  # normal, write-back
    readable: bool = at(6)  # S2AP[0]
    writable: bool = at(7)  # S2AP[1]
    shareable = at(8, 2, fixed=INNER_SHAREABLE)
    accessed: bool = at(10, fixed=True)
    unit: UnitId = at(UNIT_SHIFT)
    units = at(UNITS_SHIFT, ADDRESS_BITS - UNITS_SHIFT, fixed=UNITS_BASE >> UNITS_SHIFT)
    never_executed: bool = at(54, fixed=True)  # XN


class GuestAddress(Word[u64]):
    """An intermediate physical address: the entries that lead to a page, and a word there (D8.2)."""

    word: EntryId = at(3)
    leaf: EntryId = at(PAGE_BITS)
    lower: EntryId = at(21)
    middle: EntryId = at(30)


class Walk(Record):
    """The outcome of a translation; `outside` means that the hardware left the memory that the kernel accounts for."""

    fault: bool
    outside: bool
    large: bool  # it leads to a unit, and to no page
    page: PageId
    unit: UnitId
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


def is_unit(address: u64) -> bool:
    """Does a unit of large memory begin at a physical address?"""
    return UNITS_BASE <= address < UNITS_END and address & ((1 << UNIT_SHIFT) - 1) == 0


def unit_at(address: u64) -> UnitId:
    """The unit of large memory that holds a physical address."""
    return UnitId((address - UNITS_BASE) >> UNIT_SHIFT)


def vttbr(s: Kernel, p: PartitionId) -> u64:
    """VTTBR_EL2 while partition `p` runs: its VMID and the address of its root table."""
    return Vttbr(root=s.partition[p].root, vmid=u16(p))


def vmid(base: u64) -> u64:
    """The VMID in a value of VTTBR_EL2."""
    return Vttbr(base).vmid


def permitted(descriptor: u64) -> Access:
    """The access that a leaf descriptor permits (D8.4.2)."""
    leaf = Leaf(descriptor)
    read = Access.READ if leaf.readable else Access(0)
    write = Access.WRITE if leaf.writable else Access(0)
    execute = Access.EXECUTE if not leaf.never_executed else Access(0)
    return read | write | execute


def stage2_walk(s: Kernel, vtcr: u64, base: u64, ipa: u64, walk: Walk) -> None:
    """Translate `ipa` as the hardware does with VTCR_EL2 = `vtcr` and VTTBR_EL2 = `base` (D8.2)."""
    clear(walk)
    size = 64 - u64(Vtcr(vtcr).t0sz)
    if ipa >> size != 0:
        walk.fault = True
        return
    level = 2 - u64(Vtcr(vtcr).sl0)
    table = base & ADDRESS_MASK
    for step in range(4):
        shift = PAGE_BITS + 9 * (3 - level)
        # the first table covers the whole address width, so it may be several pages in a row
        index = ipa >> shift if step == 0 else (ipa >> shift) & 511
        address = table + 8 * index
        if not in_pool(address):
            walk.outside = True
            return
        descriptor = s.memory[page_at(address)].word[GuestAddress(address).word]
        if not Leaf(descriptor).valid:
            walk.fault = True
            return
        table = descriptor & ADDRESS_MASK
        if level == 3 or not Leaf(descriptor).table_or_page:
            small = level == 3 and Leaf(descriptor).table_or_page and in_pool(table)
            walk.large = level == 2 and not Leaf(descriptor).table_or_page and is_unit(table)
            walk.outside = not small and not walk.large
            walk.fault = not walk.outside and not Leaf(descriptor).accessed  # nothing here sets the flag (D8.5.1)
            if walk.outside or walk.fault:
                return
            if walk.large:
                walk.unit = unit_at(table)
            else:
                walk.page = page_at(table)
            walk.access = permitted(descriptor)
            return
        level += 1
