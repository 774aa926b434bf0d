/* Generated from spec/memory_map.py, spec/platform.py
   with codegen/templates/platform/measure.c.j2: edit those, not this.
   Content: sha256 2df8a44a48427166 */

/* What is the SHA-256 of memory? The model's compression function over words as they lie there. */
#include "platform.h"
#include "sha256.h"

static void clear_from(struct measure *measure, uint32_t position)
{
    for (uint32_t i = position; i < 16; i++)
        measure->block[i] = 0;
}

void measure_begin(struct measure *measure)
{
    sha256_begin(measure->state);
    clear_from(measure, 0);
    measure->filled = 0;
    measure->length = 0;
}

void measure_words(struct measure *measure, const uint64_t *word, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        sha256_put(measure->block, measure->filled, word[i]);
        measure->filled += 2;
        if (measure->filled == 16) {
            sha256_compress(measure->state, measure->block);
            measure->filled = 0;
        }
    }
    measure->length += count * sizeof(*word);
}

void measure_end(struct measure *measure, uint32_t *digest)
{
    clear_from(measure, measure->filled);
    if (measure->filled == 14) {
        measure->block[14] = PADDING;
        sha256_compress(measure->state, measure->block);
        clear_from(measure, 0);
        measure->block[15] = 8 * measure->length;
    } else {
        sha256_end(measure->block, measure->filled, measure->length);
    }
    sha256_compress(measure->state, measure->block);
    for (uint32_t i = 0; i < 8; i++)
        digest[i] = measure->state[i];
}
