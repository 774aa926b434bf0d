/* Generated from model/link/words.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 ee37876dd4358e87 */

#include "words.h"
#include "builtins.h"
#include "envelope.h"

/* How do numbers lie in the bytes of an envelope? With the low byte first, at any position. */

/* Return four bytes as a word. Compilers make one load of it. */
uint32_t words_word(const struct envelope *e, uint64_t at)
{
    REQUIRES(envelope_has(e, at, WORD));
    return (uint32_t)e->bytes.at[at] | ((uint32_t)e->bytes.at[at + 1] << 8) | ((uint32_t)e->bytes.at[at + 2] << 16) |
           ((uint32_t)e->bytes.at[at + 3] << 24);
}

/* Write a word. */
void words_put(struct envelope *e, uint64_t at, uint32_t value)
{
    REQUIRES(envelope_has(e, at, WORD));
    e->bytes.at[at] = (uint8_t)value;
    e->bytes.at[at + 1] = (uint8_t)(value >> 8);
    e->bytes.at[at + 2] = (uint8_t)(value >> 16);
    e->bytes.at[at + 3] = (uint8_t)(value >> 24);
}

/* Return eight bytes as a number. */
uint64_t words_number_at(const struct envelope *e, uint64_t at)
{
    REQUIRES(envelope_has(e, at, 8));
    return (uint64_t)words_word(e, at) | ((uint64_t)words_word(e, at + WORD) << 32);
}

/* Write a number in eight bytes. */
void words_put_number(struct envelope *e, uint64_t at, uint64_t value)
{
    REQUIRES(envelope_has(e, at, 8));
    words_put(e, at, (uint32_t)value);
    words_put(e, at + WORD, (uint32_t)(value >> 32));
}
