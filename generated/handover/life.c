/* Generated from model/manager/life.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 e18f65fccbc82790 */

#include "life.h"
#include "source.h"

/* How do agents come, run, stop and go, apart from moves and failures? The manager notes what the kernel has done. */

/* Let an agent that is in the middle of nothing go from one state to another. */
status_t life_change(struct agent *g, life_t old, life_t new)
{
    if (g->state != old) {
        return STATUS_WRONG_STATE;
    }
    if (g->step != STEP_NONE) {
        return STATUS_BUSY;
    }
    source_settle(g, new);
    return STATUS_OK;
}
