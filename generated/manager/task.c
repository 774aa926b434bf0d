/* Generated from spec/manager/task.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 9ce5fed7a3e418b0 */

#include "task.h"

/* What do the words for tasks and lanes mean? */

/* Is a task out, and was it given since the last restart? */
bool task_is_out(const struct manager *s, agent_id_t a, uint64_t number)
{
    return number >= s->since && s->agent[a].asked == number;
}

/* Does an agent move in a lane? */
bool task_holds_lane(const struct manager *s, agent_id_t a, lane_id_t lane)
{
    return s->agent[a].state == LIFE_MIGRATING && s->agent[a].lane == lane;
}
