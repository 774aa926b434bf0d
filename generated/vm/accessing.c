/* Generated from model/wasm/accessing.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 c872b26e92cb2739 */

#include "accessing.h"
#include "builtins.h"
#include "bodies.h"
#include "emission.h"
#include "merging.h"
#include "operands.h"
#include "room.h"
#include "spilling.h"

__extension__ static const uint16_t ACCESS_OF[274] = {
    [0 ... OPCODE_I32_LOAD - 1] = MISSING,
    [OPCODE_I32_LOAD] = HANDLER_I32_LOAD,
    [OPCODE_I64_LOAD] = HANDLER_I64_LOAD,
    [OPCODE_F32_LOAD] = HANDLER_F32_LOAD,
    [OPCODE_F64_LOAD] = HANDLER_F64_LOAD,
    [OPCODE_I32_LOAD8_S] = HANDLER_I32_LOAD8_S,
    [OPCODE_I32_LOAD8_U] = HANDLER_I32_LOAD8_U,
    [OPCODE_I32_LOAD16_S] = HANDLER_I32_LOAD16_S,
    [OPCODE_I32_LOAD16_U] = HANDLER_I32_LOAD16_U,
    [OPCODE_I64_LOAD8_S] = HANDLER_I64_LOAD8_S,
    [OPCODE_I64_LOAD8_U] = HANDLER_I64_LOAD8_U,
    [OPCODE_I64_LOAD16_S] = HANDLER_I64_LOAD16_S,
    [OPCODE_I64_LOAD16_U] = HANDLER_I64_LOAD16_U,
    [OPCODE_I64_LOAD32_S] = HANDLER_I64_LOAD32_S,
    [OPCODE_I64_LOAD32_U] = HANDLER_I64_LOAD32_U,
    [OPCODE_I32_STORE] = HANDLER_I32_STORE,
    [OPCODE_I64_STORE] = HANDLER_I64_STORE,
    [OPCODE_F32_STORE] = HANDLER_F32_STORE,
    [OPCODE_F64_STORE] = HANDLER_F64_STORE,
    [OPCODE_I32_STORE8] = HANDLER_I32_STORE8,
    [OPCODE_I32_STORE16] = HANDLER_I32_STORE16,
    [OPCODE_I64_STORE8] = HANDLER_I64_STORE8,
    [OPCODE_I64_STORE16] = HANDLER_I64_STORE16,
    [OPCODE_I64_STORE32] = HANDLER_I64_STORE32,
    [OPCODE_I64_STORE32 + 1 ... 273] = MISSING,
};
__extension__ static const uint16_t FAR_OF[274] = {
    [0 ... OPCODE_I32_LOAD - 1] = MISSING,
    [OPCODE_I32_LOAD] = HANDLER_I32_LOAD_FAR,
    [OPCODE_I64_LOAD] = HANDLER_I64_LOAD_FAR,
    [OPCODE_F32_LOAD] = HANDLER_F32_LOAD_FAR,
    [OPCODE_F64_LOAD] = HANDLER_F64_LOAD_FAR,
    [OPCODE_I32_LOAD8_S] = HANDLER_I32_LOAD8_S_FAR,
    [OPCODE_I32_LOAD8_U] = HANDLER_I32_LOAD8_U_FAR,
    [OPCODE_I32_LOAD16_S] = HANDLER_I32_LOAD16_S_FAR,
    [OPCODE_I32_LOAD16_U] = HANDLER_I32_LOAD16_U_FAR,
    [OPCODE_I64_LOAD8_S] = HANDLER_I64_LOAD8_S_FAR,
    [OPCODE_I64_LOAD8_U] = HANDLER_I64_LOAD8_U_FAR,
    [OPCODE_I64_LOAD16_S] = HANDLER_I64_LOAD16_S_FAR,
    [OPCODE_I64_LOAD16_U] = HANDLER_I64_LOAD16_U_FAR,
    [OPCODE_I64_LOAD32_S] = HANDLER_I64_LOAD32_S_FAR,
    [OPCODE_I64_LOAD32_U] = HANDLER_I64_LOAD32_U_FAR,
    [OPCODE_I32_STORE] = HANDLER_I32_STORE_FAR,
    [OPCODE_I64_STORE] = HANDLER_I64_STORE_FAR,
    [OPCODE_F32_STORE] = HANDLER_F32_STORE_FAR,
    [OPCODE_F64_STORE] = HANDLER_F64_STORE_FAR,
    [OPCODE_I32_STORE8] = HANDLER_I32_STORE8_FAR,
    [OPCODE_I32_STORE16] = HANDLER_I32_STORE16_FAR,
    [OPCODE_I64_STORE8] = HANDLER_I64_STORE8_FAR,
    [OPCODE_I64_STORE16] = HANDLER_I64_STORE16_FAR,
    [OPCODE_I64_STORE32] = HANDLER_I64_STORE32_FAR,
    [OPCODE_I64_STORE32 + 1 ... 273] = MISSING,
};
__extension__ static const uint16_t SUM_OF[274] = {
    [0 ... OPCODE_I32_LOAD - 1] = MISSING,
    [OPCODE_I32_LOAD] = HANDLER_I32_LOAD_SUM,
    [OPCODE_I64_LOAD] = HANDLER_I64_LOAD_SUM,
    [OPCODE_F32_LOAD] = HANDLER_F32_LOAD_SUM,
    [OPCODE_F64_LOAD] = HANDLER_F64_LOAD_SUM,
    [OPCODE_I32_LOAD8_S] = HANDLER_I32_LOAD8_S_SUM,
    [OPCODE_I32_LOAD8_U] = HANDLER_I32_LOAD8_U_SUM,
    [OPCODE_I32_LOAD16_S] = HANDLER_I32_LOAD16_S_SUM,
    [OPCODE_I32_LOAD16_U] = HANDLER_I32_LOAD16_U_SUM,
    [OPCODE_I64_LOAD8_S] = HANDLER_I64_LOAD8_S_SUM,
    [OPCODE_I64_LOAD8_U] = HANDLER_I64_LOAD8_U_SUM,
    [OPCODE_I64_LOAD16_S] = HANDLER_I64_LOAD16_S_SUM,
    [OPCODE_I64_LOAD16_U] = HANDLER_I64_LOAD16_U_SUM,
    [OPCODE_I64_LOAD32_S] = HANDLER_I64_LOAD32_S_SUM,
    [OPCODE_I64_LOAD32_U] = HANDLER_I64_LOAD32_U_SUM,
    [OPCODE_I32_STORE] = HANDLER_I32_STORE_SUM,
    [OPCODE_I64_STORE] = HANDLER_I64_STORE_SUM,
    [OPCODE_F32_STORE] = HANDLER_F32_STORE_SUM,
    [OPCODE_F64_STORE] = HANDLER_F64_STORE_SUM,
    [OPCODE_I32_STORE8] = HANDLER_I32_STORE8_SUM,
    [OPCODE_I32_STORE16] = HANDLER_I32_STORE16_SUM,
    [OPCODE_I64_STORE8] = HANDLER_I64_STORE8_SUM,
    [OPCODE_I64_STORE16] = HANDLER_I64_STORE16_SUM,
    [OPCODE_I64_STORE32] = HANDLER_I64_STORE32_SUM,
    [OPCODE_I64_STORE32 + 1 ... 273] = MISSING,
};
__extension__ static const uint16_t STORE_VALUE_OF[274] = {
    [0 ... OPCODE_I32_STORE - 1] = MISSING,
    [OPCODE_I32_STORE] = HANDLER_I32_STORE_VALUE,
    [OPCODE_I64_STORE] = HANDLER_I64_STORE_VALUE,
    [OPCODE_F32_STORE] = HANDLER_F32_STORE_VALUE,
    [OPCODE_F64_STORE] = HANDLER_F64_STORE_VALUE,
    [OPCODE_I32_STORE8] = HANDLER_I32_STORE8_VALUE,
    [OPCODE_I32_STORE16] = HANDLER_I32_STORE16_VALUE,
    [OPCODE_I64_STORE8] = HANDLER_I64_STORE8_VALUE,
    [OPCODE_I64_STORE16] = HANDLER_I64_STORE16_VALUE,
    [OPCODE_I64_STORE32] = HANDLER_I64_STORE32_VALUE,
    [OPCODE_I64_STORE32 + 1 ... 273] = MISSING,
};
__extension__ static const uint16_t SCALED_OF[274] = {
    [0 ... OPCODE_I32_LOAD - 1] = MISSING,
    [OPCODE_I32_LOAD] = HANDLER_I32_LOAD_SCALED,
    [OPCODE_I64_LOAD] = HANDLER_I64_LOAD_SCALED,
    [OPCODE_F32_LOAD] = HANDLER_F32_LOAD_SCALED,
    [OPCODE_F64_LOAD] = HANDLER_F64_LOAD_SCALED,
    [OPCODE_F64_LOAD + 1 ... OPCODE_I32_LOAD16_S - 1] = MISSING,
    [OPCODE_I32_LOAD16_S] = HANDLER_I32_LOAD16_S_SCALED,
    [OPCODE_I32_LOAD16_U] = HANDLER_I32_LOAD16_U_SCALED,
    [OPCODE_I32_LOAD16_U + 1 ... OPCODE_I64_LOAD16_S - 1] = MISSING,
    [OPCODE_I64_LOAD16_S] = HANDLER_I64_LOAD16_S_SCALED,
    [OPCODE_I64_LOAD16_U] = HANDLER_I64_LOAD16_U_SCALED,
    [OPCODE_I64_LOAD32_S] = HANDLER_I64_LOAD32_S_SCALED,
    [OPCODE_I64_LOAD32_U] = HANDLER_I64_LOAD32_U_SCALED,
    [OPCODE_I32_STORE] = HANDLER_I32_STORE_SCALED,
    [OPCODE_I64_STORE] = HANDLER_I64_STORE_SCALED,
    [OPCODE_F32_STORE] = HANDLER_F32_STORE_SCALED,
    [OPCODE_F64_STORE] = HANDLER_F64_STORE_SCALED,
    [OPCODE_I32_STORE8] = MISSING,
    [OPCODE_I32_STORE16] = HANDLER_I32_STORE16_SCALED,
    [OPCODE_I64_STORE8] = MISSING,
    [OPCODE_I64_STORE16] = HANDLER_I64_STORE16_SCALED,
    [OPCODE_I64_STORE32] = HANDLER_I64_STORE32_SCALED,
    [OPCODE_I64_STORE32 + 1 ... 273] = MISSING,
};
__extension__ static const uint16_t SUM_OF_SLOTS[274] = {
    [0 ... OPCODE_I32_LOAD - 1] = MISSING,
    [OPCODE_I32_LOAD] = HANDLER_I32_LOAD_SLOTS,
    [OPCODE_I64_LOAD] = HANDLER_I64_LOAD_SLOTS,
    [OPCODE_F32_LOAD] = HANDLER_F32_LOAD_SLOTS,
    [OPCODE_F64_LOAD] = HANDLER_F64_LOAD_SLOTS,
    [OPCODE_I32_LOAD8_S] = HANDLER_I32_LOAD8_S_SLOTS,
    [OPCODE_I32_LOAD8_U] = HANDLER_I32_LOAD8_U_SLOTS,
    [OPCODE_I32_LOAD16_S] = HANDLER_I32_LOAD16_S_SLOTS,
    [OPCODE_I32_LOAD16_U] = HANDLER_I32_LOAD16_U_SLOTS,
    [OPCODE_I64_LOAD8_S] = HANDLER_I64_LOAD8_S_SLOTS,
    [OPCODE_I64_LOAD8_U] = HANDLER_I64_LOAD8_U_SLOTS,
    [OPCODE_I64_LOAD16_S] = HANDLER_I64_LOAD16_S_SLOTS,
    [OPCODE_I64_LOAD16_U] = HANDLER_I64_LOAD16_U_SLOTS,
    [OPCODE_I64_LOAD32_S] = HANDLER_I64_LOAD32_S_SLOTS,
    [OPCODE_I64_LOAD32_U] = HANDLER_I64_LOAD32_U_SLOTS,
    [OPCODE_I64_LOAD32_U + 1 ... 273] = MISSING,
};
static const uint8_t SCALE[274] = {
    [OPCODE_I32_LOAD] = 2,
    [OPCODE_I64_LOAD] = 3,
    [OPCODE_F32_LOAD] = 2,
    [OPCODE_F64_LOAD] = 3,
    [OPCODE_I32_LOAD16_S] = 1,
    [OPCODE_I32_LOAD16_U] = 1,
    [OPCODE_I64_LOAD16_S] = 1,
    [OPCODE_I64_LOAD16_U] = 1,
    [OPCODE_I64_LOAD32_S] = 2,
    [OPCODE_I64_LOAD32_U] = 2,
    [OPCODE_I32_STORE] = 2,
    [OPCODE_I64_STORE] = 3,
    [OPCODE_F32_STORE] = 2,
    [OPCODE_F64_STORE] = 3,
    [OPCODE_I32_STORE16] = 1,
    [OPCODE_I64_STORE16] = 1,
    [OPCODE_I64_STORE32] = 2,
    /* all others: 0 */
};
__extension__ static const uint16_t MOVE_OF[274] = {
    [0 ... OPCODE_I32_STORE - 1] = MISSING,
    [OPCODE_I32_STORE] = HANDLER_I32_STORE_MOVE,
    [OPCODE_I64_STORE] = HANDLER_I64_STORE_MOVE,
    [OPCODE_F32_STORE] = HANDLER_I32_STORE_MOVE,
    [OPCODE_F64_STORE] = HANDLER_I64_STORE_MOVE,
    [OPCODE_I32_STORE8] = HANDLER_I32_STORE8_MOVE,
    [OPCODE_I32_STORE16] = HANDLER_I32_STORE16_MOVE,
    [OPCODE_I64_STORE8] = HANDLER_I32_STORE8_MOVE,
    [OPCODE_I64_STORE16] = HANDLER_I32_STORE16_MOVE,
    [OPCODE_I64_STORE32] = HANDLER_I32_STORE_MOVE,
    [OPCODE_I64_STORE32 + 1 ... 273] = MISSING,
};
__extension__ static const uint16_t MOVE_SUM_OF[274] = {
    [0 ... OPCODE_I32_STORE - 1] = MISSING,
    [OPCODE_I32_STORE] = HANDLER_I32_STORE_MOVE_SUM,
    [OPCODE_I64_STORE] = HANDLER_I64_STORE_MOVE_SUM,
    [OPCODE_F32_STORE] = HANDLER_I32_STORE_MOVE_SUM,
    [OPCODE_F64_STORE] = HANDLER_I64_STORE_MOVE_SUM,
    [OPCODE_I32_STORE8] = HANDLER_I32_STORE8_MOVE_SUM,
    [OPCODE_I32_STORE16] = HANDLER_I32_STORE16_MOVE_SUM,
    [OPCODE_I64_STORE8] = HANDLER_I32_STORE8_MOVE_SUM,
    [OPCODE_I64_STORE16] = HANDLER_I32_STORE16_MOVE_SUM,
    [OPCODE_I64_STORE32] = HANDLER_I32_STORE_MOVE_SUM,
    [OPCODE_I64_STORE32 + 1 ... 273] = MISSING,
};
static const uint8_t LOAD_WIDTH[753] = {
    [HANDLER_I32_LOAD] = 4,
    [HANDLER_I64_LOAD] = 8,
    [HANDLER_F32_LOAD] = 4,
    [HANDLER_F64_LOAD] = 8,
    [HANDLER_I32_LOAD8_S] = 1,
    [HANDLER_I32_LOAD8_U] = 1,
    [HANDLER_I32_LOAD16_S] = 2,
    [HANDLER_I32_LOAD16_U] = 2,
    [HANDLER_I64_LOAD8_S] = 1,
    [HANDLER_I64_LOAD8_U] = 1,
    [HANDLER_I64_LOAD16_S] = 2,
    [HANDLER_I64_LOAD16_U] = 2,
    [HANDLER_I64_LOAD32_S] = 4,
    [HANDLER_I64_LOAD32_U] = 4,
    /* all others: 0 */
};
static const uint8_t LOAD_SUM_WIDTH[753] = {
    [HANDLER_I32_LOAD_SUM] = 4,
    [HANDLER_I64_LOAD_SUM] = 8,
    [HANDLER_F32_LOAD_SUM] = 4,
    [HANDLER_F64_LOAD_SUM] = 8,
    [HANDLER_I32_LOAD8_S_SUM] = 1,
    [HANDLER_I32_LOAD8_U_SUM] = 1,
    [HANDLER_I32_LOAD16_S_SUM] = 2,
    [HANDLER_I32_LOAD16_U_SUM] = 2,
    [HANDLER_I64_LOAD8_S_SUM] = 1,
    [HANDLER_I64_LOAD8_U_SUM] = 1,
    [HANDLER_I64_LOAD16_S_SUM] = 2,
    [HANDLER_I64_LOAD16_U_SUM] = 2,
    [HANDLER_I64_LOAD32_S_SUM] = 4,
    [HANDLER_I64_LOAD32_U_SUM] = 4,
    /* all others: 0 */
};
__extension__ static const uint16_t STORE_SUM_VALUE_OF[274] = {
    [0 ... OPCODE_I32_STORE - 1] = MISSING,
    [OPCODE_I32_STORE] = HANDLER_I32_STORE_SUM_VALUE,
    [OPCODE_I64_STORE] = HANDLER_I64_STORE_SUM_VALUE,
    [OPCODE_F32_STORE] = HANDLER_F32_STORE_SUM_VALUE,
    [OPCODE_F64_STORE] = HANDLER_F64_STORE_SUM_VALUE,
    [OPCODE_I32_STORE8] = HANDLER_I32_STORE8_SUM_VALUE,
    [OPCODE_I32_STORE16] = HANDLER_I32_STORE16_SUM_VALUE,
    [OPCODE_I64_STORE8] = HANDLER_I64_STORE8_SUM_VALUE,
    [OPCODE_I64_STORE16] = HANDLER_I64_STORE16_SUM_VALUE,
    [OPCODE_I64_STORE32] = HANDLER_I64_STORE32_SUM_VALUE,
    [OPCODE_I64_STORE32 + 1 ... 273] = MISSING,
};
static const uint8_t IS_STORE[274] = {
    [OPCODE_I32_STORE] = 1,
    [OPCODE_I64_STORE] = 1,
    [OPCODE_F32_STORE] = 1,
    [OPCODE_F64_STORE] = 1,
    [OPCODE_I32_STORE8] = 1,
    [OPCODE_I32_STORE16] = 1,
    [OPCODE_I64_STORE8] = 1,
    [OPCODE_I64_STORE16] = 1,
    [OPCODE_I64_STORE32] = 1,
    /* all others: 0 */
};

/* Which bytecode does a load or a store compile to? */

/* Translate a load or a store.

   If the address is a sum, the operation computes it. An offset too large for a field is in a word of its own.

   Ensures: in_room. */
void accessing_access(struct module *m, struct translation *t, const struct decoded *d)
{
    REQUIRES(room_in_room(t));
    if (IS_STORE[d->opcode] != 0) {
        bool popped = operands_pop(m, t, 2);
        if (!popped) {
            return;
        }
        bool moved = accessing_move(m, t, d);
        if (!moved) {
            accessing_store(m, t, d);
        }
    } else {
        bool popped = operands_pop(m, t, 1);
        if (!popped) {
            return;
        }
        uint32_t pair = accessing_taken_back(t);
        accessing_load(m, t, d, pair);
    }
}

/* Is the address at a height still to be multiplied by the width of the access? */
bool accessing_is_scaled(const struct translation *t, uint32_t height, const struct decoded *d)
{
    REQUIRES(room_is_operand(t, height));
    return d->second <= FIELD && operands_shift_of(t, height) != 0 && operands_shift_of(t, height) == SCALE[d->opcode];
}

/* Is something still to be added to the address at a height? */
bool accessing_is_sum(const struct translation *t, uint32_t height, const struct decoded *d)
{
    REQUIRES(room_is_operand(t, height));
    return d->second <= FIELD && operands_shift_of(t, height) == 0 && operands_addend_of(t, height) != 0 &&
           !operands_is_value(t, height);
}

/* Return the number of the handler that loads from the address at a height, or stores there. */
uint16_t accessing_number_of(const struct translation *t, uint32_t height, const struct decoded *d)
{
    REQUIRES(room_is_operand(t, height));
    if (accessing_is_scaled(t, height, d)) {
        return SCALED_OF[d->opcode];
    }
    if (accessing_is_sum(t, height, d)) {
        return SUM_OF[d->opcode];
    }
    return d->second <= FIELD ? ACCESS_OF[d->opcode] : FAR_OF[d->opcode];
}

/* Emit a load. Its address may be the sum of a pair of slots.

   Ensures: in_room. */
void accessing_load(struct module *m, struct translation *t, const struct decoded *d, uint32_t pair)
{
    REQUIRES(room_one_taken(t));
    REQUIRES(room_in_room(t));
    uint32_t height = t->height;
    bool near = d->second <= FIELD;
    bool scaled = accessing_is_scaled(t, height, d);
    bool sum_ = accessing_is_sum(t, height, d);
    uint32_t addend = operands_addend_of(t, height);
    uint32_t a = operands_source(t, height);
    if (!sum_ && !scaled && pair == NONE) {
        a = spilling_slot(m, t, height);
    }
    uint16_t number = accessing_number_of(t, height, d);
    uint32_t offset = near ? (uint32_t)d->second : 0;
    if (pair != NONE) {
        number = SUM_OF_SLOTS[d->opcode];
        a = (uint16_t)pair;
        offset = (uint16_t)(pair >> SLOT_PAIR_SECOND_SHIFT);
    }
    uint32_t at = t->at;
    if (number < HANDLERS) {
        emission_operation(m, t, number, a, offset, operands_own_slot(t, height));
    }
    if (pair != NONE || !near) {
        emission_emit(m, t, d->second);
    } else if (sum_ || scaled) {
        emission_emit(m, t, addend);
    }
    operands_push_made(m, t, at);
}

/* Emit a store of the operand above its address. A constant is part of the operation.

   Ensures: in_room. */
void accessing_store(struct module *m, struct translation *t, const struct decoded *d)
{
    REQUIRES(room_two_taken(t));
    REQUIRES(room_in_room(t));
    uint32_t height = t->height;
    uint32_t above = height + 1;
    bool near = d->second <= FIELD;
    bool scaled = accessing_is_scaled(t, height, d);
    bool sum_ = accessing_is_sum(t, height, d);
    uint32_t addend = operands_addend_of(t, height);
    uint64_t stored = operands_value_of(t, above);
    bool constant = near && !scaled && operands_is_value(t, above) && (!sum_ || stored <= NONE);
    uint32_t a = operands_source(t, height);
    if (!sum_ && !scaled) {
        a = spilling_slot(m, t, height);
    }
    uint32_t b = 0;
    if (!constant) {
        b = spilling_slot(m, t, above);
    }
    uint16_t number = accessing_number_of(t, height, d);
    if (constant) {
        number = sum_ ? STORE_SUM_VALUE_OF[d->opcode] : STORE_VALUE_OF[d->opcode];
    }
    if (number < HANDLERS) {
        emission_operation(m, t, number, a, b, near ? (uint32_t)d->second : 0);
    }
    if (sum_ && constant) {
        emission_emit(m, t, (uint64_t)addend | ((uint64_t)(uint32_t)stored << PAIR_HIGH_SHIFT));
    } else if (constant) {
        emission_emit(m, t, stored);
    } else if (sum_ || scaled) {
        emission_emit(m, t, addend);
    } else if (!near) {
        emission_emit(m, t, d->second);
    }
    t->last = NONE;
}

/* Fuse a store with the load just before that made its value. Return False where they do not go together.

   Ensures: in_room. */
bool accessing_move(struct module *m, struct translation *t, const struct decoded *d)
{
    REQUIRES(room_two_taken(t));
    REQUIRES(room_in_room(t));
    uint32_t height = t->height;
    uint32_t loaded = operands_maker(t, height + 1);
    if (loaded == NONE) {
        return false;
    }
    uint16_t handler = (uint16_t)emission_word_at(t, loaded);
    if (handler >= HANDLERS || !operands_may_shift(t, height + 1) || operands_is_value(t, height) ||
        operands_shift_of(t, height) != 0) {
        return false;
    }
    uint64_t first = emission_word_at(t, loaded);
    uint32_t addend = operands_addend_of(t, height);
    uint32_t from_ = (uint16_t)(first >> BYTECODE_WORD_B_SHIFT);
    uint16_t number = MISSING;
    if (LOAD_WIDTH[handler] == WIDTH[d->opcode] && addend == 0) {
        number = MOVE_OF[d->opcode];
    } else if (LOAD_SUM_WIDTH[handler] == WIDTH[d->opcode] && from_ == 0 && d->second == 0 && t->at - loaded > 1) {
        number = MOVE_SUM_OF[d->opcode];
        from_ = (uint32_t)emission_word_at(t, loaded + 1);
    }
    if (number >= HANDLERS) {
        return false;
    }
    uint64_t to = addend == 0 ? d->second : (uint64_t)addend;
    emission_take_back(t, loaded);
    emission_operation(m, t, number, (uint16_t)(first >> BYTECODE_WORD_A_SHIFT), operands_source(t, height), 0);
    emission_emit(m, t, (uint64_t)from_ | ((uint64_t)(uint32_t)to << PAIR_HIGH_SHIFT));
    t->last = NONE;
    return true;
}

/* Take back the sum that made the operand above the stack, and return its two slots.

   Return NONE if the operand is not a sum of slots.

   Ensures: in_room. */
uint32_t accessing_taken_back(struct translation *t)
{
    REQUIRES(room_one_taken(t));
    REQUIRES(room_in_room(t));
    uint32_t height = t->height;
    uint32_t last = operands_maker(t, height);
    if (last == NONE || !operands_in_own_slot(t, height) || (uint16_t)emission_word_at(t, last) != ADD_SLOTS) {
        return NONE;
    }
    uint64_t sum_ = emission_word_at(t, last);
    emission_take_back(t, last);
    return (uint32_t)(uint16_t)(sum_ >> BYTECODE_WORD_A_SHIFT) |
           ((uint32_t)(uint16_t)(sum_ >> BYTECODE_WORD_B_SHIFT) << SLOT_PAIR_SECOND_SHIFT);
}
