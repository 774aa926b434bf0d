/* Generated from spec/manager/remedy.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 f9b611a6446905fd */

#ifndef MANAGER_REMEDY_H
#define MANAGER_REMEDY_H

#include "types.h"

bool remedy_is_calm(const struct agent *g, uint64_t epoch);
bool remedy_may_restart(const struct agent *g, uint64_t epoch);
remedy_t remedy_next_remedy(const struct agent *g, uint64_t epoch);

#endif
