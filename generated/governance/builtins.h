/* Generated from language/builtins.py
   with codegen/templates/builtins.h.j2: edit those, not this.
   Content: sha256 de8e97cf417261c3 */

/* Which functions does the language of the specification offer besides the operators of C? */

#ifndef GOVERNANCE_BUILTINS_H
#define GOVERNANCE_BUILTINS_H

#include <stdint.h>

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

/* a moved up by count modulo the width. */
static inline uint64_t shift_left_64(uint64_t a, uint64_t count)
{
    return (uint64_t)(a << (count & 63));
}

#endif
