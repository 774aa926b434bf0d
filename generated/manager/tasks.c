/* Generated from model/manager/tasks.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 70162814b83667cd */

#include "tasks.h"
#include "source.h"
#include "step.h"
#include "task.h"

/* What is to be done next for an agent, and what if it fails? Only the outcome of the task that is out counts. */

/* Put into `task` what is to be done next for an agent. */
status_t tasks_assign(struct manager *s, agent_id_t a)
{
    struct agent *g = &s->agent[a];
    if (g->step == STEP_NONE) {
        return STATUS_NOTHING_TO_DO;
    }
    if (g->asked >= s->since) {
        return STATUS_ASKED;
    }
    if (s->number >= LAST_NUMBER) {
        return STATUS_EXHAUSTED;
    }
    g->asked = s->number;
    s->task.verb = step_verb_of(g->step);
    s->task.agent = a;
    s->task.number = s->number;
    s->number++;
    return STATUS_OK;
}

/* The task that is out was refused, or took too long. */
status_t tasks_failed(struct manager *s, agent_id_t a, uint64_t number)
{
    if (!task_is_out(s, a, number)) {
        return STATUS_OUTDATED;
    }
    tasks_set_back(&s->agent[a]);
    tasks_free_lane(s, a);
    return STATUS_OK;
}

/* Give up what can be given up, and let the rest be tried again. */
void tasks_set_back(struct agent *g)
{
    if (step_may_give_up(g->step)) {
        source_turn_back(g);
    } else if (g->step == STEP_PROMISED) {
        source_settle(g, LIFE_TERMINATED);
    } else if (g->step == STEP_RETURNING || step_lies(g->step, STEP_FREEZING, STEP_RECORDING) ||
               step_is_remedy(g->step)) {
        source_settle(g, LIFE_SUSPENDED);
    } else if (step_lies(g->step, STEP_READING, STEP_UNPACKING)) {
        source_settle(g, LIFE_HIBERNATED);
    } else {
        g->asked = 0;
    }
}

/* Free the lane of an agent that does not move any more. */
void tasks_free_lane(struct manager *s, agent_id_t a)
{
    const struct agent *g = &s->agent[a];
    struct lane *lane = &s->lane[g->lane];
    if (g->state != LIFE_MIGRATING && lane->taken && lane->agent == a) {
        lane->taken = false;
    }
}
