/* Generated from model/wasm/content.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 d9b10fdbb8390e6c */

#include "content.h"
#include "builtins.h"
#include "operand_types.h"
#include "snapshot.h"

#define HOST_CALL 2                     /* the last outcome in which an instance can wait */

/* How is the content of a snapshot brought into an instance?

   It begins with nine numbers of 32 bits: outcome, next operation, frame, calls, slots in use, callee, globals,
   tables and pages. The control stack follows, the operand stack, the globals, the tables, a byte for each segment,
   and the memory, unless that comes apart. Nothing in it is trusted. */

/* Bring the content into an instance that has taken no step yet, and check it. Return what is wrong, if any is.

   If its numbers do not fit, nothing is changed. After any other fault the instance must not be used. */
fault_t content_restore(struct machine *vm, const struct translation *t, struct content *c)
{
    uint32_t outcome = content_number(c);
    uint32_t at = content_number(c);
    uint32_t frame = content_number(c);
    uint32_t depth = content_number(c);
    uint32_t slots = content_number(c);
    uint32_t callee = content_number(c);
    uint32_t globals_ = content_number(c);
    uint32_t tables = content_number(c);
    uint32_t pages = content_number(c);
    if (outcome > HOST_CALL || globals_ != vm->globals.length || tables != vm->tables.length) {
        return FAULT_LAYOUT;
    }
    if (!content_has_stacks(vm, depth, slots)) {
        return FAULT_STACK;
    }
    vm->outcome = outcome;
    vm->at = at;
    vm->frame = frame;
    vm->depth = depth;
    vm->callee = callee;
    content_restore_stacks(vm, c, slots);
    fault_t fault = content_restore_globals(vm, c);
    if (fault == FAULT_NONE) {
        fault = content_restore_tables(vm, c);
    }
    if (fault == FAULT_NONE) {
        content_restore_dropped(vm, c);
        fault = content_restore_memory(vm, c, pages);
    }
    if (fault == FAULT_NONE) {
        fault = snapshot_check(vm, t);
    }
    return fault;
}

/* Has the instance room for that many calls and slots? */
bool content_has_stacks(const struct machine *vm, uint32_t depth, uint32_t slots)
{
    return depth <= vm->control.length && slots <= vm->stack.length;
}

/* Read the words that calls return to, and the slots in use. The check completes the control stack. */
void content_restore_stacks(struct machine *vm, struct content *c, uint32_t slots)
{
    REQUIRES(content_has_stacks(vm, vm->depth, slots));
    uint32_t read = 0;
    uint32_t depth = vm->depth;
    while (read < depth) {
        vm->control.at[read] = content_number(c);
        read++;
    }
    read = 0;
    while (read < slots) {
        vm->stack.at[read] = content_word(c);
        read++;
    }
}

/* Read the globals. One that never changes must have its value already. */
fault_t content_restore_globals(struct machine *vm, struct content *c)
{
    uint64_t at = 0;
    while (at < vm->globals.length) {
        if (vm->module.length == 0 || at >= vm->module.at[0].globals.length || vm->globals.at[at].cell.length == 0) {
            return FAULT_LAYOUT;
        }
        uint64_t value = content_word(c);
        if (operand_types_is_reference(vm->module.at[0].globals.at[at].type)) {
            value = content_shared(vm, value);
        }
        if (vm->module.at[0].globals.at[at].mutable) {
            vm->globals.at[at].cell.at[0] = value;
        } else if (vm->globals.at[at].cell.at[0] != value) {
            return FAULT_GLOBAL;
        }
        at++;
    }
    return FAULT_NONE;
}

/* Read the tables. */
fault_t content_restore_tables(struct machine *vm, struct content *c)
{
    uint64_t at = 0;
    fault_t fault = FAULT_NONE;
    while (at < vm->tables.length && fault == FAULT_NONE) {
        if (vm->tables.at[at].table.length == 0) {
            return FAULT_LAYOUT;
        }
        fault = content_restore_table(vm, &vm->tables.at[at].table.at[0], c);
        at++;
    }
    return fault;
}

/* Read a table: its size, and a reference for each element. */
fault_t content_restore_table(const struct machine *vm, struct table *table, struct content *c)
{
    uint32_t size = content_number(c);
    if (size > table->elements.length) {
        return FAULT_TABLE;
    }
    table->size = size;
    uint32_t read = 0;
    while (read < size) {
        uint32_t reference = content_number(c);
        table->elements.at[read] = content_shared(vm, reference);
        read++;
    }
    return FAULT_NONE;
}

/* Read for each segment whether it is dropped: any byte but zero says so. */
void content_restore_dropped(struct machine *vm, struct content *c)
{
    uint64_t at = 0;
    while (at < vm->dropped_elements.length) {
        vm->dropped_elements.at[at] = content_flag(c);
        at++;
    }
    at = 0;
    while (at < vm->dropped_data.length) {
        vm->dropped_data.at[at] = content_flag(c);
        at++;
    }
}

/* Read the memory, if there is one. Nothing may follow, and nothing may have been missing. */
fault_t content_restore_memory(struct machine *vm, const struct content *c, uint32_t pages)
{
    uint64_t size = (uint64_t)pages * PAGE;
    uint64_t there = c->apart ? 0 : size;
    if (vm->memory.length == 0) {
        return pages == 0 && c->at == c->bytes.length && !c->missing ? FAULT_NONE : FAULT_LAYOUT;
    }
    if (size > vm->memory.at[0].bytes.length) {
        return FAULT_MEMORY;
    }
    if (c->missing || c->at > c->bytes.length || c->bytes.length - c->at != there) {
        return FAULT_LAYOUT;
    }
    vm->memory.at[0].size = size;
    __builtin_memmove(vm->memory.at[0].bytes.at + 0, c->bytes.at + c->at, there);
    return FAULT_NONE;
}

/* Return a reference of the instance in its shared form. */
uint64_t content_shared(const struct machine *vm, uint64_t reference)
{
    return reference == NULL_REFERENCE ? NULL_REFERENCE : vm->base + reference;
}

/* Return a shared reference as the instance counts it. */
uint64_t content_own(const struct machine *vm, uint64_t reference)
{
    return reference == NULL_REFERENCE ? NULL_REFERENCE : reference - vm->base;
}

/* Read a byte; 1 when it is not 0. */
uint8_t content_flag(struct content *c)
{
    if (c->at >= c->bytes.length) {
        c->missing = true;
        return 0;
    }
    uint8_t read = c->bytes.at[c->at];
    c->at++;
    return read == 0 ? 0 : 1;
}

/* Read a number of 32 bits; 0 when it is not there. */
uint32_t content_number(struct content *c)
{
    uint64_t at = c->at;
    if (at > c->bytes.length || c->bytes.length - at < 4) {
        c->missing = true;
        return 0;
    }
    c->at = at + 4;
    return (uint32_t)c->bytes.at[at] | ((uint32_t)c->bytes.at[at + 1] << 8) | ((uint32_t)c->bytes.at[at + 2] << 16) |
           ((uint32_t)c->bytes.at[at + 3] << 24);
}

/* Read a number of 64 bits. */
uint64_t content_word(struct content *c)
{
    uint32_t low = content_number(c);
    uint32_t high = content_number(c);
    return (uint64_t)low | ((uint64_t)high << 32);
}
