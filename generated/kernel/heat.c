/* Generated from spec/kernel/heat.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 5d37ed79ec9a31f2 */

#include "heat.h"

/* The code of what the header has copied to its callers. */
extern inline bool heat_at_hand(heat_t heat);
extern inline bool heat_cools(heat_t old, heat_t new);

/* When does a block of large memory become hotter or colder, and what may be done with it then?

   A block moves by one tier at a time. Of how much use it is says who moves it, and the log keeps that. */

/* Is there no tier between the two? */
bool heat_are_adjacent(heat_t old, heat_t new)
{
    return heat_cools(old, new) || heat_cools(new, old);
}

/* Which of three limits is for the step between a tier and the next colder one? */
uint16_t heat_limit_of(heat_t old, uint16_t hot, uint16_t warm, uint16_t dormant)
{
    if (old == HEAT_HOT) {
        return hot;
    }
    return old == HEAT_WARM ? warm : dormant;
}

/* Does a block that is of so much use go from one tier to the next? */
bool heat_is_due(heat_t old, heat_t new, use_t use)
{
    if (heat_cools(old, new)) {
        return use < heat_limit_of(old, WARM_BELOW, DORMANT_BELOW, COLD_BELOW);
    }
    return use >= heat_limit_of(new, HOT_FROM, WARM_FROM, DORMANT_FROM);
}
