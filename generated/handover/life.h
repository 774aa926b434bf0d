/* Generated from model/manager/life.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 b969217ad4a3ebcc */

#ifndef HANDOVER_LIFE_H
#define HANDOVER_LIFE_H

#include "types.h"

status_t life_change(struct agent *g, life_t old, life_t new);

#endif
