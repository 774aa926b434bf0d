/* Generated from model/wasm/validator.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 fa94692c686a0161 */

#include "validator.h"
#include "builtins.h"
#include "instructions.h"
#include "reader.h"

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

/* May a decoded module run? WebAssembly core 2.0, chapter 3 and the algorithm of its appendix. */

/* Refuse the module unless all of it is valid. */
void validator_validate(struct module *m, struct validation *v)
{
    validator_equal_types(m);
    validator_types_exist(m);
    validator_sizes(m);
    validator_initial_values(m);
    validator_elements(m);
    validator_segments(m);
    validator_exports(m);
    validator_start(m);
    uint32_t position = m->imported_functions;
    while (position < m->counts.functions && position < m->functions.length && !reader_refused(m)) {
        validator_body(m, v, position);
        position++;
    }
}

/* Nothing has been hashed yet. */
void validator_empty_buckets(struct module *m)
{
    uint64_t bucket = 0;
    while (bucket < m->buckets.length) {
        m->buckets.at[bucket] = 0;
        bucket++;
    }
}

/* Find for each type the first one that is equal. */
void validator_equal_types(struct module *m)
{
    validator_empty_buckets(m);
    uint32_t position = 0;
    while (position < m->counts.types && position < m->types.length) {
        validator_first_equal(m, position);
        position++;
    }
}

/* Find for a type the first one that is equal: those with the same hash are chained. */
void validator_first_equal(struct module *m, uint32_t position)
{
    if (position >= m->types.length || m->buckets.length == 0) {
        return;
    }
    struct function_type *found = &m->types.at[position];
    found->same = position;
    uint64_t bucket = (validator_hash_of(m, found->parameters.at, found->parameters.count) ^
                       validator_hash_of(m, found->results.at, found->results.count)) % m->buckets.length;
    uint32_t other = m->buckets.at[bucket];
    uint64_t left = m->types.length;
    while (left > 0 && other > 0 && other <= m->types.length) {
        left--;
        if (validator_same_types(m, &m->types.at[other - 1].parameters, &found->parameters) &&
            validator_same_types(m, &m->types.at[other - 1].results, &found->results)) {
            found->same = m->types.at[other - 1].same;
        }
        other = m->types.at[other - 1].next;
    }
    found->next = m->buckets.at[bucket];
    m->buckets.at[bucket] = position + 1;
}

/* Every function is of a type that there is. */
void validator_types_exist(struct module *m)
{
    uint32_t position = 0;
    while (position < m->counts.functions && position < m->functions.length && !reader_refused(m)) {
        uint32_t type_ = m->functions.at[position].type;
        if (type_ >= m->counts.types || type_ >= m->types.length) {
            reader_refuse(m, REFUSAL_UNKNOWN_TYPE, m->at);
        } else {
            m->functions.at[position].same = m->types.at[type_].same;
        }
        position++;
    }
}

/* There is one memory at most; sizes are in order. */
void validator_sizes(struct module *m)
{
    uint32_t position = 0;
    while (position < m->counts.tables && position < m->tables.length && !reader_refused(m)) {
        if (m->tables.at[position].limits.minimum > m->tables.at[position].limits.maximum) {
            reader_refuse(m, REFUSAL_LIMITS_ORDER, m->at);
        }
        position++;
    }
    if (m->counts.memories > 1) {
        reader_refuse(m, REFUSAL_MULTIPLE_MEMORIES, m->at);
    }
    if (m->counts.memories == 1 && m->memories.length > 0) {
        if (m->memories.at[0].minimum > MEMORY_PAGES ||
            (m->memories.at[0].bounded && m->memories.at[0].maximum > MEMORY_PAGES)) {
            reader_refuse(m, REFUSAL_MEMORY_SIZE, m->at);
        }
        if (m->memories.at[0].minimum > m->memories.at[0].maximum) {
            reader_refuse(m, REFUSAL_LIMITS_ORDER, m->at);
        }
    }
}

/* Every global begins with a constant of its type. */
void validator_initial_values(struct module *m)
{
    uint32_t position = m->imported_globals;
    while (position < m->counts.globals && position < m->globals.length && !reader_refused(m)) {
        validator_constant(m, &m->globals.at[position].value, m->globals.at[position].type);
        position++;
    }
}

/* A constant expression is one, and of the type that is wanted. */
void validator_constant(struct module *m, const struct constant *c, value_type_t wanted)
{
    if (c->wrong != REFUSAL_NONE) {
        reader_refuse(m, c->wrong, c->at);
        return;
    }
    value_type_t found = validator_constant_type(m, c);
    if (found != wanted) {
        reader_refuse(m, REFUSAL_TYPE_MISMATCH, c->at);
    }
}

/* The type of a constant expression; a function that it names may be named by `ref.func` from now on. */
value_type_t validator_constant_type(struct module *m, const struct constant *c)
{
    if (c->opcode == OPCODE_REF_NULL) {
        return c->type;
    }
    if (c->opcode == OPCODE_REF_FUNC) {
        validator_declare(m, c);
        return VALUE_TYPE_FUNCREF;
    }
    if (c->opcode == OPCODE_GLOBAL_GET) {
        return validator_imported_constant(m, c);
    }
    return c->opcode == OPCODE_I32_CONST ? VALUE_TYPE_I32
           : (c->opcode == OPCODE_I64_CONST ? VALUE_TYPE_I64
              : (c->opcode == OPCODE_F32_CONST ? VALUE_TYPE_F32 : VALUE_TYPE_F64));
}

/* A function is named outside the bodies. */
void validator_declare(struct module *m, const struct constant *c)
{
    if (c->value >= m->counts.functions || c->value >= m->functions.length) {
        reader_refuse(m, REFUSAL_UNKNOWN_FUNCTION, c->at);
        return;
    }
    m->functions.at[c->value].declared = true;
}

/* The type of an imported global that never changes. */
value_type_t validator_imported_constant(struct module *m, const struct constant *c)
{
    if (c->value >= m->imported_globals || c->value >= m->globals.length) {
        reader_refuse(m, REFUSAL_UNKNOWN_GLOBAL, c->at);
        return VALUE_TYPE_UNKNOWN;
    }
    if (m->globals.at[c->value].mutable) {
        reader_refuse(m, REFUSAL_CONSTANT_REQUIRED, c->at);
    }
    return m->globals.at[c->value].type;
}

/* Every element segment fits its table, and its items are of its type. */
void validator_elements(struct module *m)
{
    uint32_t position = 0;
    while (position < m->counts.elements && position < m->elements.length && !reader_refused(m)) {
        validator_element(m, position);
        position++;
    }
}

/* One element segment. */
void validator_element(struct module *m, uint32_t position)
{
    if (position >= m->elements.length) {
        return;
    }
    const struct element *found = &m->elements.at[position];
    if (found->mode == MODE_ACTIVE) {
        value_type_t type_ = validator_table_type(m, found->table, found->offset.at);
        if (type_ != found->type) {
            reader_refuse(m, REFUSAL_TYPE_MISMATCH, found->offset.at);
        }
        validator_constant(m, &found->offset, VALUE_TYPE_I32);
    }
    uint32_t at = found->first;
    uint32_t left = found->count;
    while (left > 0 && at < m->items.length && !reader_refused(m)) {
        left--;
        validator_constant(m, &m->items.at[at], found->type);
        at++;
    }
}

/* The type of the elements of a table that there is. */
value_type_t validator_table_type(struct module *m, uint64_t table, uint32_t at)
{
    if (table >= m->counts.tables || table >= m->tables.length) {
        reader_refuse(m, REFUSAL_UNKNOWN_TABLE, at);
        return VALUE_TYPE_UNKNOWN;
    }
    return m->tables.at[table].element;
}

/* Every active data segment is for a memory that there is. */
void validator_segments(struct module *m)
{
    uint32_t position = 0;
    while (position < m->counts.data && position < m->data.length && !reader_refused(m)) {
        if (m->data.at[position].mode == MODE_ACTIVE) {
            if (m->data.at[position].memory >= m->counts.memories) {
                reader_refuse(m, REFUSAL_UNKNOWN_MEMORY, m->data.at[position].offset.at);
            }
            validator_constant(m, &m->data.at[position].offset, VALUE_TYPE_I32);
        }
        position++;
    }
}

/* Every export is of something that there is, under a name of its own. */
void validator_exports(struct module *m)
{
    validator_empty_buckets(m);
    uint32_t position = 0;
    while (position < m->counts.exports && position < m->exports.length && !reader_refused(m)) {
        validator_exported(m, position);
        position++;
    }
}

/* One export. */
void validator_exported(struct module *m, uint32_t position)
{
    if (position >= m->exports.length) {
        return;
    }
    const struct export *found = &m->exports.at[position];
    uint32_t at = found->name.at;
    if (found->kind == EXTERNAL_FUNCTION) {
        if (found->index >= m->counts.functions || found->index >= m->functions.length) {
            reader_refuse(m, REFUSAL_UNKNOWN_FUNCTION, at);
            return;
        }
        m->functions.at[found->index].declared = true;
    }
    if (found->kind == EXTERNAL_TABLE && found->index >= m->counts.tables) {
        reader_refuse(m, REFUSAL_UNKNOWN_TABLE, at);
    }
    if (found->kind == EXTERNAL_MEMORY && found->index >= m->counts.memories) {
        reader_refuse(m, REFUSAL_UNKNOWN_MEMORY, at);
    }
    if (found->kind == EXTERNAL_GLOBAL && found->index >= m->counts.globals) {
        reader_refuse(m, REFUSAL_UNKNOWN_GLOBAL, at);
    }
    validator_own_name(m, position);
}

/* No export before has the same name: those with the same hash are chained. */
void validator_own_name(struct module *m, uint32_t position)
{
    if (position >= m->exports.length || m->buckets.length == 0) {
        return;
    }
    struct export *found = &m->exports.at[position];
    uint64_t bucket = validator_hash_of(m, found->name.at, found->name.size) % m->buckets.length;
    uint32_t other = m->buckets.at[bucket];
    uint64_t left = m->exports.length;
    while (left > 0 && other > 0 && other <= m->exports.length) {
        left--;
        if (validator_same_name(m, &m->exports.at[other - 1].name, &found->name)) {
            reader_refuse(m, REFUSAL_DUPLICATE_EXPORT, found->name.at);
        }
        other = m->exports.at[other - 1].next;
    }
    found->next = m->buckets.at[bucket];
    m->buckets.at[bucket] = position + 1;
}

/* FNV-1a of some bytes of the module. */
uint64_t validator_hash_of(const struct module *m, uint32_t first, uint32_t size)
{
    uint64_t value = 0xcbf29ce484222325ull;
    uint32_t left = size;
    uint32_t at = first;
    while (left > 0) {
        left--;
        value = (value ^ (uint64_t)reader_byte_at(m, at)) * 0x100000001b3ull;
        at++;
    }
    return value;
}

/* Are two names the same bytes? */
bool validator_same_name(const struct module *m, const struct name *one, const struct name *other)
{
    if (one->size != other->size) {
        return false;
    }
    uint32_t left = one->size;
    while (left > 0) {
        left--;
        if (reader_byte_at(m, one->at + left) != reader_byte_at(m, other->at + left)) {
            return false;
        }
    }
    return true;
}

/* The function that is run first takes nothing and returns nothing. */
void validator_start(struct module *m)
{
    if (m->start == NONE || reader_refused(m)) {
        return;
    }
    if (m->start >= m->counts.functions || m->start >= m->functions.length) {
        reader_refuse(m, REFUSAL_UNKNOWN_FUNCTION, m->at);
        return;
    }
    uint32_t type_ = m->functions.at[m->start].type;
    if (type_ >= m->types.length) {
        return;
    }
    if (m->types.at[type_].parameters.count != 0 || m->types.at[type_].results.count != 0) {
        reader_refuse(m, REFUSAL_START_FUNCTION, m->at);
    }
}

/* One of some value types. */
value_type_t validator_type_at(const struct module *m, const struct types *types, uint32_t position)
{
    uint8_t code = reader_byte_at(m, types->at + position);
    if (IS_VALUE_TYPE[code] == 0) {
        return VALUE_TYPE_UNKNOWN;
    }
    return code;
}

/* The operands are not what the instruction takes. */
void validator_mismatch(struct module *m)
{
    reader_refuse(m, REFUSAL_TYPE_MISMATCH, m->at);
}

/* An operand more. */
void validator_push(struct module *m, struct validation *v, value_type_t type_)
{
    if (v->height >= v->operands.length || v->height >= OPERANDS) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
        return;
    }
    v->operands.at[v->height] = type_;
    v->height++;
}

/* The type of the uppermost operand, which is gone; in unreachable code there is always one, of any type. */
value_type_t validator_pop(struct module *m, struct validation *v)
{
    if (v->depth == 0 || v->depth > v->labels.length) {
        validator_mismatch(m);
        return VALUE_TYPE_UNKNOWN;
    }
    const struct label *block = &v->labels.at[v->depth - 1];
    if (v->height <= block->height) {
        if (!block->unreachable) {
            validator_mismatch(m);
        }
        return VALUE_TYPE_UNKNOWN;
    }
    v->height--;
    if (v->height >= v->operands.length) {
        return VALUE_TYPE_UNKNOWN;
    }
    return v->operands.at[v->height];
}

/* The uppermost operand is of a type, and is gone. */
void validator_expect(struct module *m, struct validation *v, value_type_t wanted)
{
    value_type_t found = validator_pop(m, v);
    if (found != wanted && found != VALUE_TYPE_UNKNOWN && wanted != VALUE_TYPE_UNKNOWN) {
        validator_mismatch(m);
    }
}

/* Operands of some types more. */
void validator_push_all(struct module *m, struct validation *v, const struct types *types)
{
    uint32_t position = 0;
    while (position < types->count && !reader_refused(m)) {
        validator_push(m, v, validator_type_at(m, types, position));
        position++;
    }
}

/* The uppermost operands are of some types, and are gone. */
void validator_expect_all(struct module *m, struct validation *v, const struct types *types)
{
    uint32_t left = types->count;
    while (left > 0 && !reader_refused(m)) {
        left--;
        validator_expect(m, v, validator_type_at(m, types, left));
    }
}

/* Are the uppermost operands, which stay, of some types? */
bool validator_fits(const struct module *m, const struct validation *v, const struct types *types)
{
    if (v->depth == 0 || v->depth > v->labels.length) {
        return false;
    }
    const struct label *block = &v->labels.at[v->depth - 1];
    uint32_t height = v->height;
    uint32_t left = types->count;
    while (left > 0) {
        left--;
        if (height <= block->height || height > v->operands.length) {
            return block->unreachable;
        }
        height--;
        if (v->operands.at[height] != validator_type_at(m, types, left) &&
            v->operands.at[height] != VALUE_TYPE_UNKNOWN) {
            return false;
        }
    }
    return true;
}

/* Nothing runs behind this; any operands may be taken there. */
void validator_unreachable(struct validation *v)
{
    if (v->depth == 0 || v->depth > v->labels.length) {
        return;
    }
    v->height = v->labels.at[v->depth - 1].height;
    v->labels.at[v->depth - 1].unreachable = true;
}

/* What a block takes and leaves. */
void validator_block_types(struct module *m, const struct decoded *d, struct label *block)
{
    *block = (struct label){0};
    if (d->block == BLOCK_TYPE_RESULT) {
        block->results.at = d->vector.at;
        block->results.count = 1;
    }
    if (d->block == BLOCK_TYPE_INDEX) {
        if (d->value >= m->counts.types || d->value >= m->types.length) {
            reader_refuse(m, REFUSAL_UNKNOWN_TYPE, d->at);
            return;
        }
        validator_copy_types(&m->types.at[d->value].parameters, &block->parameters);
        validator_copy_types(&m->types.at[d->value].results, &block->results);
    }
}

/* The same types. */
void validator_copy_types(const struct types *source, struct types *target)
{
    target->at = source->at;
    target->count = source->count;
}

/* A block takes its parameters and begins. */
void validator_open_block(struct module *m, struct validation *v, const struct decoded *d)
{
    if (v->depth >= v->labels.length || v->depth >= DEPTH) {
        reader_refuse(m, REFUSAL_TOO_LARGE, d->at);
        return;
    }
    uint32_t position = v->depth;
    struct label *block = &v->labels.at[position];
    validator_block_types(m, d, block);
    validator_expect_all(m, v, &block->parameters);
    block->opcode = d->opcode;
    block->height = v->height;
    v->depth = position + 1;
    validator_push_all(m, v, &block->parameters);
}

/* At the end of a block its results are all that is there. */
void validator_leave(struct module *m, struct validation *v, const struct label *block)
{
    validator_expect_all(m, v, &block->results);
    if (v->height != block->height) {
        validator_mismatch(m);
    }
}

/* The other branch begins as the first one did. */
void validator_other_branch(struct module *m, struct validation *v, const struct decoded *d)
{
    if (v->depth == 0 || v->depth > v->labels.length) {
        return;
    }
    struct label *block = &v->labels.at[v->depth - 1];
    if (block->opcode != OPCODE_IF) {
        reader_refuse(m, REFUSAL_ELSE_STRAY, d->at);
        return;
    }
    validator_leave(m, v, block);
    block->opcode = OPCODE_ELSE;
    block->unreachable = false;
    v->height = block->height;
    validator_push_all(m, v, &block->parameters);
}

/* The block is over; an `if` without `else` leaves what it takes. */
void validator_end(struct module *m, struct validation *v)
{
    if (v->depth == 0 || v->depth > v->labels.length) {
        return;
    }
    uint32_t position = v->depth - 1;
    const struct label *block = &v->labels.at[position];
    validator_leave(m, v, block);
    if (block->opcode == OPCODE_IF && !validator_same_types(m, &block->parameters, &block->results)) {
        validator_mismatch(m);
    }
    v->depth = position;
    if (position > 0) {
        validator_push_all(m, v, &block->results);
    }
}

/* Are the types of two lists the same? */
bool validator_same_types(const struct module *m, const struct types *one, const struct types *other)
{
    if (one->count != other->count) {
        return false;
    }
    uint32_t left = one->count;
    while (left > 0) {
        left--;
        if (validator_type_at(m, one, left) != validator_type_at(m, other, left)) {
            return false;
        }
    }
    return true;
}

/* A jump to a label takes what is expected there; if it is not always taken, all that stays. */
void validator_branch(struct module *m, struct validation *v, const struct decoded *d, uint64_t label, bool keep)
{
    if (label >= v->depth || v->depth > v->labels.length) {
        reader_refuse(m, REFUSAL_UNKNOWN_LABEL, d->at);
        return;
    }
    const struct label *block = &v->labels.at[(uint64_t)(v->depth - 1) - label];
    if (block->opcode == OPCODE_LOOP) {
        validator_expect_all(m, v, &block->parameters);
        if (keep) {
            validator_push_all(m, v, &block->parameters);
        }
    } else {
        validator_expect_all(m, v, &block->results);
        if (keep) {
            validator_push_all(m, v, &block->results);
        }
    }
}

/* All labels expect as many operands, and the ones that are there. */
void validator_branch_table(struct module *m, struct validation *v, const struct decoded *d)
{
    validator_expect(m, v, VALUE_TYPE_I32);
    uint32_t after = m->at;
    m->at = d->vector.at;
    uint32_t left = d->vector.count;
    while (left > 0 && !reader_refused(m)) {
        left--;
        uint32_t label = reader_unsigned_32(m);
        validator_one_of_table(m, v, d, label);
    }
    if (!reader_refused(m)) {
        m->at = after;
    }
    validator_branch(m, v, d, d->value, false);
    validator_unreachable(v);
}

/* One label of a branch table. */
void validator_one_of_table(struct module *m, const struct validation *v, const struct decoded *d, uint32_t label)
{
    if (label >= v->depth || d->value >= v->depth || v->depth > v->labels.length) {
        reader_refuse(m, REFUSAL_UNKNOWN_LABEL, d->at);
        return;
    }
    const struct label *block = &v->labels.at[v->depth - 1 - label];
    const struct label *last = &v->labels.at[(uint64_t)(v->depth - 1) - d->value];
    if (validator_expected(block) != validator_expected(last)) {
        validator_mismatch(m);
    }
    if (block->opcode == OPCODE_LOOP) {
        if (!validator_fits(m, v, &block->parameters)) {
            validator_mismatch(m);
        }
    } else if (!validator_fits(m, v, &block->results)) {
        validator_mismatch(m);
    }
}

/* How many operands a jump to a label takes. */
uint32_t validator_expected(const struct label *block)
{
    return block->opcode == OPCODE_LOOP ? block->parameters.count : block->results.count;
}

/* The body of a function leaves its results. */
void validator_body(struct module *m, struct validation *v, uint32_t position)
{
    if (position >= m->functions.length) {
        return;
    }
    uint32_t type_ = m->functions.at[position].type;
    if (type_ >= m->types.length) {
        reader_refuse(m, REFUSAL_UNKNOWN_TYPE, m->at);
        return;
    }
    m->at = m->functions.at[position].at;
    m->end = m->functions.at[position].end;
    validator_declare_locals(m, v, &m->types.at[type_].parameters);
    v->height = 0;
    v->depth = 0;
    if (v->labels.length > 0) {
        v->labels.at[0] = (struct label){0};
        v->labels.at[0].opcode = OPCODE_BLOCK;
        validator_copy_types(&m->types.at[type_].results, &v->labels.at[0].results);
        v->depth = 1;
    }
    struct decoded d = {0};
    uint32_t left = m->end;
    while (left > 0 && v->depth > 0 && !reader_refused(m)) {
        left--;
        instructions_instruction(m, &d);
        if (!reader_refused(m)) {
            validator_check(m, v, &d);
        }
    }
}

/* The types of all locals, parameters first. */
void validator_declare_locals(struct module *m, struct validation *v, const struct types *parameters)
{
    v->local_count = 0;
    uint32_t position = 0;
    while (position < parameters->count && !reader_refused(m)) {
        validator_add_locals(m, v, 1, validator_type_at(m, parameters, position));
        position++;
    }
    uint32_t left = reader_unsigned_32(m);
    while (left > 0 && !reader_refused(m)) {
        left--;
        uint32_t number = reader_unsigned_32(m);
        struct types code = {0};
        code.at = m->at;
        reader_skip(m, 1);
        validator_add_locals(m, v, number, validator_type_at(m, &code, 0));
    }
}

/* Locals of one type more. */
void validator_add_locals(struct module *m, struct validation *v, uint32_t number, value_type_t type_)
{
    if (number > LOCALS || v->local_count > LOCALS - number || LOCALS > v->locals.length) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
        return;
    }
    uint32_t at = v->local_count;
    uint32_t left = number;
    while (left > 0 && at < v->locals.length) {
        left--;
        v->locals.at[at] = type_;
        at++;
    }
    v->local_count = at;
}

/* One instruction takes what is there. */
void validator_check(struct module *m, struct validation *v, const struct decoded *d)
{
    if (FIXED[d->opcode] != 0) {
        validator_fixed(m, v, d);
    } else if (d->opcode == OPCODE_BLOCK || d->opcode == OPCODE_LOOP) {
        validator_open_block(m, v, d);
    } else if (d->opcode == OPCODE_IF) {
        validator_expect(m, v, VALUE_TYPE_I32);
        validator_open_block(m, v, d);
    } else if (d->opcode == OPCODE_ELSE) {
        validator_other_branch(m, v, d);
    } else if (d->opcode == OPCODE_END) {
        validator_end(m, v);
    } else if (d->opcode == OPCODE_UNREACHABLE) {
        validator_unreachable(v);
    } else if (d->opcode == OPCODE_BR) {
        validator_branch(m, v, d, d->value, false);
        validator_unreachable(v);
    } else if (d->opcode == OPCODE_BR_IF) {
        validator_expect(m, v, VALUE_TYPE_I32);
        validator_branch(m, v, d, d->value, true);
    } else if (d->opcode == OPCODE_BR_TABLE) {
        validator_branch_table(m, v, d);
    } else if (d->opcode == OPCODE_RETURN) {
        validator_branch(m, v, d, saturating_sub(v->depth, 1), false);
        validator_unreachable(v);
    } else if (d->opcode == OPCODE_CALL) {
        validator_call(m, v, d);
    } else if (d->opcode == OPCODE_CALL_INDIRECT) {
        validator_call_indirect(m, v, d);
    } else if (d->opcode == OPCODE_DROP || d->opcode == OPCODE_SELECT || d->opcode == OPCODE_SELECT_TYPED) {
        validator_parametric(m, v, d);
    } else if (d->opcode == OPCODE_LOCAL_GET || d->opcode == OPCODE_LOCAL_SET || d->opcode == OPCODE_LOCAL_TEE) {
        validator_local_variable(m, v, d);
    } else if (d->opcode == OPCODE_GLOBAL_GET || d->opcode == OPCODE_GLOBAL_SET) {
        validator_global_variable(m, v, d);
    } else if (d->opcode == OPCODE_REF_NULL || d->opcode == OPCODE_REF_IS_NULL || d->opcode == OPCODE_REF_FUNC) {
        validator_reference(m, v, d);
    } else {
        validator_table_access(m, v, d);
    }
}

/* An instruction whose types are those of its row; what it names is there. */
void validator_fixed(struct module *m, struct validation *v, const struct decoded *d)
{
    uint8_t width = WIDTH[d->opcode];
    if ((width != 0 || validator_uses_memory(d->opcode)) && m->counts.memories == 0) {
        reader_refuse(m, REFUSAL_UNKNOWN_MEMORY, d->at);
    }
    if (width != 0 && (d->value > 3 || shift_left_64(1, d->value) > width)) {
        reader_refuse(m, REFUSAL_ALIGNMENT, d->at);
    }
    validator_named(m, d);
    if (OPERAND_COUNT[d->opcode] > 0) {
        validator_expect(m, v, LAST_OPERAND[d->opcode]);
    }
    if (OPERAND_COUNT[d->opcode] > 1) {
        validator_expect(m, v, FIRST_OPERAND[d->opcode]);
    }
    if (OPERAND_COUNT[d->opcode] > 2) {
        validator_expect(m, v, FIRST_OPERAND[d->opcode]);
    }
    if (RESULT[d->opcode] != 0) {
        validator_push(m, v, RESULT[d->opcode]);
    }
}

/* Is an instruction about the memory as a whole? */
bool validator_uses_memory(opcode_t opcode)
{
    return opcode == OPCODE_MEMORY_SIZE || opcode == OPCODE_MEMORY_GROW || opcode == OPCODE_MEMORY_INIT ||
           opcode == OPCODE_MEMORY_COPY || opcode == OPCODE_MEMORY_FILL;
}

/* The segments and tables that an instruction names are there, and fit each other. */
void validator_named(struct module *m, const struct decoded *d)
{
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
        value_type_t segment = validator_element_type(m, d);
        value_type_t table = validator_table_type(m, d->second, d->at);
        if (segment != table) {
            validator_mismatch(m);
        }
    }
    if (d->opcode == OPCODE_TABLE_COPY) {
        value_type_t target = validator_table_type(m, d->value, d->at);
        value_type_t source = validator_table_type(m, d->second, d->at);
        if (source != target) {
            validator_mismatch(m);
        }
    }
}

/* The type of the element segment that an instruction names. */
value_type_t validator_element_type(struct module *m, const struct decoded *d)
{
    if (d->value >= m->counts.elements || d->value >= m->elements.length) {
        reader_refuse(m, REFUSAL_UNKNOWN_ELEMENT, d->at);
        return VALUE_TYPE_UNKNOWN;
    }
    return m->elements.at[d->value].type;
}

/* A function that there is takes its parameters and leaves its results. */
void validator_call(struct module *m, struct validation *v, const struct decoded *d)
{
    if (d->value >= m->counts.functions || d->value >= m->functions.length) {
        reader_refuse(m, REFUSAL_UNKNOWN_FUNCTION, d->at);
        return;
    }
    validator_apply_type(m, v, d, m->functions.at[d->value].type);
}

/* The same of a function of a type, found in a table. */
void validator_call_indirect(struct module *m, struct validation *v, const struct decoded *d)
{
    value_type_t found = validator_table_type(m, d->second, d->at);
    if (found != VALUE_TYPE_FUNCREF) {
        validator_mismatch(m);
    }
    validator_expect(m, v, VALUE_TYPE_I32);
    validator_apply_type(m, v, d, d->value);
}

/* Operands are taken and left as a function type says. */
void validator_apply_type(struct module *m, struct validation *v, const struct decoded *d, uint64_t type_)
{
    if (type_ >= m->counts.types || type_ >= m->types.length) {
        reader_refuse(m, REFUSAL_UNKNOWN_TYPE, d->at);
        return;
    }
    validator_expect_all(m, v, &m->types.at[type_].parameters);
    validator_push_all(m, v, &m->types.at[type_].results);
}

/* `drop` and both forms of `select`. */
void validator_parametric(struct module *m, struct validation *v, const struct decoded *d)
{
    if (d->opcode == OPCODE_DROP) {
        validator_drop(m, v);
        return;
    }
    validator_expect(m, v, VALUE_TYPE_I32);
    if (d->opcode == OPCODE_SELECT_TYPED) {
        if (d->vector.count != 1) {
            reader_refuse(m, REFUSAL_RESULT_ARITY, d->at);
        }
        value_type_t type_ = validator_type_at(m, &d->vector, 0);
        validator_expect(m, v, type_);
        validator_expect(m, v, type_);
        validator_push(m, v, type_);
        return;
    }
    value_type_t one = validator_pop(m, v);
    value_type_t other = validator_pop(m, v);
    if (validator_is_reference(one) || validator_is_reference(other) ||
        (one != other && one != VALUE_TYPE_UNKNOWN && other != VALUE_TYPE_UNKNOWN)) {
        validator_mismatch(m);
    }
    validator_push(m, v, one == VALUE_TYPE_UNKNOWN ? other : one);
}

/* The uppermost operand, whatever it is, is gone. */
void validator_drop(struct module *m, struct validation *v)
{
    validator_expect(m, v, VALUE_TYPE_UNKNOWN);
}

/* Is it a reference type? */
bool validator_is_reference(value_type_t type_)
{
    return type_ == VALUE_TYPE_FUNCREF || type_ == VALUE_TYPE_EXTERNREF;
}

/* `local.get`, `local.set` and `local.tee`. */
void validator_local_variable(struct module *m, struct validation *v, const struct decoded *d)
{
    if (d->value >= v->local_count || d->value >= v->locals.length) {
        reader_refuse(m, REFUSAL_UNKNOWN_LOCAL, d->at);
        return;
    }
    value_type_t type_ = v->locals.at[d->value];
    if (d->opcode != OPCODE_LOCAL_GET) {
        validator_expect(m, v, type_);
    }
    if (d->opcode != OPCODE_LOCAL_SET) {
        validator_push(m, v, type_);
    }
}

/* `global.get` and `global.set`. */
void validator_global_variable(struct module *m, struct validation *v, const struct decoded *d)
{
    if (d->value >= m->counts.globals || d->value >= m->globals.length) {
        reader_refuse(m, REFUSAL_UNKNOWN_GLOBAL, d->at);
        return;
    }
    if (d->opcode == OPCODE_GLOBAL_GET) {
        validator_push(m, v, m->globals.at[d->value].type);
        return;
    }
    if (!m->globals.at[d->value].mutable) {
        reader_refuse(m, REFUSAL_IMMUTABLE_GLOBAL, d->at);
    }
    validator_expect(m, v, m->globals.at[d->value].type);
}

/* `ref.null`, `ref.is_null` and `ref.func`. */
void validator_reference(struct module *m, struct validation *v, const struct decoded *d)
{
    if (d->opcode == OPCODE_REF_NULL) {
        validator_push(m, v, d->type);
    } else if (d->opcode == OPCODE_REF_IS_NULL) {
        value_type_t found = validator_pop(m, v);
        if (!validator_is_reference(found) && found != VALUE_TYPE_UNKNOWN) {
            validator_mismatch(m);
        }
        validator_push(m, v, VALUE_TYPE_I32);
    } else {
        if (d->value >= m->counts.functions || d->value >= m->functions.length) {
            reader_refuse(m, REFUSAL_UNKNOWN_FUNCTION, d->at);
        } else if (!m->functions.at[d->value].declared) {
            reader_refuse(m, REFUSAL_UNDECLARED_REFERENCE, d->at);
        }
        validator_push(m, v, VALUE_TYPE_FUNCREF);
    }
}

/* `table.get`, `table.set`, `table.grow` and `table.fill`. */
void validator_table_access(struct module *m, struct validation *v, const struct decoded *d)
{
    value_type_t type_ = validator_table_type(m, d->value, d->at);
    if (d->opcode == OPCODE_TABLE_GROW || d->opcode == OPCODE_TABLE_FILL) {
        validator_expect(m, v, VALUE_TYPE_I32);
    }
    if (d->opcode != OPCODE_TABLE_GET) {
        validator_expect(m, v, type_);
    }
    if (d->opcode != OPCODE_TABLE_GROW) {
        validator_expect(m, v, VALUE_TYPE_I32);
    }
    if (d->opcode == OPCODE_TABLE_GET) {
        validator_push(m, v, type_);
    }
    if (d->opcode == OPCODE_TABLE_GROW) {
        validator_push(m, v, VALUE_TYPE_I32);
    }
}
