/* Generated from language/builtins.py
   with codegen/templates/builtins.h.j2: edit those, not this.
   Content: sha256 d3f37dc863842192 */

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

/* a moved up by count modulo the width. */
static inline uint64_t shift_left_64(uint64_t a, uint64_t count)
{
    return (uint64_t)(a << (count & 63));
}

#endif
