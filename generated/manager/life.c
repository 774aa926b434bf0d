/* Generated from model/manager/life.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 d3842c8e860c9673 */

#include "life.h"
#include "source.h"

/* How do agents come, run, stop and go, apart from moves and failures? The manager notes what the kernel has done. */

/* There are no agents, and nothing has happened. */
void life_begin(struct manager *s)
{
    s->epoch = FIRST_EPOCH;
    s->ticket = 1;
    s->number = 1;
    s->since = 1;
}

/* Begin the next epoch. */
status_t life_begin_epoch(struct manager *s)
{
    if (s->epoch >= LAST_EPOCH) {
        return STATUS_LAST_EPOCH;
    }
    s->epoch++;
    return STATUS_OK;
}

/* Begin again with the rows as they were written: no outcome of an earlier task counts any more. */
status_t life_restart(struct manager *s)
{
    s->since = s->number;
    s->task = (struct task){0};
    return STATUS_OK;
}

/* Note that the kernel has made an agent, in a row that is free. */
status_t life_register(struct manager *s, agent_id_t a, uint64_t badge, uint64_t parent, partition_id_t place)
{
    struct agent *g = &s->agent[a];
    if (g->state != LIFE_TERMINATED) {
        return STATUS_OCCUPIED;
    }
    if (badge <= s->badge) {
        return STATUS_BADGE_USED;
    }
    s->badge = badge;
    *g = (struct agent){0};
    g->badge = badge;
    g->parent = parent;
    g->place = place;
    g->state = LIFE_INITIALIZING;
    return STATUS_OK;
}

/* Note that an agent was spawned again. What is remembered of failures and violations counts for it, too. */
status_t life_respawn(struct manager *s, agent_id_t a, uint64_t badge)
{
    struct agent *g = &s->agent[a];
    if (g->state != LIFE_TERMINATED) {
        return STATUS_OCCUPIED;
    }
    if (!g->awaited) {
        return STATUS_NOT_AWAITED;
    }
    if (badge <= s->badge) {
        return STATUS_BADGE_USED;
    }
    s->badge = badge;
    g->badge = badge;
    g->state = LIFE_INITIALIZING;
    g->awaited = false;
    return STATUS_OK;
}

/* Let an agent that is in the middle of nothing go from one state to another. */
status_t life_change(struct agent *g, life_t old, life_t new)
{
    if (g->state != old) {
        return STATUS_WRONG_STATE;
    }
    if (g->step != STEP_NONE) {
        return STATUS_BUSY;
    }
    source_settle(g, new);
    return STATUS_OK;
}

/* Note that an agent runs for the first time. */
status_t life_started(struct manager *s, agent_id_t a)
{
    return life_change(&s->agent[a], LIFE_INITIALIZING, LIFE_RUNNING);
}

/* Note that an agent was suspended. */
status_t life_suspended(struct manager *s, agent_id_t a)
{
    return life_change(&s->agent[a], LIFE_RUNNING, LIFE_SUSPENDED);
}

/* Note that an agent that was suspended runs again. */
status_t life_resumed(struct manager *s, agent_id_t a)
{
    return life_change(&s->agent[a], LIFE_SUSPENDED, LIFE_RUNNING);
}

/* Note that an agent was destroyed. One that moves must come back or arrive first. */
status_t life_terminated(struct manager *s, agent_id_t a)
{
    struct agent *g = &s->agent[a];
    if (g->state == LIFE_TERMINATED) {
        return STATUS_WRONG_STATE;
    }
    if (g->state == LIFE_MIGRATING) {
        return STATUS_BUSY;
    }
    source_settle(g, LIFE_TERMINATED);
    return STATUS_OK;
}
