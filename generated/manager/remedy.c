/* Generated from spec/manager/remedy.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 73afb30a34fca66c */

#include "remedy.h"
#include "recent.h"

/* Which remedy is next? One that is greater than the last, until nothing has failed for some epochs. */

/* Did nothing fail in the last epochs? */
bool remedy_is_calm(const struct agent *g, uint64_t epoch)
{
    return g->remedy == REMEDY_NONE || !recent_is_recent(g->failed_at, epoch);
}

/* May an agent be restarted, as nothing more was tried lately, and that not three times? */
bool remedy_may_restart(const struct agent *g, uint64_t epoch)
{
    return (remedy_is_calm(g, epoch) || g->remedy == REMEDY_RESTART) && !recent_is_full(&g->restarts, epoch);
}

/* Return what is done about a failure now. */
remedy_t remedy_next_remedy(const struct agent *g, uint64_t epoch)
{
    if (remedy_may_restart(g, epoch)) {
        return REMEDY_RESTART;
    }
    if (remedy_is_calm(g, epoch) || g->remedy == REMEDY_RESTART) {
        return REMEDY_RELOAD;
    }
    return g->remedy == REMEDY_RELOAD ? REMEDY_REPLACE : REMEDY_REBOOT;
}
