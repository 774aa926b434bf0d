/* Generated from spec/kernel/clock.py, model/kernel/clock.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 1c4f2d43bf4f3e5a */

#include "clock.h"
#include "builtins.h"

/* What does the kernel promise about time? It never runs back, whatever the clock says, and every step uses it. */

/* Return what the clock says, or the last time used if the clock ran back. */
uint64_t clock_later(uint64_t last, uint64_t now)
{
    return maximum(last, now);
}

/* Which time does a step use? What the clock says, unless an earlier step used a later time. */

/* Return and remember the time of a step that begins when the clock says `now`, in ns; time never runs back. */
uint64_t clock_advance(struct kernel *s, uint64_t now)
{
    s->time = clock_later(s->time, now);
    return s->time;
}
