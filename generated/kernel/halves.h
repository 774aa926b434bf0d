/* Generated from spec/kernel/halves.py, model/kernel/halves.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 c4d79161311d90e7 */

#ifndef KERNEL_HALVES_H
#define KERNEL_HALVES_H

#include "types.h"
#include "builtins.h"

/* Is the partition being split or merged? */
inline bool halves_is_half(const struct kernel *s, partition_id_t p)
{
    return s->partition[p].state == PARTITION_STATE_SPLITTING || s->partition[p].state == PARTITION_STATE_MERGING;
}

/* Does the partition run, or has it been suspended? */
inline bool halves_has_started(const struct kernel *s, partition_id_t p)
{
    return s->partition[p].state == PARTITION_STATE_RUNNING || s->partition[p].state == PARTITION_STATE_SUSPENDED;
}

/* What an edge has carried since it was made, up to the limit. */
inline uint32_t halves_weight(const struct kernel *s, edge_id_t e)
{
    return (uint32_t)minimum(s->traffic[e].carried, WEIGHT_LIMIT);
}

bool halves_receives(const struct kernel *s, edge_id_t e, partition_id_t p, slot_id_t slot);
bool halves_connects(const struct kernel *s, edge_id_t e, slot_id_t slot, partition_id_t p, partition_id_t q);
bool halves_is_between(const struct kernel *s, edge_id_t e, partition_id_t p, partition_id_t q);
bool halves_is_at(const struct kernel *s, edge_id_t e, partition_id_t p, partition_id_t q);
bool halves_are_coherent(const struct kernel *s, partition_id_t p, partition_id_t q);
bool halves_leases(const struct kernel *s, partition_id_t p);
uint32_t halves_filled(const struct kernel *s, partition_id_t p);
bool halves_fits(const struct kernel *s, partition_id_t p, partition_id_t q);
bool halves_only_root_table(const struct kernel *s, partition_id_t p);
bool halves_holds_nothing(const struct kernel *s, partition_id_t p);
void halves_part(struct kernel *s, partition_id_t p, partition_id_t q, partition_state_t state);
status_t halves_partition_split(struct kernel *s, const struct call *call, handle_t into);
status_t halves_partition_merge(struct kernel *s, const struct call *call, handle_t into, edge_id_t edge,
                                slot_id_t slot);
status_t halves_partition_settle(struct kernel *s, const struct call *call);

#endif
