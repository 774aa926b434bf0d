/* Generated from model/governance/seats.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 03969a70c573f25d */

#ifndef GOVERNANCE_SEATS_H
#define GOVERNANCE_SEATS_H

#include "types.h"

status_t seats_barred(const struct governance *s, seat_id_t a, agent_id_t agent, uint32_t score);
void seats_sit(struct governance *s, seat_id_t a, agent_id_t agent, uint32_t score, bool consensus);
EXPORTED status_t seats_enrol(struct governance *s, seat_id_t a, agent_id_t agent, uint32_t score, bool consensus);
EXPORTED status_t seats_register_child(struct governance *s, seat_id_t a, agent_id_t agent, seat_id_t parent,
                                       uint32_t score, bool consensus, uint64_t now);
EXPORTED status_t seats_dismiss(struct governance *s, seat_id_t a);
EXPORTED status_t seats_assign(struct governance *s, seat_id_t a, uint32_t score, bool consensus);
EXPORTED status_t seats_elevate(struct governance *s, seat_id_t a, ring_t target, uint32_t score, bool attested,
                                uint64_t time, uint64_t now);
EXPORTED status_t seats_revoke(struct governance *s, seat_id_t a);
EXPORTED status_t seats_expire(struct governance *s, seat_id_t a, uint64_t now);
EXPORTED status_t seats_check(const struct governance *s, seat_id_t a, ring_t required, uint64_t now);
EXPORTED status_t seats_spend(struct governance *s, seat_id_t a, uint64_t price, uint64_t span, uint64_t now);
EXPORTED status_t seats_quarantine(struct governance *s, seat_id_t a, uint64_t time, uint64_t now);
EXPORTED status_t seats_release(struct governance *s, seat_id_t a);
EXPORTED status_t seats_record_call(struct governance *s, seat_id_t a, ring_t called, uint64_t now);
EXPORTED status_t seats_reset_breaker(struct governance *s, seat_id_t a);

#endif
