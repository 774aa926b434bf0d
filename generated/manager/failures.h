/* Generated from model/manager/failures.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 7e4785215b1c68e4 */

#ifndef MANAGER_FAILURES_H
#define MANAGER_FAILURES_H

#include "types.h"

status_t failures_fail(struct manager *s, agent_id_t a);
status_t failures_remedied(struct manager *s, agent_id_t a, uint64_t number);
status_t failures_violate(struct manager *s, agent_id_t a);

#endif
