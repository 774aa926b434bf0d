/* Generated from model/wasm/instantiation.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 7395e0f4b104b5c5 */

#include "instantiation.h"
#include "builtins.h"
#include "machine.h"

/* How does what a module defines get its first content?

   The host makes room, and calls these functions. Each does so little that the host can check its clock between two
   calls. */

/* Return the value of a constant expression, with a reference in its shared form. */
uint64_t instantiation_constant(const struct machine *vm, const struct constant *c)
{
    if (c->opcode == OPCODE_GLOBAL_GET) {
        if (c->value >= vm->globals.length || vm->globals.at[c->value].cell.length == 0) {
            return 0;
        }
        return vm->globals.at[c->value].cell.at[0];
    }
    if (c->opcode == OPCODE_REF_NULL) {
        return NULL_REFERENCE;
    }
    return c->opcode == OPCODE_REF_FUNC ? vm->base + (c->value + 1) : c->value;
}

/* Give each global that the module defines its first value. */
void instantiation_fill_globals(struct machine *vm)
{
    if (vm->module.length == 0) {
        return;
    }
    uint64_t number = vm->module.at[0].imported_globals;
    while (number < vm->globals.length && number < vm->module.at[0].globals.length) {
        if (vm->globals.at[number].cell.length != 0) {
            vm->globals.at[number].cell.at[0] = instantiation_constant(vm, &vm->module.at[0].globals.at[number].value);
        }
        number++;
    }
}

/* Set the items of element segments, from `first` on, to their references: as many as fit one piece. */
void instantiation_fill_items(struct machine *vm, uint64_t first)
{
    if (vm->module.length == 0 || first >= vm->items.length) {
        return;
    }
    uint64_t number = first;
    uint64_t end = first + minimum(vm->items.length - first, ITEMS);
    while (number < end && number < vm->items.length && number < vm->module.at[0].items.length) {
        vm->items.at[number] = instantiation_constant(vm, &vm->module.at[0].items.at[number]);
        number++;
    }
}

/* Copy the next piece of an active element segment to its table, when `done` items of it were copied.

   A segment that is not passive is dropped with its last piece. */
trap_t instantiation_copy_elements(struct machine *vm, uint32_t segment, uint32_t done)
{
    if (vm->module.length == 0 || segment >= vm->module.at[0].elements.length ||
        segment >= vm->dropped_elements.length) {
        return TRAP_TABLE_OUT_OF_BOUNDS;
    }
    mode_t mode = vm->module.at[0].elements.at[segment].mode;
    uint32_t count = vm->module.at[0].elements.at[segment].count;
    uint32_t number = vm->module.at[0].elements.at[segment].table;
    trap_t trap = TRAP_NONE;
    if (mode == MODE_ACTIVE) {
        if (done > count || number >= vm->tables.length || vm->tables.at[number].table.length == 0) {
            return TRAP_TABLE_OUT_OF_BOUNDS;
        }
        uint32_t to = (uint32_t)instantiation_constant(vm, &vm->module.at[0].elements.at[segment].offset);
        trap = machine_init_table(vm, &vm->tables.at[number].table.at[0], segment, to + done, done, count - done);
    }
    if (trap == TRAP_NONE && mode != MODE_PASSIVE && (mode != MODE_ACTIVE || count - done <= ITEMS)) {
        vm->dropped_elements.at[segment] = 1;
    }
    return trap;
}

/* Copy the next piece of an active data segment to the memory, when `done` bytes of it were copied.

   The segment is dropped with its last piece. */
trap_t instantiation_copy_data(struct machine *vm, uint32_t segment, uint32_t done)
{
    if (vm->module.length == 0 || segment >= vm->module.at[0].data.length || segment >= vm->dropped_data.length) {
        return TRAP_MEMORY_OUT_OF_BOUNDS;
    }
    if (vm->module.at[0].data.at[segment].mode != MODE_ACTIVE) {
        return TRAP_NONE;
    }
    uint32_t size = vm->module.at[0].data.at[segment].size;
    if (done > size || vm->memory.length == 0) {
        return TRAP_MEMORY_OUT_OF_BOUNDS;
    }
    uint32_t to = (uint32_t)instantiation_constant(vm, &vm->module.at[0].data.at[segment].offset);
    trap_t trap = machine_init_memory(vm, &vm->memory.at[0], segment, to + done, done, size - done);
    if (trap == TRAP_NONE && size - done <= PIECE) {
        vm->dropped_data.at[segment] = 1;
    }
    return trap;
}
