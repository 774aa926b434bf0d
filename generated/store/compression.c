/* Generated from model/store/compression.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 37593c4cebf173c2 */

#include "compression.h"
#include "builtins.h"

#define PIECE 16                        /* bytes that are copied at once */
#define WORD 8                          /* bytes that are compared at once */
#define UNHASHED 24                     /* high bits of a word that do not count: the hash is that of five bytes */
#define HASH_FACTOR 889523592379ull     /* a prime, as in the reference implementation */
#define HASH_SHIFT 52                   /* leaves a number below that of buckets */
#define PATIENCE 6                      /* after 1 << 6 misses in a row, steps are one longer */

/* Which block do bytes become? A match repeats the last place where its first bytes were seen.

   A table keeps where a word with some hash began last. Where nothing is found for a while, some positions are
   skipped. */

/* Are content and block small enough for the format? */
bool compression_is_bounded(const struct compression *c)
{
    return c->content.length <= LARGEST && c->block.length <= LARGEST_BLOCK;
}

/* Make the block. Return why it cannot be made, if so; else `made` is its size.

   Ensures: c.made <= length(c.block). */
block_fault_t compression_compress(struct compression *c)
{
    c->made = 0;
    if (!compression_is_bounded(c)) {
        return BLOCK_FAULT_TOO_LARGE;
    }
    clear_halves(c->latest, 4096);
    uint64_t first = 0;
    uint64_t made = 0;
    uint64_t misses = 0;
    uint64_t at = 1;
    while (at + LAST_MATCH <= c->content.length) {
        uint64_t here = compression_word(c, at);
        bucket_t bucket = compression_bucket_of(here);
        uint64_t from_ = c->latest[bucket];
        c->latest[bucket] = at;
        if (from_ < at && at - from_ <= FARTHEST && (uint32_t)compression_word(c, from_) == (uint32_t)here) {
            uint64_t before = compression_equal_before(c, from_, at, first);
            uint64_t after = compression_equal_after(c, from_ + SHORTEST, at + SHORTEST);
            made = compression_put_sequence(c, made, first, at - before - first, at - from_, before + after);
            if (made == 0) {
                return BLOCK_FAULT_NO_ROOM;
            }
            at += SHORTEST + after;
            first = at;
            misses = 0;
            compression_remember(c, at - 2);
        } else {
            misses++;
            at += 1 + (misses >> PATIENCE);
        }
    }
    return compression_put_rest(c, made, first);
}

/* Return eight bytes of the content, the first one lowest. Compilers make one load of it. */
uint64_t compression_word(const struct compression *c, uint64_t at)
{
    REQUIRES(compression_is_bounded(c) && at <= LARGEST && at + WORD <= c->content.length);
    uint64_t low = (uint64_t)c->content.at[at] | ((uint64_t)c->content.at[at + 1] << 8) |
                   ((uint64_t)c->content.at[at + 2] << 16) | ((uint64_t)c->content.at[at + 3] << 24);
    uint64_t high = ((uint64_t)c->content.at[at + 4] << 32) | ((uint64_t)c->content.at[at + 5] << 40) |
                    ((uint64_t)c->content.at[at + 6] << 48) | ((uint64_t)c->content.at[at + 7] << 56);
    return low | high;
}

/* Return the place of a word in the table. */
bucket_t compression_bucket_of(uint64_t word_)
{
    return (shift_left_64(word_, UNHASHED) * HASH_FACTOR) >> HASH_SHIFT;
}

/* Enter a position into the table, if a word begins there. */
void compression_remember(struct compression *c, uint64_t at)
{
    REQUIRES(compression_is_bounded(c) && at <= LARGEST);
    if (at + WORD <= c->content.length) {
        c->latest[compression_bucket_of(compression_word(c, at))] = at;
    }
}

/* Return how many bytes before two positions are equal, from `first` on.

   Ensures: result <= at - first. */
uint64_t compression_equal_before(const struct compression *c, uint64_t from_, uint64_t at, uint64_t first)
{
    REQUIRES(compression_is_bounded(c) && first <= at && from_ < at && at <= c->content.length);
    uint64_t count = 0;
    while (at - count > first && from_ > count && c->content.at[at - count - 1] == c->content.at[from_ - count - 1]) {
        count++;
    }
    return count;
}

/* Return how many bytes from two positions on are equal, up to the last literals.

   Ensures: result <= LARGEST and at + result + LAST_LITERALS <= length(c.content). */
uint64_t compression_equal_after(const struct compression *c, uint64_t from_, uint64_t at)
{
    REQUIRES(from_ < at && at <= LARGEST);
    REQUIRES(compression_is_bounded(c) && at + LAST_LITERALS <= c->content.length);
    uint64_t end = c->content.length - LAST_LITERALS;
    uint64_t count = 0;
    while (at + count + WORD <= end) {
        uint64_t difference = compression_word(c, from_ + count) ^ compression_word(c, at + count);
        if (difference != 0) {
            return count + trailing_zeros_64(difference) / 8;
        }
        count += WORD;
    }
    while (at + count < end && c->content.at[from_ + count] == c->content.at[at + count]) {
        count++;
    }
    return count;
}

/* Return the number of bytes that continue a length.

   Ensures: result <= count.

   Ensures: result == (0 if count < FULL else (count - FULL) // CONTINUED + 1). */
uint64_t compression_continued(uint64_t count)
{
    return count < FULL ? 0 : (count - FULL) / CONTINUED + 1;
}

/* Write a sequence: literals from `first` on, and a match. Return the size of the block; 0 if it does not fit.

   Ensures: result <= length(c.block). */
uint64_t compression_put_sequence(struct compression *c, uint64_t made, uint64_t first, uint64_t count,
                                  uint64_t offset, uint64_t beyond)
{
    REQUIRES(compression_is_bounded(c) && made <= c->block.length);
    REQUIRES(count <= LARGEST && first <= LARGEST && first + count <= c->content.length);
    REQUIRES(beyond <= LARGEST);
    if (made + 3 + count + compression_continued(count) + compression_continued(beyond) > c->block.length) {
        return 0;
    }
    c->block.at[made] = (minimum(count, FULL) << 4) | minimum(beyond, FULL);
    uint64_t at = compression_put_length(c, made + 1, count);
    compression_put_literals(c, at, first, count);
    at += count;
    c->block.at[at] = (uint8_t)offset;
    c->block.at[at + 1] = (uint8_t)(offset >> 8);
    return compression_put_length(c, at + 2, beyond);
}

/* Write what a length has beyond its half of the token. Return the position behind it.

   Ensures: result == at + continued(count). */
uint64_t compression_put_length(struct compression *c, uint64_t at, uint64_t count)
{
    REQUIRES(compression_is_bounded(c) && count <= LARGEST && at <= LARGEST_BLOCK);
    REQUIRES(at + compression_continued(count) <= c->block.length);
    if (count < FULL) {
        return at;
    }
    uint64_t full = (count - FULL) / CONTINUED;
    __builtin_memset(c->block.at + at, CONTINUED, full);
    c->block.at[at + full] = (uint8_t)((count - FULL) % CONTINUED);
    return at + full + 1;
}

/* Copy literals of the content to a position of the block. */
void compression_put_literals(struct compression *c, uint64_t at, uint64_t first, uint64_t count)
{
    REQUIRES(compression_is_bounded(c) && at <= LARGEST_BLOCK && count <= LARGEST);
    REQUIRES(at + count <= c->block.length);
    REQUIRES(first <= LARGEST && first + count <= c->content.length);
    if (count <= PIECE && at + PIECE <= c->block.length && first + PIECE <= c->content.length) {
        __builtin_memmove(c->block.at + at, c->content.at + first, PIECE);
    } else {
        __builtin_memmove(c->block.at + at, c->content.at + first, count);
    }
}

/* Write the last sequence, which has literals only.

   Ensures: c.made <= length(c.block). */
block_fault_t compression_put_rest(struct compression *c, uint64_t made, uint64_t first)
{
    REQUIRES(compression_is_bounded(c) && made <= c->block.length && first <= c->content.length);
    c->made = made;
    uint64_t count = c->content.length - first;
    if (made + 1 + count + compression_continued(count) > c->block.length) {
        return BLOCK_FAULT_NO_ROOM;
    }
    c->block.at[made] = minimum(count, FULL) << 4;
    uint64_t at = compression_put_length(c, made + 1, count);
    compression_put_literals(c, at, first, count);
    c->made = at + count;
    return BLOCK_FAULT_NONE;
}
