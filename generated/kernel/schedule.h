/* Generated from spec/kernel/schedule.py, model/kernel/schedule.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 84d29d0c98e84fd1 */

#ifndef KERNEL_SCHEDULE_H
#define KERNEL_SCHEDULE_H

#include "types.h"
#include "builtins.h"

#define EPOCH_LIMIT 0xffffffffffffull
#define TURN_EPOCH_SHIFT 16

/* Pack which epoch ended, and who ran then, as a record keeps them. */
inline uint64_t schedule_epoch_and_runner(uint64_t epoch, partition_id_t p)
{
    return (uint64_t)(uint16_t)p | ((uint64_t)(epoch_number_t)epoch << TURN_EPOCH_SHIFT);
}

/* Is the epoch as old as a quantum? */
inline bool schedule_epoch_is_over(const struct kernel *s, uint64_t now)
{
    return saturating_sub(now, s->epoch_began) >= QUANTUM;
}

/* Is a rest not too long, and does the clock not end before it? */
inline bool schedule_bearable(const struct call *call, uint64_t patience)
{
    return patience <= PATIENCE_LIMIT && call->now <= CLOCK_LIMIT;
}

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
status_t schedule_edge_await(struct kernel *s, struct call *call, uint64_t patience);
status_t schedule_notification_await(struct kernel *s, struct call *call, uint64_t patience);
status_t schedule_prioritize(struct kernel *s, const struct call *call, handle_t of, pressure_t pressure, bool warden,
                             uint64_t within);
status_t schedule_mode(struct kernel *s, const struct call *call, mode_t mode);

#endif
