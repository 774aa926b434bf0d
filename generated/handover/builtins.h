/* Generated from language/builtins.py
   with codegen/templates/builtins.h.j2: edit those, not this.
   Content: sha256 1b44de08cb760ce1 */

/* Which functions does the language of the specification offer besides the operators of C? */

#ifndef HANDOVER_BUILTINS_H
#define HANDOVER_BUILTINS_H

#include <stdint.h>

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

#endif
