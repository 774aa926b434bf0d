/* Generated from model/wasm/operands.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 c989303c0ad77058 */

#include "operands.h"
#include "builtins.h"
#include "reader.h"
#include "room.h"

/* What is known about the operands of a body while it is compiled?

   Operands stay where they are as long as possible: in a local, or as a constant in the operation that takes it. */

/* Return the slot of an operand at a height. The size of the frame is checked when the body is known. */
uint32_t operands_own_slot(const struct translation *t, uint32_t height)
{
    return t->locals + height;
}

/* Push an operand.

   Ensures: in_room. */
void operands_push(struct module *m, struct translation *t, place_t place, uint64_t value)
{
    REQUIRES(room_in_room(t));
    if (t->height >= t->operands.length || t->height >= OPERANDS) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
        return;
    }
    t->operands.at[t->height].place = place;
    t->operands.at[t->height].value = value;
    t->operands.at[t->height].addend = 0;
    t->operands.at[t->height].shift = 0;
    t->height++;
    if (t->height > t->most) {
        t->most = t->height;
    }
}

/* Push an operand that is in the slot of its height.

   Ensures: in_room. */
void operands_push_slot(struct module *m, struct translation *t)
{
    REQUIRES(room_in_room(t));
    operands_push(m, t, PLACE_SLOT, 0);
}

/* Push an operand that an operation has left in the slot of its height.

   Ensures: in_room. */
void operands_push_made(struct module *m, struct translation *t, uint32_t at)
{
    REQUIRES(room_in_room(t));
    t->made = t->height;
    operands_push_slot(m, t);
    t->last = at;
}

/* Return the operation just before if it left the operand at a height in its slot, or else NONE.

   A shift and an addition may still be delayed. */
uint32_t operands_maker(const struct translation *t, uint32_t height)
{
    REQUIRES(room_is_operand(t, height));
    if (t->made != height || t->last < t->border || t->last >= t->at) {
        return NONE;
    }
    return t->operands.at[height].place == PLACE_SLOT ? t->last : NONE;
}

/* Pop so many operands. Refuse the module if there are fewer.

   Ensures: in_room.

   Ensures: implies(result, u64(t.height) + count <= minimum(length(t.operands), OPERANDS)). */
bool operands_pop(struct module *m, struct translation *t, uint32_t count)
{
    REQUIRES(room_in_room(t));
    if (count > t->height) {
        reader_refuse(m, REFUSAL_TYPE_MISMATCH, m->at);
        return false;
    }
    t->height -= count;
    if (t->lowest > t->height) {
        t->lowest = t->height;
    }
    return true;
}

/* Push the operand above the stack again, with a delayed addition of a number.

   Ensures: in_room. */
void operands_add(struct translation *t, uint32_t value)
{
    REQUIRES(room_one_taken(t));
    REQUIRES(room_in_room(t));
    t->operands.at[t->height].addend += value;
    t->height++;
}

/* Push the operand above the stack again, with a delayed left shift.

   Ensures: in_room. */
void operands_scale(struct translation *t, uint32_t shift)
{
    REQUIRES(room_one_taken(t));
    REQUIRES(room_in_room(t));
    t->operands.at[t->height].shift = shift;
    t->height++;
}

/* Cut the stack to a height, and push so many operands in their slots.

   Ensures: in_room. */
void operands_restore(struct module *m, struct translation *t, uint32_t height, uint32_t count)
{
    REQUIRES(room_in_room(t));
    if (height > t->operands.length || height > OPERANDS) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
        return;
    }
    t->height = height;
    if (t->lowest > height) {
        t->lowest = height;
    }
    reader_spend(m, count);
    uint32_t left = count;
    while (left > 0 && !reader_refused(m)) {
        left--;
        operands_push_slot(m, t);
    }
    t->last = NONE;
}

/* Is the operand at a height a constant? */
bool operands_is_value(const struct translation *t, uint32_t height)
{
    REQUIRES(room_is_operand(t, height));
    return t->operands.at[height].place == PLACE_VALUE;
}

/* Return the constant at a height. */
uint64_t operands_value_of(const struct translation *t, uint32_t height)
{
    REQUIRES(room_is_operand(t, height));
    return t->operands.at[height].value;
}

/* Return what is still to be added to the operand at a height. */
uint32_t operands_addend_of(const struct translation *t, uint32_t height)
{
    REQUIRES(room_is_operand(t, height));
    return t->operands.at[height].addend;
}

/* Return the left shift that is still to be applied to the operand at a height. */
uint32_t operands_shift_of(const struct translation *t, uint32_t height)
{
    REQUIRES(room_is_operand(t, height));
    return t->operands.at[height].shift;
}

/* Return the slot of an operand that is not a constant, before what is still to be added. */
uint32_t operands_source(const struct translation *t, uint32_t height)
{
    REQUIRES(room_is_operand(t, height));
    return t->operands.at[height].place == PLACE_LOCAL ? (uint32_t)t->operands.at[height].value
           : operands_own_slot(t, height);
}

/* Is the operand at a height not a constant, with nothing still to be computed? */
bool operands_may_shift(const struct translation *t, uint32_t height)
{
    REQUIRES(room_is_operand(t, height));
    return !operands_is_value(t, height) && operands_addend_of(t, height) == 0 && operands_shift_of(t, height) == 0;
}

/* Is the operand at a height in a local? */
bool operands_is_local(const struct translation *t, uint32_t height)
{
    REQUIRES(room_is_operand(t, height));
    return t->operands.at[height].place == PLACE_LOCAL && operands_may_shift(t, height);
}

/* Is the operand at a height in the slot of its height? */
bool operands_in_own_slot(const struct translation *t, uint32_t height)
{
    REQUIRES(room_is_operand(t, height));
    return t->operands.at[height].place == PLACE_SLOT && operands_may_shift(t, height);
}
