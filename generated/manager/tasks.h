/* Generated from model/manager/tasks.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 cf2b54b2d31f17ee */

#ifndef MANAGER_TASKS_H
#define MANAGER_TASKS_H

#include "types.h"

#define LAST_NUMBER 0xffffffffffffffffull /* no task and no move has this number */

status_t tasks_assign(struct manager *s, agent_id_t a);
status_t tasks_failed(struct manager *s, agent_id_t a, uint64_t number);
void tasks_set_back(struct agent *g);
void tasks_free_lane(struct manager *s, agent_id_t a);

#endif
