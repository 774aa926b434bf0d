/* Generated from model/schedule.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 6880fd03045ccfb1 */

#ifndef KERNEL_SCHEDULE_H
#define KERNEL_SCHEDULE_H

#include "types.h"

void schedule_rotate(struct kernel *s);
void schedule_settle(struct kernel *s);
status_t schedule_yield_now(struct kernel *s, const struct call *call);

#endif
