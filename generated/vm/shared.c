/* Generated from model/wasm/shared.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 d3215bb280f630d0 */

#include "shared.h"
#include "builtins.h"
#include "computing.h"
#include "emission.h"
#include "operand_types.h"
#include "operands.h"
#include "reader.h"
#include "room.h"
#include "spilling.h"

#define STATE 3                         /* slots that hold the progress of a bulk operation */

/* Which bytecode do instructions on globals, tables and the memory as a whole compile to?

   Other instances may share these. */

/* Translate an instruction on globals, tables or the memory as a whole.

   Ensures: in_room. */
void shared_other(struct module *m, struct translation *t, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_in_room(t));
    if ((d->opcode == OPCODE_GLOBAL_GET || d->opcode == OPCODE_GLOBAL_SET) && d->value >= m->counts.globals) {
        reader_refuse(m, REFUSAL_UNKNOWN_GLOBAL, d->at);
    } else if (d->opcode == OPCODE_GLOBAL_GET) {
        emission_field_sized(m, d->value);
        shared_leave_result(m, t, shared_has_reference(m, d->value) ? HANDLER_GET_REFERENCE : HANDLER_GET_GLOBAL, 0,
                            (uint32_t)d->value);
    } else if (d->opcode == OPCODE_GLOBAL_SET) {
        emission_field_sized(m, d->value);
        shared_take_one(m, t, shared_has_reference(m, d->value) ? HANDLER_SET_REFERENCE : HANDLER_SET_GLOBAL,
                        (uint32_t)d->value);
    } else if (d->opcode == OPCODE_REF_IS_NULL) {
        operands_push(m, t, PLACE_VALUE, 0);
        computing_binary(m, t, OPCODE_I64_EQ);
    } else if (d->opcode == OPCODE_MEMORY_SIZE) {
        shared_leave_result(m, t, HANDLER_MEMORY_SIZE, 0, 0);
    } else if (d->opcode == OPCODE_TABLE_SIZE) {
        emission_field_sized(m, d->value);
        shared_leave_result(m, t, HANDLER_TABLE_SIZE, 0, (uint32_t)d->value);
    } else if (d->opcode == OPCODE_MEMORY_GROW || d->opcode == OPCODE_TABLE_GET) {
        emission_field_sized(m, d->value);
        bool popped = operands_pop(m, t, 1);
        if (!popped) {
            return;
        }
        uint32_t a = spilling_slot(m, t, t->height);
        shared_leave_result(m, t, d->opcode == OPCODE_MEMORY_GROW ? HANDLER_MEMORY_GROW : HANDLER_TABLE_GET, a,
                            (uint32_t)d->value);
    } else if (d->opcode == OPCODE_TABLE_SET || d->opcode == OPCODE_TABLE_GROW) {
        shared_two_for_table(m, t, d);
    } else if (d->opcode == OPCODE_DATA_DROP || d->opcode == OPCODE_ELEM_DROP) {
        emission_far_operation(m, t, d->opcode == OPCODE_DATA_DROP ? HANDLER_DATA_DROP : HANDLER_ELEM_DROP, 0,
                               (uint32_t)d->value);
    } else if (d->opcode == OPCODE_MEMORY_COPY || d->opcode == OPCODE_MEMORY_FILL) {
        shared_bytes_of_memory(m, t, d);
    } else {
        shared_in_pieces(m, t, d);
    }
}

/* Is a global of a reference type? */
bool shared_has_reference(const struct module *m, uint64_t number)
{
    REQUIRES(room_counted(m));
    REQUIRES(number < m->counts.globals);
    return operand_types_is_reference(m->globals.at[number].type);
}

/* Emit an operation that leaves a result.

   Ensures: in_room. */
void shared_leave_result(struct module *m, struct translation *t, handler_t handler, uint32_t a, uint32_t b)
{
    REQUIRES(room_in_room(t));
    uint32_t target = operands_own_slot(t, t->height);
    uint32_t at = t->at;
    emission_operation(m, t, handler, a, b, target);
    operands_push_made(m, t, at);
}

/* Emit an operation on one operand that leaves nothing.

   Ensures: in_room. */
void shared_take_one(struct module *m, struct translation *t, handler_t handler, uint32_t b)
{
    REQUIRES(room_in_room(t));
    bool popped = operands_pop(m, t, 1);
    if (!popped) {
        return;
    }
    uint32_t a = spilling_slot(m, t, t->height);
    emission_operation(m, t, handler, a, b, 0);
    t->last = NONE;
}

/* Translate `table.set` and `table.grow`.

   Ensures: in_room. */
void shared_two_for_table(struct module *m, struct translation *t, const struct decoded *d)
{
    REQUIRES(room_in_room(t));
    emission_field_sized(m, d->value);
    bool popped = operands_pop(m, t, 2);
    if (!popped) {
        return;
    }
    uint32_t a = spilling_slot(m, t, t->height);
    uint32_t b = spilling_slot(m, t, t->height + 1);
    t->last = NONE;
    if (d->opcode == OPCODE_TABLE_SET) {
        emission_operation(m, t, HANDLER_TABLE_SET, a, b, (uint32_t)d->value);
    } else {
        shared_grow(m, t, d, a, b);
    }
}

/* Translate `table.grow`. The table grows at once, and its new elements are filled in pieces.

   The slots above the result hold the progress of the fill.

   Ensures: in_room. */
void shared_grow(struct module *m, struct translation *t, const struct decoded *d, uint32_t a, uint32_t b)
{
    REQUIRES(room_in_room(t));
    uint32_t result = operands_own_slot(t, t->height);
    emission_operation(m, t, HANDLER_TABLE_GROW, a, b, result);
    emission_emit(m, t, d->value);
    operands_push_slot(m, t);
    for (uint32_t word = 0; word < STATE; word++) {
        operands_push_slot(m, t);
    }
    emission_safe_point(t);
    emission_far_operation(m, t, HANDLER_TABLE_FILL, result + 1, (uint32_t)d->value);
    bool popped = operands_pop(m, t, STATE);
    if (popped) {
        t->last = NONE;
    }
}

/* Translate `memory.copy` and `memory.fill`: few bytes at once, many bytes in pieces by the next operation.

   Ensures: in_room. */
void shared_bytes_of_memory(struct module *m, struct translation *t, const struct decoded *d)
{
    REQUIRES(room_in_room(t));
    bool copies = d->opcode == OPCODE_MEMORY_COPY;
    bool popped = operands_pop(m, t, 3);
    if (!popped) {
        return;
    }
    bool few = operands_is_value(t, t->height + 2) && operands_value_of(t, t->height + 2) <= PIECE;
    uint32_t a = spilling_slot(m, t, t->height);
    uint32_t b = spilling_slot(m, t, t->height + 1);
    if (copies && few) {
        emission_safe_point(t);
        emission_operation(m, t, HANDLER_MEMORY_COPY_VALUE, a, b, 0);
        emission_emit(m, t, operands_value_of(t, t->height + 2));
        t->last = NONE;
        return;
    }
    uint32_t c = spilling_slot(m, t, t->height + 2);
    emission_safe_point(t);
    emission_operation(m, t, copies ? HANDLER_MEMORY_COPY : HANDLER_MEMORY_FILL, a, b, c);
    emission_emit(m, t, operands_own_slot(t, t->height));
    emission_safe_point(t);
    emission_operation(m, t, copies ? HANDLER_MEMORY_COPY_REST : HANDLER_MEMORY_FILL_REST,
                       operands_own_slot(t, t->height), 0, 0);
    t->last = NONE;
}

/* Translate the other bulk operations. The slots of their operands hold their progress.

   Ensures: in_room. */
void shared_in_pieces(struct module *m, struct translation *t, const struct decoded *d)
{
    REQUIRES(room_in_room(t));
    spilling_spill_from(m, t, saturating_sub(t->height, STATE));
    bool popped = operands_pop(m, t, STATE);
    if (!popped) {
        return;
    }
    uint32_t first = operands_own_slot(t, t->height);
    emission_safe_point(t);
    if (d->opcode == OPCODE_MEMORY_INIT || d->opcode == OPCODE_TABLE_FILL) {
        emission_far_operation(m, t, d->opcode == OPCODE_MEMORY_INIT ? HANDLER_MEMORY_INIT : HANDLER_TABLE_FILL, first,
                               (uint32_t)d->value);
    } else {
        emission_operation(m, t, d->opcode == OPCODE_TABLE_COPY ? HANDLER_TABLE_COPY : HANDLER_TABLE_INIT, first, 0, 0);
        emission_emit(m, t, (uint64_t)(uint32_t)d->value | ((uint64_t)(uint32_t)d->second << PAIR_HIGH_SHIFT));
    }
    t->last = NONE;
}
