/* Generated from spec/kernel/schedule.py, model/kernel/schedule.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 2d9da77a727bbe01 */

#include "schedule.h"
#include "builtins.h"
#include "capability.h"
#include "claim.h"
#include "edge.h"
#include "lane.h"
#include "partition.h"

#define SWITCHES_LIMIT 0xffffffffffffffffull /* more than the clock has nanoseconds */

/* The code of what the header has copied to its callers. */
extern inline uint64_t schedule_epoch_and_runner(uint64_t epoch, partition_id_t p);
extern inline bool schedule_epoch_is_over(const struct kernel *s, uint64_t now);
extern inline bool schedule_bearable(const struct call *call, uint64_t patience);

/* What does the kernel promise about turns? Who is next, how long anybody waits, what is counted and recorded.

   Whoever has its turn runs for a slice: its share of a quantum. So all in turn have run after a quantum at most,
   each as long as its share says. There are two lanes. In the fair one, all that can run follow each other. In the
   priority lane, the most urgent one runs. If anybody is urgent, the lanes take turns. */

/* While nobody runs, does anybody rest who will run again? */
bool schedule_dozes(const struct kernel *s)
{
    return s->idle && partition_eligible(s, s->current);
}

/* Who runs next, and who rests? Two lanes: all in turn, and the most urgent first. */

/* Let the partition that runs rest no more. */
void schedule_rouse(struct kernel *s)
{
    if (!s->idle) {
        s->partition[s->current].awaited = AWAITED_NOTHING;
    }
}

/* Look at how much each partition claims the processor. */
void schedule_survey(struct kernel *s)
{
    for (uint32_t i = 0; i < PARTITIONS; i++) {
        s->claim[i] = claim_of(s, i);
    }
}

/* Return the best standing of any partition in a lane. */
uint32_t schedule_foremost(const struct kernel *s, bool fair)
{
    uint32_t best = 0;
    for (uint32_t i = 0; i < LANE_ROWS; i++) {
        best = maximum(best, lane_foremost_in_row(s, i, fair));
    }
    return best;
}

/* Let another partition be the current one, and count that. */
void schedule_switch_to(struct kernel *s, partition_id_t chosen)
{
    if (s->switches < SWITCHES_LIMIT && chosen != s->current) {
        s->switches++;
    }
    s->current = chosen;
}

/* Give the processor to the most urgent partition if it is its lane's turn, or else to the first in turn.

   While nobody can run, nobody gets it, and one that rests is the current one. A claim may be older than the state. */
void schedule_rotate(struct kernel *s)
{
    s->partition[s->current].fresh = false;
    uint32_t urgent = s->urges ? schedule_foremost(s, false) : 0;
    uint32_t best = urgent != 0 ? urgent : schedule_foremost(s, true);
    if (best == 0) {
        s->idle = true;
        return;
    }
    partition_id_t chosen = (partition_id_t)(((uint32_t)s->turn - (uint32_t)(best & (PARTITION_ID_BOUND - 1))) &
                                             (PARTITION_ID_BOUND - 1));
    schedule_switch_to(s, chosen);
    s->idle = s->claim[chosen] < READY || !partition_eligible(s, chosen);
    if (s->idle) {
        return;
    }
    s->urges = urgent == 0;
    if (urgent == 0) {
        s->turn = chosen;
    }
}

/* Leave the processor free when the current partition gives way or can no longer run. */
void schedule_reschedule(struct kernel *s, bool yields)
{
    s->idle = yields || !partition_eligible(s, s->current);
}

/* Leave the processor free: who runs has nothing to do. */
void schedule_wait(struct kernel *s)
{
    schedule_rouse(s);
    s->idle = true;
}

/* Give the rest of the quantum away, once the call is recorded. */
status_t schedule_yield_now(const struct kernel *s, struct call *call)
{
    (void)s;
    call->yields = true;
    return STATUS_OK;
}

/* Let the caller give way, and rest. */
void schedule_rest(struct kernel *s, struct call *call, awaited_t what, uint64_t patience)
{
    s->partition[s->current].awaited = what;
    s->partition[s->current].rest.until = call->now + patience;
    call->yields = true;
}

/* Rest until a message waits in the edge, for `patience` ns at most; return 1 at once if one waits already. */
status_t schedule_edge_await(struct kernel *s, struct call *call, uint64_t patience)
{
    if (!schedule_bearable(call, patience)) {
        return STATUS_BAD_ARGUMENT;
    }
    edge_id_t e = edge_named_edge(s, call);
    if (s->edge[e].waiting != 0) {
        call->result[0] = 1;
    } else {
        s->partition[s->current].rest.edge = e;
        schedule_rest(s, call, AWAITED_MESSAGE, patience);
    }
    return STATUS_OK;
}

/* Rest until a bit is set, for `patience` ns at most; return 1 at once if one is set already. */
status_t schedule_notification_await(struct kernel *s, struct call *call, uint64_t patience)
{
    if (!schedule_bearable(call, patience)) {
        return STATUS_BAD_ARGUMENT;
    }
    notification_id_t n = edge_named_notification(s, call);
    if (s->notification[n].bits != 0) {
        call->result[0] = 1;
    } else {
        s->partition[s->current].rest.notification = n;
        schedule_rest(s, call, AWAITED_BITS, patience);
    }
    return STATUS_OK;
}

/* Say how urgent a partition is: its deadline `within` so many ns, or 0 for none, and how much its edges are cut.

   A warden runs in recovery, too. */
status_t schedule_prioritize(struct kernel *s, const struct call *call, handle_t of, pressure_t pressure, bool warden,
                             uint64_t within)
{
    if (!capability_may_act_on(s, s->current, of, RIGHT_WRITE)) {
        return STATUS_INSUFFICIENT_RIGHTS;
    }
    if (within > DEADLINE_LIMIT || call->now > CLOCK_LIMIT) {
        return STATUS_BAD_ARGUMENT;
    }
    struct partition *named = &s->partition[capability_partition_of_handle(s, s->current, of)];
    named->pressure = pressure;
    named->warden = warden;
    named->deadline = within != 0 ? call->now + within : 0;
    return STATUS_OK;
}

/* Change who may run, and by which lanes; only a warden may let nobody but wardens run. */
status_t schedule_mode(struct kernel *s, const struct call *call, mode_t mode)
{
    (void)call;
    if (mode == MODE_HALTED) {
        return STATUS_BAD_ARGUMENT;
    }
    if (mode == MODE_RECOVERY && !s->partition[s->current].warden) {
        return STATUS_WRONG_STATE;
    }
    s->mode = mode;
    return STATUS_OK;
}
