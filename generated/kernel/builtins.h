/* Generated from language/builtins.py
   with codegen/templates/builtins.h.j2: edit those, not this.
   Content: sha256 1acea6c5cc781416 */

/* Which functions does the language of the specification offer besides the operators of C? */

#ifndef KERNEL_BUILTINS_H
#define KERNEL_BUILTINS_H

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

/* An image may have another function of this name, of instructions that only its processor has. */
#define PORTABLE __attribute__((weak))

/* The smaller of two integers. */
static inline uint64_t minimum(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The larger of two integers. */
static inline uint64_t maximum(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* a - b, or 0 where that would be negative. */
static inline uint64_t saturating_sub(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* a rotated right by 1 .. 31. */
static inline uint32_t rotate_right(uint32_t a, uint32_t count)
{
    return (a >> count) | (a << (32 - count));
}

/* The four bytes of a in the opposite order. */
static inline uint32_t byte_swap(uint32_t a)
{
    return (a >> 24) | ((a >> 8) & 0xff00) | ((a << 8) & 0xff0000) | (a << 24);
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

/* Set an array of 64-bit numbers to zero. */
static inline void clear_words(uint64_t *word, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        word[i] = 0;
    }
}

/* Set an array of 32-bit numbers to zero. */
static inline void clear_halves(uint32_t *half, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        half[i] = 0;
    }
}

#endif
