/* Generated from spec/manager/recent.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 8660c04eab78dd3e */

#include "recent.h"
#include "builtins.h"

#define EPOCHS 16                       /* for which an event counts, and for which an agent stays after a move */

/* What happened in the last epochs? Three events are remembered, which is enough for any three in a sliding window. */

/* Is an epoch one of the last `EPOCHS`, the present one among them? */
bool recent_is_recent(uint64_t at, uint64_t epoch)
{
    return saturating_sub(epoch, at) < EPOCHS;
}
