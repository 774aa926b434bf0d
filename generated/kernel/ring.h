/* Generated from spec/ring.py, spec/kernel/ring.py, model/kernel/ring.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 97ae9d6bbc5e5200 */

#ifndef KERNEL_RING_H
#define KERNEL_RING_H

#include "types.h"
#include "builtins.h"

#define RESOURCES 4

/* Does ring `a` allow more than ring `b`? */
inline bool ring_more_privileged(ring_t a, ring_t b)
{
    return a < b;
}

/* Does a capability on such an object let its holder say who is trusted? */
inline bool ring_confers_trust(object_kind_t kind)
{
    return kind == OBJECT_KIND_TRUST || kind == OBJECT_KIND_PROOF_ROOT;
}

/* Is the epoch that the partition's messages were counted in over? A clock that runs back ends none. */
inline bool ring_epoch_over(const struct kernel *s, partition_id_t p, uint64_t now)
{
    return saturating_sub(now, s->partition[p].messages.began) >= QUANTUM;
}

/* Return what is left of a bucket that pays a cost; all of it if it holds too little. */
inline uint64_t ring_left_of(uint64_t credit, uint64_t cost)
{
    return credit >= cost ? credit - cost : credit;
}

ring_t ring_for(uint32_t score, bool consensus);
bool ring_attested(const struct kernel *s, partition_id_t p);
bool ring_elevated(const struct kernel *s, partition_id_t p, uint64_t now);
ring_t ring_own_ring(const struct kernel *s, partition_id_t p, uint64_t now);
ring_t ring_bounded(const struct kernel *s, partition_id_t p, ring_t own);
ring_t ring_base_ring(const struct kernel *s, partition_id_t p);
ring_t ring_effective_ring(const struct kernel *s, partition_id_t p, uint64_t now);
bool ring_permits(ring_t ring, resource_t resource);
ring_t ring_lasting_ring(const struct kernel *s, partition_id_t p);
uint32_t ring_permitted_tools(const struct kernel *s, partition_id_t p, ring_t ring);
uint8_t ring_kept_tools(const struct kernel *s, partition_id_t p, ring_t ring, resource_t resource);
bool ring_within_ring(const struct kernel *s, partition_id_t p, ring_t ring);
bool ring_earned(const struct kernel *s, partition_id_t p);
uint64_t ring_credit_at(const struct kernel *s, partition_id_t p, uint64_t now);
bool ring_spend(struct kernel *s, partition_id_t p, ring_t ring, uint64_t now);
uint16_t ring_messages_by(const struct kernel *s, partition_id_t p, uint64_t now);
bool ring_has_message(const struct kernel *s, partition_id_t p, uint64_t now);
bool ring_count_message(struct kernel *s, partition_id_t p, uint64_t now);
bool ring_pay(struct kernel *s, partition_id_t p, meter_t meter, ring_t ring, uint64_t now);
void ring_shed_tools(struct kernel *s, partition_id_t p, ring_t ring);
void ring_end_elevation(struct kernel *s, partition_id_t p);
void ring_expire(struct kernel *s, partition_id_t p, uint64_t now);
void ring_set_trust(struct kernel *s, partition_id_t p, uint32_t score, bool consensus);
status_t ring_assign(struct kernel *s, const struct call *call, handle_t of, uint32_t score, bool consensus);
status_t ring_demote(struct kernel *s, const struct call *call, uint32_t score);
status_t ring_elevate(struct kernel *s, const struct call *call, ring_t target, uint32_t seconds, handle_t attestation);
status_t ring_restore(struct kernel *s, const struct call *call);
status_t ring_tool_acquire(struct kernel *s, struct call *call, resource_t resource);
status_t ring_tool_release(struct kernel *s, const struct call *call, resource_t resource);

#endif
