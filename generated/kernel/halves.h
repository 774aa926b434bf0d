/* Generated from spec/kernel/halves.py, model/kernel/halves.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 a92fc0fd6c94611f */

#ifndef KERNEL_HALVES_H
#define KERNEL_HALVES_H

#include "types.h"
#include "builtins.h"

#define CARRIED_LIMIT 4398046511104ull  /* for whoever carried more, two edges are never enough */

/* Is the partition being split or merged? */
inline bool halves_is_half(const struct kernel *s, partition_id_t p)
{
    return s->partition[p].state == PARTITION_STATE_SPLITTING || s->partition[p].state == PARTITION_STATE_MERGING;
}

/* Which right makes halves that are in this state, and makes them whole again? */
inline right_t halves_right_to_part(partition_state_t state)
{
    return state == PARTITION_STATE_SPLITTING ? RIGHT_SPLIT : RIGHT_MERGE;
}

/* Does the partition run, or has it been suspended? */
inline bool halves_has_started(const struct kernel *s, partition_id_t p)
{
    return s->partition[p].state == PARTITION_STATE_RUNNING || s->partition[p].state == PARTITION_STATE_SUSPENDED;
}

/* What an edge has carried since it was made, up to the limit. */
inline uint64_t halves_weight(const struct kernel *s, edge_id_t e)
{
    return minimum(s->traffic[e].carried, WEIGHT_LIMIT);
}

/* Is this enough of what the partition has carried since it was created? */
inline bool halves_mostly(const struct kernel *s, partition_id_t p, uint64_t shared)
{
    return minimum(s->partition[p].carried, CARRIED_LIMIT) * MERGE_SCORE <= shared * 10;
}

bool halves_receives(const struct kernel *s, edge_id_t e, partition_id_t p, slot_id_t slot);
bool halves_connects(const struct kernel *s, edge_id_t e, slot_id_t slot, partition_id_t p, partition_id_t q);
bool halves_is_between(const struct kernel *s, edge_id_t e, partition_id_t p, partition_id_t q);
uint64_t halves_between(const struct kernel *s, edge_id_t e, edge_id_t back, partition_id_t p, partition_id_t q);
bool halves_are_coherent(const struct kernel *s, edge_id_t e, edge_id_t back, partition_id_t p, partition_id_t q);
bool halves_leases(const struct kernel *s, partition_id_t p);
bool halves_fits(const struct kernel *s, partition_id_t p, partition_id_t q);
bool halves_only_root_table(const struct kernel *s, partition_id_t p);
bool halves_holds_nothing(const struct kernel *s, partition_id_t p);
void halves_part(struct kernel *s, partition_id_t p, partition_id_t q, partition_state_t state);
status_t halves_partition_split(struct kernel *s, const struct call *call, handle_t into);
status_t halves_partition_merge(struct kernel *s, const struct call *call, handle_t into, edge_id_t edge,
                                slot_id_t slot, edge_id_t back);
status_t halves_partition_settle(struct kernel *s, const struct call *call);

#endif
