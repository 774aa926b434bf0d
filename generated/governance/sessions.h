/* Generated from model/governance/sessions.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 4b61f999afc8f11f */

#ifndef GOVERNANCE_SESSIONS_H
#define GOVERNANCE_SESSIONS_H

#include "types.h"

EXPORTED status_t sessions_open_session(struct governance *s, session_id_t c);
EXPORTED status_t sessions_advance(struct governance *s, session_id_t c, stage_t stage);
EXPORTED status_t sessions_forget(struct governance *s, session_id_t c);
EXPORTED status_t sessions_append(struct governance *s, session_id_t c, uint64_t number, uint64_t first,
                                  uint64_t second, uint64_t third, uint64_t fourth);

#endif
