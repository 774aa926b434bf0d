/* Generated from language/builtins.py
   with codegen/templates/builtins.h.j2: edit those, not this.
   Content: sha256 57aa175748ed1ef0 */

/* Which functions does the language of the specification offer besides the operators of C? */

#ifndef VM_BUILTINS_H
#define VM_BUILTINS_H

#include <stdbool.h>
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

/* a moved down by count modulo the width. */
static inline uint8_t shift_right_8(uint8_t a, uint8_t count)
{
    return (uint8_t)(a >> (count & 7));
}

/* Is a the least number of two's complement and b minus one? */
static inline bool signed_overflows_32(uint32_t a, uint32_t b)
{
    return a == (uint32_t)1 << 31 && b == (uint32_t)-1;
}

/* The quotient in two's complement, rounded towards zero. */
static inline uint32_t signed_divide_32(uint32_t a, uint32_t b)
{
    return (uint32_t)((int32_t)a / (int32_t)b);
}

/* What that division leaves; the one that overflows leaves nothing. */
static inline uint32_t signed_remainder_32(uint32_t a, uint32_t b)
{
    return b == (uint32_t)-1 ? 0 : (uint32_t)((int32_t)a % (int32_t)b);
}

/* a moved up by count modulo the width. */
static inline uint32_t shift_left_32(uint32_t a, uint32_t count)
{
    return (uint32_t)(a << (count & 31));
}

/* a moved down by count modulo the width. */
static inline uint32_t shift_right_32(uint32_t a, uint32_t count)
{
    return (uint32_t)(a >> (count & 31));
}

/* a moved down by count modulo the width; copies of its sign follow. */
static inline uint32_t shift_right_signed_32(uint32_t a, uint32_t count)
{
    return (uint32_t)((int32_t)a >> (count & 31));
}

/* a rotated up by count modulo the width. */
static inline uint32_t rotated_left_32(uint32_t a, uint32_t count)
{
    return (uint32_t)(a << (count & 31) | a >> (-count & 31));
}

/* a rotated down by count modulo the width. */
static inline uint32_t rotated_right_32(uint32_t a, uint32_t count)
{
    return (uint32_t)(a >> (count & 31) | a << (-count & 31));
}

/* The number of zero bits above the highest one. */
static inline uint32_t leading_zeros_32(uint32_t a)
{
    return a == 0 ? 32 : (uint32_t)__builtin_clz(a);
}

/* The number of zero bits below the lowest one. */
static inline uint32_t trailing_zeros_32(uint32_t a)
{
    return a == 0 ? 32 : (uint32_t)__builtin_ctz(a);
}

/* The number of one bits. */
static inline uint32_t ones_32(uint32_t a)
{
    return (uint32_t)__builtin_popcount(a);
}

/* The low bits of a, read as two's complement. */
static inline uint32_t sign_extend_32(uint32_t a, uint32_t width)
{
    return (uint32_t)((int32_t)(uint32_t)(a << (32 - width)) >> (32 - width));
}

/* Is a the least number of two's complement and b minus one? */
static inline bool signed_overflows_64(uint64_t a, uint64_t b)
{
    return a == (uint64_t)1 << 63 && b == (uint64_t)-1;
}

/* The quotient in two's complement, rounded towards zero. */
static inline uint64_t signed_divide_64(uint64_t a, uint64_t b)
{
    return (uint64_t)((int64_t)a / (int64_t)b);
}

/* What that division leaves; the one that overflows leaves nothing. */
static inline uint64_t signed_remainder_64(uint64_t a, uint64_t b)
{
    return b == (uint64_t)-1 ? 0 : (uint64_t)((int64_t)a % (int64_t)b);
}

/* a moved up by count modulo the width. */
static inline uint64_t shift_left_64(uint64_t a, uint64_t count)
{
    return (uint64_t)(a << (count & 63));
}

/* a moved down by count modulo the width. */
static inline uint64_t shift_right_64(uint64_t a, uint64_t count)
{
    return (uint64_t)(a >> (count & 63));
}

/* a moved down by count modulo the width; copies of its sign follow. */
static inline uint64_t shift_right_signed_64(uint64_t a, uint64_t count)
{
    return (uint64_t)((int64_t)a >> (count & 63));
}

/* a rotated up by count modulo the width. */
static inline uint64_t rotated_left_64(uint64_t a, uint64_t count)
{
    return (uint64_t)(a << (count & 63) | a >> (-count & 63));
}

/* a rotated down by count modulo the width. */
static inline uint64_t rotated_right_64(uint64_t a, uint64_t count)
{
    return (uint64_t)(a >> (count & 63) | a << (-count & 63));
}

/* The number of zero bits above the highest one. */
static inline uint64_t leading_zeros_64(uint64_t a)
{
    return a == 0 ? 64 : (uint64_t)__builtin_clzll(a);
}

/* The number of zero bits below the lowest one. */
static inline uint64_t trailing_zeros_64(uint64_t a)
{
    return a == 0 ? 64 : (uint64_t)__builtin_ctzll(a);
}

/* The number of one bits. */
static inline uint64_t ones_64(uint64_t a)
{
    return (uint64_t)__builtin_popcountll(a);
}

/* The low bits of a, read as two's complement. */
static inline uint64_t sign_extend_64(uint64_t a, uint32_t width)
{
    return (uint64_t)((int64_t)(uint64_t)(a << (64 - width)) >> (64 - width));
}

#endif
