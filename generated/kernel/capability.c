/* Generated from spec/kernel/capability.py, model/kernel/capability.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 dfb4d6850fdf3459 */

#include "capability.h"
#include "builtins.h"
#include "edge.h"
#include "partition.h"
#include "ring.h"

/* The code of what the header has copied to its callers. */
extern inline capability_id_t capability_id(partition_id_t partition, slot_id_t slot);
extern inline partition_id_t capability_holder(capability_id_t c);
extern inline slot_id_t capability_handle_slot(handle_t handle);
extern inline uint32_t capability_handle_generation(handle_t handle);
extern inline bool capability_free(const struct kernel *s, capability_id_t c);
extern inline bool capability_retired(const struct kernel *s, capability_id_t c);
extern inline bool capability_rooted(const struct kernel *s, capability_id_t c);
extern inline bool capability_linked(const struct kernel *s, capability_id_t c);
extern inline partition_id_t capability_named_partition(const struct kernel *s, const struct call *call);
extern inline uint32_t capability_advance(uint32_t counter);

/* When is a capability live, and what must always hold of derivations? */

/* Is every link from the capability to its root whole? */
bool capability_live(const struct kernel *s, capability_id_t c)
{
    capability_id_t at = c;
    for (uint32_t step = 0; step < DEPTH_LIMIT; step++) {
        if (capability_free(s, at)) {
            return false;
        }
        if (capability_rooted(s, at)) {
            return true;
        }
        if (!capability_linked(s, at)) {
            return false;
        }
        at = s->capability[at].parent;
    }
    return capability_rooted(s, at) && !capability_free(s, at);
}

/* Does the capability name the present incarnation of its object? */
bool capability_current_object(const struct kernel *s, capability_id_t c)
{
    if (s->capability[c].kind != OBJECT_KIND_PARTITION) {
        return true;
    }
    if (s->capability[c].object >= PARTITIONS) {
        return false;
    }
    return s->partition[s->capability[c].object].generation == s->capability[c].incarnation;
}

/* Does the handle name a live capability of `p` on an object of this kind, with these rights? */
bool capability_handle_holds(const struct kernel *s, partition_id_t p, handle_t handle, object_kind_t kind,
                             right_t rights)
{
    capability_id_t c = capability_id(p, capability_handle_slot(handle));
    const struct capability *slot = &s->capability[c];
    return slot->kind == kind && slot->generation == capability_handle_generation(handle) &&
           (rights & ~slot->rights) == 0 && capability_current_object(s, c) && capability_live(s, c);
}

/* The partition that the handle in x1 names. */
partition_id_t capability_first_partition(const struct kernel *s, const struct call *call)
{
    return s->capability[capability_id(s->current,
                                       capability_handle_slot(call->argument[0] & (HANDLE_BOUND - 1)))].object &
           (PARTITION_ID_BOUND - 1);
}

/* The partition that the handle in x2 names. */
partition_id_t capability_second_partition(const struct kernel *s, const struct call *call)
{
    return s->capability[capability_id(s->current,
                                       capability_handle_slot(call->argument[1] & (HANDLE_BOUND - 1)))].object &
           (PARTITION_ID_BOUND - 1);
}

/* How is authority passed on, taken back and inspected? */

/* Empty a slot: its handles and its descendants die with it. */
void capability_empty(struct kernel *s, capability_id_t c)
{
    struct capability *slot = &s->capability[c];
    if (slot->kind != OBJECT_KIND_NONE) {
        slot->kind = OBJECT_KIND_NONE;
        slot->rights = 0;
        slot->generation = capability_advance(slot->generation);
        slot->lineage = capability_advance(slot->lineage);
    }
}

/* Empty a slot of a partition; what was made with it ends, so that another one may be made. */
void capability_release(struct kernel *s, partition_id_t p, slot_id_t slot)
{
    capability_id_t c = capability_id(p, slot);
    const struct capability *made = &s->capability[c];
    struct partition *maker = &s->partition[p];
    if (made->kind == OBJECT_KIND_EDGE && made->depth == 0) {
        maker->edges_made = saturating_sub(maker->edges_made, 1);
    }
    if (made->kind == OBJECT_KIND_NOTIFICATION && made->depth == 0) {
        maker->notifications_made = saturating_sub(maker->notifications_made, 1);
    }
    capability_empty(s, c);
}

/* Put a root capability into a free slot. */
void capability_mint(struct kernel *s, capability_id_t c, object_kind_t kind, uint32_t object, uint32_t incarnation,
                     right_t rights)
{
    struct capability *slot = &s->capability[c];
    slot->kind = kind;
    slot->object = object;
    slot->incarnation = incarnation;
    slot->rights = rights;
    slot->depth = 0;
    slot->parent = c;
    slot->parent_lineage = 0;
    slot->badge = 0;
}

/* Put a child of `source` into a free slot. */
void capability_derive(struct kernel *s, capability_id_t source, capability_id_t c, right_t rights, uint64_t badge)
{
    const struct capability *parent = &s->capability[source];
    struct capability *slot = &s->capability[c];
    slot->kind = parent->kind;
    slot->object = parent->object;
    slot->incarnation = parent->incarnation;
    slot->rights = rights;
    slot->depth = (uint32_t)parent->depth + 1;
    slot->parent = source;
    slot->parent_lineage = parent->lineage;
    slot->badge = badge;
}

/* The partition that a handle of `p` leads to, or `p` itself for SELF; the calling function checks the handle. */
partition_id_t capability_partition_of_handle(const struct kernel *s, partition_id_t p, handle_t handle)
{
    if (handle == SELF) {
        return p;
    }
    return s->capability[capability_id(p, capability_handle_slot(handle))].object & (PARTITION_ID_BOUND - 1);
}

/* Is the handle SELF, or does it give `p` these rights over a living partition? */
bool capability_may_act_on(const struct kernel *s, partition_id_t p, handle_t handle, right_t rights)
{
    if (handle == SELF) {
        return true;
    }
    return capability_handle_holds(s, p, handle, OBJECT_KIND_PARTITION, rights) &&
           partition_alive(s, capability_partition_of_handle(s, p, handle));
}

/* Derive a weaker capability into the free `slot` of the caller or of the partition `into`.

   The `badge` is chosen once, by the holder of the first capability. */
status_t capability_grant(struct kernel *s, struct call *call, slot_id_t slot, right_t rights, handle_t into,
                          uint64_t badge)
{
    struct capability *source = &s->capability[call->capability];
    if ((source->rights & (RIGHT_GRANT | RIGHT_GRANT_ONCE)) == 0) {
        return STATUS_INSUFFICIENT_RIGHTS;
    }
    if (ring_confers_trust(source->kind) && ring_more_privileged(RING_STANDARD, ring_base_ring(s, s->current))) {
        return STATUS_RING_DENIED;
    }
    if ((rights & ~source->rights) != 0) {
        return STATUS_RIGHTS_ESCALATION;
    }
    bool sends = source->kind == OBJECT_KIND_EDGE && (rights & RIGHT_WRITE) != 0;
    if (sends && call->capability != edge_sender_of(s, edge_named_edge(s, call))) {
        return STATUS_NOT_SENDER;
    }
    bool once = (source->rights & RIGHT_GRANT) == 0;
    if (once && (rights & (RIGHT_GRANT | RIGHT_GRANT_ONCE)) != 0) {
        return STATUS_RIGHTS_ESCALATION;
    }
    if (!capability_rooted(s, call->capability) && badge != source->badge) {
        return STATUS_BAD_ARGUMENT;
    }
    if (source->depth >= DEPTH_LIMIT) {
        return STATUS_DEPTH_EXCEEDED;
    }
    if (!capability_may_act_on(s, s->current, into, RIGHT_WRITE)) {
        return STATUS_INSUFFICIENT_RIGHTS;
    }
    capability_id_t target = capability_id(capability_partition_of_handle(s, s->current, into), slot);
    if (!capability_free(s, target)) {
        return STATUS_SLOT_IN_USE;
    }
    if (capability_retired(s, target) || source->lineage == COUNTER_LIMIT) {
        return STATUS_SLOT_RETIRED;
    }
    capability_derive(s, call->capability, target, rights, badge);
    if (sends) {
        s->edge[edge_named_edge(s, call)].sender = target;
        s->edge[edge_named_edge(s, call)].sender_generation = s->capability[target].generation;
    }
    if (once) {
        source->rights = (right_t)(source->rights & ~RIGHT_GRANT_ONCE);
    }
    call->result[0] = (handle_t)slot |
                      (handle_t)((handle_t)s->capability[target].generation << HANDLE_PARTS_GENERATION_SHIFT);
    return STATUS_OK;
}

/* Invalidate every descendant at once; the capability itself stays. */
status_t capability_revoke(struct kernel *s, const struct call *call)
{
    if (s->capability[call->capability].lineage == COUNTER_LIMIT) {
        return STATUS_SLOT_RETIRED;
    }
    s->capability[call->capability].lineage++;
    return STATUS_OK;
}

/* Free a slot of the caller, whether its capability is live or not; what was derived from it dies with it. */
status_t capability_delete(struct kernel *s, const struct call *call)
{
    capability_release(s, s->current, call->capability & (SLOT_ID_BOUND - 1));
    return STATUS_OK;
}

/* Tell the caller what one of its capabilities names and permits. */
status_t capability_inspect(const struct kernel *s, struct call *call)
{
    const struct capability *source = &s->capability[call->capability];
    call->result[0] = (uint64_t)source->depth | ((uint64_t)source->kind << INSPECTED_KIND_SHIFT) |
                      ((uint64_t)source->rights << INSPECTED_RIGHTS_SHIFT) |
                      ((uint64_t)source->object << INSPECTED_OBJECT_SHIFT);
    call->result[1] = source->badge;
    call->result[2] = (uint64_t)source->incarnation | ((uint64_t)source->lineage << DESCENT_LINEAGE_SHIFT);
    return STATUS_OK;
}

/* Empty a slot of a partition, no matter what it holds and who put that there.

   What was derived from it dies with it. */
status_t capability_withdraw(struct kernel *s, const struct call *call, slot_id_t slot)
{
    partition_id_t p = capability_named_partition(s, call);
    if (capability_free(s, capability_id(p, slot))) {
        return STATUS_INVALID_HANDLE;
    }
    capability_release(s, p, slot);
    return STATUS_OK;
}
