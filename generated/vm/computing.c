/* Generated from model/wasm/computing.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 9a9567e061b8b88b */

#include "computing.h"
#include "builtins.h"
#include "emission.h"
#include "merging.h"
#include "operands.h"
#include "room.h"
#include "spilling.h"

#define WIDEST 3                        /* the binary logarithm of the bytes of the widest access */
static const uint16_t UNARY_OF[274] = {
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 438, 439, 440, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 481, 482, 483, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 524, 525, 526, 527, 528,
    529, 530, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 550, 551, 552, 553, 554, 555, 556,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 576, 577, 578, 579, 580, 581, 65535, 582, 583,
    584, 585, 586, 587, 588, 589, 590, 591, 592, 593, 594, 595, 65535, 65535, 65535, 65535,
    596, 597, 598, 599, 600, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    601, 602, 603, 604, 605, 606, 607, 608, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535,
};
static const uint16_t SLOTS_OF[274] = {
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 158, 166, 174, 183, 192, 201, 210, 219, 228, 237,
    65535, 246, 254, 262, 271, 280, 289, 298, 307, 316, 325, 334, 342, 350, 359, 368,
    377, 386, 394, 402, 411, 420, 429, 65535, 65535, 65535, 441, 443, 446, 448, 451, 454,
    457, 460, 462, 464, 466, 469, 472, 475, 478, 65535, 65535, 65535, 484, 486, 489, 491,
    494, 497, 500, 503, 505, 507, 509, 512, 515, 518, 521, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 531, 533, 536, 538, 541, 544, 547, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    557, 559, 562, 564, 567, 570, 573, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535,
};
static const uint16_t FROM_OF[274] = {
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 176, 185, 194, 203, 212, 221, 230, 239,
    65535, 65535, 65535, 264, 273, 282, 291, 300, 309, 318, 327, 65535, 65535, 352, 361, 370,
    379, 65535, 65535, 404, 413, 422, 431, 65535, 65535, 65535, 65535, 445, 65535, 450, 453, 456,
    459, 65535, 65535, 65535, 468, 471, 474, 477, 480, 65535, 65535, 65535, 65535, 488, 65535, 493,
    496, 499, 502, 65535, 65535, 65535, 511, 514, 517, 520, 523, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 535, 65535, 540, 543, 546, 549, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 561, 65535, 566, 569, 572, 575, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535,
};
static const uint8_t COMMUTES[274] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0,
    0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1,
    1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 1,
    1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0,
};
static const uint8_t KEEPS_BITS[274] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1,
    1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0,
};
static const uint8_t OPERAND_COUNT[274] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 0, 1, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2,
    2, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 3, 0,
    3, 3, 3, 0, 3, 0, 0, 0,
};

/* Which bytecode do instructions that compute a result from operands compile to? */

/* Translate a numeric instruction.

   Ensures: in_room. */
void computing_compute(struct module *m, struct translation *t, const struct decoded *d)
{
    REQUIRES(room_in_room(t));
    if (KEEPS_BITS[d->opcode] != 0) {
        t->last = NONE;
    } else if (d->opcode == OPCODE_I32_EQZ || d->opcode == OPCODE_I64_EQZ) {
        operands_push(m, t, PLACE_VALUE, 0);
        computing_binary(m, t, d->opcode == OPCODE_I32_EQZ ? OPCODE_I32_EQ : OPCODE_I64_EQ);
    } else if (OPERAND_COUNT[d->opcode] == 1) {
        computing_unary(m, t, d->opcode);
    } else {
        computing_binary(m, t, d->opcode);
    }
}

/* Translate an instruction that takes one operand.

   Ensures: in_room. */
void computing_unary(struct module *m, struct translation *t, opcode_t opcode)
{
    REQUIRES(room_in_room(t));
    if (UNARY_OF[opcode] == MISSING) {
        return;
    }
    bool popped = operands_pop(m, t, 1);
    if (!popped) {
        return;
    }
    uint32_t height = t->height;
    uint32_t a = spilling_slot(m, t, height);
    uint32_t target = operands_own_slot(t, height);
    uint32_t at = t->at;
    emission_operation(m, t, UNARY_OF[opcode], a, 0, target);
    operands_push_made(m, t, at);
}

/* Translate an instruction that takes two operands. A constant operand is part of the operation.

   Ensures: in_room. */
void computing_binary(struct module *m, struct translation *t, opcode_t opcode)
{
    REQUIRES(room_in_room(t));
    bool popped = operands_pop(m, t, 2);
    if (!popped) {
        return;
    }
    uint32_t height = t->height;
    uint32_t right = height + 1;
    if (operands_is_value(t, right)) {
        computing_value_behind(m, t, opcode);
    } else if (operands_is_value(t, height)) {
        computing_value_before(m, t, opcode);
    } else if (SLOTS_OF[opcode] != MISSING) {
        uint32_t a = spilling_slot(m, t, height);
        uint32_t b = spilling_slot(m, t, right);
        uint32_t at = merging_on_slots(m, t, opcode, a, b);
        operands_push_made(m, t, at);
    }
}

/* Translate an instruction with a constant as its first operand but not as its second.

   Ensures: in_room. */
void computing_value_before(struct module *m, struct translation *t, opcode_t opcode)
{
    REQUIRES(room_two_taken(t));
    REQUIRES(room_in_room(t));
    uint32_t height = t->height;
    uint32_t right = height + 1;
    uint64_t value = operands_value_of(t, height);
    uint32_t a = spilling_slot(m, t, right);
    if (COMMUTES[opcode] != 0) {
        uint32_t at = merging_on_value(m, t, right, opcode, a, value, operands_own_slot(t, height));
        operands_push_made(m, t, at);
    } else {
        computing_with_value(m, t, FROM_OF[opcode], a, value);
    }
}

/* Translate an instruction with a constant as its second operand.

   An addition to an i32, or a left shift of one, is delayed until the result is used.

   Ensures: in_room. */
void computing_value_behind(struct module *m, struct translation *t, opcode_t opcode)
{
    REQUIRES(room_two_taken(t));
    REQUIRES(room_in_room(t));
    uint32_t height = t->height;
    uint64_t value = operands_value_of(t, height + 1);
    if (!operands_is_value(t, height) && opcode == OPCODE_I32_ADD) {
        operands_add(t, (uint32_t)value);
    } else if (!operands_is_value(t, height) && opcode == OPCODE_I32_SUB) {
        operands_add(t, 0 - (uint32_t)value);
    } else if (opcode == OPCODE_I32_SHL && value <= WIDEST && operands_may_shift(t, height)) {
        operands_scale(t, (uint32_t)value);
    } else {
        uint32_t a = spilling_slot(m, t, height);
        uint32_t at = merging_on_value(m, t, height, opcode, a, value, operands_own_slot(t, height));
        operands_push_made(m, t, at);
    }
}

/* Emit an operation on a slot and a constant.

   Ensures: in_room. */
void computing_with_value(struct module *m, struct translation *t, uint16_t number, uint32_t a, uint64_t value)
{
    REQUIRES(room_in_room(t));
    if (number >= HANDLERS) {
        return;
    }
    uint32_t at = t->at;
    emission_operation(m, t, number, a, 0, operands_own_slot(t, t->height));
    emission_emit(m, t, value);
    operands_push_made(m, t, at);
}

/* Translate `select`, which chooses one of two operands.

   Ensures: in_room. */
void computing_select(struct module *m, struct translation *t)
{
    REQUIRES(room_in_room(t));
    bool popped = operands_pop(m, t, 3);
    if (!popped) {
        return;
    }
    uint32_t height = t->height;
    uint32_t a = spilling_slot(m, t, height);
    uint32_t b = spilling_slot(m, t, height + 1);
    uint32_t c = spilling_slot(m, t, height + 2);
    uint32_t target = operands_own_slot(t, height);
    uint32_t at = t->at;
    emission_operation(m, t, HANDLER_SELECT, a, b, target);
    emission_emit(m, t, c);
    operands_push_made(m, t, at);
}
