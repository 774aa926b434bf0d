/* Generated from model/wasm/operands.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 608a7aa5be30a68d */

#include "operands.h"
#include "reader.h"

/* What is known of the operands of a body while it is translated?

   They stay where they are as long as possible: in a local, or a constant in the operation that takes it. */

/* The slot of an operand at a height; that frames are not too large is seen to when the body is known. */
uint32_t operands_own_slot(const struct translation *t, uint32_t height)
{
    return t->locals + height;
}

/* An operand more. */
void operands_push(struct module *m, struct translation *t, place_t place, uint64_t value)
{
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

/* An operand more, in the slot of its height. */
void operands_push_slot(struct module *m, struct translation *t)
{
    operands_push(m, t, PLACE_SLOT, 0);
}

/* An operand more, which an operation has left in the slot of its height. */
void operands_push_made(struct module *m, struct translation *t, uint32_t at)
{
    t->made = t->height;
    operands_push_slot(m, t);
    t->last = at;
}

/* The operation just before that left in its slot the operand at a height, but for what is yet to be computed of it;
   or NONE. */
uint32_t operands_maker(const struct translation *t, uint32_t height)
{
    if (height >= t->operands.length || t->made != height || t->last < t->border) {
        return NONE;
    }
    return t->operands.at[height].place == PLACE_SLOT ? t->last : NONE;
}

/* So many operands less. */
void operands_pop(struct translation *t, uint32_t count)
{
    t->height = count < t->height ? t->height - count : 0;
    if (t->lowest > t->height) {
        t->lowest = t->height;
    }
}

/* The operand above the stack is on it again, and more by a number. */
void operands_add(struct translation *t, uint32_t value)
{
    if (t->height < t->operands.length && t->height < OPERANDS) {
        t->operands.at[t->height].addend += value;
        t->height++;
    }
}

/* The operand above the stack is on it again, moved up. */
void operands_scale(struct translation *t, uint32_t shift)
{
    if (t->height < t->operands.length && t->height < OPERANDS) {
        t->operands.at[t->height].shift = shift;
        t->height++;
    }
}

/* So many operands in their slots above a height. */
void operands_restore(struct module *m, struct translation *t, uint32_t height, uint32_t count)
{
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
    if (height >= t->operands.length) {
        return false;
    }
    return t->operands.at[height].place == PLACE_VALUE;
}

/* The constant at a height. */
uint64_t operands_value_of(const struct translation *t, uint32_t height)
{
    if (height >= t->operands.length) {
        return 0;
    }
    return t->operands.at[height].value;
}

/* What is yet to be added to the operand at a height. */
uint32_t operands_addend_of(const struct translation *t, uint32_t height)
{
    if (height >= t->operands.length) {
        return 0;
    }
    return t->operands.at[height].addend;
}

/* By how much the operand at a height is yet to be moved up. */
uint32_t operands_shift_of(const struct translation *t, uint32_t height)
{
    if (height >= t->operands.length) {
        return 0;
    }
    return t->operands.at[height].shift;
}

/* The slot of an operand that is no constant, without what is yet to be added. */
uint32_t operands_source(const struct translation *t, uint32_t height)
{
    if (height >= t->operands.length) {
        return 0;
    }
    return t->operands.at[height].place == PLACE_LOCAL ? (uint32_t)t->operands.at[height].value
           : operands_own_slot(t, height);
}

/* Is the operand at a height no constant, and nothing yet to be computed of it? */
bool operands_may_shift(const struct translation *t, uint32_t height)
{
    return !operands_is_value(t, height) && operands_addend_of(t, height) == 0 && operands_shift_of(t, height) == 0;
}

/* Is the operand at a height in a local? */
bool operands_is_local(const struct translation *t, uint32_t height)
{
    if (height >= t->operands.length) {
        return false;
    }
    return t->operands.at[height].place == PLACE_LOCAL && operands_may_shift(t, height);
}

/* Is the operand at a height in the slot of its height? */
bool operands_in_own_slot(const struct translation *t, uint32_t height)
{
    if (height >= t->operands.length) {
        return false;
    }
    return t->operands.at[height].place == PLACE_SLOT && operands_may_shift(t, height);
}
