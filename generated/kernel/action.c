/* Generated from model/kernel/action.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 5db89f88687af921 */

#include "action.h"
#include "clock.h"
#include "partition.h"
#include "ring.h"
#include "schedule.h"
#include "witness.h"

/* What does the kernel do without being called? Timer ticks and the faults of guests. */

/* End a slice: leave the processor free; if an epoch is over, record who ran and how many switches there were.

   An epoch leaves no record if it had no switch, or while the kernel's reserve is used up. The next record sums up. */
void action_preempt(struct kernel *s, uint64_t now)
{
    uint64_t time = clock_advance(s, now);
    schedule_rouse(s);
    ring_expire(s, s->current, time);
    s->idle = true;
    if (!schedule_epoch_is_over(s, time)) {
        return;
    }
    s->epoch_began = time;
    if (s->epoch < EPOCH_LIMIT) {
        s->epoch++;
    }
    if (s->switches != 0 && witness_kernel_room(s)) {
        witness_append_for_kernel(s, time, ACTION_SCHEDULER_EPOCH, s->switches,
                                  schedule_epoch_and_runner(s->epoch, s->current));
        s->switches = 0;
    }
}

/* Return the next failure class, up to the last. */
failure_class_t action_worse(failure_class_t failure)
{
    if (failure == FAILURE_CLASS_CATASTROPHIC) {
        return FAILURE_CLASS_CATASTROPHIC;
    }
    return (uint8_t)failure + 1;
}

/* Stop the partition that caused an exception it has no right to.

   Record that within the partition's own share of the log, or count it if the share has no room. */
void action_contain(struct kernel *s, uint64_t now, uint64_t syndrome, uint64_t address)
{
    uint64_t time = clock_advance(s, now);
    schedule_rouse(s);
    partition_id_t p = s->current;
    if (!s->idle && partition_eligible(s, p)) {
        s->partition[p].state = PARTITION_STATE_SUSPENDED;
        s->partition[p].failure = action_worse(s->partition[p].failure);
        if (witness_own_room(s, p)) {
            witness_append_for_partition(s, time, p, ACTION_TASK_TERMINATE, TIER_NONE, STATUS_OK, KERNEL_OPERATION,
                                         syndrome, 0, address);
        } else {
            witness_count_refusal(s, p);
        }
    }
    schedule_reschedule(s, false);
}
