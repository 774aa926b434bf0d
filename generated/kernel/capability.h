/* Generated from spec/kernel/capability.py, model/kernel/capability.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 0a068efee247735d */

#ifndef KERNEL_CAPABILITY_H
#define KERNEL_CAPABILITY_H

#include "types.h"

capability_id_t capability_id(partition_id_t partition, slot_id_t slot);
partition_id_t capability_holder(capability_id_t c);
slot_id_t capability_handle_slot(handle_t handle);
uint32_t capability_handle_generation(handle_t handle);
bool capability_free(const struct kernel *s, capability_id_t c);
bool capability_retired(const struct kernel *s, capability_id_t c);
bool capability_rooted(const struct kernel *s, capability_id_t c);
bool capability_linked(const struct kernel *s, capability_id_t c);
bool capability_live(const struct kernel *s, capability_id_t c);
bool capability_current_object(const struct kernel *s, capability_id_t c);
bool capability_handle_holds(const struct kernel *s, partition_id_t p, handle_t handle, object_kind_t kind,
                             right_t rights);
partition_id_t capability_named_partition(const struct kernel *s, const struct call *call);
uint32_t capability_advance(uint32_t counter);
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
