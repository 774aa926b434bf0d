/* Generated from spec/kernel/block.py, model/kernel/block.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 3cdb440f717d71af */

#ifndef KERNEL_BLOCK_H
#define KERNEL_BLOCK_H

#include "types.h"
#include "builtins.h"

#define ALL_UNITS 0xffffffffffffffffull
static const uint8_t SIZE[6] = {1, 2, 4, 8, 16, 32};

/* The mask of a unit in its bank. */
inline uint64_t block_bit(unit_id_t unit)
{
    return shift_left_64(1, unit & (UNIT_POSITION_BOUND - 1));
}

/* The units of a mask that are not taken. */
inline uint64_t block_taken_from(uint64_t units, uint64_t taken)
{
    return units & (ALL_UNITS ^ taken);
}

/* The place of a partition's blocks in a bank. */
inline heads_id_t block_heads_id(partition_id_t p, bank_id_t bank)
{
    return (heads_id_t)bank | (heads_id_t)((heads_id_t)p << HEADS_PLACE_PARTITION_SHIFT);
}

/* The units of a bank that may hold anything: all are at first, and after they were in a block. */
inline uint64_t block_dirty(const struct kernel *s, bank_id_t b)
{
    return ALL_UNITS ^ (s->bank[b].clean | s->bank[b].taken);
}

/* Does a block of the partition begin with this unit? */
inline bool block_holds(const struct kernel *s, partition_id_t p, unit_id_t unit)
{
    return s->block[unit].used && s->block[unit].holder == p;
}

uint64_t block_span(unit_id_t unit, order_t order);
bool block_begins(unit_id_t unit, order_t order);
uint64_t block_runs(uint64_t units, order_t order);
uint8_t block_lowest(uint64_t low, uint64_t high);
uint8_t block_first_fit(const struct kernel *s, order_t order);
bool block_any_dirty(const struct kernel *s);
unit_id_t block_first_dirty(const struct kernel *s);
bool block_holds_blocks(const struct kernel *s, partition_id_t p);
uint8_t block_first_head(const struct kernel *s, partition_id_t p);
bool block_covered(const struct kernel *s, unit_id_t unit);
void block_clear_part(struct kernel *s, unit_id_t unit, unit_part_id_t part);
void block_hold(struct kernel *s, partition_id_t p, unit_id_t unit, order_t order);
void block_let_go(struct kernel *s, unit_id_t unit);
status_t block_create(struct kernel *s, struct call *call, order_t order);
status_t block_release(struct kernel *s, const struct call *call, unit_id_t unit);
status_t block_clean(struct kernel *s, struct call *call);

#endif
