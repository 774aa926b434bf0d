"""Is whatever is no block refused, with the reason and the place, and by the model in the same way?"""

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corollary.spec.store.block import LARGEST, LARGEST_BLOCK, BlockFault
from tests.store.blocks import contents, decompressed, modelled_decompressed, mutated, reference, reference_block

CUT = {"text": slice(500), "period 3": slice(400), "image": slice(4700, 5300), "noise": slice(40)}
PARTS = [contents()[name][part] for name, part in CUT.items()]
BLOCKS = [(reference_block(content), len(content)) for content in PARTS]
REFUSED = {
    "nothing": (b"", 0, BlockFault.TRUNCATED, 0, 0),
    "no literals": (b"\x30ab", 3, BlockFault.TRUNCATED, 1, 0),
    "half an offset": (b"\x10a\x01", 20, BlockFault.TRUNCATED, 2, 1),
    "no end of a length of literals": (b"\xf0\xff\xff", 2000, BlockFault.TRUNCATED, 3, 0),
    "no end of a length of a match": (b"\x1fa\x01\x00\xff", 2000, BlockFault.TRUNCATED, 5, 1),
    "a match at the end": (b"\x10a\x01\x00", 20, BlockFault.TRUNCATED, 4, 1),
    "an offset of zero": (b"\x10a\x00\x00", 20, BlockFault.ZERO_OFFSET, 2, 1),
    "an offset before the beginning": (b"\x10a\x02\x00", 20, BlockFault.BEFORE_START, 2, 1),
    "too many literals": (b"\x30abc", 2, BlockFault.NO_ROOM, 1, 0),
    "too long a match": (b"\x1fa\x01\x00\x64\x50abcde", 40, BlockFault.NO_ROOM, 5, 1),
    "a match that ends late": (b"\x1fa\x01\x00\x00\x40bcde", 24, BlockFault.LATE_MATCH, 5, 1),
    "a match that begins late": (b"\x10a\x01\x00\x50bcdef", 10, BlockFault.LATE_MATCH, 4, 1),
    "too few literals": (b"\x30abc", 4, BlockFault.UNFILLED, 4, 3),
}


def judged(block, size, modelled=True):
    """Check that model, library and reference agree about a block; return what the library says."""
    found = fault, at, made, content = decompressed(block, size)
    assert not modelled or modelled_decompressed(block, size) == found
    assert at <= len(block) and made <= size
    if fault is BlockFault.NONE:
        assert (at, made) == (len(block), size)
        assert size == 0 or reference(block, size) == content  # it looks at the low half of the last token only then
    elif fault is not BlockFault.ZERO_OFFSET:  # which the reference takes for some bytes or other
        assert reference(block, size) is None
    return found


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_has_its_reason_and_its_place(name):
    block, size, *expected = REFUSED[name]
    assert judged(block, size)[:3] == tuple(expected)


def test_every_reason_is_tried():
    tried = {fault for _, _, fault, _, _ in REFUSED.values()}
    assert tried == {*BlockFault} - {BlockFault.NONE, BlockFault.TOO_LARGE}


def test_what_is_beyond_the_format_is_refused_unread():
    class Long(bytes):
        def __len__(self):
            return LARGEST_BLOCK + 1

    assert modelled_decompressed(Long(), 0)[:3] == (BlockFault.TOO_LARGE, 0, 0)
    assert LARGEST < LARGEST_BLOCK < 1 << 32


@given(st.binary(max_size=80), st.integers(0, 300))
@example(b"\x10a\x01\x00\x50bcdef", 10)
@example(b"\x01", 0)
def test_any_bytes_are_a_block_or_refused(block, size):
    judged(block, size)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_a_block_that_ends_early_is_refused(number):
    block, size = BLOCKS[number]
    for end in range(len(block)):
        assert judged(block[:end], size)[0] is not BlockFault.NONE


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_each_changed_byte_is_refused_or_leaves_a_block(number):
    block, size = BLOCKS[number]
    for at in range(len(block)):
        for value in {*range(256)} - {block[at]}:
            judged(block[:at] + bytes([value]) + block[at + 1 :], size, modelled=value == block[at] ^ 1 << at % 8)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_each_other_size_is_refused(number):
    block, size = BLOCKS[number]
    for other in (*range(min(size, 1000)), size - 1, size + 1, size + 100):
        fault = judged(block, other)[0]
        assert fault is (BlockFault.UNFILLED if other > size else fault) and fault is not BlockFault.NONE


@pytest.mark.parametrize("seed", range(4))
def test_forged_blocks_are_judged_alike(seed):
    chosen = random.Random(seed)
    for _ in range(300):
        block, size = chosen.choice(BLOCKS)
        judged(mutated(block, chosen), size + chosen.choice((0, 0, 0, -1, 1, 20)))
