/* Generated from language/builtins.py
   with codegen/templates/builtins.h.j2: edit those, not this.
   Content: sha256 473b64e0cf7bff17 */

/* Which functions does the language of the specification offer besides the operators of C? */

#ifndef LINK_BUILTINS_H
#define LINK_BUILTINS_H

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

/* a rotated up by count modulo the width. */
static inline uint32_t rotated_left_32(uint32_t a, uint32_t count)
{
    return (uint32_t)(a << (count & 31) | a >> (-count & 31));
}

/* Set an array of 32-bit numbers to zero. */
static inline void clear_halves(uint32_t *half, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        half[i] = 0;
    }
}

#endif
