/* Generated from spec/manager/integrity.py
   with codegen/templates/invariants.h.j2: edit those, not this.
   Content: sha256 5cade2f342102182 */

#ifndef MANAGER_INVARIANTS_H
#define MANAGER_INVARIANTS_H

#include "types.h"

#define INVARIANTS 19

/* The first invariant that was found not to hold: its number, from 1, and the indices for which it fails. */
struct violation {
    uint32_t number;
    uint32_t index[2];
};

/* The id of an invariant by its number, from 1. */
extern const char *const INVARIANT_ID[INVARIANTS + 1];

bool check_invariants(const struct manager *s, struct violation *found);
bool integrity_step_fits_state(const struct manager *s, agent_id_t a);
bool integrity_badge_is_counted(const struct manager *s, agent_id_t a);
bool integrity_badge_is_unique(const struct manager *s, agent_id_t a, agent_id_t b);
bool integrity_awaited_is_terminated(const struct manager *s, agent_id_t a);
bool integrity_mover_has_lane(const struct manager *s, agent_id_t a);
bool integrity_lane_has_mover(const struct manager *s, lane_id_t lane);
bool integrity_ticket_is_given(const struct manager *s, agent_id_t a);
bool integrity_ticket_is_unique(const struct manager *s, agent_id_t a, agent_id_t b);
bool integrity_ticket_is_heard(const struct manager *s, agent_id_t a);
bool integrity_heard_is_unique(const struct manager *s, agent_id_t a, agent_id_t b);
bool integrity_chunks_are_counted(const struct manager *s, agent_id_t a);
bool integrity_number_was_given(const struct manager *s, agent_id_t a);
bool integrity_numbers_begin_anew(const struct manager *s);
bool integrity_task_has_step(const struct manager *s, agent_id_t a);
bool integrity_epoch_is_bounded(const struct manager *s);
bool integrity_what_happened_is_past(const struct manager *s, agent_id_t a);
bool integrity_events_are_ordered(const struct manager *s, agent_id_t a);
bool integrity_restart_is_failure(const struct manager *s, agent_id_t a);

#endif
