/* Generated from spec/manager/recent.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 eef382d7619e2aa3 */

#ifndef HANDOVER_RECENT_H
#define HANDOVER_RECENT_H

#include "types.h"

bool recent_is_recent(uint64_t at, uint64_t epoch);

#endif
