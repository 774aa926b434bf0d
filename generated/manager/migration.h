/* Generated from model/manager/migration.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 c3c8d7cf653bfe1a */

#ifndef MANAGER_MIGRATION_H
#define MANAGER_MIGRATION_H

#include "types.h"

status_t migration_admit(struct manager *s, agent_id_t a, peer_id_t peer, lane_id_t lane);
status_t migration_stopped(struct manager *s, agent_id_t a, uint64_t number);
status_t migration_snapped(struct manager *s, agent_id_t a, uint64_t number, uint32_t chunks, uint64_t first,
                           uint64_t second, uint64_t third, uint64_t fourth);
status_t migration_hear_want(struct manager *s, agent_id_t a, uint64_t ticket, agent_id_t there, uint32_t chunk);
status_t migration_hear_filled(struct manager *s, agent_id_t a, uint64_t ticket, agent_id_t there);
status_t migration_commit(struct manager *s, agent_id_t a);
status_t migration_hear_done(struct manager *s, agent_id_t a, uint64_t ticket);
status_t migration_released(struct manager *s, agent_id_t a, uint64_t number);
status_t migration_abort(struct manager *s, agent_id_t a);
status_t migration_returned(struct manager *s, agent_id_t a, uint64_t number);
status_t migration_hear_reserve(struct manager *s, agent_id_t a, lane_id_t lane, uint64_t badge, partition_id_t place,
                                peer_id_t peer, agent_id_t there, uint64_t ticket, uint32_t chunks, uint64_t first,
                                uint64_t second, uint64_t third, uint64_t fourth);
status_t migration_hear_chunk(struct manager *s, agent_id_t a, peer_id_t peer, uint64_t ticket, uint32_t chunk);
status_t migration_checked(struct manager *s, agent_id_t a, uint64_t number, uint64_t first, uint64_t second,
                           uint64_t third, uint64_t fourth);
status_t migration_hear_commit(struct manager *s, agent_id_t a, peer_id_t peer, uint64_t ticket);
status_t migration_hear_abort(struct manager *s, agent_id_t a, peer_id_t peer, uint64_t ticket);
status_t migration_refuse(struct manager *s, agent_id_t a);
status_t migration_restored(struct manager *s, agent_id_t a, uint64_t number);

#endif
