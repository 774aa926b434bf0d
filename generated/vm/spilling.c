/* Generated from model/wasm/spilling.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 46791cf6262c73d5 */

#include "spilling.h"
#include "builtins.h"
#include "emission.h"
#include "merging.h"
#include "operands.h"
#include "reader.h"
#include "room.h"

#define WINDOW 16                       /* most operands that `local.set` looks at; if there are more, it spills all */

/* How does an operand get into a slot, either the slot of its height or a local? */

/* Return the slot that holds the operand at a height.

   A constant, or an operand that is still to be computed, is spilled to a slot first.

   Ensures: in_room. */
uint32_t spilling_slot(struct module *m, struct translation *t, uint32_t height)
{
    REQUIRES(room_is_operand(t, height));
    REQUIRES(room_in_room(t));
    if (operands_is_value(t, height) || operands_addend_of(t, height) != 0 || operands_shift_of(t, height) != 0) {
        spilling_spill(m, t, height);
    }
    return operands_source(t, height);
}

/* Spill the operand at a height to the slot of its height.

   Ensures: in_room. */
void spilling_spill(struct module *m, struct translation *t, uint32_t height)
{
    REQUIRES(room_is_operand(t, height));
    REQUIRES(room_in_room(t));
    spilling_place_in(m, t, height, operands_own_slot(t, height));
    t->operands.at[height].place = PLACE_SLOT;
    t->operands.at[height].addend = 0;
    t->operands.at[height].shift = 0;
}

/* Move the operand at a height into a given slot.

   Ensures: in_room. */
void spilling_place_in(struct module *m, struct translation *t, uint32_t height, uint32_t target)
{
    REQUIRES(room_is_operand(t, height));
    REQUIRES(room_in_room(t));
    if (operands_is_value(t, height)) {
        emission_operation(m, t, HANDLER_CONST, 0, 0, target);
        emission_emit(m, t, operands_value_of(t, height));
        t->last = NONE;
    } else if (operands_addend_of(t, height) != 0 || operands_shift_of(t, height) != 0) {
        spilling_compute_late(m, t, height, target);
    } else if (operands_source(t, height) != target) {
        spilling_copy(m, t, operands_source(t, height), target);
    }
}

/* Compute what is delayed of the operand at a height, into a given slot.

   Ensures: in_room. */
void spilling_compute_late(struct module *m, struct translation *t, uint32_t height, uint32_t target)
{
    REQUIRES(room_is_operand(t, height));
    REQUIRES(room_in_room(t));
    uint32_t shift = operands_shift_of(t, height);
    uint32_t addend = operands_addend_of(t, height);
    uint32_t from_ = operands_source(t, height);
    uint32_t at = t->at;
    if (shift != 0 && addend != 0) {
        emission_operation(m, t, HANDLER_I32_SHL_ADD_VALUE_VALUE, from_, 0, target);
        emission_emit(m, t, (uint64_t)shift | ((uint64_t)addend << PAIR_HIGH_SHIFT));
    } else if (shift != 0) {
        at = merging_on_value(m, t, height, OPCODE_I32_SHL, from_, shift, target);
    } else {
        at = spilling_add_late(m, t, height, from_, addend, target);
    }
    t->last = target == operands_own_slot(t, height) ? at : NONE;
    t->made = height;
}

/* Add a constant to the slot of the operand at a height, and return the position of the operation.

   The addition is fused with a copy just before.

   Ensures: in_room. */
uint32_t spilling_add_late(struct module *m, struct translation *t, uint32_t height, uint32_t from_, uint32_t addend,
                           uint32_t target)
{
    REQUIRES(room_is_operand(t, height));
    REQUIRES(room_in_room(t));
    uint32_t at = t->copied;
    if (!emission_is_latest(t, at, 1)) {
        t->step = merging_on_value(m, t, height, OPCODE_I32_ADD, from_, addend, target);
        return t->step;
    }
    uint64_t first = emission_word_at(t, at);
    emission_take_back(t, at);
    emission_operation(m, t, HANDLER_I32_ADD_COPY_VALUE, spilling_unchanged(first, from_),
                       (uint16_t)(first >> BYTECODE_WORD_A_SHIFT), target);
    emission_emit(m, t,
                  (uint64_t)addend |
                  ((uint64_t)(uint32_t)(uint16_t)(first >> BYTECODE_WORD_C_SHIFT) << PAIR_HIGH_SHIFT));
    return at;
}

/* Return the slot that held the value before the copy. */
uint32_t spilling_unchanged(uint64_t copied, uint32_t from_)
{
    return (uint16_t)(copied >> BYTECODE_WORD_C_SHIFT) == from_ ? (uint32_t)(uint16_t)(copied >> BYTECODE_WORD_A_SHIFT)
           : from_;
}

/* Emit a copy of a slot. Two copies in a row are one operation.

   Ensures: in_room. */
void spilling_copy(struct module *m, struct translation *t, uint32_t from_, uint32_t target)
{
    REQUIRES(room_in_room(t));
    uint32_t at = t->copied;
    if (emission_is_latest(t, at, 1)) {
        uint64_t first = emission_word_at(t, at);
        emission_take_back(t, at);
        emission_operation(m, t, HANDLER_COPY_PAIR, (uint16_t)(first >> BYTECODE_WORD_A_SHIFT),
                           spilling_unchanged(first, from_), (uint16_t)(first >> BYTECODE_WORD_C_SHIFT));
        emission_emit(m, t, target);
        t->copied = NONE;
    } else {
        t->copied = t->at;
        emission_operation(m, t, HANDLER_COPY, from_, 0, target);
    }
    t->last = NONE;
}

/* Spill all operands from a height on to the slots of their heights.

   Ensures: in_room. */
void spilling_spill_from(struct module *m, struct translation *t, uint32_t bottom)
{
    REQUIRES(room_in_room(t));
    reader_spend(m, saturating_sub(t->height, bottom));
    uint32_t height = bottom;
    uint32_t end = t->height;
    while (height < end && !reader_refused(m)) {
        uint32_t next_ = height + 1;
        if (next_ < end && operands_is_local(t, height) && operands_is_local(t, next_)) {
            spilling_spill_two(m, t, height);
            height = next_;
        } else {
            spilling_spill(m, t, height);
        }
        height++;
    }
}

/* Spill two operands, one above the other, from locals to the slots of their heights.

   Ensures: in_room. */
void spilling_spill_two(struct module *m, struct translation *t, uint32_t height)
{
    REQUIRES(height < OPERANDS && (uint64_t)height + 2 <= t->operands.length);
    REQUIRES(room_in_room(t));
    uint32_t next_ = height + 1;
    emission_operation(m, t, HANDLER_COPY_TWO, operands_source(t, height), operands_source(t, next_),
                       operands_own_slot(t, height));
    t->operands.at[height].place = PLACE_SLOT;
    t->operands.at[next_].place = PLACE_SLOT;
    t->last = NONE;
}

/* Spill operands that are still in a local: those in a given local, or all of them for NONE.

   Ensures: in_room. */
void spilling_spill_locals(struct module *m, struct translation *t, uint32_t which)
{
    REQUIRES(room_in_room(t));
    uint32_t height = t->lowest;
    uint32_t end = t->height;
    bool all_ = which == NONE || (end > height && end - height > WINDOW);
    while (height < end && !reader_refused(m)) {
        if (t->operands.at[height].place == PLACE_LOCAL && (all_ || t->operands.at[height].value == which)) {
            spilling_spill(m, t, height);
        }
        height++;
    }
    if (all_) {
        t->lowest = t->height;
    }
}

/* Move the topmost operands into the slots of their heights, on this path only.

   Ensures: in_room. */
void spilling_gather(struct module *m, struct translation *t, uint32_t first)
{
    REQUIRES(room_in_room(t));
    reader_spend(m, saturating_sub(t->height, first));
    uint32_t height = first;
    uint32_t end = t->height;
    while (height < end && !reader_refused(m)) {
        spilling_place_in(m, t, height, operands_own_slot(t, height));
        height++;
    }
}

/* Translate an instruction on a local.

   `local.get` leaves the value where it is. `local.set` first spills operands that are still in the local.

   Ensures: in_room. */
void spilling_variable(struct module *m, struct translation *t, const struct decoded *d)
{
    REQUIRES(room_in_room(t));
    uint32_t which = (uint32_t)d->value;
    if (d->opcode == OPCODE_LOCAL_GET) {
        operands_push(m, t, PLACE_LOCAL, which);
        return;
    }
    bool popped = operands_pop(m, t, 1);
    if (!popped) {
        return;
    }
    uint32_t height = t->height;
    spilling_spill_locals(m, t, which);
    uint32_t last = operands_maker(t, height);
    if (last != NONE && operands_in_own_slot(t, height)) {
        emission_retarget(t, last, which);
        t->step = last;
    } else {
        spilling_place_in(m, t, height, which);
    }
    t->last = NONE;
    if (d->opcode == OPCODE_LOCAL_TEE) {
        operands_push(m, t, PLACE_LOCAL, which);
    }
}
