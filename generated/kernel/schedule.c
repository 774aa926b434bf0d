/* Generated from spec/kernel/schedule.py, model/kernel/schedule.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 18a75e8c0ef919ca */

#include "schedule.h"
#include "partition.h"

#define SWITCHES_LIMIT 0xffffffffffffffffull /* more than the clock has nanoseconds */
#define TURN_EPOCH_SHIFT 16

/* What does the kernel promise about turns? Who is next, that every switch is counted, what a quantum's end records. */

/* Pack which epoch ended, and who ran then, as a record keeps them. */
uint64_t schedule_epoch_and_runner(uint64_t epoch, partition_id_t p)
{
    return (uint64_t)(uint16_t)p | ((uint64_t)(epoch_number_t)epoch << TURN_EPOCH_SHIFT);
}

/* Who runs next? Round robin over the runnable partitions, one quantum each. */

/* Give the processor to the next runnable partition after the current one, or to nobody. */
void schedule_rotate(struct kernel *s)
{
    uint32_t distance = 0;
    for (uint32_t step = 0; step < PARTITIONS; step++) {
        if (distance == 0 && partition_runnable(s, partition_place_after(s->current, step + 1))) {
            distance = step + 1;
        }
    }
    partition_id_t chosen = partition_place_after(s->current, distance);
    if (s->switches < SWITCHES_LIMIT && chosen != s->current) {
        s->switches++;
    }
    s->partition[s->current].fresh = false;
    s->current = chosen;
    s->idle = distance == 0;
}

/* Move on when the current partition gives way or can no longer run. */
void schedule_reschedule(struct kernel *s, bool yields)
{
    if (yields || !partition_runnable(s, s->current)) {
        schedule_rotate(s);
    }
}

/* Give the rest of the quantum away, once the call is recorded. */
status_t schedule_yield_now(const struct kernel *s, struct call *call)
{
    (void)s;
    call->yields = true;
    return STATUS_OK;
}
