/* Generated from model/store/decompression.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 f15396fba7b284fb */

#include "decompression.h"
#include "builtins.h"

#define PIECE 16                        /* bytes that are copied at once */
#define HALF 8
#define AHEAD 19                        /* bytes of a sequence without continued lengths, and the token after it */
#define ROOM 44                         /* bytes of the content from such a sequence on */
#define NEAR 64                         /* bytes of the longest match that is copied piece by piece */
#define ENDLESS 0x4000000000000000ull   /* instead of a length that goes on beyond the block */

/* Which bytes is a block made of? Any bytes whatsoever are taken for a block, or refused.

   Most sequences are short and far from the ends. For these, pieces of a fixed size are copied, which may have more
   bytes than are wanted: what comes next replaces the rest. */

/* Are block and content small enough for the format? */
bool decompression_is_bounded(const struct decompression *d)
{
    return d->block.length <= LARGEST_BLOCK && d->content.length <= LARGEST;
}

/* Are the positions where reading and writing go on inside block and content? */
bool decompression_is_inside(const struct decompression *d)
{
    return decompression_is_bounded(d) && d->at <= d->block.length && d->made <= d->content.length;
}

/* Was all of the block read, and all of the content made? */
bool decompression_is_complete(const struct decompression *d)
{
    return d->at == d->block.length && d->made == d->content.length;
}

/* Fill the content. Return what is wrong with the block, if anything.

   Then `at` says where, and `made` how many bytes of the content are right; those behind may have any value.

   Ensures: implies(result == BlockFault.NONE, is_complete(d)). */
block_fault_t decompression_decompress(struct decompression *d)
{
    d->at = 0;
    d->made = 0;
    if (!decompression_is_bounded(d)) {
        return BLOCK_FAULT_TOO_LARGE;
    }
    if (d->block.length == 0) {
        return BLOCK_FAULT_TRUNCATED;
    }
    uint64_t at = 0;
    uint64_t made = 0;
    while (at < d->block.length) {
        uint8_t token = d->block.at[at];
        bool is_short = decompression_copy_short(d, at, made);
        if (is_short) {
            at += 3 + (token >> 4);
            made += SHORTEST + (token >> 4) + (token & FULL);
        } else {
            block_fault_t fault = decompression_sequence(d, at, made);
            if (fault != BLOCK_FAULT_NONE) {
                return fault;
            }
            at = d->at;
            made = d->made;
        }
    }
    d->at = at;
    d->made = made;
    return BLOCK_FAULT_NONE;
}

/* Copy what a sequence says, if no length is continued and the ends are far. Return False if it cannot be done.

   Ensures: implies(result, at + AHEAD <= length(d.block)).

   Ensures: implies(result, made + ROOM <= length(d.content)). */
bool decompression_copy_short(struct decompression *d, uint64_t at, uint64_t made)
{
    REQUIRES(decompression_is_bounded(d) && at < d->block.length && made <= d->content.length);
    if (at + AHEAD > d->block.length || made + ROOM > d->content.length) {
        return false;
    }
    uint8_t token = d->block.at[at];
    if ((token >> 4) == FULL || (token & FULL) == FULL) {
        return false;
    }
    uint64_t to = made + (uint64_t)(token >> 4);
    uint64_t offset = decompression_offset_at(d, at + 1 + (uint64_t)(token >> 4));
    if (offset < HALF || offset > to) {
        return false;
    }
    __builtin_memmove(d->content.at + made, d->block.at + (at + 1), PIECE);
    __builtin_memmove(d->content.at + to, d->content.at + (to - offset), HALF);
    __builtin_memmove(d->content.at + (to + HALF), d->content.at + (to + HALF - offset), HALF);
    __builtin_memmove(d->content.at + (to + PIECE), d->content.at + (to + PIECE - offset), 2);
    return true;
}

/* Return the offset at a position of the block. */
uint64_t decompression_offset_at(const struct decompression *d, uint64_t at)
{
    REQUIRES(decompression_is_bounded(d) && at <= d->block.length && at + OFFSET <= d->block.length);
    return (uint64_t)d->block.at[at] | ((uint64_t)d->block.at[at + 1] << 8);
}

/* Do what any sequence says. Leave `at` and `made` behind it, or where something is wrong.

   Ensures: is_inside(d) and d.at > at.

   Ensures: implies(result == BlockFault.NONE, d.at < length(d.block) or is_complete(d)). */
block_fault_t decompression_sequence(struct decompression *d, uint64_t at, uint64_t made)
{
    REQUIRES(decompression_is_bounded(d) && at < d->block.length && made <= d->content.length);
    d->at = at + 1;
    d->made = made;
    uint64_t count = d->block.at[at] >> 4;
    if (count == FULL) {
        uint64_t more = decompression_continuation(d, at + 1);
        count += more;
    }
    uint64_t first = d->at;
    block_fault_t fault = decompression_copy_literals(d, first, made, count);
    if (fault != BLOCK_FAULT_NONE) {
        return fault;
    }
    return decompression_match(d, first + count, made + count, d->block.at[at] & FULL);
}

/* Return the rest of a length, and leave `at` behind it. Return ENDLESS if the block ends before it.

   Ensures: is_inside(d) and d.at >= at and (result <= ENDLESS). */
uint64_t decompression_continuation(struct decompression *d, uint64_t at)
{
    REQUIRES(decompression_is_inside(d) && at == d->at);
    uint64_t total = 0;
    while (d->at < d->block.length) {
        uint8_t part = d->block.at[d->at];
        d->at++;
        total += part;
        if (part != CONTINUED) {
            return total;
        }
    }
    return ENDLESS;
}

/* Copy literals to the content.

   Ensures: implies(result == BlockFault.NONE, at + count <= length(d.block)).

   Ensures: implies(result == BlockFault.NONE, made + count <= length(d.content)). */
block_fault_t decompression_copy_literals(struct decompression *d, uint64_t at, uint64_t made, uint64_t count)
{
    REQUIRES(decompression_is_bounded(d) && at <= d->block.length && made <= d->content.length);
    REQUIRES(count <= 0x400000000000000full);
    if (at + count > d->block.length) {
        return BLOCK_FAULT_TRUNCATED;
    }
    if (made + count > d->content.length) {
        return BLOCK_FAULT_NO_ROOM;
    }
    if (count <= PIECE && at + PIECE <= d->block.length && made + PIECE <= d->content.length) {
        __builtin_memmove(d->content.at + made, d->block.at + at, PIECE);
    } else {
        __builtin_memmove(d->content.at + made, d->block.at + at, count);
    }
    return BLOCK_FAULT_NONE;
}

/* Repeat what a match says, which has an offset at a position and this half of a token; the last one is none.

   Ensures: is_inside(d) and d.at >= at.

   Ensures: implies(result == BlockFault.NONE, d.at < length(d.block) or is_complete(d)). */
block_fault_t decompression_match(struct decompression *d, uint64_t at, uint64_t made, uint8_t low)
{
    REQUIRES(decompression_is_bounded(d) && at <= d->block.length && made <= d->content.length);
    REQUIRES(low <= FULL);
    d->at = at;
    d->made = made;
    if (at == d->block.length) {
        return made == d->content.length ? BLOCK_FAULT_NONE : BLOCK_FAULT_UNFILLED;
    }
    if (at + OFFSET > d->block.length) {
        return BLOCK_FAULT_TRUNCATED;
    }
    uint64_t offset = decompression_offset_at(d, at);
    if (offset == 0) {
        return BLOCK_FAULT_ZERO_OFFSET;
    }
    if (offset > made) {
        return BLOCK_FAULT_BEFORE_START;
    }
    d->at = at + OFFSET;
    uint64_t count = SHORTEST + (uint64_t)low;
    if (low == FULL) {
        uint64_t more = decompression_continuation(d, at + OFFSET);
        count += more;
    }
    if (d->at == d->block.length) {
        return BLOCK_FAULT_TRUNCATED;
    }
    if (made + count > d->content.length) {
        return BLOCK_FAULT_NO_ROOM;
    }
    if (made + LAST_MATCH > d->content.length || made + count + LAST_LITERALS > d->content.length) {
        return BLOCK_FAULT_LATE_MATCH;
    }
    decompression_repeat(d, made, offset, count);
    d->made = made + count;
    return BLOCK_FAULT_NONE;
}

/* Write bytes to a position of the content, equal to those that begin at an offset back from it. */
void decompression_repeat(struct decompression *d, uint64_t made, uint64_t offset, uint64_t count)
{
    REQUIRES(decompression_is_bounded(d) && made <= d->content.length && offset > 0 && offset <= made);
    REQUIRES(count <= LARGEST && made + count <= d->content.length);
    if (offset >= PIECE && count <= NEAR && made + count + PIECE <= d->content.length) {
        decompression_repeat_pieces(d, made, offset, count);
    } else if (offset == 1) {
        __builtin_memset(d->content.at + made, d->content.at[made - 1], count);
    } else {
        decompression_repeat_growing(d, made, offset, count);
    }
}

/* Do the same with pieces of a fixed size: no piece reaches from its source into what it writes. */
void decompression_repeat_pieces(struct decompression *d, uint64_t made, uint64_t offset, uint64_t count)
{
    REQUIRES(decompression_is_bounded(d) && made <= d->content.length && offset >= PIECE && offset <= made);
    REQUIRES(count <= NEAR && made + count + PIECE <= d->content.length);
    uint64_t done = 0;
    while (done < count) {
        __builtin_memmove(d->content.at + (made + done), d->content.at + (made + done - offset), PIECE);
        done += PIECE;
    }
}

/* Do the same with growing pieces: each is as long as all that is there from the first source on. */
void decompression_repeat_growing(struct decompression *d, uint64_t made, uint64_t offset, uint64_t count)
{
    REQUIRES(decompression_is_bounded(d) && made <= d->content.length && offset > 0 && offset <= made);
    REQUIRES(count <= LARGEST && made + count <= d->content.length);
    uint64_t done = 0;
    while (done < count) {
        uint64_t piece = minimum(offset + done, count - done);
        __builtin_memmove(d->content.at + (made + done), d->content.at + (made - offset), piece);
        done += piece;
    }
}
