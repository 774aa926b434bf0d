/* Generated from spec/placement/integrity.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 0e2d402d153fd7a6 */

#ifndef PLACEMENT_INTEGRITY_H
#define PLACEMENT_INTEGRITY_H

#include "types.h"

bool integrity_is_proper(uint64_t side, uint64_t asked);
bool integrity_is_rested(const struct placement *s, home_id_t p);

#endif
