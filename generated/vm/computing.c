/* Generated from model/wasm/computing.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 23201ea093a5af12 */

#include "computing.h"
#include "builtins.h"
#include "bodies.h"
#include "emission.h"
#include "merging.h"
#include "operands.h"
#include "room.h"
#include "spilling.h"

#define WIDEST 3                        /* the binary logarithm of the bytes of the widest access */
__extension__ static const uint16_t UNARY_OF[274] = {
    [0 ... OPCODE_I32_CLZ - 1] = MISSING,
    [OPCODE_I32_CLZ] = HANDLER_I32_CLZ,
    [OPCODE_I32_CTZ] = HANDLER_I32_CTZ,
    [OPCODE_I32_POPCNT] = HANDLER_I32_POPCNT,
    [OPCODE_I32_POPCNT + 1 ... OPCODE_I64_CLZ - 1] = MISSING,
    [OPCODE_I64_CLZ] = HANDLER_I64_CLZ,
    [OPCODE_I64_CTZ] = HANDLER_I64_CTZ,
    [OPCODE_I64_POPCNT] = HANDLER_I64_POPCNT,
    [OPCODE_I64_POPCNT + 1 ... OPCODE_F32_ABS - 1] = MISSING,
    [OPCODE_F32_ABS] = HANDLER_F32_ABS,
    [OPCODE_F32_NEG] = HANDLER_F32_NEG,
    [OPCODE_F32_CEIL] = HANDLER_F32_CEIL,
    [OPCODE_F32_FLOOR] = HANDLER_F32_FLOOR,
    [OPCODE_F32_TRUNC] = HANDLER_F32_TRUNC,
    [OPCODE_F32_NEAREST] = HANDLER_F32_NEAREST,
    [OPCODE_F32_SQRT] = HANDLER_F32_SQRT,
    [OPCODE_F32_SQRT + 1 ... OPCODE_F64_ABS - 1] = MISSING,
    [OPCODE_F64_ABS] = HANDLER_F64_ABS,
    [OPCODE_F64_NEG] = HANDLER_F64_NEG,
    [OPCODE_F64_CEIL] = HANDLER_F64_CEIL,
    [OPCODE_F64_FLOOR] = HANDLER_F64_FLOOR,
    [OPCODE_F64_TRUNC] = HANDLER_F64_TRUNC,
    [OPCODE_F64_NEAREST] = HANDLER_F64_NEAREST,
    [OPCODE_F64_SQRT] = HANDLER_F64_SQRT,
    [OPCODE_F64_SQRT + 1 ... OPCODE_I32_WRAP_I64 - 1] = MISSING,
    [OPCODE_I32_WRAP_I64] = HANDLER_I32_WRAP_I64,
    [OPCODE_I32_TRUNC_F32_S] = HANDLER_I32_TRUNC_F32_S,
    [OPCODE_I32_TRUNC_F32_U] = HANDLER_I32_TRUNC_F32_U,
    [OPCODE_I32_TRUNC_F64_S] = HANDLER_I32_TRUNC_F64_S,
    [OPCODE_I32_TRUNC_F64_U] = HANDLER_I32_TRUNC_F64_U,
    [OPCODE_I64_EXTEND_I32_S] = HANDLER_I64_EXTEND_I32_S,
    [OPCODE_I64_EXTEND_I32_U] = MISSING,
    [OPCODE_I64_TRUNC_F32_S] = HANDLER_I64_TRUNC_F32_S,
    [OPCODE_I64_TRUNC_F32_U] = HANDLER_I64_TRUNC_F32_U,
    [OPCODE_I64_TRUNC_F64_S] = HANDLER_I64_TRUNC_F64_S,
    [OPCODE_I64_TRUNC_F64_U] = HANDLER_I64_TRUNC_F64_U,
    [OPCODE_F32_CONVERT_I32_S] = HANDLER_F32_CONVERT_I32_S,
    [OPCODE_F32_CONVERT_I32_U] = HANDLER_F32_CONVERT_I32_U,
    [OPCODE_F32_CONVERT_I64_S] = HANDLER_F32_CONVERT_I64_S,
    [OPCODE_F32_CONVERT_I64_U] = HANDLER_F32_CONVERT_I64_U,
    [OPCODE_F32_DEMOTE_F64] = HANDLER_F32_DEMOTE_F64,
    [OPCODE_F64_CONVERT_I32_S] = HANDLER_F64_CONVERT_I32_S,
    [OPCODE_F64_CONVERT_I32_U] = HANDLER_F64_CONVERT_I32_U,
    [OPCODE_F64_CONVERT_I64_S] = HANDLER_F64_CONVERT_I64_S,
    [OPCODE_F64_CONVERT_I64_U] = HANDLER_F64_CONVERT_I64_U,
    [OPCODE_F64_PROMOTE_F32] = HANDLER_F64_PROMOTE_F32,
    [OPCODE_F64_PROMOTE_F32 + 1 ... OPCODE_I32_EXTEND8_S - 1] = MISSING,
    [OPCODE_I32_EXTEND8_S] = HANDLER_I32_EXTEND8_S,
    [OPCODE_I32_EXTEND16_S] = HANDLER_I32_EXTEND16_S,
    [OPCODE_I64_EXTEND8_S] = HANDLER_I64_EXTEND8_S,
    [OPCODE_I64_EXTEND16_S] = HANDLER_I64_EXTEND16_S,
    [OPCODE_I64_EXTEND32_S] = HANDLER_I64_EXTEND32_S,
    [OPCODE_I64_EXTEND32_S + 1 ... OPCODE_I32_TRUNC_SAT_F32_S - 1] = MISSING,
    [OPCODE_I32_TRUNC_SAT_F32_S] = HANDLER_I32_TRUNC_SAT_F32_S,
    [OPCODE_I32_TRUNC_SAT_F32_U] = HANDLER_I32_TRUNC_SAT_F32_U,
    [OPCODE_I32_TRUNC_SAT_F64_S] = HANDLER_I32_TRUNC_SAT_F64_S,
    [OPCODE_I32_TRUNC_SAT_F64_U] = HANDLER_I32_TRUNC_SAT_F64_U,
    [OPCODE_I64_TRUNC_SAT_F32_S] = HANDLER_I64_TRUNC_SAT_F32_S,
    [OPCODE_I64_TRUNC_SAT_F32_U] = HANDLER_I64_TRUNC_SAT_F32_U,
    [OPCODE_I64_TRUNC_SAT_F64_S] = HANDLER_I64_TRUNC_SAT_F64_S,
    [OPCODE_I64_TRUNC_SAT_F64_U] = HANDLER_I64_TRUNC_SAT_F64_U,
    [OPCODE_I64_TRUNC_SAT_F64_U + 1 ... 273] = MISSING,
};
__extension__ static const uint16_t FROM_OF[274] = {
    [0 ... OPCODE_I32_LT_S - 1] = MISSING,
    [OPCODE_I32_LT_S] = HANDLER_I32_LT_S_FROM,
    [OPCODE_I32_LT_U] = HANDLER_I32_LT_U_FROM,
    [OPCODE_I32_GT_S] = HANDLER_I32_GT_S_FROM,
    [OPCODE_I32_GT_U] = HANDLER_I32_GT_U_FROM,
    [OPCODE_I32_LE_S] = HANDLER_I32_LE_S_FROM,
    [OPCODE_I32_LE_U] = HANDLER_I32_LE_U_FROM,
    [OPCODE_I32_GE_S] = HANDLER_I32_GE_S_FROM,
    [OPCODE_I32_GE_U] = HANDLER_I32_GE_U_FROM,
    [OPCODE_I32_GE_U + 1 ... OPCODE_I64_LT_S - 1] = MISSING,
    [OPCODE_I64_LT_S] = HANDLER_I64_LT_S_FROM,
    [OPCODE_I64_LT_U] = HANDLER_I64_LT_U_FROM,
    [OPCODE_I64_GT_S] = HANDLER_I64_GT_S_FROM,
    [OPCODE_I64_GT_U] = HANDLER_I64_GT_U_FROM,
    [OPCODE_I64_LE_S] = HANDLER_I64_LE_S_FROM,
    [OPCODE_I64_LE_U] = HANDLER_I64_LE_U_FROM,
    [OPCODE_I64_GE_S] = HANDLER_I64_GE_S_FROM,
    [OPCODE_I64_GE_U] = HANDLER_I64_GE_U_FROM,
    [OPCODE_I64_GE_U + 1 ... OPCODE_F32_LT - 1] = MISSING,
    [OPCODE_F32_LT] = HANDLER_F32_LT_FROM,
    [OPCODE_F32_GT] = HANDLER_F32_GT_FROM,
    [OPCODE_F32_LE] = HANDLER_F32_LE_FROM,
    [OPCODE_F32_GE] = HANDLER_F32_GE_FROM,
    [OPCODE_F32_GE + 1 ... OPCODE_F64_LT - 1] = MISSING,
    [OPCODE_F64_LT] = HANDLER_F64_LT_FROM,
    [OPCODE_F64_GT] = HANDLER_F64_GT_FROM,
    [OPCODE_F64_LE] = HANDLER_F64_LE_FROM,
    [OPCODE_F64_GE] = HANDLER_F64_GE_FROM,
    [OPCODE_F64_GE + 1 ... OPCODE_I32_SUB - 1] = MISSING,
    [OPCODE_I32_SUB] = HANDLER_I32_SUB_FROM,
    [OPCODE_I32_MUL] = MISSING,
    [OPCODE_I32_DIV_S] = HANDLER_I32_DIV_S_FROM,
    [OPCODE_I32_DIV_U] = HANDLER_I32_DIV_U_FROM,
    [OPCODE_I32_REM_S] = HANDLER_I32_REM_S_FROM,
    [OPCODE_I32_REM_U] = HANDLER_I32_REM_U_FROM,
    [OPCODE_I32_REM_U + 1 ... OPCODE_I32_SHL - 1] = MISSING,
    [OPCODE_I32_SHL] = HANDLER_I32_SHL_FROM,
    [OPCODE_I32_SHR_S] = HANDLER_I32_SHR_S_FROM,
    [OPCODE_I32_SHR_U] = HANDLER_I32_SHR_U_FROM,
    [OPCODE_I32_ROTL] = HANDLER_I32_ROTL_FROM,
    [OPCODE_I32_ROTR] = HANDLER_I32_ROTR_FROM,
    [OPCODE_I32_ROTR + 1 ... OPCODE_I64_SUB - 1] = MISSING,
    [OPCODE_I64_SUB] = HANDLER_I64_SUB_FROM,
    [OPCODE_I64_MUL] = MISSING,
    [OPCODE_I64_DIV_S] = HANDLER_I64_DIV_S_FROM,
    [OPCODE_I64_DIV_U] = HANDLER_I64_DIV_U_FROM,
    [OPCODE_I64_REM_S] = HANDLER_I64_REM_S_FROM,
    [OPCODE_I64_REM_U] = HANDLER_I64_REM_U_FROM,
    [OPCODE_I64_REM_U + 1 ... OPCODE_I64_SHL - 1] = MISSING,
    [OPCODE_I64_SHL] = HANDLER_I64_SHL_FROM,
    [OPCODE_I64_SHR_S] = HANDLER_I64_SHR_S_FROM,
    [OPCODE_I64_SHR_U] = HANDLER_I64_SHR_U_FROM,
    [OPCODE_I64_ROTL] = HANDLER_I64_ROTL_FROM,
    [OPCODE_I64_ROTR] = HANDLER_I64_ROTR_FROM,
    [OPCODE_I64_ROTR + 1 ... OPCODE_F32_SUB - 1] = MISSING,
    [OPCODE_F32_SUB] = HANDLER_F32_SUB_FROM,
    [OPCODE_F32_MUL] = MISSING,
    [OPCODE_F32_DIV] = HANDLER_F32_DIV_FROM,
    [OPCODE_F32_MIN] = HANDLER_F32_MIN_FROM,
    [OPCODE_F32_MAX] = HANDLER_F32_MAX_FROM,
    [OPCODE_F32_COPYSIGN] = HANDLER_F32_COPYSIGN_FROM,
    [OPCODE_F32_COPYSIGN + 1 ... OPCODE_F64_SUB - 1] = MISSING,
    [OPCODE_F64_SUB] = HANDLER_F64_SUB_FROM,
    [OPCODE_F64_MUL] = MISSING,
    [OPCODE_F64_DIV] = HANDLER_F64_DIV_FROM,
    [OPCODE_F64_MIN] = HANDLER_F64_MIN_FROM,
    [OPCODE_F64_MAX] = HANDLER_F64_MAX_FROM,
    [OPCODE_F64_COPYSIGN] = HANDLER_F64_COPYSIGN_FROM,
    [OPCODE_F64_COPYSIGN + 1 ... 273] = MISSING,
};
static const uint8_t KEEPS_BITS[274] = {
    [OPCODE_I64_EXTEND_I32_U] = 1,
    [OPCODE_I32_REINTERPRET_F32] = 1,
    [OPCODE_I64_REINTERPRET_F64] = 1,
    [OPCODE_F32_REINTERPRET_I32] = 1,
    [OPCODE_F64_REINTERPRET_I64] = 1,
    /* all others: 0 */
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
