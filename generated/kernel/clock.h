/* Generated from spec/kernel/clock.py, model/kernel/clock.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 12484a336c4c9437 */

#ifndef KERNEL_CLOCK_H
#define KERNEL_CLOCK_H

#include "types.h"
#include "builtins.h"

/* Return what the clock says, or the last time used if the clock ran back. */
inline uint64_t clock_later(uint64_t last, uint64_t now)
{
    return maximum(last, now);
}

uint64_t clock_advance(struct kernel *s, uint64_t now);

#endif
