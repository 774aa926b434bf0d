/* Generated from spec/kernel/block.py, model/kernel/block.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 536cd38aa5439003 */

#ifndef KERNEL_BLOCK_H
#define KERNEL_BLOCK_H

#include "types.h"

static const uint64_t BEGINS[7] = {
    0xffffffffffffffff, 0x5555555555555555, 0x1111111111111111, 0x0101010101010101,
    0x0001000100010001, 0x0000000100000001, 0x0000000000000001,
};

uint64_t block_bit(unit_id_t unit);
uint64_t block_span(unit_id_t unit, order_t order);
uint64_t block_taken_from(uint64_t units, uint64_t taken);
heads_id_t block_heads_id(partition_id_t p, bank_id_t bank);
uint64_t block_runs(uint64_t units, order_t order);
uint8_t block_lowest(uint64_t low, uint64_t high);
uint8_t block_first_fit(const struct kernel *s, order_t order);
uint64_t block_dirty(const struct kernel *s, bank_id_t b);
bool block_any_dirty(const struct kernel *s);
unit_id_t block_first_dirty(const struct kernel *s);
bool block_holds(const struct kernel *s, partition_id_t p, unit_id_t unit);
bool block_holds_blocks(const struct kernel *s, partition_id_t p);
unit_id_t block_first_head(const struct kernel *s, partition_id_t p);
bool block_covered(const struct kernel *s, unit_id_t unit);
void block_clear_part(struct kernel *s, unit_id_t unit, unit_part_id_t part);
void block_hold(struct kernel *s, partition_id_t p, unit_id_t unit, order_t order);
void block_let_go(struct kernel *s, unit_id_t unit);
status_t block_create(struct kernel *s, struct call *call, order_t order);
status_t block_release(struct kernel *s, const struct call *call, unit_id_t unit);
status_t block_clean(struct kernel *s, struct call *call);

#endif
