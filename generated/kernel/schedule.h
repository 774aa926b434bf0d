/* Generated from model/schedule.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 48a11e040dff0c6d */

#ifndef KERNEL_SCHEDULE_H
#define KERNEL_SCHEDULE_H

#include "types.h"

void schedule_rotate(struct kernel *s);
void schedule_settle(struct kernel *s, bool yields);
status_t schedule_yield_now(const struct kernel *s, struct call *call);

#endif
