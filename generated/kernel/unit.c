/* Generated from spec/kernel/unit.py, model/kernel/unit.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 3fced4fc65921d52 */

#include "unit.h"
#include "builtins.h"
#include "block.h"
#include "capability.h"
#include "hardware.h"
#include "heat.h"
#include "memory.h"

/* The code of what the header has copied to its callers. */
extern inline uint64_t unit_descriptor(unit_id_t unit, access_t access);
extern inline unit_id_t unit_of(uint64_t descriptor);
extern inline bool unit_as_data(access_t access);

/* Where are units of large memory linked into stage-2 tables, and how does a block change hands?

   A table of units is a table of level 2 whose entries lead to units of 2 MiB, and to no other table. A block knows
   which of its units are linked; a unit knows where. So a block without linked units is in no table and in no TLB. */

/* Is the unit one of those that a block has linked? */
bool unit_has_linked(const struct kernel *s, unit_id_t head, unit_id_t unit)
{
    return (bank_id_t)(head >> UNIT_PLACE_BANK_SHIFT) == (bank_id_t)(unit >> UNIT_PLACE_BANK_SHIFT) &&
           (s->block[head].linked & block_bit(unit)) != 0;
}

/* Is the unit linked? */
bool unit_is_linked(const struct kernel *s, unit_id_t unit)
{
    return unit_has_linked(s, s->unit[unit].head, unit);
}

/* Is the descriptor of a unit where it was linked? A table that is gone took its descriptors with it. */
bool unit_in_table(const struct kernel *s, unit_id_t unit)
{
    const struct unit *place = &s->unit[unit];
    uint64_t descriptor = s->memory[place->table].word[place->entry];
    return s->page[place->table].kind == PAGE_KIND_TABLE_UNITS && memory_valid(descriptor) &&
           unit_of(descriptor) == unit;
}

/* How do units of large memory get into stage-2 tables and out of them, and how does a block change hands? */

/* Make the hardware forget a unit under this VMID; it fetches it again if the descriptor is still there. */
void unit_flush_unit(struct kernel *s, unit_id_t unit, uint64_t base)
{
    if (hardware_vmid(base) == s->block[s->unit[unit].head].holder && !unit_in_table(s, unit)) {
        s->unit[unit].cached = false;
    }
    hardware_unit_flush_unit(unit, base);
}

/* Write the descriptor of a unit into an empty entry and remember where it is. */
void unit_link_unit(struct kernel *s, unit_id_t head, unit_id_t unit, page_id_t table, entry_id_t entry,
                    access_t access)
{
    s->memory[table].word[entry] = unit_descriptor(unit, access);
    s->block[head].linked |= block_bit(unit);
    s->unit[unit].cached = true;
    s->unit[unit].head = head;
    s->unit[unit].table = table;
    s->unit[unit].entry = entry;
}

/* Break before make: take the descriptor out, then flush the translation, then forget that it was linked. */
void unit_unlink_unit(struct kernel *s, unit_id_t head, unit_id_t unit)
{
    const struct unit *place = &s->unit[unit];
    if (unit_in_table(s, unit)) {
        s->memory[place->table].word[place->entry] = 0;
    }
    unit_flush_unit(s, unit, hardware_vttbr(s, s->block[head].holder));
    s->block[head].linked = block_taken_from(s->block[head].linked, block_bit(unit));
}

/* Give a block that is linked nowhere to a partition. */
void unit_hand(struct kernel *s, unit_id_t unit, partition_id_t p)
{
    struct block *block = &s->block[unit];
    partition_id_t giver = block->holder;
    bank_id_t bank = (bank_id_t)(unit >> UNIT_PLACE_BANK_SHIFT);
    s->heads[block_heads_id(giver, bank)] = block_taken_from(s->heads[block_heads_id(giver, bank)], block_bit(unit));
    s->heads[block_heads_id(p, bank)] |= block_bit(unit);
    s->partition[giver].units_made = saturating_sub(s->partition[giver].units_made, block_units_in(s, unit));
    s->partition[p].units_made += block_units_in(s, unit);
    block->holder = p;
}

/* Map a unit of the block of a partition that begins with `head`, to read or to write, never to execute.

   The place is an empty entry of a table of units of the partition's own. */
status_t unit_block_map(struct kernel *s, const struct call *call, unit_id_t head, unit_id_t unit, page_id_t table,
                        entry_id_t entry, access_t access)
{
    partition_id_t p = capability_named_partition(s, call);
    if (!memory_belongs(s, table, p)) {
        return STATUS_NOT_OWNER;
    }
    if (!block_holds(s, p, head) || !memory_lies_in(s, unit, head)) {
        return STATUS_NOT_HELD;
    }
    if (s->page[table].kind != PAGE_KIND_TABLE_UNITS) {
        return STATUS_WRONG_PAGE_KIND;
    }
    if (!unit_as_data(access)) {
        return STATUS_WRITE_XOR_EXECUTE;
    }
    if (!heat_at_hand(s->block[head].heat)) {
        return STATUS_WRONG_STATE;
    }
    if (s->memory[table].word[entry] != 0) {
        return STATUS_ENTRY_IN_USE;
    }
    if (unit_has_linked(s, head, unit)) {
        return STATUS_ALREADY_LINKED;
    }
    unit_link_unit(s, head, unit, table, entry, access);
    return STATUS_OK;
}

/* Take a unit of a block out of the table it is linked in, though its holder was destroyed. */
status_t unit_block_unmap(struct kernel *s, const struct call *call, unit_id_t head, unit_id_t unit)
{
    if (!block_holds(s, capability_named_partition(s, call), head)) {
        return STATUS_NOT_HELD;
    }
    if (!unit_has_linked(s, head, unit)) {
        return STATUS_NOT_LINKED;
    }
    unit_unlink_unit(s, head, unit);
    return STATUS_OK;
}

/* Hand a block, with all that its units hold, to the partition `into`; none of its units may be linked. */
status_t unit_block_transfer(struct kernel *s, const struct call *call, unit_id_t unit, handle_t into)
{
    partition_id_t p = capability_named_partition(s, call);
    if (!block_holds(s, p, unit)) {
        return STATUS_NOT_HELD;
    }
    if (s->block[unit].linked != 0) {
        return STATUS_STILL_SHARED;
    }
    if (!capability_may_act_on(s, s->current, into, RIGHT_WRITE)) {
        return STATUS_INSUFFICIENT_RIGHTS;
    }
    partition_id_t r = capability_partition_of_handle(s, s->current, into);
    if (r == p) {
        return STATUS_INVALID_TARGET;
    }
    if ((uint32_t)s->partition[r].units_made + (uint32_t)block_units_in(s, unit) > s->partition[r].units) {
        return STATUS_LIMIT_REACHED;
    }
    unit_hand(s, unit, r);
    return STATUS_OK;
}

/* Move a block from its `old` tier to the next hotter or colder one, as it is of so much use, of 10000.

   None of its units may be linked when it becomes dormant. */
status_t unit_block_retier(struct kernel *s, const struct call *call, unit_id_t unit, heat_t old, heat_t new, use_t use)
{
    struct block *block = &s->block[unit];
    if (!block_holds(s, capability_named_partition(s, call), unit)) {
        return STATUS_NOT_HELD;
    }
    if (block->heat != old || !heat_are_adjacent(old, new)) {
        return STATUS_WRONG_STATE;
    }
    if (!heat_is_due(old, new, use)) {
        return STATUS_NOT_DUE;
    }
    if (!heat_at_hand(new) && block->linked != 0) {
        return STATUS_STILL_SHARED;
    }
    block->heat = new;
    return STATUS_OK;
}
