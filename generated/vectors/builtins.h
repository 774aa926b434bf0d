/* Generated from language/builtins.py
   with codegen/templates/builtins.h.j2: edit those, not this.
   Content: sha256 6b9dd594ece22b32 */

/* Which functions does the language of the specification offer besides the operators of C? */

#ifndef VECTORS_BUILTINS_H
#define VECTORS_BUILTINS_H

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

#endif
