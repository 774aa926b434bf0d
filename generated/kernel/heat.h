/* Generated from spec/kernel/heat.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 0932f0284e153c7a */

#ifndef KERNEL_HEAT_H
#define KERNEL_HEAT_H

#include "types.h"

/* May units of a block of this tier be linked? */
inline bool heat_at_hand(heat_t heat)
{
    return heat == HEAT_HOT || heat == HEAT_WARM;
}

/* Is one tier the next colder one of the other? */
inline bool heat_cools(heat_t old, heat_t new)
{
    return new == (uint8_t)old + 1;
}

bool heat_are_adjacent(heat_t old, heat_t new);
uint16_t heat_limit_of(heat_t old, uint16_t hot, uint16_t warm, uint16_t dormant);
bool heat_is_due(heat_t old, heat_t new, use_t use);

#endif
