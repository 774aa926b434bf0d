/* Generated from model/manager/target.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 628bec22071b64aa */

#ifndef HANDOVER_TARGET_H
#define HANDOVER_TARGET_H

#include "types.h"

status_t target_promise(struct agent *g, uint64_t badge, partition_id_t place, lane_id_t lane, peer_id_t peer,
                        agent_id_t there, uint64_t ticket, uint32_t chunks, uint64_t first, uint64_t second,
                        uint64_t third, uint64_t fourth);
status_t target_take_chunk(struct agent *g, peer_id_t peer, uint64_t ticket, uint32_t chunk);
status_t target_check(struct agent *g, uint64_t first, uint64_t second, uint64_t third, uint64_t fourth);
status_t target_accept(struct agent *g, peer_id_t peer, uint64_t ticket);
status_t target_drop(struct agent *g, peer_id_t peer, uint64_t ticket);
status_t target_withdraw(struct agent *g);
status_t target_arrive(struct agent *g, uint64_t epoch);

#endif
