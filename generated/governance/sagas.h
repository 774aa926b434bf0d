/* Generated from model/governance/sagas.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 7488591008457979 */

#ifndef GOVERNANCE_SAGAS_H
#define GOVERNANCE_SAGAS_H

#include "types.h"

EXPORTED status_t sagas_open_saga(struct governance *s, saga_id_t g, uint8_t steps, uint8_t retries);
EXPORTED status_t sagas_begin_step(struct governance *s, saga_id_t g);
EXPORTED status_t sagas_complete_step(struct governance *s, saga_id_t g);
void sagas_turn_back(struct saga *saga);
EXPORTED status_t sagas_fail_step(struct governance *s, saga_id_t g);
EXPORTED status_t sagas_abandon(struct governance *s, saga_id_t g);
EXPORTED status_t sagas_undo_step(struct governance *s, saga_id_t g, bool undone);

#endif
