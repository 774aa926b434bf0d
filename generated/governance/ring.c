/* Generated from spec/ring.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 52d9587f26da3c82 */

#include "ring.h"

/* Which rings are there, which ring follows from trust, and what does each allow? Whoever keeps rings asks this
   module.

   The kernel keeps those of partitions, and governance those of agents. */

/* The ring that follows from a trust score and a consensus; never ring 0. */
ring_t ring_for(uint32_t score, bool consensus)
{
    if (score > RING_1_SCORE && consensus) {
        return RING_PRIVILEGED;
    }
    if (score > RING_2_SCORE) {
        return RING_STANDARD;
    }
    return RING_SANDBOX;
}

/* Does ring `a` allow more than ring `b`? */
bool ring_more_privileged(ring_t a, ring_t b)
{
    return a < b;
}
