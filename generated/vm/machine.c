/* Generated from model/wasm/machine.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 390e0e3c98e4188e */

#include "machine.h"
#include "builtins.h"

/* What do the operations on memories and tables as a whole do? Each checks everything before it changes anything.

   They move a piece at a time: of so many bytes or elements, the first ones, or the last ones where they go up to a
   place that they may overlap. What is left is as well in range as all of it was. */

/* More pages, all zero; the number before, or FAILED. */
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

/* Bytes of the memory to another place in it, as if by way of a third. */
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

/* A byte over and over. */
trap_t machine_fill_memory(struct memory *m, uint32_t target, uint32_t value, uint32_t count)
{
    if ((uint64_t)target + (uint64_t)count > m->size || m->size > m->bytes.length) {
        return TRAP_MEMORY_OUT_OF_BOUNDS;
    }
    __builtin_memset(m->bytes.at + (uint64_t)target, (uint8_t)value, minimum(count, PIECE));
    return TRAP_NONE;
}

/* Bytes of a data segment; one that was dropped has none. */
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

/* More elements, all null as they are beyond the size; the number before, or FAILED. */
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

/* An element over and over. */
trap_t machine_fill_table(struct table *t, uint32_t target, uint64_t value, uint32_t count)
{
    if ((uint64_t)target + (uint64_t)count > t->size || t->size > t->elements.length) {
        return TRAP_TABLE_OUT_OF_BOUNDS;
    }
    for (uint64_t filled = 0; filled < (uint64_t)minimum(count, ITEMS); filled++)
        t->elements.at[(uint64_t)target + filled] = value;
    return TRAP_NONE;
}

/* Elements of a table to another, or to another place, as if by way of a third. */
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

/* Items of an element segment; one that was dropped has none. */
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
