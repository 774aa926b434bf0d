/* Generated from spec/handover/words.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 e049195e41f484e0 */

#ifndef HANDOVER_WORDS_H
#define HANDOVER_WORDS_H

#include "types.h"

bool words_is_like(const struct agent *one, const struct agent *other);
bool words_has_current(const struct handover *s);
bool words_in_transit(const struct handover *s);

#endif
