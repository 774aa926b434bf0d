/* Generated from model/wasm/snapshot.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 6d0de9327fce73a1 */

#include "snapshot.h"
#include "builtins.h"
#include "emission.h"
#include "operand_types.h"
#include "room.h"

#define CALL_IMPORT 12
#define CALL_INDIRECT 13
#define BEHIND 0                        /* the last words of these two begin with it */

/* May a snapshot from outside run?

   Nothing in it is trusted: its resume point, calls, sizes and references are checked. Values on the stack need no
   check, because no operation relies on them. */

/* Return what is wrong with a state, if anything.

   Each call comes as the word that it returns to and is completed. A call that waits for the host is completed, too. */
fault_t snapshot_check(struct machine *vm, const struct translation *t)
{
    if (!snapshot_loaded(vm, t)) {
        return FAULT_LAYOUT;
    }
    fault_t fault = snapshot_check_memory(vm);
    if (fault == FAULT_NONE) {
        fault = snapshot_check_tables(vm, &vm->module.at[0]);
    }
    if (fault == FAULT_NONE) {
        fault = snapshot_check_globals(vm, &vm->module.at[0]);
    }
    if (fault == FAULT_NONE) {
        fault = snapshot_check_calls(vm, t);
    }
    return fault;
}

/* Is there a module, and all the code that it was translated to? */
bool snapshot_loaded(const struct machine *vm, const struct translation *t)
{
    return vm->module.length > 0 && room_counted(&vm->module.at[0]) && t->at <= t->marks.length &&
           t->at <= vm->code.length;
}

/* Check that the memory is a whole number of pages and that there is room for it. */
fault_t snapshot_check_memory(const struct machine *vm)
{
    if (vm->memory.length == 0) {
        return FAULT_NONE;
    }
    uint64_t size = vm->memory.at[0].size;
    if (size % PAGE != 0 || size / PAGE > vm->memory.at[0].maximum || size > vm->memory.at[0].bytes.length) {
        return FAULT_MEMORY;
    }
    return FAULT_NONE;
}

/* Check that every table has room for its size, and holds what the instance may have. */
fault_t snapshot_check_tables(const struct machine *vm, const struct module *m)
{
    uint64_t number = 0;
    fault_t fault = FAULT_NONE;
    while (number < vm->tables.length && fault == FAULT_NONE) {
        if (number >= m->tables.length || vm->tables.at[number].table.length == 0) {
            return FAULT_LAYOUT;
        }
        fault = snapshot_check_table(vm, &vm->tables.at[number].table.at[0], m->tables.at[number].element);
        number++;
    }
    return fault;
}

/* Check that a table has room for its size, and holds what the instance may have. */
fault_t snapshot_check_table(const struct machine *vm, const struct table *t, value_type_t type_)
{
    if (t->size > t->maximum || t->size > t->elements.length) {
        return FAULT_TABLE;
    }
    uint32_t left = t->size;
    while (left > 0) {
        left--;
        if (!snapshot_may_have(vm, t->elements.at[left], type_)) {
            return FAULT_REFERENCE;
        }
    }
    return FAULT_NONE;
}

/* Check that every global of a reference type holds what the instance may have. */
fault_t snapshot_check_globals(const struct machine *vm, const struct module *m)
{
    uint64_t number = 0;
    while (number < vm->globals.length) {
        if (number >= m->globals.length || vm->globals.at[number].cell.length == 0) {
            return FAULT_LAYOUT;
        }
        value_type_t type_ = m->globals.at[number].type;
        if (operand_types_is_reference(type_) && !snapshot_may_have(vm, vm->globals.at[number].cell.at[0], type_)) {
            return FAULT_REFERENCE;
        }
        number++;
    }
    return FAULT_NONE;
}

/* Is a reference in a table or global null, or does it refer to a function of the instance? */
bool snapshot_may_have(const struct machine *vm, uint64_t reference, value_type_t type_)
{
    if (reference == NULL_REFERENCE) {
        return true;
    }
    return type_ == VALUE_TYPE_FUNCREF && reference - vm->base - 1 < vm->entries.length;
}

/* Check where the run is, and where its calls return to. */
fault_t snapshot_check_calls(struct machine *vm, const struct translation *t)
{
    REQUIRES(snapshot_loaded(vm, t));
    if (vm->outcome == OUTCOME_RETURNED) {
        return vm->depth == 0 && vm->frame == 0 ? FAULT_NONE : FAULT_FRAMES;
    }
    if (vm->outcome == OUTCOME_HOST_CALL) {
        if (!snapshot_is_host_call(vm, t)) {
            return FAULT_HOST_CALL;
        }
    } else if (vm->outcome != OUTCOME_SUSPENDED || !snapshot_is_marked(t, vm->at, SAFE_POINT)) {
        return FAULT_PLACE;
    }
    fault_t fault = snapshot_check_frames(vm, t);
    if (fault == FAULT_NONE && vm->outcome == OUTCOME_HOST_CALL) {
        snapshot_complete(vm);
    }
    return fault;
}

/* Is a word a resume point of this kind? */
bool snapshot_is_marked(const struct translation *t, uint32_t word, uint8_t kind)
{
    REQUIRES(t->at <= t->marks.length);
    return word < t->at && (t->marks.at[word] & kind) != 0;
}

/* Check the frames from the innermost call to the outermost, which returns to the exit.

   Every frame must fit the stack. The outermost frame must begin where the stack begins. */
fault_t snapshot_check_frames(struct machine *vm, const struct translation *t)
{
    REQUIRES(snapshot_loaded(vm, t));
    uint32_t word = vm->at;
    uint32_t frame = vm->frame;
    uint32_t left = vm->depth;
    while (left > 1) {
        left--;
        if (!snapshot_frame_fits(vm, word, frame)) {
            return FAULT_STACK;
        }
        if (left >= vm->control.length) {
            return FAULT_FRAMES;
        }
        word = (uint32_t)vm->control.at[left];
        uint32_t distance = snapshot_distance_at(vm, t, word);
        if (distance == 0 || vm->control.at[left] != word) {
            return FAULT_RETURN;
        }
        uint64_t last = vm->code.at[word - 1];
        vm->control.at[left] = (uint64_t)word |
                               ((uint64_t)(uint16_t)(last >> LAST_OF_CALL_DISTANCE_SHIFT) << RETURN_DISTANCE_SHIFT) |
                               ((uint64_t)(uint16_t)(last >> LAST_OF_CALL_RESULT_SHIFT) << RETURN_RESULT_SHIFT);
        if (distance > frame) {
            return FAULT_FRAMES;
        }
        frame -= distance;
    }
    if (left == 0 || vm->control.length == 0 || frame != 0) {
        return FAULT_FRAMES;
    }
    if (vm->control.at[0] != EXIT) {
        return FAULT_RETURN;
    }
    return snapshot_frame_fits(vm, word, frame) ? FAULT_NONE : FAULT_STACK;
}

/* Return how far the frame of a call that returns to a word lies above its caller's; 0 if no call returns there.

   Ensures: implies(result != 0, word > EXIT and word < t.at). */
uint32_t snapshot_distance_at(const struct machine *vm, const struct translation *t, uint32_t word)
{
    REQUIRES(snapshot_loaded(vm, t));
    if (word <= EXIT || !snapshot_is_marked(t, word, RETURN_POINT)) {
        return 0;
    }
    return (uint16_t)(vm->code.at[word - 1] >> LAST_OF_CALL_DISTANCE_SHIFT);
}

/* Does the frame of the function that a word belongs to fit the stack? */
bool snapshot_frame_fits(const struct machine *vm, uint32_t word, uint32_t frame)
{
    uint32_t slots = snapshot_slots_at(vm, word);
    return slots != 0 && (uint64_t)frame + (uint64_t)slots <= vm->stack.length;
}

/* Return the number of slots in a frame of the function that a word belongs to; 0 if it belongs to none. */
uint32_t snapshot_slots_at(const struct machine *vm, uint32_t word)
{
    if (vm->module.length == 0 || !room_counted(&vm->module.at[0])) {
        return 0;
    }
    uint32_t after = snapshot_first_after(&vm->module.at[0], word);
    if (after <= vm->module.at[0].imported_functions) {
        return 0;
    }
    uint32_t entry = vm->module.at[0].functions.at[after - 1].entry;
    if (entry == 0 || entry > vm->code.length) {
        return 0;
    }
    return (uint32_t)vm->code.at[entry - 1];
}

/* Return the first function that begins after a word. Functions lie in order.

   Ensures: result <= m.counts.functions. */
uint32_t snapshot_first_after(const struct module *m, uint32_t word)
{
    REQUIRES(room_counted(m));
    uint32_t low = m->imported_functions;
    uint32_t high = m->counts.functions;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (m->functions.at[middle].entry <= word) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Does the call just before the resume point ask the host for exactly this function?

   Ensures: implies(result, vm.at > 0 and vm.at < t.at). */
bool snapshot_is_host_call(const struct machine *vm, const struct translation *t)
{
    REQUIRES(snapshot_loaded(vm, t));
    if (snapshot_distance_at(vm, t, vm->at) == 0 || vm->foreign) {
        return false;
    }
    uint64_t last = vm->code.at[vm->at - 1];
    if (vm->callee >= vm->module.at[0].imported_functions || vm->callee >= vm->entries.length ||
        (uint16_t)last != BEHIND) {
        return false;
    }
    uint64_t call = vm->code.at[vm->at - 2];
    if ((uint16_t)call == CALL_IMPORT) {
        return vm->callee == (uint32_t)(call >> FAR_BYTECODE_WORD_FAR_SHIFT);
    }
    uint64_t called = vm->entries.at[vm->callee];
    return (uint16_t)call == CALL_INDIRECT &&
           (uint32_t)(called >> ENTRY_OF_SAME_SHIFT) == (uint16_t)(last >> LAST_OF_CALL_ABOUT_SHIFT);
}

/* Set the slot where the arguments of a host call are, and where its results belong. */
void snapshot_complete(struct machine *vm)
{
    REQUIRES(vm->at > 0 && vm->at <= vm->code.length);
    vm->arguments = vm->frame + (uint32_t)(uint16_t)(vm->code.at[vm->at - 1] >> LAST_OF_CALL_DISTANCE_SHIFT);
}
