/* Generated from spec/manager/task.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 7d6326824c07bd0a */

#ifndef MANAGER_TASK_H
#define MANAGER_TASK_H

#include "types.h"

bool task_is_out(const struct manager *s, agent_id_t a, uint64_t number);
bool task_holds_lane(const struct manager *s, agent_id_t a, lane_id_t lane);

#endif
