/* Generated from spec/kernel/claim.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 af58528f045c5a17 */

#include "claim.h"
#include "builtins.h"
#include "partition.h"

#define RESTING 1                       /* will run again */

/* How much does a partition claim the processor, and how does it stand in a lane? By its claim, then by its turn. */

/* How near is the deadline of the partition, in steps of 2^10 ns? 0: beyond the horizon, or none. */
uint32_t claim_urgency(const struct kernel *s, partition_id_t p)
{
    uint64_t deadline = s->partition[p].deadline;
    if (deadline == 0) {
        return 0;
    }
    uint64_t left = saturating_sub(deadline, s->time) >> URGENCY_BITS;
    return 0x100000 - (uint32_t)minimum(left, 0x100000);
}

/* Return how much the partition matters in the priority lane. */
uint32_t claim_priority(const struct kernel *s, partition_id_t p)
{
    if (s->mode == MODE_REFLEX && s->partition[p].deadline == 0) {
        return 0;
    }
    return claim_urgency(s, p) + (uint32_t)s->partition[p].pressure;
}

/* Return how much a partition claims the processor: not at all, as one that rests, that can run, or is urgent. */
claim_t claim_of(const struct kernel *s, partition_id_t p)
{
    if (!partition_eligible(s, p)) {
        return 0;
    }
    if (!partition_has_come(s, p)) {
        return RESTING;
    }
    return READY + minimum(claim_priority(s, p) >> CLAIM_BITS, 13);
}

/* Return what a partition has to be chosen for in a lane: its claim, then how near its turn is; 0 for nothing.

   In the fair lane all that can run have the same claim; in the other one only those that are urgent have any. */
uint32_t claim_standing(const struct kernel *s, partition_id_t p, bool fair)
{
    uint32_t claim = s->claim[p];
    if (fair) {
        claim = minimum(claim, READY);
    } else if (claim <= READY) {
        claim = 0;
    }
    return claim == 0 ? 0
           : (claim << PARTITION_BITS) +
           (uint32_t)(partition_id_t)(((uint32_t)s->turn - (uint32_t)p) & (PARTITION_ID_BOUND - 1));
}
