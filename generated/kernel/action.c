/* Generated from model/action.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 349737953eedcd42 */

#include "action.h"
#include "ring.h"
#include "schedule.h"
#include "witness.h"

#define EPOCH_LIMIT 0xffffffffffffffffull

/* What does the kernel do without being called? Timer ticks and the faults of guests. */

/* The quantum is over: let the next partition run, and record who ran and how many switches there were.

   A quantum without a switch, or while as many sums wait to be drained as may, leaves no record; the next one sums
   up. */
void action_preempt(struct kernel *s, uint64_t now)
{
    if (s->epoch < EPOCH_LIMIT) {
        s->epoch++;
    }
    ring_expire(s, s->current, now);
    if (s->switches != 0 && witness_log_room(s) && s->kernel_records < EPOCH_SHARE) {
        witness_append_for_kernel(s, now, ACTION_SCHEDULER_EPOCH, s->epoch,
                                  ((uint64_t)s->current << 16) | (uint64_t)s->switches);
        s->switches = 0;
    }
    schedule_rotate(s);
}

/* The next failure class, up to the last. */
failure_class_t action_worse(failure_class_t failure)
{
    if (failure == FAILURE_CLASS_CATASTROPHIC) {
        return FAILURE_CLASS_CATASTROPHIC;
    }
    return (uint8_t)failure + 1;
}

/* Stop the partition that caused an exception it has no right to; the others go on. */
void action_contain(struct kernel *s, uint64_t now, uint64_t syndrome, uint64_t address)
{
    struct partition *faulty = &s->partition[s->current];
    if (faulty->state == PARTITION_STATE_RUNNING) {
        faulty->state = PARTITION_STATE_SUSPENDED;
        faulty->failure = action_worse(faulty->failure);
    }
    witness_append_for_kernel(s, now, ACTION_TASK_TERMINATE, ((uint64_t)s->current << 32) | (syndrome & 0xffffffffu),
                              address);
    schedule_settle(s, false);
}
