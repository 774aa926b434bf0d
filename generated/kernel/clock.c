/* Generated from spec/kernel/clock.py, model/kernel/clock.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 b2147b5252aae868 */

#include "clock.h"
#include "builtins.h"

/* The code of what the header has copied to its callers. */
extern inline uint64_t clock_later(uint64_t last, uint64_t now);

/* Which time does a step use? What the clock says, unless an earlier step used a later time. */

/* Return and remember the time of a step that begins when the clock says `now`, in ns; time never runs back. */
uint64_t clock_advance(struct kernel *s, uint64_t now)
{
    s->time = clock_later(s->time, now);
    return s->time;
}
