/* Generated from model/wasm/entry.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 df90651315ffabaa */

#include "entry.h"
#include "snapshot.h"

/* How is a function called from outside, and where do the results of a host call belong? */

/* Enter a function that the module defines, on top of the running call.

   Its arguments belong where its frame begins; all its other locals are zero. */
trap_t entry_enter(struct machine *vm, uint32_t index)
{
    if (index >= vm->entries.length) {
        return TRAP_UNDEFINED_ELEMENT;
    }
    uint32_t entry = (uint32_t)vm->entries.at[index];
    if (entry == 0 || entry > vm->code.length) {
        return TRAP_UNDEFINED_ELEMENT;
    }
    uint64_t shape = vm->code.at[entry - 1];
    uint64_t slots = (uint32_t)shape;
    uint64_t parameters = (uint16_t)(shape >> SHAPE_PARAMETERS_SHIFT);
    uint64_t locals_ = (uint16_t)(shape >> SHAPE_LOCALS_SHIFT);
    if ((uint64_t)vm->top + slots > vm->stack.length || vm->depth >= vm->control.length || locals_ > slots ||
        parameters > locals_) {
        return TRAP_STACK_EXHAUSTED;
    }
    uint64_t first = (uint64_t)vm->top + parameters;
    uint64_t others = locals_ - parameters;
    for (uint64_t filled = 0; filled < others; filled++)
        vm->stack.at[first + filled] = 0;
    vm->control.at[vm->depth] = EXIT;
    vm->at = entry;
    vm->frame = vm->top;
    vm->depth++;
    return TRAP_NONE;
}

/* Forget every call. */
void entry_leave(struct machine *vm)
{
    vm->at = 0;
    vm->frame = 0;
    vm->depth = 0;
    vm->arguments = 0;
    vm->top = 0;
    vm->callee = 0;
    vm->foreign = false;
    vm->type = 0;
}

/* Return the slot where the `count` results of a host call belong.

   The last word of the call says where a single result goes. */
uint32_t entry_result_slot(const struct machine *vm, uint32_t count)
{
    if (count != 1 || vm->at == 0 || vm->at > vm->code.length) {
        return vm->arguments;
    }
    return vm->frame + (uint32_t)(uint16_t)(vm->code.at[vm->at - 1] >> LAST_OF_CALL_RESULT_SHIFT);
}

/* Return how many slots of the stack are in use, up to the end of the running frame. */
uint32_t entry_live(const struct machine *vm)
{
    return vm->depth == 0 ? 0 : vm->frame + snapshot_slots_at(vm, vm->at);
}
