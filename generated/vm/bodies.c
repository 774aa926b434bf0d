/* Generated from model/wasm/bodies.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 ea9ce218318267a9 */

#include "bodies.h"
#include "builtins.h"
#include "instructions.h"
#include "labels.h"
#include "operand_types.h"
#include "reader.h"
#include "room.h"

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
static const uint8_t FIRST_OPERAND[274] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127,
    127, 127, 127, 127, 127, 127, 0, 127, 0, 0, 0, 0, 127, 127, 127, 127, 127, 127, 127,
    127, 127, 127, 127, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 125, 125, 125, 125,
    125, 125, 124, 124, 124, 124, 124, 124, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127,
    127, 127, 127, 127, 127, 127, 127, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126,
    126, 126, 126, 126, 126, 126, 125, 125, 125, 125, 125, 125, 125, 125, 125, 125, 125, 125, 125,
    125, 124, 124, 124, 124, 124, 124, 124, 124, 124, 124, 124, 124, 124, 124, 126, 125, 125, 124,
    124, 127, 127, 125, 125, 124, 124, 127, 127, 126, 126, 124, 127, 127, 126, 126, 125, 125, 124,
    127, 126, 127, 127, 126, 126, 126, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 125, 125, 124, 124, 125, 125, 124, 124, 127, 0,
    127, 127, 127, 0, 127, 0, 0, 0,
};
static const uint8_t LAST_OPERAND[274] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 126, 125,
    124, 127, 127, 126, 126, 126, 0, 127, 0, 0, 0, 0, 127, 127, 127, 127, 127, 127, 127,
    127, 127, 127, 127, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 125, 125, 125, 125,
    125, 125, 124, 124, 124, 124, 124, 124, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127,
    127, 127, 127, 127, 127, 127, 127, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126,
    126, 126, 126, 126, 126, 126, 125, 125, 125, 125, 125, 125, 125, 125, 125, 125, 125, 125, 125,
    125, 124, 124, 124, 124, 124, 124, 124, 124, 124, 124, 124, 124, 124, 124, 126, 125, 125, 124,
    124, 127, 127, 125, 125, 124, 124, 127, 127, 126, 126, 124, 127, 127, 126, 126, 125, 125, 124,
    127, 126, 127, 127, 126, 126, 126, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 125, 125, 124, 124, 125, 125, 124, 124, 127, 0,
    127, 127, 127, 0, 127, 0, 0, 0,
};
static const uint8_t RESULT[274] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 127, 126, 125, 124, 127, 127, 127, 127, 126, 126, 126, 126, 126, 126, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 127, 127, 127, 126, 125, 124, 127, 127, 127, 127, 127, 127, 127,
    127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127,
    127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127,
    127, 127, 127, 127, 127, 127, 127, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126,
    126, 126, 126, 126, 126, 126, 125, 125, 125, 125, 125, 125, 125, 125, 125, 125, 125, 125, 125,
    125, 124, 124, 124, 124, 124, 124, 124, 124, 124, 124, 124, 124, 124, 124, 127, 127, 127, 127,
    127, 126, 126, 126, 126, 126, 126, 125, 125, 125, 125, 125, 124, 124, 124, 124, 124, 127, 126,
    125, 124, 127, 127, 126, 126, 126, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 127, 127, 127, 127, 126, 126, 126, 126, 0, 0,
    0, 0, 0, 0, 0, 0, 127, 0,
};
static const uint8_t FIXED[274] = {
    0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 0, 1, 0,
};
static const uint8_t WIDTH[274] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 4, 8, 4, 8, 1, 1, 2, 2, 1, 1, 2, 2, 4, 4, 4, 8, 4,
    8, 1, 2, 1, 2, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0,
};

/* Is the body of a function well typed? WebAssembly core 2.0, chapter 3 and the algorithm in its appendix. */

/* Validate the body of a function, which must leave its results. */
void bodies_body(struct module *m, struct validation *v, uint32_t position)
{
    REQUIRES(room_counted(m));
    REQUIRES(position < m->counts.functions);
    uint32_t type_ = m->functions.at[position].type;
    if (type_ >= m->counts.types) {
        reader_refuse(m, REFUSAL_UNKNOWN_TYPE, m->at);
        return;
    }
    m->at = m->functions.at[position].at;
    m->end = m->functions.at[position].end;
    bodies_declare_locals(m, v, &m->types.at[type_].parameters);
    if (v->labels.length == 0) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
        return;
    }
    v->labels.at[0] = (struct label){0};
    v->labels.at[0].opcode = OPCODE_BLOCK;
    operand_types_copy_types(&m->types.at[type_].results, &v->labels.at[0].results);
    v->height = 0;
    v->depth = 1;
    struct decoded d = {0};
    uint32_t left = m->end;
    while (left > 0 && v->depth > 0 && !reader_refused(m)) {
        left--;
        instructions_instruction(m, &d);
        if (!reader_refused(m)) {
            bodies_check(m, v, &d);
        }
    }
}

/* Declare the types of all locals, parameters first. */
void bodies_declare_locals(struct module *m, struct validation *v, const struct types *parameters)
{
    reader_spend(m, parameters->count);
    v->local_count = 0;
    uint32_t position = 0;
    while (position < parameters->count && !reader_refused(m)) {
        value_type_t type_ = operand_types_type_at(m, parameters, position);
        bodies_add_locals(m, v, 1, type_);
        position++;
    }
    uint32_t left = reader_unsigned_32(m);
    while (left > 0 && !reader_refused(m)) {
        left--;
        uint32_t number = reader_unsigned_32(m);
        struct types code = {0};
        code.at = m->at;
        reader_skip(m, 1);
        value_type_t type_ = operand_types_type_at(m, &code, 0);
        bodies_add_locals(m, v, number, type_);
    }
}

/* Add locals of one type. */
void bodies_add_locals(struct module *m, struct validation *v, uint32_t number, value_type_t type_)
{
    if (number > LOCALS || v->local_count > LOCALS - number || LOCALS > v->locals.length) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
        return;
    }
    __builtin_memset(v->locals.at + (uint64_t)v->local_count, type_, number);
    v->local_count += number;
}

/* Check that one instruction takes the operands that are there.

   Ensures: stacked. */
void bodies_check(struct module *m, struct validation *v, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_within_block(v));
    if (FIXED[d->opcode] != 0) {
        bodies_fixed(m, v, d);
    } else if (d->opcode == OPCODE_BLOCK || d->opcode == OPCODE_LOOP) {
        labels_open_block(m, v, d);
    } else if (d->opcode == OPCODE_IF) {
        operand_types_expect(m, v, VALUE_TYPE_I32);
        labels_open_block(m, v, d);
    } else if (d->opcode == OPCODE_ELSE) {
        labels_other_branch(m, v, d);
    } else if (d->opcode == OPCODE_END) {
        labels_end(m, v);
    } else if (d->opcode == OPCODE_UNREACHABLE) {
        operand_types_unreachable(m, v);
    } else if (d->opcode == OPCODE_BR) {
        labels_branch(m, v, d, d->value, false);
        operand_types_unreachable(m, v);
    } else if (d->opcode == OPCODE_BR_IF) {
        operand_types_expect(m, v, VALUE_TYPE_I32);
        labels_branch(m, v, d, d->value, true);
    } else if (d->opcode == OPCODE_BR_TABLE) {
        labels_branch_table(m, v, d);
    } else if (d->opcode == OPCODE_RETURN) {
        labels_branch(m, v, d, saturating_sub(v->depth, 1), false);
        operand_types_unreachable(m, v);
    } else if (d->opcode == OPCODE_CALL) {
        bodies_call(m, v, d);
    } else if (d->opcode == OPCODE_CALL_INDIRECT) {
        bodies_call_indirect(m, v, d);
    } else if (d->opcode == OPCODE_DROP || d->opcode == OPCODE_SELECT || d->opcode == OPCODE_SELECT_TYPED) {
        bodies_parametric(m, v, d);
    } else if (d->opcode == OPCODE_LOCAL_GET || d->opcode == OPCODE_LOCAL_SET || d->opcode == OPCODE_LOCAL_TEE) {
        bodies_local_variable(m, v, d);
    } else if (d->opcode == OPCODE_GLOBAL_GET || d->opcode == OPCODE_GLOBAL_SET) {
        bodies_global_variable(m, v, d);
    } else if (d->opcode == OPCODE_REF_NULL || d->opcode == OPCODE_REF_IS_NULL || d->opcode == OPCODE_REF_FUNC) {
        bodies_reference(m, v, d);
    } else {
        bodies_table_access(m, v, d);
    }
}

/* Check an instruction with the types of its row. What it names must exist.

   Ensures: within_block. */
void bodies_fixed(struct module *m, struct validation *v, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_within_block(v));
    uint8_t width = WIDTH[d->opcode];
    if ((width != 0 || bodies_uses_memory(d->opcode)) && m->counts.memories == 0) {
        reader_refuse(m, REFUSAL_UNKNOWN_MEMORY, d->at);
    }
    if (width != 0 && (d->value > 3 || shift_left_64(1, d->value) > width)) {
        reader_refuse(m, REFUSAL_ALIGNMENT, d->at);
    }
    bodies_named(m, d);
    if (OPERAND_COUNT[d->opcode] > 0) {
        operand_types_expect(m, v, LAST_OPERAND[d->opcode]);
    }
    if (OPERAND_COUNT[d->opcode] > 1) {
        operand_types_expect(m, v, FIRST_OPERAND[d->opcode]);
    }
    if (OPERAND_COUNT[d->opcode] > 2) {
        operand_types_expect(m, v, FIRST_OPERAND[d->opcode]);
    }
    if (RESULT[d->opcode] != 0) {
        operand_types_push(m, v, RESULT[d->opcode]);
    }
}

/* Is an instruction on the memory as a whole? */
bool bodies_uses_memory(opcode_t opcode)
{
    return opcode == OPCODE_MEMORY_SIZE || opcode == OPCODE_MEMORY_GROW || opcode == OPCODE_MEMORY_INIT ||
           opcode == OPCODE_MEMORY_COPY || opcode == OPCODE_MEMORY_FILL;
}

/* Check that the segments and tables that an instruction names exist and fit each other. */
void bodies_named(struct module *m, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    if ((d->opcode == OPCODE_MEMORY_INIT || d->opcode == OPCODE_DATA_DROP) && d->value >= m->data_count) {
        reader_refuse(m, REFUSAL_UNKNOWN_DATA, d->at);
    }
    if (d->opcode == OPCODE_ELEM_DROP && d->value >= m->counts.elements) {
        reader_refuse(m, REFUSAL_UNKNOWN_ELEMENT, d->at);
    }
    if (d->opcode == OPCODE_TABLE_SIZE && d->value >= m->counts.tables) {
        reader_refuse(m, REFUSAL_UNKNOWN_TABLE, d->at);
    }
    if (d->opcode == OPCODE_TABLE_INIT) {
        value_type_t segment = bodies_element_type(m, d);
        value_type_t table = bodies_table_type(m, d->second, d->at);
        if (segment != table) {
            operand_types_mismatch(m);
        }
    }
    if (d->opcode == OPCODE_TABLE_COPY) {
        value_type_t target = bodies_table_type(m, d->value, d->at);
        value_type_t source = bodies_table_type(m, d->second, d->at);
        if (source != target) {
            operand_types_mismatch(m);
        }
    }
}

/* Return the type of the elements of a table, which must exist. */
value_type_t bodies_table_type(struct module *m, uint64_t table, uint32_t at)
{
    REQUIRES(room_counted(m));
    if (table >= m->counts.tables) {
        reader_refuse(m, REFUSAL_UNKNOWN_TABLE, at);
        return VALUE_TYPE_UNKNOWN;
    }
    return m->tables.at[table].element;
}

/* Return the type of the element segment that an instruction names, which must exist. */
value_type_t bodies_element_type(struct module *m, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    if (d->value >= m->counts.elements) {
        reader_refuse(m, REFUSAL_UNKNOWN_ELEMENT, d->at);
        return VALUE_TYPE_UNKNOWN;
    }
    return m->elements.at[d->value].type;
}

/* Check a call: the function must exist; it takes its parameters and leaves its results.

   Ensures: within_block. */
void bodies_call(struct module *m, struct validation *v, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_within_block(v));
    if (d->value >= m->counts.functions) {
        reader_refuse(m, REFUSAL_UNKNOWN_FUNCTION, d->at);
        return;
    }
    bodies_apply_type(m, v, d, m->functions.at[d->value].type);
}

/* Check a call to a function of a type, found in a table.

   Ensures: within_block. */
void bodies_call_indirect(struct module *m, struct validation *v, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_within_block(v));
    value_type_t found = bodies_table_type(m, d->second, d->at);
    if (found != VALUE_TYPE_FUNCREF) {
        operand_types_mismatch(m);
    }
    operand_types_expect(m, v, VALUE_TYPE_I32);
    bodies_apply_type(m, v, d, d->value);
}

/* Pop and push operands as a function type says.

   Ensures: within_block. */
void bodies_apply_type(struct module *m, struct validation *v, const struct decoded *d, uint64_t type_)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_within_block(v));
    if (type_ >= m->counts.types) {
        reader_refuse(m, REFUSAL_UNKNOWN_TYPE, d->at);
        return;
    }
    operand_types_expect_all(m, v, &m->types.at[type_].parameters);
    operand_types_push_all(m, v, &m->types.at[type_].results);
}

/* Check `drop` and both forms of `select`.

   Ensures: within_block. */
void bodies_parametric(struct module *m, struct validation *v, const struct decoded *d)
{
    REQUIRES(room_within_block(v));
    if (d->opcode == OPCODE_DROP) {
        bodies_drop(m, v);
        return;
    }
    operand_types_expect(m, v, VALUE_TYPE_I32);
    if (d->opcode == OPCODE_SELECT_TYPED) {
        if (d->vector.count != 1) {
            reader_refuse(m, REFUSAL_RESULT_ARITY, d->at);
        }
        value_type_t type_ = operand_types_type_at(m, &d->vector, 0);
        operand_types_expect(m, v, type_);
        operand_types_expect(m, v, type_);
        operand_types_push(m, v, type_);
        return;
    }
    value_type_t one = operand_types_pop(m, v);
    value_type_t other = operand_types_pop(m, v);
    if (operand_types_is_reference(one) || operand_types_is_reference(other) ||
        (one != other && one != VALUE_TYPE_UNKNOWN && other != VALUE_TYPE_UNKNOWN)) {
        operand_types_mismatch(m);
    }
    operand_types_push(m, v, one == VALUE_TYPE_UNKNOWN ? other : one);
}

/* Pop the topmost operand, of any type.

   Ensures: within_block. */
void bodies_drop(struct module *m, struct validation *v)
{
    REQUIRES(room_within_block(v));
    operand_types_expect(m, v, VALUE_TYPE_UNKNOWN);
}

/* Check `local.get`, `local.set` and `local.tee`.

   Ensures: within_block. */
void bodies_local_variable(struct module *m, struct validation *v, const struct decoded *d)
{
    REQUIRES(room_within_block(v));
    if (d->value >= v->local_count || d->value >= v->locals.length) {
        reader_refuse(m, REFUSAL_UNKNOWN_LOCAL, d->at);
        return;
    }
    value_type_t type_ = v->locals.at[d->value];
    if (d->opcode != OPCODE_LOCAL_GET) {
        operand_types_expect(m, v, type_);
    }
    if (d->opcode != OPCODE_LOCAL_SET) {
        operand_types_push(m, v, type_);
    }
}

/* Check `global.get` and `global.set`.

   Ensures: within_block. */
void bodies_global_variable(struct module *m, struct validation *v, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_within_block(v));
    if (d->value >= m->counts.globals) {
        reader_refuse(m, REFUSAL_UNKNOWN_GLOBAL, d->at);
        return;
    }
    if (d->opcode == OPCODE_GLOBAL_GET) {
        operand_types_push(m, v, m->globals.at[d->value].type);
        return;
    }
    if (!m->globals.at[d->value].mutable) {
        reader_refuse(m, REFUSAL_IMMUTABLE_GLOBAL, d->at);
    }
    operand_types_expect(m, v, m->globals.at[d->value].type);
}

/* Check `ref.null`, `ref.is_null` and `ref.func`.

   Ensures: within_block. */
void bodies_reference(struct module *m, struct validation *v, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_within_block(v));
    if (d->opcode == OPCODE_REF_NULL) {
        operand_types_push(m, v, d->type);
    } else if (d->opcode == OPCODE_REF_IS_NULL) {
        value_type_t found = operand_types_pop(m, v);
        if (!operand_types_is_reference(found) && found != VALUE_TYPE_UNKNOWN) {
            operand_types_mismatch(m);
        }
        operand_types_push(m, v, VALUE_TYPE_I32);
    } else {
        if (d->value >= m->counts.functions) {
            reader_refuse(m, REFUSAL_UNKNOWN_FUNCTION, d->at);
        } else if (!m->functions.at[d->value].declared) {
            reader_refuse(m, REFUSAL_UNDECLARED_REFERENCE, d->at);
        }
        operand_types_push(m, v, VALUE_TYPE_FUNCREF);
    }
}

/* Check `table.get`, `table.set`, `table.grow` and `table.fill`.

   Ensures: within_block. */
void bodies_table_access(struct module *m, struct validation *v, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_within_block(v));
    value_type_t type_ = bodies_table_type(m, d->value, d->at);
    if (d->opcode == OPCODE_TABLE_GROW || d->opcode == OPCODE_TABLE_FILL) {
        operand_types_expect(m, v, VALUE_TYPE_I32);
    }
    if (d->opcode != OPCODE_TABLE_GET) {
        operand_types_expect(m, v, type_);
    }
    if (d->opcode != OPCODE_TABLE_GROW) {
        operand_types_expect(m, v, VALUE_TYPE_I32);
    }
    if (d->opcode == OPCODE_TABLE_GET) {
        operand_types_push(m, v, type_);
    }
    if (d->opcode == OPCODE_TABLE_GROW) {
        operand_types_push(m, v, VALUE_TYPE_I32);
    }
}
