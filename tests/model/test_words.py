"""Do the words for the hardware and for guests have the bits that the manuals say?

The numbers are typed from the Arm ARM (DDI 0487, section given). None comes from a declaration of the specification,
which the kernel and the model of the hardware share: a wrong one would make both wrong in the same way.
"""

import pytest

from corollary.language.word import Word
from corollary.spec.kernel import hardware, packed, regime
from corollary.spec.kernel.memory import leaf_descriptor, table_descriptor
from corollary.spec.kernel.state import Kernel
from corollary.spec.kernel.vocabulary import Access, ObjectKind, Right

R, W, X = Access.READ, Access.WRITE, Access.EXECUTE
PAGE_5, PAGE_1023 = 5 << 2, 1023 << 2  # the first mappings of these pages


@pytest.mark.parametrize(
    ("mapping", "access", "word"),
    [
        (PAGE_5, Access(0), 0x0040_0000_4400_573F),
        (PAGE_5, R, 0x0040_0000_4400_577F),
        (PAGE_5, W, 0x0040_0000_4400_57BF),
        (PAGE_5, R | W, 0x0040_0000_4400_57FF),
        (PAGE_5, R | X, 0x0000_0000_4400_577F),
        (PAGE_5 + 1, R, 0x00C0_0000_4400_577F),
        (PAGE_5 + 2, R, 0x0140_0000_4400_577F),
        (PAGE_1023 + 3, R | X, 0x0180_0000_443F_F77F),
    ],
)
def test_a_leaf_has_the_bits_of_a_stage_2_page_descriptor(mapping, access, word):
    """D8.3.2: type 0b11, MemAttr 0b1111, S2AP at 6, SH at 8, AF at 10, XN at 54, 58 .. 55 ignored."""
    assert leaf_descriptor(mapping, access) == word
    assert hardware.permitted(word) == access


def test_a_link_has_the_bits_of_a_table_descriptor():
    """D8.3.1: type 0b11, and the address of the next table."""
    assert (table_descriptor(9), table_descriptor(1023)) == (0x4400_9003, 0x443F_F003)


def test_the_registers_of_stage_2_have_their_values():
    """D19.2.162 and D19.2.165."""
    s = Kernel()
    s.partition[7].root = 3
    assert hardware.VTCR == 0x8002_3559
    assert hardware.vttbr(s, 7) == 0x0007_0000_4400_3000
    assert hardware.vmid(0xFEDC_0000_4400_3000) == 0xFEDC


def test_a_guest_address_selects_the_entries_of_three_levels():
    """D8.2: bits 38 .. 30, 29 .. 21 and 20 .. 12, and eight bytes for a word."""
    assert hardware.GuestAddress(middle=1, lower=2, leaf=3, word=4) == 0x4040_3020
    assert hardware.GuestAddress(middle=511, lower=0, leaf=0, word=0) == 0x7F_C000_0000


STAGE_1 = {
    regime.Sctlr: {"on": 0x1, "writable_never_executed": 0x8_0000, "big_endian": 0x200_0000},
    regime.Tcr: {"t0sz": 0x3F, "tg0": 0xC000, "ps": 0x7_0000, "tbi": 0x10_0000, "hpd": 0x100_0000},
    regime.Descriptor: {
        "valid": 0x1,
        "table_or_page": 0x2,
        "place": 0x1C,
        "privileged": 0x40,
        "read_only": 0x80,
        "shareability": 0x300,
        "accessed": 0x400,
        "never_executed": 0x0040_0000_0000_0000,
    },
    regime.TableDescriptor: {
        "valid": 0x1,
        "table_or_page": 0x2,
        "never_executed": 0x1000_0000_0000_0000,
        "read_only": 0x4000_0000_0000_0000,
    },
}


@pytest.mark.parametrize("word", STAGE_1, ids=lambda word: word.__name__)
def test_the_words_of_stage_1_have_the_bits_of_the_manual(word):
    """D19.2.120, D19.2.136 and D8.3.1, for HCR_EL2.E2H = 0."""
    assert {name: part.mask for name, part in word.parts.items()} == STAGE_1[word]


def test_what_model_and_kernel_read_at_el2_is_listed_here():
    declared = {each for each in vars(regime).values() if isinstance(each, type) and issubclass(each, Word)}
    assert declared - {Word} == set(STAGE_1)


def test_what_guests_are_told_is_where_the_interface_says():
    """A guest unpacks these words with its own shifts, so their layout is a promise."""
    assert packed.HandleParts(slot=5, generation=3) == 0xC5
    assert packed.ObjectName(object=7, incarnation=9) == 0x9_0000_0007
    named = packed.Inspected(object=7, rights=Right.READ | Right.PROVE, kind=ObjectKind.EDGE, depth=2)
    assert named == 0x7_0021_0302
    assert packed.Descent(lineage=4, incarnation=6) == 0x4_0000_0006
    assert packed.Halves(low=1, high=2) == 0x2_0000_0001
