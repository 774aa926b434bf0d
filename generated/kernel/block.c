/* Generated from spec/kernel/block.py, model/kernel/block.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 d698b229bcff35ec */

#include "block.h"
#include "builtins.h"
#include "capability.h"
#include "hardware.h"
#include "partition.h"

#define NOWHERE 128                     /* in place of a unit */
static const uint8_t SIZE[6] = {1, 2, 4, 8, 16, 32};
static const uint32_t SPAN[6] = {1, 3, 15, 255, 65535, 4294967295};
static const uint64_t BEGINS[6] = {
    0xffffffffffffffff, 0x5555555555555555, 0x1111111111111111, 0x0101010101010101,
    0x0001000100010001, 0x0000000100000001,
};

/* The code of what the header has copied to its callers. */
extern inline uint64_t block_bit(unit_id_t unit);
extern inline uint64_t block_taken_from(uint64_t units, uint64_t taken);
extern inline uint16_t block_units_in(const struct kernel *s, unit_id_t unit);
extern inline heads_id_t block_heads_id(partition_id_t p, bank_id_t bank);
extern inline uint64_t block_dirty(const struct kernel *s, bank_id_t b);
extern inline bool block_holds(const struct kernel *s, partition_id_t p, unit_id_t unit);

/* Which blocks of large memory are there, who holds them, and what is known of the units in none?

   Large memory is a row of units of 2 MiB, in two banks. A block of order k is 2^k units that begin at a multiple of
   that, as in a buddy allocator. A bank keeps one mask of its clean units. Those of them that can begin a block of
   an order follow from it (`runs`), so no list of an order can contradict another, and buddies come together by
   themselves. */

/* The mask of the units of a block in its bank. */
uint64_t block_span(unit_id_t unit, order_t order)
{
    uint32_t units = SPAN[order];
    return shift_left_64(units, unit & (UNIT_POSITION_BOUND - 1));
}

/* May a block of an order begin here? */
bool block_begins(unit_id_t unit, order_t order)
{
    uint64_t places = BEGINS[order];
    return (places & block_bit(unit)) != 0;
}

/* Where a block of an order can begin, of the units of a mask. */
uint64_t block_runs(uint64_t units, order_t order)
{
    uint64_t found = units;
    for (uint32_t i = 0; i < 5; i++) {
        if (i < order) {
            found &= found >> (uint64_t)SIZE[i];
        }
    }
    return found & BEGINS[order];
}

/* The first unit of two masks, one for each bank, or NOWHERE. */
uint8_t block_lowest(uint64_t low, uint64_t high)
{
    if (low != 0) {
        return trailing_zeros_64(low);
    }
    return BANK_UNITS + trailing_zeros_64(high);
}

/* The first unit where a block of an order can be made of clean units, or NOWHERE. */
uint8_t block_first_fit(const struct kernel *s, order_t order)
{
    return block_lowest(block_runs(s->bank[0].clean, order), block_runs(s->bank[1].clean, order));
}

/* Is there a unit to be cleaned? */
bool block_any_dirty(const struct kernel *s)
{
    return block_dirty(s, 0) != 0 || block_dirty(s, 1) != 0;
}

/* The first dirty unit, if there is one. */
unit_id_t block_first_dirty(const struct kernel *s)
{
    return block_lowest(block_dirty(s, 0), block_dirty(s, 1)) & (UNIT_ID_BOUND - 1);
}

/* Does the partition have any block? */
bool block_holds_blocks(const struct kernel *s, partition_id_t p)
{
    return s->heads[block_heads_id(p, 0)] != 0 || s->heads[block_heads_id(p, 1)] != 0;
}

/* The first block of a partition, or NOWHERE. */
uint8_t block_first_head(const struct kernel *s, partition_id_t p)
{
    return block_lowest(s->heads[block_heads_id(p, 0)], s->heads[block_heads_id(p, 1)]);
}

/* Is the unit in a block? There is one place for the beginning of a block of each order. */
bool block_covered(const struct kernel *s, unit_id_t unit)
{
    bool found = false;
    for (uint32_t i = 0; i < ORDERS; i++) {
        const struct block *head = &s->block[(uint32_t)((uint32_t)unit >> i << i) & (UNIT_ID_BOUND - 1)];
        found = found || (head->used && head->order == i);
    }
    return found;
}

/* How does large memory get a holder, how does it come back, and how is it cleared? */

/* Clear a part of a unit; it counts if it is the next one of the unit that is being cleared. */
void block_clear_part(struct kernel *s, unit_id_t unit, unit_part_id_t part)
{
    if (unit == s->cleaning && part == s->cleaned) {
        s->cleaned = (uint8_t)part + 1;
    }
    hardware_block_clear_part(unit, part);
}

/* Make a block of clean units, and give it to a partition. */
void block_hold(struct kernel *s, partition_id_t p, unit_id_t unit, order_t order)
{
    bank_id_t bank = (bank_id_t)(unit >> UNIT_PLACE_BANK_SHIFT);
    s->bank[bank].clean = block_taken_from(s->bank[bank].clean, block_span(unit, order));
    s->bank[bank].taken |= block_span(unit, order);
    s->heads[block_heads_id(p, bank)] |= block_bit(unit);
    s->block[unit].used = true;
    s->block[unit].order = order;
    s->block[unit].holder = p;
    s->block[unit].linked = 0;
    s->block[unit].heat = HEAT_HOT;
    s->partition[p].units_made += SIZE[order];
}

/* Take a block from its holder; its units are dirty. */
void block_let_go(struct kernel *s, unit_id_t unit)
{
    bank_id_t bank = (bank_id_t)(unit >> UNIT_PLACE_BANK_SHIFT);
    struct block *block = &s->block[unit];
    partition_id_t p = block->holder;
    s->bank[bank].taken = block_taken_from(s->bank[bank].taken, block_span(unit, block->order));
    s->heads[block_heads_id(p, bank)] = block_taken_from(s->heads[block_heads_id(p, bank)], block_bit(unit));
    s->partition[p].units_made = saturating_sub(s->partition[p].units_made, SIZE[block->order]);
    block->used = false;
}

/* Give the partition 2^order units of large memory, all zero; return the first of them. */
status_t block_create(struct kernel *s, struct call *call, order_t order)
{
    partition_id_t p = capability_named_partition(s, call);
    const struct partition *own = &s->partition[p];
    uint8_t found = block_first_fit(s, order);
    if (!partition_alive(s, p)) {
        return STATUS_WRONG_STATE;
    }
    if ((uint32_t)own->units_made + (uint32_t)SIZE[order] > own->units) {
        return STATUS_LIMIT_REACHED;
    }
    if (found == NOWHERE) {
        return STATUS_NO_BLOCK;
    }
    block_hold(s, p, found, order);
    call->result[0] = found;
    return STATUS_OK;
}

/* Take a block of the partition back, of which no unit is linked; it is dirty until it is cleaned. */
status_t block_release(struct kernel *s, const struct call *call, unit_id_t unit)
{
    if (!block_holds(s, capability_named_partition(s, call), unit)) {
        return STATUS_NOT_HELD;
    }
    if (s->block[unit].linked != 0) {
        return STATUS_STILL_SHARED;
    }
    block_let_go(s, unit);
    return STATUS_OK;
}

/* Clear 64 KiB of a dirty unit; return how much of it is left. When all of it is zero, it is clean. */
status_t block_clean(struct kernel *s, struct call *call)
{
    if (!block_any_dirty(s)) {
        return STATUS_WRONG_STATE;
    }
    if (s->cleaned == 0) {
        s->cleaning = block_first_dirty(s);
    }
    block_clear_part(s, s->cleaning, s->cleaned);
    call->result[0] = UNIT_PARTS - s->cleaned;
    if (s->cleaned == UNIT_PARTS) {
        bank_id_t bank = (bank_id_t)(s->cleaning >> UNIT_PLACE_BANK_SHIFT);
        s->bank[bank].clean |= block_bit(s->cleaning);
        s->cleaned = 0;
    }
    return STATUS_OK;
}
