/* Generated from spec/manager/step.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 e23c967afb0181ec */

#ifndef MANAGER_STEP_H
#define MANAGER_STEP_H

#include "types.h"

uint8_t step_rank(step_t step);
bool step_lies(step_t step, step_t first, step_t last);
bool step_may_give_up(step_t step);
bool step_has_ticket(step_t step);
bool step_is_handed_over(step_t step);
bool step_is_arriving(step_t step);
bool step_may_drop(step_t step);
bool step_is_remedy(step_t step);
bool step_fits(life_t state, step_t step);
verb_t step_verb_of(step_t step);
verb_t step_moving(step_t step);
verb_t step_keeping(step_t step);
verb_t step_mending(step_t step);
step_t step_for(remedy_t remedy);
bool step_is_void(const struct agent *g, uint64_t ticket);
bool step_awaits(const struct agent *g, peer_id_t peer, uint64_t ticket);
bool step_is_hash(const struct hash *hash, uint64_t first, uint64_t second, uint64_t third, uint64_t fourth);

#endif
