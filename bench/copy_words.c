/* What does a load and a store cost? Memory copied word by word, 64 bits each, by a loop that stays one: in a
   freestanding program no compiler may take it for a block copy. Native code moves two words at once here, because -O2
   makes vectors of such loops and WebAssembly without SIMD has none. */

#include <stdint.h>

enum { WORDS = 1024 };

static uint64_t from[WORDS], to[WORDS];

static void copy(uint64_t *target, const uint64_t *source, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++) {
        target[i] = source[i];
    }
}

uint32_t run(uint32_t scale)
{
    uint64_t sum = scale;
    for (uint32_t i = 0; i < WORDS; i++) {
        from[i] = i * 0x9e3779b97f4a7c15;
        to[i] = 0;
    }
    for (uint32_t i = 0; i < scale; i++) {
        copy(to, from, WORDS);
        from[i % WORDS] += to[(i + 1) % WORDS];
    }
    for (uint32_t i = 0; i < WORDS; i++) {
        sum = 31 * sum + to[i];
    }
    return (uint32_t)(sum ^ sum >> 32);
}
