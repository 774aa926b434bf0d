/* Generated from language/builtins.py
   with codegen/templates/builtins.h.j2: edit those, not this.
   Content: sha256 70b246268faf86fa */

/* Which functions does the language of the specification offer besides the operators of C? */

#ifndef MANAGER_BUILTINS_H
#define MANAGER_BUILTINS_H

#include <stdint.h>

/* a - b, or 0 where that would be negative. */
static inline uint64_t saturating_sub(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

#endif
