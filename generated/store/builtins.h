/* Generated from language/builtins.py
   with codegen/templates/builtins.h.j2: edit those, not this.
   Content: sha256 d5da654c6b8fe445 */

/* Which functions does the language of the specification offer besides the operators of C? */

#ifndef STORE_BUILTINS_H
#define STORE_BUILTINS_H

#include <stdint.h>

/* What a function asks of its callers. Each of them is proved to see to it; a build that checks itself looks again. */
#ifdef CHECK_REQUIRES
#define REQUIRES(condition)   \
    do {                      \
        if (!(condition)) {   \
            __builtin_trap(); \
        }                     \
    } while (0)
#else
#define REQUIRES(condition) ((void)sizeof(condition))
#endif

/* The smaller of two integers. */
static inline uint64_t minimum(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* a - b, or 0 where that would be negative. */
static inline uint64_t saturating_sub(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* a moved up by count modulo the width. */
static inline uint64_t shift_left_64(uint64_t a, uint64_t count)
{
    return (uint64_t)(a << (count & 63));
}

/* The number of zero bits below the lowest one. */
static inline uint64_t trailing_zeros_64(uint64_t a)
{
    return a == 0 ? 64 : (uint64_t)__builtin_ctzll(a);
}

/* Set an array of 32-bit numbers to zero. */
static inline void clear_halves(uint32_t *half, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        half[i] = 0;
    }
}

#endif
