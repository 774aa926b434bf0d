/* Generated from model/manager/tasks.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 aaccf1501220cc00 */

#include "tasks.h"
#include "source.h"
#include "step.h"

/* What is to be done next for an agent, and what if it fails? Only the outcome of the task that is out counts. */

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
