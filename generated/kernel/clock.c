/* Generated from spec/kernel/clock.py, model/kernel/clock.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 02369f7fc3882156 */

#include "clock.h"
#include "builtins.h"

/* What is promised of time? It never runs back, whatever the clock says, and every step of the kernel uses it. */

/* What the clock says, or the last time that was used if the clock ran back. */
uint64_t clock_later(uint64_t last, uint64_t now)
{
    return maximum(last, now);
}

/* Which time does a step use? What the clock says, unless that lies before a time that was used already. */

/* The time of a step that begins when the clock says `now`, in ns: time never runs back, and it is remembered. */
uint64_t clock_advance(struct kernel *s, uint64_t now)
{
    s->time = clock_later(s->time, now);
    return s->time;
}
