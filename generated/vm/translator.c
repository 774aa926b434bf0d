/* Generated from model/wasm/translator.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 b04ba33b19b0666a */

#include "translator.h"
#include "builtins.h"
#include "accessing.h"
#include "blocks.h"
#include "bodies.h"
#include "branching.h"
#include "calling.h"
#include "computing.h"
#include "emission.h"
#include "instructions.h"
#include "operands.h"
#include "reader.h"
#include "room.h"
#include "shared.h"
#include "spilling.h"

#define SLOTS 65536                     /* every frame has fewer than this */
#define STRAIGHT 1024                   /* after more operations, a safe point precedes the next instruction */
static const uint8_t NUMERIC[274] = {
    [OPCODE_I32_EQZ] = 1,
    [OPCODE_I32_EQ] = 1,
    [OPCODE_I32_NE] = 1,
    [OPCODE_I32_LT_S] = 1,
    [OPCODE_I32_LT_U] = 1,
    [OPCODE_I32_GT_S] = 1,
    [OPCODE_I32_GT_U] = 1,
    [OPCODE_I32_LE_S] = 1,
    [OPCODE_I32_LE_U] = 1,
    [OPCODE_I32_GE_S] = 1,
    [OPCODE_I32_GE_U] = 1,
    [OPCODE_I64_EQZ] = 1,
    [OPCODE_I64_EQ] = 1,
    [OPCODE_I64_NE] = 1,
    [OPCODE_I64_LT_S] = 1,
    [OPCODE_I64_LT_U] = 1,
    [OPCODE_I64_GT_S] = 1,
    [OPCODE_I64_GT_U] = 1,
    [OPCODE_I64_LE_S] = 1,
    [OPCODE_I64_LE_U] = 1,
    [OPCODE_I64_GE_S] = 1,
    [OPCODE_I64_GE_U] = 1,
    [OPCODE_F32_EQ] = 1,
    [OPCODE_F32_NE] = 1,
    [OPCODE_F32_LT] = 1,
    [OPCODE_F32_GT] = 1,
    [OPCODE_F32_LE] = 1,
    [OPCODE_F32_GE] = 1,
    [OPCODE_F64_EQ] = 1,
    [OPCODE_F64_NE] = 1,
    [OPCODE_F64_LT] = 1,
    [OPCODE_F64_GT] = 1,
    [OPCODE_F64_LE] = 1,
    [OPCODE_F64_GE] = 1,
    [OPCODE_I32_CLZ] = 1,
    [OPCODE_I32_CTZ] = 1,
    [OPCODE_I32_POPCNT] = 1,
    [OPCODE_I32_ADD] = 1,
    [OPCODE_I32_SUB] = 1,
    [OPCODE_I32_MUL] = 1,
    [OPCODE_I32_DIV_S] = 1,
    [OPCODE_I32_DIV_U] = 1,
    [OPCODE_I32_REM_S] = 1,
    [OPCODE_I32_REM_U] = 1,
    [OPCODE_I32_AND] = 1,
    [OPCODE_I32_OR] = 1,
    [OPCODE_I32_XOR] = 1,
    [OPCODE_I32_SHL] = 1,
    [OPCODE_I32_SHR_S] = 1,
    [OPCODE_I32_SHR_U] = 1,
    [OPCODE_I32_ROTL] = 1,
    [OPCODE_I32_ROTR] = 1,
    [OPCODE_I64_CLZ] = 1,
    [OPCODE_I64_CTZ] = 1,
    [OPCODE_I64_POPCNT] = 1,
    [OPCODE_I64_ADD] = 1,
    [OPCODE_I64_SUB] = 1,
    [OPCODE_I64_MUL] = 1,
    [OPCODE_I64_DIV_S] = 1,
    [OPCODE_I64_DIV_U] = 1,
    [OPCODE_I64_REM_S] = 1,
    [OPCODE_I64_REM_U] = 1,
    [OPCODE_I64_AND] = 1,
    [OPCODE_I64_OR] = 1,
    [OPCODE_I64_XOR] = 1,
    [OPCODE_I64_SHL] = 1,
    [OPCODE_I64_SHR_S] = 1,
    [OPCODE_I64_SHR_U] = 1,
    [OPCODE_I64_ROTL] = 1,
    [OPCODE_I64_ROTR] = 1,
    [OPCODE_F32_ABS] = 1,
    [OPCODE_F32_NEG] = 1,
    [OPCODE_F32_CEIL] = 1,
    [OPCODE_F32_FLOOR] = 1,
    [OPCODE_F32_TRUNC] = 1,
    [OPCODE_F32_NEAREST] = 1,
    [OPCODE_F32_SQRT] = 1,
    [OPCODE_F32_ADD] = 1,
    [OPCODE_F32_SUB] = 1,
    [OPCODE_F32_MUL] = 1,
    [OPCODE_F32_DIV] = 1,
    [OPCODE_F32_MIN] = 1,
    [OPCODE_F32_MAX] = 1,
    [OPCODE_F32_COPYSIGN] = 1,
    [OPCODE_F64_ABS] = 1,
    [OPCODE_F64_NEG] = 1,
    [OPCODE_F64_CEIL] = 1,
    [OPCODE_F64_FLOOR] = 1,
    [OPCODE_F64_TRUNC] = 1,
    [OPCODE_F64_NEAREST] = 1,
    [OPCODE_F64_SQRT] = 1,
    [OPCODE_F64_ADD] = 1,
    [OPCODE_F64_SUB] = 1,
    [OPCODE_F64_MUL] = 1,
    [OPCODE_F64_DIV] = 1,
    [OPCODE_F64_MIN] = 1,
    [OPCODE_F64_MAX] = 1,
    [OPCODE_F64_COPYSIGN] = 1,
    [OPCODE_I32_WRAP_I64] = 1,
    [OPCODE_I32_TRUNC_F32_S] = 1,
    [OPCODE_I32_TRUNC_F32_U] = 1,
    [OPCODE_I32_TRUNC_F64_S] = 1,
    [OPCODE_I32_TRUNC_F64_U] = 1,
    [OPCODE_I64_EXTEND_I32_S] = 1,
    [OPCODE_I64_EXTEND_I32_U] = 1,
    [OPCODE_I64_TRUNC_F32_S] = 1,
    [OPCODE_I64_TRUNC_F32_U] = 1,
    [OPCODE_I64_TRUNC_F64_S] = 1,
    [OPCODE_I64_TRUNC_F64_U] = 1,
    [OPCODE_F32_CONVERT_I32_S] = 1,
    [OPCODE_F32_CONVERT_I32_U] = 1,
    [OPCODE_F32_CONVERT_I64_S] = 1,
    [OPCODE_F32_CONVERT_I64_U] = 1,
    [OPCODE_F32_DEMOTE_F64] = 1,
    [OPCODE_F64_CONVERT_I32_S] = 1,
    [OPCODE_F64_CONVERT_I32_U] = 1,
    [OPCODE_F64_CONVERT_I64_S] = 1,
    [OPCODE_F64_CONVERT_I64_U] = 1,
    [OPCODE_F64_PROMOTE_F32] = 1,
    [OPCODE_I32_REINTERPRET_F32] = 1,
    [OPCODE_I64_REINTERPRET_F64] = 1,
    [OPCODE_F32_REINTERPRET_I32] = 1,
    [OPCODE_F64_REINTERPRET_I64] = 1,
    [OPCODE_I32_EXTEND8_S] = 1,
    [OPCODE_I32_EXTEND16_S] = 1,
    [OPCODE_I64_EXTEND8_S] = 1,
    [OPCODE_I64_EXTEND16_S] = 1,
    [OPCODE_I64_EXTEND32_S] = 1,
    [OPCODE_I32_TRUNC_SAT_F32_S] = 1,
    [OPCODE_I32_TRUNC_SAT_F32_U] = 1,
    [OPCODE_I32_TRUNC_SAT_F64_S] = 1,
    [OPCODE_I32_TRUNC_SAT_F64_U] = 1,
    [OPCODE_I64_TRUNC_SAT_F32_S] = 1,
    [OPCODE_I64_TRUNC_SAT_F32_U] = 1,
    [OPCODE_I64_TRUNC_SAT_F64_S] = 1,
    [OPCODE_I64_TRUNC_SAT_F64_U] = 1,
    /* all others: 0 */
};

/* How does one pass over each body compile a valid module to bytecode on slots? */

/* Begin the code with the return point of a call from outside: word 0 stands for that call, word 1 ends the run.

   Ensures: in_room. */
void translator_begin(struct module *m, struct translation *t)
{
    t->at = 0;
    t->height = 0;
    t->depth = 0;
    t->next_mark = 0;
    emission_emit(m, t, 0);
    emission_mark(t, RETURN_POINT);
    emission_operation(m, t, HANDLER_EXIT, 0, 0, 0);
}

/* Translate all bodies, in order, into the room that was made for them. */
void translator_translate(struct module *m, struct translation *t)
{
    if (!room_counted(m) || m->counts.functions > m->entries.length) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
        return;
    }
    translator_begin(m, t);
    uint32_t position = 0;
    while (position < m->counts.functions && !reader_refused(m)) {
        if (position >= m->imported_functions) {
            translator_body(m, t, position);
        }
        m->entries.at[position] = (uint64_t)m->functions.at[position].entry |
                                  ((uint64_t)m->functions.at[position].same << ENTRY_OF_SAME_SHIFT);
        position++;
    }
}

/* Translate a function: a word about its frame, then the operations of its instructions.

   Ensures: in_room. */
void translator_body(struct module *m, struct translation *t, uint32_t position)
{
    REQUIRES(room_counted(m));
    REQUIRES(position < m->counts.functions);
    REQUIRES(room_in_room(t));
    uint32_t type_ = m->functions.at[position].type;
    if (type_ >= m->counts.types) {
        reader_refuse(m, REFUSAL_UNKNOWN_TYPE, m->at);
        return;
    }
    m->at = m->functions.at[position].at;
    m->end = m->functions.at[position].end;
    uint32_t parameters = m->types.at[type_].parameters.count;
    translator_count_locals(m, t, parameters);
    t->height = 0;
    t->most = m->types.at[type_].results.count;
    t->depth = 0;
    t->lowest = 0;
    t->last = NONE;
    t->step = NONE;
    t->copied = NONE;
    t->border = t->at;
    t->skipped = 0;
    t->reachable = true;
    t->straight = 0;
    t->calls = false;
    uint32_t information = t->at;
    emission_emit(m, t, 0);
    m->functions.at[position].entry = t->at;
    emission_resolve(m, t, m->functions.at[position].calls, t->at);
    blocks_open_target(m, t, OPCODE_BLOCK, 0, m->types.at[type_].results.count);
    translator_instructions(m, t);
    uint32_t slots = t->locals + t->most;
    if (slots >= SLOTS || information >= t->at) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
        return;
    }
    t->code.at[information] = (uint64_t)slots | ((uint64_t)(uint16_t)parameters << SHAPE_PARAMETERS_SHIFT) |
                              ((uint64_t)(uint16_t)t->locals << SHAPE_LOCALS_SHIFT);
}

/* Count the locals of a function, parameters included. */
void translator_count_locals(struct module *m, struct translation *t, uint32_t parameters)
{
    t->locals = parameters;
    uint32_t left = reader_unsigned_32(m);
    while (left > 0 && !reader_refused(m)) {
        left--;
        uint32_t number = reader_unsigned_32(m);
        reader_skip(m, 1);
        t->locals += number;
    }
    if (t->locals > LOCALS) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
    }
    /* a callee's frame never begins where its caller's does: the control stack cannot overflow before the data stack */
    if (t->locals == 0) {
        t->locals = 1;
    }
}

/* Translate all instructions of a body. Those that never run are left out.

   Ensures: in_room. */
void translator_instructions(struct module *m, struct translation *t)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_in_room(t));
    struct decoded d = {0};
    uint32_t left = m->end;
    while (left > 0 && t->depth > 0 && !reader_refused(m)) {
        left--;
        instructions_instruction(m, &d);
        if (reader_refused(m)) {
            return;
        }
        if (t->reachable) {
            translator_translate_one(m, t, &d);
        } else {
            translator_leave_out(m, t, &d);
        }
    }
}

/* Skip an instruction that never runs. Only the ends of blocks count.

   Ensures: in_room. */
void translator_leave_out(struct module *m, struct translation *t, const struct decoded *d)
{
    REQUIRES(room_in_block(t));
    if (d->opcode == OPCODE_BLOCK || d->opcode == OPCODE_LOOP || d->opcode == OPCODE_IF) {
        t->skipped++;
    } else if (d->opcode == OPCODE_END) {
        if (t->skipped > 0) {
            t->skipped--;
        } else {
            blocks_end(m, t);
        }
    } else if (d->opcode == OPCODE_ELSE && t->skipped == 0) {
        blocks_other_branch(m, t);
    }
}

/* Translate one instruction, with a safe point before it if there was none for long.

   Ensures: in_room. */
void translator_translate_one(struct module *m, struct translation *t, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_in_block(t));
    if (t->straight > STRAIGHT) {
        emission_poll(m, t);
    }
    if (NUMERIC[d->opcode] != 0) {
        computing_compute(m, t, d);
    } else if (WIDTH[d->opcode] != 0) {
        accessing_access(m, t, d);
    } else if (d->opcode == OPCODE_LOCAL_GET || d->opcode == OPCODE_LOCAL_SET || d->opcode == OPCODE_LOCAL_TEE) {
        spilling_variable(m, t, d);
    } else if (d->opcode == OPCODE_I32_CONST || d->opcode == OPCODE_I64_CONST || d->opcode == OPCODE_F32_CONST ||
               d->opcode == OPCODE_F64_CONST || d->opcode == OPCODE_REF_NULL) {
        operands_push(m, t, PLACE_VALUE, d->value);
    } else if (d->opcode == OPCODE_REF_FUNC) {
        operands_push(m, t, PLACE_VALUE, d->value + 1);
    } else if (d->opcode == OPCODE_BLOCK || d->opcode == OPCODE_LOOP || d->opcode == OPCODE_IF) {
        blocks_block(m, t, d);
    } else if (d->opcode == OPCODE_ELSE) {
        blocks_other_branch(m, t);
    } else if (d->opcode == OPCODE_END) {
        blocks_end(m, t);
    } else if (d->opcode == OPCODE_BR) {
        branching_branch(m, t, d->value);
        t->reachable = false;
    } else if (d->opcode == OPCODE_BR_IF) {
        branching_branch_if(m, t, d->value);
    } else if (d->opcode == OPCODE_BR_TABLE) {
        branching_branch_table(m, t, d);
    } else if (d->opcode == OPCODE_RETURN) {
        branching_return_(m, t);
        t->reachable = false;
    } else if (d->opcode == OPCODE_UNREACHABLE) {
        emission_operation(m, t, HANDLER_TRAP_UNREACHABLE, 0, 0, 0);
        t->reachable = false;
    } else if (d->opcode == OPCODE_CALL) {
        calling_call(m, t, d);
    } else if (d->opcode == OPCODE_CALL_INDIRECT) {
        calling_call_indirect(m, t, d);
    } else if (d->opcode == OPCODE_DROP) {
        bool popped = operands_pop(m, t, 1);
        if (popped) {
            t->last = NONE;
        }
    } else if (d->opcode == OPCODE_SELECT || d->opcode == OPCODE_SELECT_TYPED) {
        computing_select(m, t);
    } else if (d->opcode != OPCODE_NOP) {
        shared_other(m, t, d);
    }
}
