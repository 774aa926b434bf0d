"""Does the model of the stage-1 walk at EL2 agree with the processor? AT S1E2R and AT S1E2W query the tables."""

import random
import struct

import pytest

from corollary.emulation.probe import Reacher
from corollary.language.values import local
from corollary.proofs.machine.obligations import built
from corollary.proofs.machine.translation import regime
from corollary.spec.kernel.memory_map import PAGE, REGIONS, KiB
from corollary.spec.kernel.regime import Mapped, stage1_walk

SAMPLES, FLIPS = 3000, 60  # addresses; descriptors with each of their bits changed
FAULT, ADDRESS = 1, 0x0000_FFFF_FFFF_F000  # of PAR_EL1
ABORT, PERMISSION = 0x21, 0b001100  # exception class of an instruction abort at EL2, and its status without the level
OWN = (0x4017_0000, 0x4017_0000 + 4 * KiB)  # where the probe itself lies


@pytest.fixture(scope="module")
def reacher():
    with Reacher() as opened:
        yield opened


@pytest.fixture
def found():
    return regime(built())


def mapped(found, address):
    """Return the model's answer."""
    said = local(Mapped)
    stage1_walk(found, address, said)
    return said


def agree(said, reading, writing):
    """Do two answers agree with the model? An answer is a physical page, attributes and shareability, or a fault."""
    if said.fault:
        return bool(reading & FAULT and writing & FAULT)
    leads = said.output & ADDRESS | said.attributes << 56 | said.shareability << 7
    kept = ADDRESS | 0xFF << 56 | 3 << 7
    if said.attributes < 1 << 4:  # a device, whose shareability does not matter
        kept &= ~(3 << 7)
        leads &= kept
    if reading & FAULT or reading & kept != leads:
        return False
    return writing & kept == leads and not writing & FAULT if said.write else bool(writing & FAULT)


def sampled(source):
    """Return addresses in and around regions, and anywhere else."""
    edges = [edge + off for region in REGIONS for edge in (region.start, region.end) for off in (-PAGE, -8, 0, 8, PAGE)]
    inside = [source.choice(REGIONS) for _ in range(SAMPLES)]
    return [
        *edges,
        *(source.randrange(region.start, region.end) & ~7 for region in inside),
        *(source.getrandbits(source.randrange(20, 64)) & ~7 for _ in range(SAMPLES)),
    ]


def test_the_kernels_own_tables_lead_where_the_model_says(reacher, found, capsys):
    addresses = sampled(random.Random(7))
    answers = reacher.reach(found, [(address, False) for address in addresses])
    wrong = [
        hex(address)
        for address, (reading, writing, _) in zip(addresses, answers)
        if not agree(mapped(found, address), reading, writing)
    ]
    faults = sum(mapped(found, address).fault for address in addresses)
    assert wrong == [] and faults > SAMPLES // 2 and len(addresses) - faults > SAMPLES // 2
    with capsys.disabled():
        print(f"\n{len(addresses)} addresses, {faults} of them faults, 0 differences")


def free(kind):
    """Return an address in the last page of each region of a kind, where nothing of the kernel lies."""
    return [region.end - PAGE // 2 for region in REGIONS if region.kind == kind]


@pytest.mark.parametrize("kind", ["code", "constant", "data"])
def test_only_code_can_be_executed(reacher, found, kind):
    places = free(kind)
    for address in places:
        reacher.write(address, reacher.RETURN)
    for address, (_, _, syndrome) in zip(places, reacher.reach(found, [(address, True) for address in places])):
        assert mapped(found, address).execute == (syndrome == 0) == (kind == "code"), hex(address)
        assert syndrome == 0 or (syndrome >> 26, syndrome & 0b111100) == (ABORT, PERMISSION)


def test_what_is_writable_is_not_executed_whatever_its_descriptor_says(reacher, found):
    address = free("data")[0]
    number = next(number for number, first in leaves(found, found.ttbr) if first == address & -(2 << 20))
    found.word[number] ^= 1 << 54
    put(reacher, found, number)
    reacher.write(address, reacher.RETURN)
    ((_, _, syndrome),) = reacher.reach(found, [(address, True)])
    assert syndrome >> 26 == ABORT and not mapped(found, address).execute
    found.sctlr &= ~(1 << 19)  # WXN
    ((_, _, syndrome),) = reacher.reach(found, [(address, True)])
    assert syndrome == 0 and mapped(found, address).execute
    found.word[number] ^= 1 << 54
    put(reacher, found, number)


def put(reacher, found, number):
    """Write a word of the tables to memory."""
    reacher.write(found.base + 8 * number, struct.pack("<Q", found.word[number]))


def leaves(found, table, level=1, first=0):
    """Return every descriptor in use with the first address that it translates, except those that the probe needs."""
    for entry in range(512):
        number, address = (table - found.base) // 8 + entry, first + (entry << 12 + 9 * (3 - level))
        descriptor = found.word[number]
        if descriptor & 1 and (level == 3 or not descriptor & 2):
            if not OWN[0] <= address < OWN[1]:
                yield number, address
        elif descriptor & 1:
            yield from leaves(found, descriptor & ADDRESS, level + 1, address)


def test_a_descriptor_with_another_bit_does_what_the_model_says_of_it(reacher, found, capsys):
    source, seen, unspecified = random.Random(11), 0, 0
    for number, address in source.sample(list(leaves(found, found.ttbr)), FLIPS):
        for bit in range(64):
            found.word[number] ^= 1 << bit
            said = mapped(found, address)
            put(reacher, found, number)
            ((reading, writing, _),) = reacher.reach(found, [(address, False)]) if not said.unspecified else [(0, 0, 0)]
            assert said.unspecified or agree(said, reading, writing), f"bit {bit} for {address:#x}: {reading:#x}"
            seen, unspecified = seen + 1, unspecified + said.unspecified
            found.word[number] ^= 1 << bit
        put(reacher, found, number)
    assert 0 < unspecified < seen
    with capsys.disabled():
        print(f"\n{seen} changed descriptors, {seen - unspecified} of them asked of the processor, 0 differences")
