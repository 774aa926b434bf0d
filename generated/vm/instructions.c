/* Generated from model/wasm/instructions.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 83362631cd5298c6 */

#include "instructions.h"
#include "reader.h"

#define NO_TYPES 0x40                   /* the byte of a block that takes and leaves nothing */
#define CONTINUED 0x80
#define ALIGNMENTS 32                   /* powers of two that an alignment may be */
#define NEGATIVE 0x8000000000000000ull
#define PREFIX 0xfc                     /* the next number says which instruction */
#define EXTENDED 0x100                  /* opcodes after the prefix are counted from here */
static const uint8_t IMMEDIATES[274] = {
    [OPCODE_UNREACHABLE] = IMMEDIATES_NONE,
    [OPCODE_NOP] = IMMEDIATES_NONE,
    [OPCODE_BLOCK] = IMMEDIATES_BLOCK_TYPE,
    [OPCODE_LOOP] = IMMEDIATES_BLOCK_TYPE,
    [OPCODE_IF] = IMMEDIATES_BLOCK_TYPE,
    [OPCODE_ELSE] = IMMEDIATES_NONE,
    [OPCODE_END] = IMMEDIATES_NONE,
    [OPCODE_BR] = IMMEDIATES_INDEX,
    [OPCODE_BR_IF] = IMMEDIATES_INDEX,
    [OPCODE_BR_TABLE] = IMMEDIATES_LABELS,
    [OPCODE_RETURN] = IMMEDIATES_NONE,
    [OPCODE_CALL] = IMMEDIATES_INDEX,
    [OPCODE_CALL_INDIRECT] = IMMEDIATES_TWO_INDICES,
    [OPCODE_DROP] = IMMEDIATES_NONE,
    [OPCODE_SELECT] = IMMEDIATES_NONE,
    [OPCODE_SELECT_TYPED] = IMMEDIATES_VALUE_TYPES,
    [OPCODE_LOCAL_GET] = IMMEDIATES_INDEX,
    [OPCODE_LOCAL_SET] = IMMEDIATES_INDEX,
    [OPCODE_LOCAL_TEE] = IMMEDIATES_INDEX,
    [OPCODE_GLOBAL_GET] = IMMEDIATES_INDEX,
    [OPCODE_GLOBAL_SET] = IMMEDIATES_INDEX,
    [OPCODE_TABLE_GET] = IMMEDIATES_INDEX,
    [OPCODE_TABLE_SET] = IMMEDIATES_INDEX,
    [OPCODE_I32_LOAD] = IMMEDIATES_MEMORY_ARGUMENT,
    [OPCODE_I64_LOAD] = IMMEDIATES_MEMORY_ARGUMENT,
    [OPCODE_F32_LOAD] = IMMEDIATES_MEMORY_ARGUMENT,
    [OPCODE_F64_LOAD] = IMMEDIATES_MEMORY_ARGUMENT,
    [OPCODE_I32_LOAD8_S] = IMMEDIATES_MEMORY_ARGUMENT,
    [OPCODE_I32_LOAD8_U] = IMMEDIATES_MEMORY_ARGUMENT,
    [OPCODE_I32_LOAD16_S] = IMMEDIATES_MEMORY_ARGUMENT,
    [OPCODE_I32_LOAD16_U] = IMMEDIATES_MEMORY_ARGUMENT,
    [OPCODE_I64_LOAD8_S] = IMMEDIATES_MEMORY_ARGUMENT,
    [OPCODE_I64_LOAD8_U] = IMMEDIATES_MEMORY_ARGUMENT,
    [OPCODE_I64_LOAD16_S] = IMMEDIATES_MEMORY_ARGUMENT,
    [OPCODE_I64_LOAD16_U] = IMMEDIATES_MEMORY_ARGUMENT,
    [OPCODE_I64_LOAD32_S] = IMMEDIATES_MEMORY_ARGUMENT,
    [OPCODE_I64_LOAD32_U] = IMMEDIATES_MEMORY_ARGUMENT,
    [OPCODE_I32_STORE] = IMMEDIATES_MEMORY_ARGUMENT,
    [OPCODE_I64_STORE] = IMMEDIATES_MEMORY_ARGUMENT,
    [OPCODE_F32_STORE] = IMMEDIATES_MEMORY_ARGUMENT,
    [OPCODE_F64_STORE] = IMMEDIATES_MEMORY_ARGUMENT,
    [OPCODE_I32_STORE8] = IMMEDIATES_MEMORY_ARGUMENT,
    [OPCODE_I32_STORE16] = IMMEDIATES_MEMORY_ARGUMENT,
    [OPCODE_I64_STORE8] = IMMEDIATES_MEMORY_ARGUMENT,
    [OPCODE_I64_STORE16] = IMMEDIATES_MEMORY_ARGUMENT,
    [OPCODE_I64_STORE32] = IMMEDIATES_MEMORY_ARGUMENT,
    [OPCODE_MEMORY_SIZE] = IMMEDIATES_ZERO,
    [OPCODE_MEMORY_GROW] = IMMEDIATES_ZERO,
    [OPCODE_I32_CONST] = IMMEDIATES_NUMBER_32,
    [OPCODE_I64_CONST] = IMMEDIATES_NUMBER_64,
    [OPCODE_F32_CONST] = IMMEDIATES_BITS_32,
    [OPCODE_F64_CONST] = IMMEDIATES_BITS_64,
    [OPCODE_I32_EQZ] = IMMEDIATES_NONE,
    [OPCODE_I32_EQ] = IMMEDIATES_NONE,
    [OPCODE_I32_NE] = IMMEDIATES_NONE,
    [OPCODE_I32_LT_S] = IMMEDIATES_NONE,
    [OPCODE_I32_LT_U] = IMMEDIATES_NONE,
    [OPCODE_I32_GT_S] = IMMEDIATES_NONE,
    [OPCODE_I32_GT_U] = IMMEDIATES_NONE,
    [OPCODE_I32_LE_S] = IMMEDIATES_NONE,
    [OPCODE_I32_LE_U] = IMMEDIATES_NONE,
    [OPCODE_I32_GE_S] = IMMEDIATES_NONE,
    [OPCODE_I32_GE_U] = IMMEDIATES_NONE,
    [OPCODE_I64_EQZ] = IMMEDIATES_NONE,
    [OPCODE_I64_EQ] = IMMEDIATES_NONE,
    [OPCODE_I64_NE] = IMMEDIATES_NONE,
    [OPCODE_I64_LT_S] = IMMEDIATES_NONE,
    [OPCODE_I64_LT_U] = IMMEDIATES_NONE,
    [OPCODE_I64_GT_S] = IMMEDIATES_NONE,
    [OPCODE_I64_GT_U] = IMMEDIATES_NONE,
    [OPCODE_I64_LE_S] = IMMEDIATES_NONE,
    [OPCODE_I64_LE_U] = IMMEDIATES_NONE,
    [OPCODE_I64_GE_S] = IMMEDIATES_NONE,
    [OPCODE_I64_GE_U] = IMMEDIATES_NONE,
    [OPCODE_F32_EQ] = IMMEDIATES_NONE,
    [OPCODE_F32_NE] = IMMEDIATES_NONE,
    [OPCODE_F32_LT] = IMMEDIATES_NONE,
    [OPCODE_F32_GT] = IMMEDIATES_NONE,
    [OPCODE_F32_LE] = IMMEDIATES_NONE,
    [OPCODE_F32_GE] = IMMEDIATES_NONE,
    [OPCODE_F64_EQ] = IMMEDIATES_NONE,
    [OPCODE_F64_NE] = IMMEDIATES_NONE,
    [OPCODE_F64_LT] = IMMEDIATES_NONE,
    [OPCODE_F64_GT] = IMMEDIATES_NONE,
    [OPCODE_F64_LE] = IMMEDIATES_NONE,
    [OPCODE_F64_GE] = IMMEDIATES_NONE,
    [OPCODE_I32_CLZ] = IMMEDIATES_NONE,
    [OPCODE_I32_CTZ] = IMMEDIATES_NONE,
    [OPCODE_I32_POPCNT] = IMMEDIATES_NONE,
    [OPCODE_I32_ADD] = IMMEDIATES_NONE,
    [OPCODE_I32_SUB] = IMMEDIATES_NONE,
    [OPCODE_I32_MUL] = IMMEDIATES_NONE,
    [OPCODE_I32_DIV_S] = IMMEDIATES_NONE,
    [OPCODE_I32_DIV_U] = IMMEDIATES_NONE,
    [OPCODE_I32_REM_S] = IMMEDIATES_NONE,
    [OPCODE_I32_REM_U] = IMMEDIATES_NONE,
    [OPCODE_I32_AND] = IMMEDIATES_NONE,
    [OPCODE_I32_OR] = IMMEDIATES_NONE,
    [OPCODE_I32_XOR] = IMMEDIATES_NONE,
    [OPCODE_I32_SHL] = IMMEDIATES_NONE,
    [OPCODE_I32_SHR_S] = IMMEDIATES_NONE,
    [OPCODE_I32_SHR_U] = IMMEDIATES_NONE,
    [OPCODE_I32_ROTL] = IMMEDIATES_NONE,
    [OPCODE_I32_ROTR] = IMMEDIATES_NONE,
    [OPCODE_I64_CLZ] = IMMEDIATES_NONE,
    [OPCODE_I64_CTZ] = IMMEDIATES_NONE,
    [OPCODE_I64_POPCNT] = IMMEDIATES_NONE,
    [OPCODE_I64_ADD] = IMMEDIATES_NONE,
    [OPCODE_I64_SUB] = IMMEDIATES_NONE,
    [OPCODE_I64_MUL] = IMMEDIATES_NONE,
    [OPCODE_I64_DIV_S] = IMMEDIATES_NONE,
    [OPCODE_I64_DIV_U] = IMMEDIATES_NONE,
    [OPCODE_I64_REM_S] = IMMEDIATES_NONE,
    [OPCODE_I64_REM_U] = IMMEDIATES_NONE,
    [OPCODE_I64_AND] = IMMEDIATES_NONE,
    [OPCODE_I64_OR] = IMMEDIATES_NONE,
    [OPCODE_I64_XOR] = IMMEDIATES_NONE,
    [OPCODE_I64_SHL] = IMMEDIATES_NONE,
    [OPCODE_I64_SHR_S] = IMMEDIATES_NONE,
    [OPCODE_I64_SHR_U] = IMMEDIATES_NONE,
    [OPCODE_I64_ROTL] = IMMEDIATES_NONE,
    [OPCODE_I64_ROTR] = IMMEDIATES_NONE,
    [OPCODE_F32_ABS] = IMMEDIATES_NONE,
    [OPCODE_F32_NEG] = IMMEDIATES_NONE,
    [OPCODE_F32_CEIL] = IMMEDIATES_NONE,
    [OPCODE_F32_FLOOR] = IMMEDIATES_NONE,
    [OPCODE_F32_TRUNC] = IMMEDIATES_NONE,
    [OPCODE_F32_NEAREST] = IMMEDIATES_NONE,
    [OPCODE_F32_SQRT] = IMMEDIATES_NONE,
    [OPCODE_F32_ADD] = IMMEDIATES_NONE,
    [OPCODE_F32_SUB] = IMMEDIATES_NONE,
    [OPCODE_F32_MUL] = IMMEDIATES_NONE,
    [OPCODE_F32_DIV] = IMMEDIATES_NONE,
    [OPCODE_F32_MIN] = IMMEDIATES_NONE,
    [OPCODE_F32_MAX] = IMMEDIATES_NONE,
    [OPCODE_F32_COPYSIGN] = IMMEDIATES_NONE,
    [OPCODE_F64_ABS] = IMMEDIATES_NONE,
    [OPCODE_F64_NEG] = IMMEDIATES_NONE,
    [OPCODE_F64_CEIL] = IMMEDIATES_NONE,
    [OPCODE_F64_FLOOR] = IMMEDIATES_NONE,
    [OPCODE_F64_TRUNC] = IMMEDIATES_NONE,
    [OPCODE_F64_NEAREST] = IMMEDIATES_NONE,
    [OPCODE_F64_SQRT] = IMMEDIATES_NONE,
    [OPCODE_F64_ADD] = IMMEDIATES_NONE,
    [OPCODE_F64_SUB] = IMMEDIATES_NONE,
    [OPCODE_F64_MUL] = IMMEDIATES_NONE,
    [OPCODE_F64_DIV] = IMMEDIATES_NONE,
    [OPCODE_F64_MIN] = IMMEDIATES_NONE,
    [OPCODE_F64_MAX] = IMMEDIATES_NONE,
    [OPCODE_F64_COPYSIGN] = IMMEDIATES_NONE,
    [OPCODE_I32_WRAP_I64] = IMMEDIATES_NONE,
    [OPCODE_I32_TRUNC_F32_S] = IMMEDIATES_NONE,
    [OPCODE_I32_TRUNC_F32_U] = IMMEDIATES_NONE,
    [OPCODE_I32_TRUNC_F64_S] = IMMEDIATES_NONE,
    [OPCODE_I32_TRUNC_F64_U] = IMMEDIATES_NONE,
    [OPCODE_I64_EXTEND_I32_S] = IMMEDIATES_NONE,
    [OPCODE_I64_EXTEND_I32_U] = IMMEDIATES_NONE,
    [OPCODE_I64_TRUNC_F32_S] = IMMEDIATES_NONE,
    [OPCODE_I64_TRUNC_F32_U] = IMMEDIATES_NONE,
    [OPCODE_I64_TRUNC_F64_S] = IMMEDIATES_NONE,
    [OPCODE_I64_TRUNC_F64_U] = IMMEDIATES_NONE,
    [OPCODE_F32_CONVERT_I32_S] = IMMEDIATES_NONE,
    [OPCODE_F32_CONVERT_I32_U] = IMMEDIATES_NONE,
    [OPCODE_F32_CONVERT_I64_S] = IMMEDIATES_NONE,
    [OPCODE_F32_CONVERT_I64_U] = IMMEDIATES_NONE,
    [OPCODE_F32_DEMOTE_F64] = IMMEDIATES_NONE,
    [OPCODE_F64_CONVERT_I32_S] = IMMEDIATES_NONE,
    [OPCODE_F64_CONVERT_I32_U] = IMMEDIATES_NONE,
    [OPCODE_F64_CONVERT_I64_S] = IMMEDIATES_NONE,
    [OPCODE_F64_CONVERT_I64_U] = IMMEDIATES_NONE,
    [OPCODE_F64_PROMOTE_F32] = IMMEDIATES_NONE,
    [OPCODE_I32_REINTERPRET_F32] = IMMEDIATES_NONE,
    [OPCODE_I64_REINTERPRET_F64] = IMMEDIATES_NONE,
    [OPCODE_F32_REINTERPRET_I32] = IMMEDIATES_NONE,
    [OPCODE_F64_REINTERPRET_I64] = IMMEDIATES_NONE,
    [OPCODE_I32_EXTEND8_S] = IMMEDIATES_NONE,
    [OPCODE_I32_EXTEND16_S] = IMMEDIATES_NONE,
    [OPCODE_I64_EXTEND8_S] = IMMEDIATES_NONE,
    [OPCODE_I64_EXTEND16_S] = IMMEDIATES_NONE,
    [OPCODE_I64_EXTEND32_S] = IMMEDIATES_NONE,
    [OPCODE_REF_NULL] = IMMEDIATES_REFERENCE_TYPE,
    [OPCODE_REF_IS_NULL] = IMMEDIATES_NONE,
    [OPCODE_REF_FUNC] = IMMEDIATES_INDEX,
    [OPCODE_I32_TRUNC_SAT_F32_S] = IMMEDIATES_NONE,
    [OPCODE_I32_TRUNC_SAT_F32_U] = IMMEDIATES_NONE,
    [OPCODE_I32_TRUNC_SAT_F64_S] = IMMEDIATES_NONE,
    [OPCODE_I32_TRUNC_SAT_F64_U] = IMMEDIATES_NONE,
    [OPCODE_I64_TRUNC_SAT_F32_S] = IMMEDIATES_NONE,
    [OPCODE_I64_TRUNC_SAT_F32_U] = IMMEDIATES_NONE,
    [OPCODE_I64_TRUNC_SAT_F64_S] = IMMEDIATES_NONE,
    [OPCODE_I64_TRUNC_SAT_F64_U] = IMMEDIATES_NONE,
    [OPCODE_MEMORY_INIT] = IMMEDIATES_INDEX_ZERO,
    [OPCODE_DATA_DROP] = IMMEDIATES_INDEX,
    [OPCODE_MEMORY_COPY] = IMMEDIATES_TWO_ZEROS,
    [OPCODE_MEMORY_FILL] = IMMEDIATES_ZERO,
    [OPCODE_TABLE_INIT] = IMMEDIATES_TWO_INDICES,
    [OPCODE_ELEM_DROP] = IMMEDIATES_INDEX,
    [OPCODE_TABLE_COPY] = IMMEDIATES_TWO_INDICES,
    [OPCODE_TABLE_GROW] = IMMEDIATES_INDEX,
    [OPCODE_TABLE_SIZE] = IMMEDIATES_INDEX,
    [OPCODE_TABLE_FILL] = IMMEDIATES_INDEX,
    /* all others: IMMEDIATES_UNKNOWN */
};
static const uint8_t IS_REFERENCE_TYPE[256] = {
    [VALUE_TYPE_EXTERNREF] = 1,
    [VALUE_TYPE_FUNCREF] = 1,
    /* all others: 0 */
};

/* How is an instruction decoded? WebAssembly core 2.0, 5.4. */

/* Read the next instruction with its immediates. */
void instructions_instruction(struct module *m, struct decoded *d)
{
    *d = (struct decoded){0};
    d->at = m->at;
    d->opcode = instructions_opcode(m);
    if (!reader_refused(m)) {
        instructions_immediates(m, d, IMMEDIATES[d->opcode]);
    }
}

/* Read the opcode. Opcodes after the prefix are counted from EXTENDED on. */
opcode_t instructions_opcode(struct module *m)
{
    uint32_t start = m->at;
    uint32_t code = reader_byte(m);
    if (code == PREFIX) {
        uint32_t number = reader_unsigned_32(m);
        code = number < 18 ? EXTENDED + number : 255;
    }
    if (IMMEDIATES[code] == 0) {
        reader_refuse(m, REFUSAL_OPCODE, start);
        return OPCODE_UNREACHABLE;
    }
    return code;
}

/* Read what follows the opcode. */
void instructions_immediates(struct module *m, struct decoded *d, immediates_t kind)
{
    if (kind == IMMEDIATES_INDEX || kind == IMMEDIATES_INDEX_ZERO || kind == IMMEDIATES_TWO_INDICES ||
        kind == IMMEDIATES_MEMORY_ARGUMENT) {
        d->value = reader_unsigned_32(m);
    }
    if (kind == IMMEDIATES_TWO_INDICES || kind == IMMEDIATES_MEMORY_ARGUMENT) {
        d->second = reader_unsigned_32(m);
    }
    if (kind == IMMEDIATES_MEMORY_ARGUMENT && d->value >= ALIGNMENTS) {
        reader_refuse(m, REFUSAL_ACCESS_FLAGS, d->at);
    }
    if (kind == IMMEDIATES_ZERO || kind == IMMEDIATES_TWO_ZEROS || kind == IMMEDIATES_INDEX_ZERO) {
        instructions_zero(m);
    }
    if (kind == IMMEDIATES_TWO_ZEROS) {
        instructions_zero(m);
    }
    if (kind == IMMEDIATES_NUMBER_32) {
        uint64_t value = reader_signed_number(m, 32);
        d->value = (uint32_t)value;
    }
    if (kind == IMMEDIATES_NUMBER_64) {
        d->value = reader_signed_number(m, 64);
    }
    if (kind == IMMEDIATES_BITS_32) {
        d->value = reader_bits_32(m);
    }
    if (kind == IMMEDIATES_BITS_64) {
        d->value = reader_bits_64(m);
    }
    if (kind == IMMEDIATES_REFERENCE_TYPE) {
        d->type = instructions_reference_type(m);
    }
    if (kind == IMMEDIATES_BLOCK_TYPE) {
        instructions_block_type(m, d);
    }
    if (kind == IMMEDIATES_LABELS) {
        instructions_labels(m, d);
    }
    if (kind == IMMEDIATES_VALUE_TYPES) {
        instructions_value_types(m, &d->vector);
    }
}

/* Read a zero byte, where later versions may name a memory. */
void instructions_zero(struct module *m)
{
    uint32_t start = m->at;
    uint8_t found = reader_byte(m);
    if (found != 0) {
        reader_refuse(m, REFUSAL_ZERO_BYTE, start);
    }
}

/* Read a value type. */
value_type_t instructions_value_type(struct module *m)
{
    uint32_t start = m->at;
    uint8_t code = reader_byte(m);
    if (IS_VALUE_TYPE[code] == 0) {
        reader_refuse(m, REFUSAL_VALUE_TYPE, start);
        return VALUE_TYPE_UNKNOWN;
    }
    return code;
}

/* Read a reference type. */
value_type_t instructions_reference_type(struct module *m)
{
    uint32_t start = m->at;
    uint8_t code = reader_byte(m);
    if (IS_REFERENCE_TYPE[code] == 0) {
        reader_refuse(m, REFUSAL_REFERENCE_TYPE, start);
        return VALUE_TYPE_UNKNOWN;
    }
    return code;
}

/* Skip a value type, and check its encoding. */
void instructions_skip_value_type(struct module *m)
{
    uint32_t start = m->at;
    uint8_t code = reader_byte(m);
    if (IS_VALUE_TYPE[code] == 0) {
        reader_refuse(m, REFUSAL_VALUE_TYPE, start);
    }
}

/* Read a block type: no types, one result, or the index of a function type. */
void instructions_block_type(struct module *m, struct decoded *d)
{
    if (m->at >= m->end || m->at >= m->bytes.length) {
        reader_refuse(m, REFUSAL_UNEXPECTED_END, m->at);
        return;
    }
    uint8_t first = m->bytes.at[m->at];
    d->vector.at = m->at;
    if (first == NO_TYPES) {
        d->block = BLOCK_TYPE_EMPTY;
        reader_skip(m, 1);
    } else if (first < CONTINUED && first > NO_TYPES) {
        d->block = BLOCK_TYPE_RESULT;
        d->type = instructions_value_type(m);
    } else {
        uint32_t start = m->at;
        d->block = BLOCK_TYPE_INDEX;
        d->value = reader_signed_number(m, 33);
        if (d->value >= NEGATIVE) {
            reader_refuse(m, REFUSAL_VALUE_TYPE, start);
        }
    }
}

/* Read a vector of labels, and into `value` the default label. */
void instructions_labels(struct module *m, struct decoded *d)
{
    d->vector.count = reader_count(m);
    d->vector.at = m->at;
    uint32_t left = d->vector.count;
    while (left > 0 && !reader_refused(m)) {
        left--;
        reader_skip_number(m);
    }
    d->value = reader_unsigned_32(m);
}

/* Read a vector of value types. */
void instructions_value_types(struct module *m, struct types *types)
{
    types->count = reader_count(m);
    types->at = m->at;
    if (types->count > ARITY) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
    }
    uint32_t left = types->count;
    while (left > 0 && !reader_refused(m)) {
        left--;
        instructions_skip_value_type(m);
    }
}
