/* Generated from model/manager/source.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 6f00d5483f2f3e46 */

#ifndef HANDOVER_SOURCE_H
#define HANDOVER_SOURCE_H

#include "types.h"

void source_enter(struct agent *g, step_t step);
void source_settle(struct agent *g, life_t state);
void source_put_hash(struct hash *hash, uint64_t first, uint64_t second, uint64_t third, uint64_t fourth);
status_t source_set_out(struct agent *g, peer_id_t peer, lane_id_t lane, uint64_t epoch);
status_t source_stop(struct agent *g);
status_t source_snap(struct agent *g, uint64_t ticket, uint32_t chunks, uint64_t first, uint64_t second,
                     uint64_t third, uint64_t fourth);
status_t source_want(struct agent *g, uint64_t ticket, agent_id_t there, uint32_t chunk);
status_t source_fill(struct agent *g, uint64_t ticket, agent_id_t there);
status_t source_decide(struct agent *g);
status_t source_let_go(struct agent *g, uint64_t ticket);
status_t source_release(struct agent *g);
void source_turn_back(struct agent *g);
status_t source_give_up(struct agent *g);
status_t source_come_back(struct agent *g);

#endif
