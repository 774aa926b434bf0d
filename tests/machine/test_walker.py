"""Does the model of the stage-2 walk agree with the processor? AT S12E1R and AT S12E1W query random tables."""

import random
import re
import struct

import pytest

from corollary.codegen.folders import GENERATED
from corollary.emulation.probe import Walker
from corollary.language.layout import encode
from corollary.language.values import local
from corollary.spec.kernel.hardware import POOL_BASE, UNITS_BASE, VTCR, Walk, page_address, stage2_walk
from corollary.spec.kernel.limits import PAGE_BITS, PAGES, UNIT_SHIFT, UNITS
from corollary.spec.kernel.state import Frame, Kernel
from corollary.spec.kernel.vocabulary import Access

ADDRESSES, PER_TABLE = 10_000, 400
ENTRIES = (0, 1, 2, 3, 255, 511)
UNIT_TABLE, TABLES = 6, 7
VALID, READABLE, WRITABLE, ACCESSED = 1 << 0, 1 << 6, 1 << 7, 1 << 10
LINK, LEAF = 0b11, 0b11 | 0xF << 2 | 3 << 8 | ACCESSED
LARGE = LEAF ^ 1 << 1  # a leaf of level 2
FAULT, PAGE = 1, 0x0000_FFFF_FFFF_F000  # of PAR_EL1


def hcr():
    """Return HCR_EL2 while a partition runs."""
    return int(
        re.search(r"#define HCR_EL2_BOOT\s+U\((\w+)\)", (GENERATED / "platform" / "constants.h").read_text())[1], 16
    )


def random_leaf(source, base, shift, numbers, fixed):
    """Return a descriptor of memory, mostly accessed, with any access."""
    access = source.choice((0, READABLE, WRITABLE, READABLE | WRITABLE)) | source.getrandbits(5) << 54
    accessed = ACCESSED if source.random() < 0.9 else 0
    return base + (source.choice(numbers) << shift) | fixed & ~ACCESSED | accessed | access


def random_tables(source):
    """Return a state with a level-1, two level-2 and three level-3 tables, and a level-2 table of units.

    They are filled as a kernel might fill them, with a few entries that it would not write.
    """
    s = Kernel()
    for table, children in ((0, (1, 2, UNIT_TABLE)), (1, (3, 4)), (2, (4, 5))):
        for entry in ENTRIES:
            if source.random() < 0.8:
                s.memory[table].word[entry] = page_address(source.choice(children)) | LINK
            elif source.random() < 0.3:
                s.memory[table].word[entry] = source.getrandbits(64) & ~VALID
    for table in (3, 4, 5):
        for entry in ENTRIES:
            if source.random() < 0.85:
                s.memory[table].word[entry] = random_leaf(source, POOL_BASE, PAGE_BITS, range(TABLES, PAGES), LEAF)
    for entry in ENTRIES:
        if source.random() < 0.85:
            s.memory[UNIT_TABLE].word[entry] = random_leaf(source, UNITS_BASE, UNIT_SHIFT, range(UNITS), LARGE)
    return s


def random_address(source):
    """Return an address that mostly meets filled entries, and is sometimes too wide."""
    address = sum(source.choice(ENTRIES) << shift for shift in (12, 21, 30)) | source.getrandbits(12)
    return address | (1 << source.randrange(39, 48)) if source.random() < 0.05 else address


@pytest.fixture(scope="module")
def walker():
    with Walker() as opened:
        yield opened


def asked(walker, s, addresses):
    """Return the processor's answer for a state's tables, with page 0 as root."""
    for page in range(TABLES):
        walker.write(POOL_BASE + (page << 12), encode(s.memory[page], Frame))
    return walker.walk(page_address(0) | 7 << 48, VTCR, hcr(), addresses)


def expected(s, address, wanted):
    """Return the model's answer for an access: the physical page, maybe one of a unit, or None for a fault."""
    walk = local(Walk)
    stage2_walk(s, VTCR, page_address(0) | 7 << 48, address, walk)
    assert not walk.outside
    within = address & (1 << UNIT_SHIFT) - 1 & PAGE
    reached = UNITS_BASE + (walk.unit << UNIT_SHIFT) + within if walk.large else page_address(walk.page)
    return None if walk.fault or walk.access & wanted == 0 else reached


def answered(par):
    """Return the physical page of PAR_EL1, or None for a fault."""
    return None if par & FAULT else par & PAGE


def test_the_walk_of_the_model_is_that_of_the_processor(walker):
    source, seen, large = random.Random(5), {True: 0, False: 0}, 0
    for _ in range(ADDRESSES // PER_TABLE):
        s = random_tables(source)
        addresses = [random_address(source) for _ in range(PER_TABLE)]
        for address, (reading, writing) in zip(addresses, asked(walker, s, addresses)):
            for par, wanted in ((reading, Access.READ), (writing, Access.WRITE)):
                assert answered(par) == expected(s, address, wanted), (
                    f"{address:#x} for {wanted!r}: PAR_EL1 is {par:#x}"
                )
                seen[answered(par) is None] += 1
                large += (answered(par) or 0) >= UNITS_BASE
    assert min(seen.values()) > ADDRESSES // 10 and large > ADDRESSES // 10
    print(f"\n{sum(seen.values())} accesses, {seen[False]} of them allowed, {large} of those large, 0 differences")


@pytest.mark.parametrize("bit", [VALID, ACCESSED, READABLE, 1 << 12, 1 << 20])
def test_a_changed_descriptor_is_noticed(walker, bit):
    s = random_tables(random.Random(5))
    s.memory[0].word[0], s.memory[1].word[0] = page_address(1) | LINK, page_address(3) | LINK
    s.memory[3].word[0] = page_address(9) | LEAF | READABLE
    assert answered(asked(walker, s, [0])[0][0]) == expected(s, 0, Access.READ) == page_address(9)
    walker.write(POOL_BASE + (3 << 12), struct.pack("<Q", s.memory[3].word[0] ^ bit))
    par, _ = walker.walk(page_address(0) | 7 << 48, VTCR, hcr(), [0])[0]
    assert answered(par) != expected(s, 0, Access.READ)
