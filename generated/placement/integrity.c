/* Generated from spec/placement/integrity.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 f5d1b5a84665f947 */

#include "integrity.h"
#include "graph.h"

/* What always holds of the graph, of the cut under way, and of what is recommended? */

/* Is a side a proper, non-empty subset of the nodes asked about? */
bool integrity_is_proper(uint64_t side, uint64_t asked)
{
    return side != 0 && graph_less(side, asked) == 0 && side != asked;
}

/* Has a partition rested since its last change? */
bool integrity_is_rested(const struct placement *s, home_id_t p)
{
    return s->home[p].rests_until <= s->epoch;
}
