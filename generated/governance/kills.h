/* Generated from model/governance/kills.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 6858abd1fa677c82 */

#ifndef GOVERNANCE_KILLS_H
#define GOVERNANCE_KILLS_H

#include "types.h"

EXPORTED status_t kills_kill(struct governance *s, agent_id_t agent, agent_id_t substitute);
EXPORTED status_t kills_report(struct governance *s, agent_id_t agent, bool terminated);

#endif
