"""Is what the compressor makes a block for everybody, and is every block of others read? Also from Python."""

import random
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corollary.compression import BlockRefused, compress, decompress, most
from corollary.spec.store.block import LARGEST, LAST_LITERALS, LAST_MATCH, SHORTEST, BlockFault
from tests.store.blocks import (
    compressed,
    contents,
    decompressed,
    modelled_compressed,
    modelled_decompressed,
    reference,
    reference_block,
)

CONTENTS = contents()
SMALL = {name: content[:3000] for name, content in CONTENTS.items()}
LENGTHS = sorted({base + 255 * more + near for base in (15, 19) for more in (0, 1, 2) for near in range(-2, 3)})
"""Lengths of literals and of matches where one more byte continues them."""
PARTS = st.lists(st.tuples(st.binary(min_size=1, max_size=12), st.integers(1, 60)), max_size=12)


def agrees(content):
    """Check that each side reads the block of the other."""
    mine, other = compress(content), reference_block(content)
    assert reference(mine, len(content)) == content
    assert decompress(other, len(content)) == content
    assert decompress(mine, len(content)) == content
    assert len(mine) <= most(len(content))


@pytest.mark.parametrize("name", CONTENTS)
def test_each_side_reads_what_the_other_makes(name):
    agrees(CONTENTS[name])


def test_content_of_each_small_size_is_a_block():
    for size in range(80):
        for content in (bytes(size), b"ab" * (size // 2), random.Random(size).randbytes(size)):
            agrees(content)


@pytest.mark.parametrize("literals", LENGTHS)
def test_lengths_around_each_limit_are_written_and_read(literals):
    start = random.Random(0).randbytes(literals)
    for length in LENGTHS:
        agrees(start + bytes(length) + start)
        agrees(start + (start * 50)[:length] + b"tail of it")


@pytest.mark.parametrize("distance", [65_534, 65_535, 65_536, 65_537])
def test_a_match_reaches_as_far_as_an_offset_does(distance):
    chosen = random.Random(distance)
    start = chosen.randbytes(32)
    agrees(start + bytes(distance - len(start)) + start + chosen.randbytes(20))


@given(PARTS)
def test_any_content_comes_back(parts):
    agrees(b"".join(part * times for part, times in parts))


@pytest.mark.parametrize("name", SMALL)
def test_model_and_library_make_the_same_block(name):
    assert modelled_compressed(SMALL[name]) == compressed(SMALL[name])


@given(PARTS)
def test_model_and_library_do_the_same_with_any_content(parts):
    content = b"".join(part * times for part, times in parts)
    found = compressed(content)
    assert modelled_compressed(content) == found
    assert modelled_decompressed(found[1], len(content)) == decompressed(found[1], len(content))


@pytest.mark.parametrize("name", ["text", "period 1", "period 7", "noise"])
def test_a_block_fits_its_room_or_is_not_made(name):
    content = CONTENTS[name][:120]
    _, block, _ = compressed(content)
    for room in range(len(block) + 20):
        fault, made, _ = compressed(content, room)
        assert (fault, made) == (BlockFault.NONE, block) if room >= len(block) else fault is BlockFault.NO_ROOM
        assert modelled_compressed(content, room)[:2] == (fault, made)


def sequences(block):
    """Yield `(begin of the literals, end of them, length of the match)` of each sequence, in bytes of the content."""
    at = made = 0
    while at < len(block):
        token, at = block[at], at + 1
        literals, at = continued(block, at, token >> 4)
        begin, end, at = made, made + literals, at + literals
        length = 0
        if at < len(block):
            length, at = continued(block, at + 2, token & 15)
            length += SHORTEST
        yield begin, end, length
        made = end + length


def continued(block, at, length):
    """Return a length and the position behind it."""
    more = length == 15
    while more:
        length, more, at = length + block[at], block[at] == 255, at + 1
    return length, at


@pytest.mark.parametrize("name", CONTENTS)
def test_the_end_of_a_block_is_as_the_format_demands(name):
    content = CONTENTS[name]
    *matches, (begin, end, length) = sequences(compress(content))
    assert end == len(content) and length == 0
    if matches:
        assert end - begin >= LAST_LITERALS and matches[-1][1] <= len(content) - LAST_MATCH


# ---- from Python


def test_a_refusal_says_what_is_wrong_and_where():
    with pytest.raises(BlockRefused, match="the offset 0: byte 4 of the block, byte 3 of the content") as refused:
        decompress(b"\x30abc\x00\x00", 20)
    assert (refused.value.fault, refused.value.at, refused.value.made) == (BlockFault.ZERO_OFFSET, 4, 3)


@pytest.mark.parametrize("size", [-1, LARGEST + 1])
def test_a_size_outside_of_the_format_is_refused(size):
    with pytest.raises(ValueError, match=f"whole number from 0 to {LARGEST}"):
        decompress(b"\x00", size)


@pytest.mark.parametrize("wrong", ["text", 5, None])
def test_what_is_no_bytes_is_refused(wrong):
    with pytest.raises(TypeError):
        compress(wrong)
    with pytest.raises(TypeError):
        decompress(wrong, 0)


def test_other_buffers_are_bytes_too():
    content = CONTENTS["text"]
    block = compress(bytearray(content))
    assert block == compress(memoryview(content)) == compress(content)
    assert decompress(memoryview(block), len(content)) == content


def test_threads_and_children_do_not_disturb_each_other():
    names = list(CONTENTS) * 4
    expected = [compress(CONTENTS[name]) for name in names]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda name: compress(CONTENTS[name]), names)) == expected
    with get_context("fork").Pool(2) as pool:
        assert pool.map(compress, map(CONTENTS.get, names)) == expected
