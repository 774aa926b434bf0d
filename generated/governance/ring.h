/* Generated from spec/ring.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 7b260f31540266ae */

#ifndef GOVERNANCE_RING_H
#define GOVERNANCE_RING_H

#include "types.h"

EXPORTED ring_t ring_for(uint32_t score, bool consensus);
bool ring_more_privileged(ring_t a, ring_t b);

#endif
