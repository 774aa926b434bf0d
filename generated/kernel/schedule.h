/* Generated from spec/kernel/schedule.py, model/kernel/schedule.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 88dae597f13527d8 */

#ifndef KERNEL_SCHEDULE_H
#define KERNEL_SCHEDULE_H

#include "types.h"

#define EPOCH_LIMIT 0xffffffffffffull

uint64_t schedule_epoch_and_runner(uint64_t epoch, partition_id_t p);
void schedule_rotate(struct kernel *s);
void schedule_reschedule(struct kernel *s, bool yields);
status_t schedule_yield_now(const struct kernel *s, struct call *call);

#endif
