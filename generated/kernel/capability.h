/* Generated from spec/kernel/capability.py, model/kernel/capability.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 cb0a153dc0d5db1c */

#ifndef KERNEL_CAPABILITY_H
#define KERNEL_CAPABILITY_H

#include "types.h"

/* The place of a partition's slot in the table of all capabilities. */
inline capability_id_t capability_id(partition_id_t partition, slot_id_t slot)
{
    return (capability_id_t)slot | (capability_id_t)((capability_id_t)partition << CAPABILITY_PLACE_PARTITION_SHIFT);
}

/* The partition whose slot this is. */
inline partition_id_t capability_holder(capability_id_t c)
{
    return (partition_id_t)(c >> CAPABILITY_PLACE_PARTITION_SHIFT);
}

/* The slot that a handle names. */
inline slot_id_t capability_handle_slot(handle_t handle)
{
    return handle & (SLOT_ID_BOUND - 1);
}

/* The generation that a handle names. */
inline uint32_t capability_handle_generation(handle_t handle)
{
    return (uint32_t)(handle >> HANDLE_PARTS_GENERATION_SHIFT);
}

/* Does the slot hold nothing? */
inline bool capability_free(const struct kernel *s, capability_id_t c)
{
    return s->capability[c].kind == OBJECT_KIND_NONE;
}

/* Has a counter of the slot run out, so that it can never be used again? */
inline bool capability_retired(const struct kernel *s, capability_id_t c)
{
    return s->capability[c].generation == COUNTER_LIMIT || s->capability[c].lineage == COUNTER_LIMIT;
}

/* Did the kernel make the capability, rather than derive it? */
inline bool capability_rooted(const struct kernel *s, capability_id_t c)
{
    return s->capability[c].depth == 0;
}

/* Is the link to the parent whole: was the parent neither revoked nor deleted since? */
inline bool capability_linked(const struct kernel *s, capability_id_t c)
{
    return s->capability[c].depth != 0 &&
           s->capability[s->capability[c].parent].lineage == s->capability[c].parent_lineage &&
           s->capability[s->capability[c].parent].kind != OBJECT_KIND_NONE;
}

/* The partition that the handle of the call names. */
inline partition_id_t capability_named_partition(const struct kernel *s, const struct call *call)
{
    return s->capability[call->capability].object & (PARTITION_ID_BOUND - 1);
}

/* Return the counter plus one; it stays at its limit. */
inline uint32_t capability_advance(uint32_t counter)
{
    return counter < COUNTER_LIMIT ? counter + 1 : counter;
}

bool capability_live(const struct kernel *s, capability_id_t c);
bool capability_current_object(const struct kernel *s, capability_id_t c);
bool capability_handle_holds(const struct kernel *s, partition_id_t p, handle_t handle, object_kind_t kind,
                             right_t rights);
partition_id_t capability_first_partition(const struct kernel *s, const struct call *call);
partition_id_t capability_second_partition(const struct kernel *s, const struct call *call);
void capability_empty(struct kernel *s, capability_id_t c);
void capability_release(struct kernel *s, partition_id_t p, slot_id_t slot);
void capability_mint(struct kernel *s, capability_id_t c, object_kind_t kind, uint32_t object, uint32_t incarnation,
                     right_t rights);
void capability_derive(struct kernel *s, capability_id_t source, capability_id_t c, right_t rights, uint64_t badge);
partition_id_t capability_partition_of_handle(const struct kernel *s, partition_id_t p, handle_t handle);
bool capability_may_act_on(const struct kernel *s, partition_id_t p, handle_t handle, right_t rights);
status_t capability_grant(struct kernel *s, struct call *call, slot_id_t slot, right_t rights, handle_t into,
                          uint64_t badge);
status_t capability_revoke(struct kernel *s, const struct call *call);
status_t capability_delete(struct kernel *s, const struct call *call);
status_t capability_inspect(const struct kernel *s, struct call *call);
status_t capability_withdraw(struct kernel *s, const struct call *call, slot_id_t slot);

#endif
