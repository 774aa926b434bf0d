/* Generated from model/manager/tasks.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 c1bf2558523fd947 */

#ifndef HANDOVER_TASKS_H
#define HANDOVER_TASKS_H

#include "types.h"

void tasks_set_back(struct agent *g);

#endif
