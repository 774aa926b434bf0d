"""Would it be noticed if the kernel could reach more, or less, or otherwise, than the memory map says?"""

from dataclasses import replace

import pytest

from corollary.codegen import image, platform
from corollary.proofs.machine import translation
from corollary.proofs.machine.image import Image
from corollary.proofs.machine.obligations import built, decide_translation
from corollary.proofs.machine.translation import SIZE, Mistranslated, cells, check, regime, shift_of
from corollary.spec.kernel import memory_map
from corollary.spec.kernel.memory_map import PAGE, REGIONS, USES
from corollary.spec.kernel.regime import WALKED, Descriptor

ENTRIES, BITS = 512, 64
ADDRESS = 0x0000_FFFF_FFFF_F000


@pytest.fixture
def found():
    return regime(built())


def descriptors(found, table, level=1, first=0):
    """Return every descriptor below a table: the place of its word, its level, the first address that it translates."""
    for entry in range(ENTRIES):
        number, address = (table - found.base) // 8 + entry, first + (entry << shift_of(level))
        yield number, level, address
        descriptor = Descriptor(found.word[number])
        if level < 3 and descriptor.valid and descriptor.table_or_page:
            yield from descriptors(found, descriptor & ADDRESS, level + 1, address)


def is_refuted(found, level, address):
    """Is something wrong with the addresses that a descriptor translates?"""
    try:
        check(found, REGIONS, address, address + (1 << shift_of(level)))
    except Mistranslated:
        return True
    return False


def test_the_kernel_reaches_its_regions_and_nothing_else(found, capsys):
    pages = sum(region.size for region in REGIONS)
    reached = [cell for cell in cells(found) if not cell.mapped.fault]
    assert check(found) == len(reached) and sum(cell.size for cell in reached) == pages
    assert sum(cell.size for cell in cells(found)) == SIZE
    row = decide_translation("machine-code")
    assert (row.result, row.reason) == ("proved", "")
    with capsys.disabled():
        print(f"\n{len(list(cells(found)))} cells, {len(reached)} of them mapped, {pages:#x} bytes")


def test_every_bit_of_every_descriptor_in_use_counts(found, capsys):
    used = [each for each in descriptors(found, found.ttbr) if Descriptor(found.word[each[0]]).valid]
    survivors = []
    for number, level, address in used:
        for bit in range(BITS):
            found.word[number] ^= 1 << bit
            if not is_refuted(found, level, address):
                survivors.append((hex(address), bit))
            found.word[number] ^= 1 << bit
    assert survivors == []
    with capsys.disabled():
        print(f"\n{len(used)} descriptors, {len(used) * BITS} changed bits, all refuted")


def test_no_free_descriptor_may_map_anything(found, capsys):
    free = [each for each in descriptors(found, found.ttbr) if not Descriptor(found.word[each[0]]).valid]
    for number, level, address in free:
        here = [address | memory_map.leaf(use, level) for use in USES.values()]
        for made in (*here, memory_map.RAM | memory_map.leaf(USES["data"], level)):
            found.word[number] = made
            assert is_refuted(found, level, address), f"{made:#x} for {address:#x}"
        found.word[number] = 0
    with capsys.disabled():
        print(f"\n{len(free)} free descriptors, {len(USES) + 1} ways to use each, all refuted")


@pytest.mark.parametrize("register", translation.REGISTERS)
def test_registers_that_would_translate_otherwise_are_refuted(found, register):
    known = {"sctlr": (0, 25), "tcr": (0, 3, 5, 14, 15, 20, 24), "mair": (*range(8), *range(8, 16))}[register]
    for bit in known:
        changed = regime(built())
        setattr(changed, register, getattr(changed, register) ^ 1 << bit)
        with pytest.raises(Mistranslated):
            check(changed)


def test_without_wxn_nothing_writable_is_executable_either(found):
    found.sctlr &= ~(1 << 19)
    assert check(found) > 0


@pytest.mark.parametrize("region", REGIONS, ids=lambda region: region.name)
@pytest.mark.parametrize("change", ["larger", "smaller", "another kind", "gone"])
def test_another_memory_map_is_not_that_of_the_tables(found, region, change):
    kinds = sorted(USES)
    other = {
        "larger": replace(region, size=region.size + PAGE),
        "smaller": replace(region, size=region.size - PAGE),
        "gone": replace(region, size=0),
        "another kind": replace(region, kind=kinds[kinds.index(region.kind) - 1]),
    }[change]
    with pytest.raises(Mistranslated):
        check(found, [other if known is region else known for known in REGIONS])


def test_tables_outside_of_the_image_are_refuted(found):
    found.ttbr = found.base + 8 * WALKED
    with pytest.raises(Mistranslated, match="means nothing"):
        check(found)


def test_that_cells_are_alike_is_not_said_of_anything_larger(monkeypatch):
    monkeypatch.setattr(translation, "PAGE_BITS", translation.PAGE_BITS + 1)
    with pytest.raises(Mistranslated, match="the addresses of a cell are alike: refuted"):
        translation.uniform.__wrapped__()


def test_the_harness_reaches_the_same_and_itself():
    check(regime(Image(image.harness_image(image.kernel_image()))), platform.HARNESS_REGIONS)
