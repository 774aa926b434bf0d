/* Generated from model/wasm/machine.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 804efb06ad4bb987 */

#include "machine.h"
#include "builtins.h"

/* What do the operations on memories and tables as a whole do?

   Each operation checks everything before it changes anything. It moves one piece at a time: the first bytes or
   elements, or the last ones where they move up to a place that they may overlap. What is left is in range, as all
   of it was. */

/* Add pages of zeros. Return the number of pages before, or FAILED. */
uint32_t machine_grow_memory(struct memory *m, uint32_t pages)
{
    uint32_t before = (uint32_t)(m->size / PAGE);
    if (pages > MEMORY_PAGES || before > MEMORY_PAGES || before + pages > m->maximum ||
        (uint64_t)(before + pages) * PAGE > m->bytes.length) {
        return FAILED;
    }
    m->size = (uint64_t)(before + pages) * PAGE;
    return before;
}

/* Copy bytes of the memory to another place in it, as if through a buffer. */
trap_t machine_copy_memory(struct memory *m, uint32_t target, uint32_t source, uint32_t count)
{
    if ((uint64_t)target + (uint64_t)count > m->size || (uint64_t)source + (uint64_t)count > m->size ||
        m->size > m->bytes.length) {
        return TRAP_MEMORY_OUT_OF_BOUNDS;
    }
    uint32_t piece = minimum(count, PIECE);
    uint32_t ahead = target <= source ? 0 : count - piece;
    __builtin_memmove(m->bytes.at + ((uint64_t)target + (uint64_t)ahead),
                      m->bytes.at + ((uint64_t)source + (uint64_t)ahead), piece);
    return TRAP_NONE;
}

/* Fill bytes of the memory with one byte. */
trap_t machine_fill_memory(struct memory *m, uint32_t target, uint32_t value, uint32_t count)
{
    if ((uint64_t)target + (uint64_t)count > m->size || m->size > m->bytes.length) {
        return TRAP_MEMORY_OUT_OF_BOUNDS;
    }
    __builtin_memset(m->bytes.at + (uint64_t)target, (uint8_t)value, minimum(count, PIECE));
    return TRAP_NONE;
}

/* Copy bytes of a data segment to the memory. A dropped segment has none. */
trap_t machine_init_memory(const struct machine *vm, struct memory *m, uint32_t segment, uint32_t target,
                           uint32_t source, uint32_t count)
{
    if (vm->module.length == 0 || segment >= vm->module.at[0].data.length || segment >= vm->dropped_data.length) {
        return TRAP_MEMORY_OUT_OF_BOUNDS;
    }
    uint32_t at = vm->module.at[0].data.at[segment].at;
    uint32_t size = vm->dropped_data.at[segment] != 0 ? 0 : vm->module.at[0].data.at[segment].size;
    if ((uint64_t)source + (uint64_t)count > size || (uint64_t)target + (uint64_t)count > m->size ||
        m->size > m->bytes.length) {
        return TRAP_MEMORY_OUT_OF_BOUNDS;
    }
    if ((uint64_t)at + (uint64_t)source + (uint64_t)count > vm->module.at[0].bytes.length) {
        return TRAP_MEMORY_OUT_OF_BOUNDS;
    }
    __builtin_memmove(m->bytes.at + (uint64_t)target, vm->module.at[0].bytes.at + ((uint64_t)at + (uint64_t)source),
                      minimum(count, PIECE));
    return TRAP_NONE;
}

/* Add elements, all null as they are beyond the size. Return the number of elements before, or FAILED. */
uint32_t machine_grow_table(struct table *t, uint32_t count)
{
    uint32_t before = t->size;
    uint64_t after = (uint64_t)before + (uint64_t)count;
    if (after > t->maximum || after > t->elements.length) {
        return FAILED;
    }
    t->size = after;
    return before;
}

/* Fill elements of a table with one element. */
trap_t machine_fill_table(struct table *t, uint32_t target, uint64_t value, uint32_t count)
{
    if ((uint64_t)target + (uint64_t)count > t->size || t->size > t->elements.length) {
        return TRAP_TABLE_OUT_OF_BOUNDS;
    }
    for (uint64_t filled = 0; filled < (uint64_t)minimum(count, ITEMS); filled++)
        t->elements.at[(uint64_t)target + filled] = value;
    return TRAP_NONE;
}

/* Copy elements of a table to another table, or to another place in it, as if through a buffer. */
trap_t machine_copy_table(struct table *to, const struct table *source, uint32_t target, uint32_t first, uint32_t count)
{
    if ((uint64_t)target + (uint64_t)count > to->size || (uint64_t)first + (uint64_t)count > source->size) {
        return TRAP_TABLE_OUT_OF_BOUNDS;
    }
    if (to->size > to->elements.length || source->size > source->elements.length) {
        return TRAP_TABLE_OUT_OF_BOUNDS;
    }
    uint32_t piece = minimum(count, ITEMS);
    uint32_t ahead = target <= first ? 0 : count - piece;
    __builtin_memmove(to->elements.at + ((uint64_t)target + (uint64_t)ahead),
                      source->elements.at + ((uint64_t)first + (uint64_t)ahead), 8 * (uint64_t)piece);
    return TRAP_NONE;
}

/* Copy items of an element segment to a table. A dropped segment has none. */
trap_t machine_init_table(const struct machine *vm, struct table *t, uint32_t segment, uint32_t target,
                          uint32_t source, uint32_t count)
{
    if (vm->module.length == 0 || segment >= vm->module.at[0].elements.length ||
        segment >= vm->dropped_elements.length) {
        return TRAP_TABLE_OUT_OF_BOUNDS;
    }
    uint32_t at = vm->module.at[0].elements.at[segment].first;
    uint32_t size = vm->dropped_elements.at[segment] != 0 ? 0 : vm->module.at[0].elements.at[segment].count;
    if ((uint64_t)source + (uint64_t)count > size || (uint64_t)target + (uint64_t)count > t->size ||
        t->size > t->elements.length) {
        return TRAP_TABLE_OUT_OF_BOUNDS;
    }
    if ((uint64_t)at + (uint64_t)source + (uint64_t)count > vm->items.length) {
        return TRAP_TABLE_OUT_OF_BOUNDS;
    }
    __builtin_memmove(t->elements.at + (uint64_t)target, vm->items.at + ((uint64_t)at + (uint64_t)source),
                      8 * (uint64_t)minimum(count, ITEMS));
    return TRAP_NONE;
}
