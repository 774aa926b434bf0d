/* Generated from spec/handover/integrity.py
   with codegen/templates/invariants.h.j2: edit those, not this.
   Content: sha256 88ef977f5eeb6f0f */

#ifndef HANDOVER_INVARIANTS_H
#define HANDOVER_INVARIANTS_H

#include "types.h"

#define INVARIANTS 13

/* The first invariant that was found not to hold: its number, from 1, and the indices for which it fails. */
struct violation {
    uint32_t number;
    uint32_t index[2];
};

/* The id of an invariant by its number, from 1. */
extern const char *const INVARIANT_ID[INVARIANTS + 1];

bool check_invariants(const struct handover *s, struct violation *found);
bool integrity_runs_once(const struct handover *s);
bool integrity_is_owned_once(const struct handover *s);
bool integrity_runs_where_owned(const struct handover *s);
bool integrity_source_runs_in_time(const struct handover *s);
bool integrity_steps_are_parted(const struct handover *s);
bool integrity_tickets_are_last(const struct handover *s);
bool integrity_promise_is_kept(const struct handover *s);
bool integrity_filled_stays(const struct handover *s);
bool integrity_decision_is_recorded(const struct handover *s);
bool integrity_decided_is_whole(const struct handover *s);
bool integrity_undecided_is_not_there(const struct handover *s);
bool integrity_is_freed_last(const struct handover *s);
bool integrity_chunks_are_counted(const struct handover *s);

#endif
