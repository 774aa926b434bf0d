/* Generated from model/kernel/lane.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 e9ea9da2f1c93b1c */

#include "lane.h"
#include "builtins.h"
#include "claim.h"

/* Who stands first in a lane of the scheduler? Row by row, so that each is proved by itself. */

/* Return the best standing of any partition in a row of a lane. */
uint32_t lane_foremost_in_row(const struct kernel *s, lane_row_t row, bool fair)
{
    uint32_t best = 0;
    for (uint32_t i = 0; i < LANE_ROW; i++) {
        best = maximum(best, claim_standing(s, (uint32_t)row * LANE_ROW + i, fair));
    }
    return best;
}
