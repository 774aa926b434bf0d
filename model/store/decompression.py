"""Which bytes is a block made of? Any bytes whatsoever are taken for a block, or refused.

Most sequences are short and far from the ends. For these, pieces of a fixed size are copied, which may have more bytes
than are wanted: what comes next replaces the rest.
"""

from corollary.language.builtins import implies, minimum, saturating_sub
from corollary.language.bytes import fill, move
from corollary.language.contracts import ensures, requires
from corollary.language.loops import decreases, maintains
from corollary.language.types import u8, u64
from corollary.language.values import length
from corollary.spec.store.block import (
    CONTINUED,
    FULL,
    LARGEST,
    LARGEST_BLOCK,
    LAST_LITERALS,
    LAST_MATCH,
    OFFSET,
    SHORTEST,
    BlockFault,
    Decompression,
)

PIECE = 16  # bytes that are copied at once
HALF = 8
SHORT = FULL - 1 + SHORTEST  # bytes of the longest match whose length is not continued
AHEAD = 1 + FULL + OFFSET + 1  # bytes of a sequence without continued lengths, and the token after it
ROOM = FULL - 1 + SHORT + LAST_MATCH  # bytes of the content from such a sequence on
NEAR = 64  # bytes of the longest match that is copied piece by piece
ENDLESS = 1 << 62  # instead of a length that goes on beyond the block


def is_bounded(d: Decompression) -> bool:
    """Are block and content small enough for the format?"""
    return length(d.block) <= LARGEST_BLOCK and length(d.content) <= LARGEST


def is_inside(d: Decompression) -> bool:
    """Are the positions where reading and writing go on inside block and content?"""
    return is_bounded(d) and d.at <= length(d.block) and d.made <= length(d.content)


def is_complete(d: Decompression) -> bool:
    """Was all of the block read, and all of the content made?"""
    return d.at == length(d.block) and d.made == length(d.content)


@ensures(lambda d, result: implies(result == BlockFault.NONE, is_complete(d)))
def decompress(d: Decompression) -> BlockFault:
    """Fill the content. Return what is wrong with the block, if anything.

    Then `at` says where, and `made` how many bytes of the content are right; those behind may have any value.
    """
    d.at = 0
    d.made = 0
    if not is_bounded(d):
        return BlockFault.TOO_LARGE
    if length(d.block) == 0:
        return BlockFault.TRUNCATED
    at: u64 = 0
    made: u64 = 0
    while at < length(d.block):
        maintains(at <= length(d.block) and made <= length(d.content))
        maintains(at < length(d.block) or made == length(d.content))
        decreases(length(d.block) - at)
        token = d.block[at]
        is_short = copy_short(d, at, made)
        if is_short:
            at += OFFSET + 1 + (token >> 4)
            made += SHORTEST + (token >> 4) + (token & FULL)
        else:
            fault = sequence(d, at, made)
            if fault != BlockFault.NONE:
                return fault
            at = d.at
            made = d.made
    d.at = at
    d.made = made
    return BlockFault.NONE


@requires(lambda d, at, made: is_bounded(d) and at < length(d.block) and made <= length(d.content))
@ensures(lambda d, at, result: implies(result, at + AHEAD <= length(d.block)))
@ensures(lambda d, made, result: implies(result, made + ROOM <= length(d.content)))
def copy_short(d: Decompression, at: u64, made: u64) -> bool:
    """Copy what a sequence says, if no length is continued and the ends are far. Return False if it cannot be done."""
    if at + AHEAD > length(d.block) or made + ROOM > length(d.content):
        return False
    token = d.block[at]
    if token >> 4 == FULL or token & FULL == FULL:
        return False
    to = made + (token >> 4)
    offset = offset_at(d, at + 1 + (token >> 4))
    if offset < HALF or offset > to:
        return False
    move(d.content, made, d.block, at + 1, PIECE)
    move(d.content, to, d.content, to - offset, HALF)
    move(d.content, to + HALF, d.content, to + HALF - offset, HALF)
    move(d.content, to + PIECE, d.content, to + PIECE - offset, SHORT - PIECE)
    return True


@requires(lambda d, at: is_bounded(d) and at <= length(d.block) and at + OFFSET <= length(d.block))
def offset_at(d: Decompression, at: u64) -> u64:
    """Return the offset at a position of the block."""
    return u64(d.block[at]) | u64(d.block[at + 1]) << 8


@requires(lambda d, at, made: is_bounded(d) and at < length(d.block) and made <= length(d.content))
@ensures(lambda d, at, result: is_inside(d) and d.at > at)
@ensures(lambda d, result: implies(result == BlockFault.NONE, d.at < length(d.block) or is_complete(d)))
def sequence(d: Decompression, at: u64, made: u64) -> BlockFault:
    """Do what any sequence says. Leave `at` and `made` behind it, or where something is wrong."""
    d.at = at + 1
    d.made = made
    count: u64 = d.block[at] >> 4
    if count == FULL:
        more = continuation(d, at + 1)
        count += more
    first = d.at
    fault = copy_literals(d, first, made, count)
    if fault != BlockFault.NONE:
        return fault
    return match(d, first + count, made + count, d.block[at] & FULL)


@requires(lambda d, at: is_inside(d) and at == d.at)
@ensures(lambda d, at, result: is_inside(d) and d.at >= at and result <= ENDLESS)
def continuation(d: Decompression, at: u64) -> u64:
    """Return the rest of a length, and leave `at` behind it. Return ENDLESS if the block ends before it."""
    total: u64 = 0
    while d.at < length(d.block):
        maintains(is_inside(d) and d.at >= at and total <= (d.at - at) << 8)
        decreases(length(d.block) - d.at)
        part = d.block[d.at]
        d.at += 1
        total += part
        if part != CONTINUED:
            return total
    return ENDLESS


@requires(lambda d, at, made: is_bounded(d) and at <= length(d.block) and made <= length(d.content))
@requires(lambda count: count <= FULL + ENDLESS)
@ensures(lambda d, at, count, result: implies(result == BlockFault.NONE, at + count <= length(d.block)))
@ensures(lambda d, made, count, result: implies(result == BlockFault.NONE, made + count <= length(d.content)))
def copy_literals(d: Decompression, at: u64, made: u64, count: u64) -> BlockFault:
    """Copy literals to the content."""
    if at + count > length(d.block):
        return BlockFault.TRUNCATED
    if made + count > length(d.content):
        return BlockFault.NO_ROOM
    if count <= PIECE and at + PIECE <= length(d.block) and made + PIECE <= length(d.content):
        move(d.content, made, d.block, at, PIECE)
    else:
        move(d.content, made, d.block, at, count)
    return BlockFault.NONE


@requires(lambda d, at, made: is_bounded(d) and at <= length(d.block) and made <= length(d.content))
@requires(lambda low: low <= FULL)
@ensures(lambda d, at: is_inside(d) and d.at >= at)
@ensures(lambda d, result: implies(result == BlockFault.NONE, d.at < length(d.block) or is_complete(d)))
def match(d: Decompression, at: u64, made: u64, low: u8) -> BlockFault:
    """Repeat what a match says, which has an offset at a position and this half of a token; the last one is none."""
    d.at = at
    d.made = made
    if at == length(d.block):
        return BlockFault.NONE if made == length(d.content) else BlockFault.UNFILLED
    if at + OFFSET > length(d.block):
        return BlockFault.TRUNCATED
    offset = offset_at(d, at)
    if offset == 0:
        return BlockFault.ZERO_OFFSET
    if offset > made:
        return BlockFault.BEFORE_START
    d.at = at + OFFSET
    count: u64 = SHORTEST + u64(low)
    if low == FULL:
        more = continuation(d, at + OFFSET)
        count += more
    if d.at == length(d.block):
        return BlockFault.TRUNCATED
    if made + count > length(d.content):
        return BlockFault.NO_ROOM
    if made + LAST_MATCH > length(d.content) or made + count + LAST_LITERALS > length(d.content):
        return BlockFault.LATE_MATCH
    repeat(d, made, offset, count)
    d.made = made + count
    return BlockFault.NONE


@requires(lambda d, made, offset: is_bounded(d) and made <= length(d.content) and offset > 0 and offset <= made)
@requires(lambda d, made, count: count <= LARGEST and made + count <= length(d.content))
def repeat(d: Decompression, made: u64, offset: u64, count: u64) -> None:
    """Write bytes to a position of the content, equal to those that begin at an offset back from it."""
    if offset >= PIECE and count <= NEAR and made + count + PIECE <= length(d.content):
        repeat_pieces(d, made, offset, count)
    elif offset == 1:
        fill(d.content, made, d.content[made - 1], count)
    else:
        repeat_growing(d, made, offset, count)


@requires(lambda d, made, offset: is_bounded(d) and made <= length(d.content) and offset >= PIECE and offset <= made)
@requires(lambda d, made, count: count <= NEAR and made + count + PIECE <= length(d.content))
def repeat_pieces(d: Decompression, made: u64, offset: u64, count: u64) -> None:
    """Do the same with pieces of a fixed size: no piece reaches from its source into what it writes."""
    done: u64 = 0
    while done < count:
        maintains(done < count + PIECE)
        decreases(saturating_sub(count, done))
        move(d.content, made + done, d.content, made + done - offset, PIECE)
        done += PIECE


@requires(lambda d, made, offset: is_bounded(d) and made <= length(d.content) and offset > 0 and offset <= made)
@requires(lambda d, made, count: count <= LARGEST and made + count <= length(d.content))
def repeat_growing(d: Decompression, made: u64, offset: u64, count: u64) -> None:
    """Do the same with growing pieces: each is as long as all that is there from the first source on."""
    done: u64 = 0
    while done < count:
        maintains(done <= count)
        decreases(count - done)
        piece = minimum(offset + done, count - done)
        move(d.content, made + done, d.content, made - offset, piece)
        done += piece
