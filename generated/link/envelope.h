/* Generated from spec/link/envelope.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 4627514782bc4bcf */

#ifndef LINK_ENVELOPE_H
#define LINK_ENVELOPE_H

#include "types.h"

bool envelope_is_whole(const struct envelope *e);
bool envelope_has(const struct envelope *e, uint64_t at, uint64_t count);

#endif
