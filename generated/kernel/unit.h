/* Generated from spec/kernel/unit.py, model/kernel/unit.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 b90e1f00e812edca */

#ifndef KERNEL_UNIT_H
#define KERNEL_UNIT_H

#include "types.h"
#include "hardware.h"

#define DATA_ACCESS 0x3

/* The level-2 descriptor of a unit with the given access. */
inline uint64_t unit_descriptor(unit_id_t unit, access_t access)
{
    return UNIT_LEAF_FIXED | ((access & ACCESS_READ) != 0 ? UNIT_LEAF_READABLE : 0) |
           ((access & ACCESS_WRITE) != 0 ? UNIT_LEAF_WRITABLE : 0) | ((uint64_t)unit << UNIT_LEAF_UNIT_SHIFT);
}

/* The unit that a valid descriptor of a table of units leads to. */
inline unit_id_t unit_of(uint64_t descriptor)
{
    return (descriptor >> UNIT_LEAF_UNIT_SHIFT) & (UNIT_ID_BOUND - 1);
}

/* Does the access give some right, and none to execute? */
inline bool unit_as_data(access_t access)
{
    return access != 0 && (access & ~DATA_ACCESS) == 0;
}

bool unit_has_linked(const struct kernel *s, unit_id_t head, unit_id_t unit);
bool unit_is_linked(const struct kernel *s, unit_id_t unit);
bool unit_in_table(const struct kernel *s, unit_id_t unit);
void unit_flush_unit(struct kernel *s, unit_id_t unit, uint64_t base);
void unit_link_unit(struct kernel *s, unit_id_t head, unit_id_t unit, page_id_t table, entry_id_t entry,
                    access_t access);
void unit_unlink_unit(struct kernel *s, unit_id_t head, unit_id_t unit);
void unit_hand(struct kernel *s, unit_id_t unit, partition_id_t p);
status_t unit_block_map(struct kernel *s, const struct call *call, unit_id_t head, unit_id_t unit, page_id_t table,
                        entry_id_t entry, access_t access);
status_t unit_block_unmap(struct kernel *s, const struct call *call, unit_id_t head, unit_id_t unit);
status_t unit_block_transfer(struct kernel *s, const struct call *call, unit_id_t unit, handle_t into);
status_t unit_block_retier(struct kernel *s, const struct call *call, unit_id_t unit, heat_t old, heat_t new,
                           use_t use);

#endif
