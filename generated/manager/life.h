/* Generated from model/manager/life.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 63a73e822b53c691 */

#ifndef MANAGER_LIFE_H
#define MANAGER_LIFE_H

#include "types.h"

#define FIRST_EPOCH 16                  /* what never happened is of epoch 0, which is long ago from the beginning */
#define LAST_EPOCH 0x8000000000000000ull

void life_begin(struct manager *s);
status_t life_begin_epoch(struct manager *s);
status_t life_restart(struct manager *s);
status_t life_register(struct manager *s, agent_id_t a, uint64_t badge, uint64_t parent, partition_id_t place);
status_t life_respawn(struct manager *s, agent_id_t a, uint64_t badge);
status_t life_change(struct agent *g, life_t old, life_t new);
status_t life_started(struct manager *s, agent_id_t a);
status_t life_suspended(struct manager *s, agent_id_t a);
status_t life_resumed(struct manager *s, agent_id_t a);
status_t life_terminated(struct manager *s, agent_id_t a);

#endif
