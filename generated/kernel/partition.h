/* Generated from spec/kernel/partition.py, model/kernel/partition.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 e412d26748d37688 */

#ifndef KERNEL_PARTITION_H
#define KERNEL_PARTITION_H

#include "types.h"
#include "builtins.h"

/* Is the partition created and not destroyed? */
inline bool partition_alive(const struct kernel *s, partition_id_t p)
{
    return s->partition[p].state != PARTITION_STATE_VACANT && s->partition[p].state != PARTITION_STATE_DESTROYED;
}

/* Add two allowances; the sum is never more than there is in all. */
inline uint16_t partition_together(uint16_t one, uint16_t other, uint16_t most)
{
    return minimum((uint32_t)one + (uint32_t)other, most);
}

bool partition_eligible(const struct kernel *s, partition_id_t p);
bool partition_has_come(const struct kernel *s, partition_id_t p);
bool partition_toolless(const struct kernel *s, partition_id_t p);
void partition_reset_context(struct kernel *s, partition_id_t p, uint64_t entry);
void partition_flush_partition(struct kernel *s, partition_id_t p);
status_t partition_create(struct kernel *s, struct call *call, partition_id_t p, slot_id_t slot, uint16_t quota);
status_t partition_adopt(struct kernel *s, struct call *call, partition_id_t p, slot_id_t slot);
void partition_run(struct kernel *s, partition_id_t p);
status_t partition_start(struct kernel *s, const struct call *call, uint64_t entry);
status_t partition_suspend(struct kernel *s, const struct call *call);
status_t partition_resume(struct kernel *s, const struct call *call);
status_t partition_hibernate(struct kernel *s, const struct call *call);
status_t partition_reconstruct(struct kernel *s, const struct call *call);
void partition_fall_to(struct kernel *s, partition_id_t p, partition_id_t creator, partition_id_t heir);
void partition_hand_on(struct kernel *s, partition_id_t creator, partition_id_t heir);
void partition_empty_slots(struct kernel *s, partition_id_t p);
status_t partition_destroy(struct kernel *s, const struct call *call);
void partition_release_page(struct kernel *s, partition_id_t p);
status_t partition_release(struct kernel *s, struct call *call);
void partition_give_back(struct kernel *s, partition_id_t p);
status_t partition_reclaim(struct kernel *s, const struct call *call);
status_t partition_fail(struct kernel *s, const struct call *call, failure_class_t failure);
void partition_lose_root(struct kernel *s, partition_id_t p);
status_t partition_system_halt(struct kernel *s, const struct call *call);
bool partition_has_left(const struct kernel *s, partition_id_t p, allowance_t what, uint16_t amount);
bool partition_can_take(const struct kernel *s, partition_id_t p, allowance_t what, uint16_t amount);
status_t partition_endow(struct kernel *s, const struct call *call, allowance_t what, uint16_t amount);
status_t partition_region_reclaim(struct kernel *s, const struct call *call, page_id_t page);

#endif
