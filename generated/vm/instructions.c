/* Generated from model/wasm/instructions.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 f6a1905684b776f9 */

#include "instructions.h"
#include "reader.h"

#define NO_TYPES 0x40                   /* the byte of a block that takes and leaves nothing */
#define CONTINUED 0x80
#define ALIGNMENTS 32                   /* powers of two that an alignment may be */
#define NEGATIVE 0x8000000000000000ull
#define PREFIX 0xfc                     /* the next number says which instruction */
#define EXTENDED 0x100                  /* opcodes after the prefix are counted from here */
static const uint8_t IMMEDIATES[274] = {
    1, 1, 2, 2, 2, 1, 0, 0, 0, 0, 0, 1, 3, 3, 5, 1, 3, 4, 0,
    0, 0, 0, 0, 0, 0, 0, 1, 1, 15, 0, 0, 0, 3, 3, 3, 3, 3, 3,
    3, 0, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
    6, 6, 6, 6, 6, 6, 7, 7, 10, 11, 12, 13, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 14,
    1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 9, 3,
    8, 7, 4, 3, 4, 3, 3, 3,
};
static const uint8_t IS_VALUE_TYPE[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0,
};
static const uint8_t IS_REFERENCE_TYPE[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0,
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
