/* Generated from model/kernel/clock.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 8a356b335669d857 */

#include "clock.h"
#include "builtins.h"

/* Which time does a step use? What the clock says, unless that lies before a time that was used already. */

/* What the clock says, or the last time that was used if the clock ran back. */
uint64_t clock_later(uint64_t last, uint64_t now)
{
    return maximum(last, now);
}

/* The time of a step that begins when the clock says `now`, in ns: time never runs back, and it is remembered. */
uint64_t clock_advance(struct kernel *s, uint64_t now)
{
    s->time = clock_later(s->time, now);
    return s->time;
}
