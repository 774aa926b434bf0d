"""Which block do bytes become? A match repeats the last place where its first bytes were seen.

A table keeps where a word with some hash began last. Where nothing is found for a while, some positions are skipped.
"""

from corollary.language.builtins import minimum, saturating_sub, shift_left, trailing_zeros, wrapping_mul
from corollary.language.bytes import fill, move
from corollary.language.contracts import ensures, requires
from corollary.language.loops import decreases, maintains
from corollary.language.types import u8, u32, u64
from corollary.language.values import clear, length
from corollary.spec.store.block import (
    CONTINUED,
    FARTHEST,
    FULL,
    LARGEST,
    LARGEST_BLOCK,
    LAST_LITERALS,
    LAST_MATCH,
    SHORTEST,
    BlockFault,
    Bucket,
    Compression,
)

PIECE = 16  # bytes that are copied at once
WORD = 8  # bytes that are compared at once
UNHASHED = 24  # high bits of a word that do not count: the hash is that of five bytes
HASH_FACTOR = 889523592379  # a prime, as in the reference implementation
HASH_SHIFT = 52  # leaves a number below that of buckets
PATIENCE = 6  # after 1 << 6 misses in a row, steps are one longer


def is_bounded(c: Compression) -> bool:
    """Are content and block small enough for the format?"""
    return length(c.content) <= LARGEST and length(c.block) <= LARGEST_BLOCK


@ensures(lambda c: c.made <= length(c.block))
def compress(c: Compression) -> BlockFault:
    """Make the block. Return why it cannot be made, if so; else `made` is its size."""
    c.made = 0
    if not is_bounded(c):
        return BlockFault.TOO_LARGE
    clear(c.latest)
    first: u64 = 0
    made: u64 = 0
    misses: u64 = 0
    at: u64 = 1
    while at + LAST_MATCH <= length(c.content):
        maintains(at <= 2 * LARGEST and first <= at and misses <= at and first <= length(c.content))
        maintains(made <= length(c.block))
        decreases(saturating_sub(length(c.content), at))
        here = word(c, at)
        bucket = bucket_of(here)
        from_ = u64(c.latest[bucket])
        c.latest[bucket] = u32(at)
        if from_ < at and at - from_ <= FARTHEST and u32.truncate(word(c, from_)) == u32.truncate(here):
            before = equal_before(c, from_, at, first)
            after = equal_after(c, from_ + SHORTEST, at + SHORTEST)
            made = put_sequence(c, made, first, at - before - first, at - from_, before + after)
            if made == 0:
                return BlockFault.NO_ROOM
            at += SHORTEST + after
            first = at
            misses = 0
            remember(c, at - 2)
        else:
            misses += 1
            at += 1 + (misses >> PATIENCE)
    return put_rest(c, made, first)


@requires(lambda c, at: is_bounded(c) and at <= LARGEST and at + WORD <= length(c.content))
def word(c: Compression, at: u64) -> u64:
    """Return eight bytes of the content, the first one lowest. Compilers make one load of it."""
    low = u64(c.content[at]) | u64(c.content[at + 1]) << 8 | u64(c.content[at + 2]) << 16 | u64(c.content[at + 3]) << 24
    high = (
        u64(c.content[at + 4]) << 32
        | u64(c.content[at + 5]) << 40
        | u64(c.content[at + 6]) << 48
        | u64(c.content[at + 7]) << 56
    )
    return low | high


def bucket_of(word_: u64) -> Bucket:
    """Return the place of a word in the table."""
    return Bucket(wrapping_mul(u64, shift_left(u64, word_, UNHASHED), HASH_FACTOR) >> HASH_SHIFT)


@requires(lambda c, at: is_bounded(c) and at <= LARGEST)
def remember(c: Compression, at: u64) -> None:
    """Enter a position into the table, if a word begins there."""
    if at + WORD <= length(c.content):
        c.latest[bucket_of(word(c, at))] = u32(at)


@requires(lambda c, from_, at, first: is_bounded(c) and first <= at and from_ < at and at <= length(c.content))
@ensures(lambda at, first, result: result <= at - first)
def equal_before(c: Compression, from_: u64, at: u64, first: u64) -> u64:
    """Return how many bytes before two positions are equal, from `first` on."""
    count: u64 = 0
    while at - count > first and from_ > count and c.content[at - count - 1] == c.content[from_ - count - 1]:
        maintains(count <= at - first and count <= from_)
        decreases(at - count)
        count += 1
    return count


@requires(lambda from_, at: from_ < at and at <= LARGEST)
@requires(lambda c, at: is_bounded(c) and at + LAST_LITERALS <= length(c.content))
@ensures(lambda c, at, result: result <= LARGEST and at + result + LAST_LITERALS <= length(c.content))
def equal_after(c: Compression, from_: u64, at: u64) -> u64:
    """Return how many bytes from two positions on are equal, up to the last literals."""
    end = length(c.content) - LAST_LITERALS
    count: u64 = 0
    while at + count + WORD <= end:
        maintains(count <= LARGEST and at + count <= end)
        decreases(end - count)
        difference = word(c, from_ + count) ^ word(c, at + count)
        if difference != 0:
            return count + trailing_zeros(u64, difference) // 8
        count += WORD
    while at + count < end and c.content[from_ + count] == c.content[at + count]:
        maintains(count <= LARGEST and at + count <= end)
        decreases(end - count)
        count += 1
    return count


@ensures(lambda count, result: result <= count)
@ensures(lambda count, result: result == (0 if count < FULL else (count - FULL) // CONTINUED + 1))
def continued(count: u64) -> u64:
    """Return the number of bytes that continue a length."""
    return 0 if count < FULL else (count - FULL) // CONTINUED + 1


@requires(lambda c, made: is_bounded(c) and made <= length(c.block))
@requires(lambda c, first, count: count <= LARGEST and first <= LARGEST and first + count <= length(c.content))
@requires(lambda beyond: beyond <= LARGEST)
@ensures(lambda c, result: result <= length(c.block))
def put_sequence(c: Compression, made: u64, first: u64, count: u64, offset: u64, beyond: u64) -> u64:
    """Write a sequence: literals from `first` on, and a match. Return the size of the block; 0 if it does not fit."""
    if made + 3 + count + continued(count) + continued(beyond) > length(c.block):
        return 0
    c.block[made] = u8(minimum(count, FULL) << 4 | minimum(beyond, FULL))
    at = put_length(c, made + 1, count)
    put_literals(c, at, first, count)
    at += count
    c.block[at] = u8.truncate(offset)
    c.block[at + 1] = u8.truncate(offset >> 8)
    return put_length(c, at + 2, beyond)


@requires(lambda c, at, count: is_bounded(c) and count <= LARGEST and at <= LARGEST_BLOCK)
@requires(lambda c, at, count: at + continued(count) <= length(c.block))
@ensures(lambda at, count, result: result == at + continued(count))
def put_length(c: Compression, at: u64, count: u64) -> u64:
    """Write what a length has beyond its half of the token. Return the position behind it."""
    if count < FULL:
        return at
    full = (count - FULL) // CONTINUED
    fill(c.block, at, CONTINUED, full)
    c.block[at + full] = u8.truncate((count - FULL) % CONTINUED)
    return at + full + 1


@requires(lambda c, at, count: is_bounded(c) and at <= LARGEST_BLOCK and count <= LARGEST)
@requires(lambda c, at, count: at + count <= length(c.block))
@requires(lambda c, first, count: first <= LARGEST and first + count <= length(c.content))
def put_literals(c: Compression, at: u64, first: u64, count: u64) -> None:
    """Copy literals of the content to a position of the block."""
    if count <= PIECE and at + PIECE <= length(c.block) and first + PIECE <= length(c.content):
        move(c.block, at, c.content, first, PIECE)
    else:
        move(c.block, at, c.content, first, count)


@requires(lambda c, made, first: is_bounded(c) and made <= length(c.block) and first <= length(c.content))
@ensures(lambda c: c.made <= length(c.block))
def put_rest(c: Compression, made: u64, first: u64) -> BlockFault:
    """Write the last sequence, which has literals only."""
    c.made = made
    count = length(c.content) - first
    if made + 1 + count + continued(count) > length(c.block):
        return BlockFault.NO_ROOM
    c.block[made] = u8(minimum(count, FULL) << 4)
    at = put_length(c, made + 1, count)
    put_literals(c, at, first, count)
    c.made = at + count
    return BlockFault.NONE
