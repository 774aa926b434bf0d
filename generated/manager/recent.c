/* Generated from spec/manager/recent.py, model/manager/recent.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 f7c5d282fb34c2a6 */

#include "recent.h"
#include "builtins.h"

#define EPOCHS 16                       /* for which an event counts, and for which an agent stays after a move */

/* What happened in the last epochs? Three events are remembered, which is enough for any three in a sliding window. */

/* Is an epoch one of the last `EPOCHS`, the present one among them? */
bool recent_is_recent(uint64_t at, uint64_t epoch)
{
    return saturating_sub(epoch, at) < EPOCHS;
}

/* Were there three events in the last epochs? */
bool recent_is_full(const struct recent *events, uint64_t epoch)
{
    return recent_is_recent(events->third, epoch);
}

/* Would an event now be the third in the last epochs, or a later one? */
bool recent_would_be_third(const struct recent *events, uint64_t epoch)
{
    return recent_is_recent(events->second, epoch);
}

/* Did the events happen one after the other, until now? */
bool recent_is_ordered(const struct recent *events, uint64_t epoch)
{
    return events->third <= events->second && events->second <= events->last && events->last <= epoch;
}

/* How is an event remembered? */

/* Remember one more event. */
void recent_note(struct recent *events, uint64_t epoch)
{
    events->third = events->second;
    events->second = events->last;
    events->last = epoch;
}
