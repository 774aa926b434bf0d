/* Generated from model/manager/failures.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 a2b772d1d759fc1b */

#include "failures.h"
#include "recent.h"
#include "remedy.h"
#include "source.h"
#include "step.h"
#include "task.h"

/* What is done when an agent fails, or takes more than its quota? */

/* An agent failed, or the remedy did: begin the next remedy. */
status_t failures_fail(struct manager *s, agent_id_t a)
{
    struct agent *g = &s->agent[a];
    if (g->state != LIFE_RUNNING && g->state != LIFE_SUSPENDED) {
        return STATUS_WRONG_STATE;
    }
    if (g->step != STEP_NONE) {
        return STATUS_BUSY;
    }
    remedy_t remedy = remedy_next_remedy(g, s->epoch);
    if (remedy == REMEDY_RESTART) {
        recent_note(&g->restarts, s->epoch);
    }
    g->remedy = remedy;
    g->failed_at = s->epoch;
    g->state = LIFE_SUSPENDED;
    source_enter(g, step_for(remedy));
    return STATUS_OK;
}

/* A remedy is carried out: the agent runs again, or was destroyed for its parent's policy to spawn it again. */
status_t failures_remedied(struct manager *s, agent_id_t a, uint64_t number)
{
    if (!task_is_out(s, a, number)) {
        return STATUS_OUTDATED;
    }
    struct agent *g = &s->agent[a];
    if (!step_is_remedy(g->step)) {
        return STATUS_WRONG_STEP;
    }
    if (g->step == STEP_REPLACING) {
        g->awaited = true;
        source_settle(g, LIFE_TERMINATED);
    } else {
        source_settle(g, LIFE_RUNNING);
    }
    return STATUS_OK;
}

/* An agent took more than its quota: at the third time in the last epochs it is hibernated. */
status_t failures_violate(struct manager *s, agent_id_t a)
{
    struct agent *g = &s->agent[a];
    if (g->state != LIFE_RUNNING) {
        return STATUS_WRONG_STATE;
    }
    if (g->step != STEP_NONE) {
        return STATUS_BUSY;
    }
    if (recent_would_be_third(&g->violations, s->epoch)) {
        source_enter(g, STEP_STOPPING);
    }
    recent_note(&g->violations, s->epoch);
    return STATUS_OK;
}
