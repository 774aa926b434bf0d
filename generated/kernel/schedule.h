/* Generated from spec/kernel/schedule.py, model/kernel/schedule.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 e9718b6289e65464 */

#ifndef KERNEL_SCHEDULE_H
#define KERNEL_SCHEDULE_H

#include "types.h"

#define EPOCH_LIMIT 0xffffffffffffull

uint64_t schedule_epoch_and_runner(uint64_t epoch, partition_id_t p);
bool schedule_epoch_is_over(const struct kernel *s, uint64_t now);
bool schedule_dozes(const struct kernel *s);
void schedule_rouse(struct kernel *s);
void schedule_survey(struct kernel *s);
uint32_t schedule_foremost(const struct kernel *s, bool fair);
void schedule_switch_to(struct kernel *s, partition_id_t chosen);
void schedule_rotate(struct kernel *s);
void schedule_reschedule(struct kernel *s, bool yields);
void schedule_wait(struct kernel *s);
status_t schedule_yield_now(const struct kernel *s, struct call *call);
void schedule_rest(struct kernel *s, struct call *call, awaited_t what, uint64_t patience);
bool schedule_bearable(const struct call *call, uint64_t patience);
status_t schedule_edge_await(struct kernel *s, struct call *call, uint64_t patience);
status_t schedule_notification_await(struct kernel *s, struct call *call, uint64_t patience);
status_t schedule_prioritize(struct kernel *s, const struct call *call, handle_t of, pressure_t pressure, bool warden,
                             uint64_t within);
status_t schedule_mode(struct kernel *s, const struct call *call, mode_t mode);

#endif
