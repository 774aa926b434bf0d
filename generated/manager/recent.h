/* Generated from spec/manager/recent.py, model/manager/recent.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 dc2c42c2e75f94b9 */

#ifndef MANAGER_RECENT_H
#define MANAGER_RECENT_H

#include "types.h"

bool recent_is_recent(uint64_t at, uint64_t epoch);
bool recent_is_full(const struct recent *events, uint64_t epoch);
bool recent_would_be_third(const struct recent *events, uint64_t epoch);
bool recent_is_ordered(const struct recent *events, uint64_t epoch);
void recent_note(struct recent *events, uint64_t epoch);

#endif
