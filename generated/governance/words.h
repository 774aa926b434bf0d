/* Generated from spec/governance/words.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 2d87a799ba4c4574 */

#ifndef GOVERNANCE_WORDS_H
#define GOVERNANCE_WORDS_H

#include "types.h"

bool words_is_quarantined(const struct governance *s, seat_id_t a, uint64_t now);
status_t words_standing(const struct governance *s, seat_id_t a, uint64_t now);
EXPORTED ring_t words_required_ring(bool admin, reversibility_t reversibility, bool read_only);
bool words_is_elevated(const struct elevation *held, uint64_t now);
ring_t words_own_ring(const struct governance *s, seat_id_t a, uint64_t now);
ring_t words_worse(ring_t a, ring_t b);
bool words_has_parent(const struct governance *s, seat_id_t a);
ring_t words_ceiling(const struct governance *s, seat_id_t a, uint64_t now);
seat_id_t words_above(const struct governance *s, seat_id_t a);
EXPORTED ring_t words_effective_ring(const struct governance *s, seat_id_t a, uint64_t now);
EXPORTED status_t words_admitted(ring_t ring, ring_t required);
bool words_is_rate(uint64_t price, uint64_t span, uint64_t now);
uint64_t words_due_after(uint64_t due, uint64_t price, uint64_t now);
uint32_t words_amplifier(ring_t ring, ring_t called);
severity_t words_severity_of(uint32_t weight, ring_t called);
uint32_t words_weight_after(const struct breach *breach, uint32_t more, uint64_t now);
stage_t words_next_stage(stage_t stage);
bool words_has_chain(stage_t stage);
bool words_is_over(phase_t phase);

#endif
