/* Generated from model/wasm/validator.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 c8ca4af3517dca2a */

#include "validator.h"
#include "builtins.h"
#include "bodies.h"
#include "reader.h"
#include "room.h"
#include "texts.h"

/* Is a decoded module valid?

   WebAssembly core 2.0, chapter 3. This file holds the checks of everything around the bodies of functions. */

/* Refuse the module unless all of it is valid and lies in the room that was made for it. */
void validator_validate(struct module *m, struct validation *v)
{
    if (!room_counted(m) || !room_planted(m)) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
        return;
    }
    validator_equal_types(m);
    validator_types_exist(m);
    validator_sizes(m);
    validator_initial_values(m);
    validator_elements(m);
    validator_segments(m);
    validator_exports(m);
    validator_start(m);
    uint32_t position = m->imported_functions;
    while (position < m->counts.functions && !reader_refused(m)) {
        bodies_body(m, v, position);
        position++;
    }
}

/* Find, for each type, the first type that is equal. */
void validator_equal_types(struct module *m)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_planted(m));
    texts_forget_texts(m);
    uint32_t position = 0;
    while (position < m->counts.types && !reader_refused(m)) {
        struct function_type *found = &m->types.at[position];
        uint32_t parameters = texts_along(m, ROOT, found->parameters.at, found->parameters.count);
        uint32_t between = texts_below(m, parameters, 0);
        uint32_t end = texts_along(m, between, found->results.at, found->results.count);
        found->same = texts_first_text(m, end, position);
        position++;
    }
}

/* Check that the type of every function exists. */
void validator_types_exist(struct module *m)
{
    REQUIRES(room_counted(m));
    uint32_t position = 0;
    while (position < m->counts.functions && !reader_refused(m)) {
        uint32_t type_ = m->functions.at[position].type;
        if (type_ >= m->counts.types) {
            reader_refuse(m, REFUSAL_UNKNOWN_TYPE, m->at);
        } else {
            m->functions.at[position].same = m->types.at[type_].same;
        }
        position++;
    }
}

/* Check that there is at most one memory, and that sizes are in order. */
void validator_sizes(struct module *m)
{
    REQUIRES(room_counted(m));
    uint32_t position = 0;
    while (position < m->counts.tables && !reader_refused(m)) {
        if (m->tables.at[position].limits.minimum > m->tables.at[position].limits.maximum) {
            reader_refuse(m, REFUSAL_LIMITS_ORDER, m->at);
        }
        position++;
    }
    if (m->counts.memories > 1) {
        reader_refuse(m, REFUSAL_MULTIPLE_MEMORIES, m->at);
    }
    if (m->counts.memories == 1) {
        if (m->memories.at[0].minimum > MEMORY_PAGES ||
            (m->memories.at[0].bounded && m->memories.at[0].maximum > MEMORY_PAGES)) {
            reader_refuse(m, REFUSAL_MEMORY_SIZE, m->at);
        }
        if (m->memories.at[0].minimum > m->memories.at[0].maximum) {
            reader_refuse(m, REFUSAL_LIMITS_ORDER, m->at);
        }
    }
}

/* Check that every global begins with a constant of its type. */
void validator_initial_values(struct module *m)
{
    REQUIRES(room_counted(m));
    uint32_t position = m->imported_globals;
    while (position < m->counts.globals && !reader_refused(m)) {
        validator_constant(m, &m->globals.at[position].value, m->globals.at[position].type);
        position++;
    }
}

/* Check that a constant expression is one, and has the type that is wanted. */
void validator_constant(struct module *m, const struct constant *c, value_type_t wanted)
{
    REQUIRES(room_counted(m));
    if (c->wrong != REFUSAL_NONE) {
        reader_refuse(m, c->wrong, c->at);
        return;
    }
    value_type_t found = validator_constant_type(m, c);
    if (found != wanted) {
        reader_refuse(m, REFUSAL_TYPE_MISMATCH, c->at);
    }
}

/* Return the type of a constant expression. If it names a function, `ref.func` may name it from now on. */
value_type_t validator_constant_type(struct module *m, const struct constant *c)
{
    REQUIRES(room_counted(m));
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

/* Declare a function, because it is named outside the bodies. */
void validator_declare(struct module *m, const struct constant *c)
{
    REQUIRES(room_counted(m));
    if (c->value >= m->counts.functions) {
        reader_refuse(m, REFUSAL_UNKNOWN_FUNCTION, c->at);
        return;
    }
    m->functions.at[c->value].declared = true;
}

/* Return the type of an imported global, which must be immutable. */
value_type_t validator_imported_constant(struct module *m, const struct constant *c)
{
    REQUIRES(room_counted(m));
    if (c->value >= m->imported_globals) {
        reader_refuse(m, REFUSAL_UNKNOWN_GLOBAL, c->at);
        return VALUE_TYPE_UNKNOWN;
    }
    if (m->globals.at[c->value].mutable) {
        reader_refuse(m, REFUSAL_CONSTANT_REQUIRED, c->at);
    }
    return m->globals.at[c->value].type;
}

/* Check that every element segment fits its table, and that its items are of its type. */
void validator_elements(struct module *m)
{
    REQUIRES(room_counted(m));
    uint32_t position = 0;
    while (position < m->counts.elements && !reader_refused(m)) {
        validator_element(m, position);
        position++;
    }
}

/* Check one element segment. */
void validator_element(struct module *m, uint32_t position)
{
    REQUIRES(room_counted(m));
    REQUIRES(position < m->counts.elements);
    const struct element *found = &m->elements.at[position];
    if (found->mode == MODE_ACTIVE) {
        value_type_t type_ = bodies_table_type(m, found->table, found->offset.at);
        if (type_ != found->type) {
            reader_refuse(m, REFUSAL_TYPE_MISMATCH, found->offset.at);
        }
        validator_constant(m, &found->offset, VALUE_TYPE_I32);
    }
    uint32_t at = found->first;
    uint32_t left = found->count;
    if ((uint64_t)at + (uint64_t)left > m->items.length) {
        reader_refuse(m, REFUSAL_TOO_LARGE, found->offset.at);
        return;
    }
    while (left > 0 && !reader_refused(m)) {
        left--;
        validator_constant(m, &m->items.at[at], found->type);
        at++;
    }
}

/* Check that every active data segment is for a memory that exists. */
void validator_segments(struct module *m)
{
    REQUIRES(room_counted(m));
    uint32_t position = 0;
    while (position < m->counts.data && !reader_refused(m)) {
        if (m->data.at[position].mode == MODE_ACTIVE) {
            if (m->data.at[position].memory >= m->counts.memories) {
                reader_refuse(m, REFUSAL_UNKNOWN_MEMORY, m->data.at[position].offset.at);
            }
            validator_constant(m, &m->data.at[position].offset, VALUE_TYPE_I32);
        }
        position++;
    }
}

/* Check that every export is of something that exists, under a name of its own. */
void validator_exports(struct module *m)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_planted(m));
    texts_forget_texts(m);
    uint32_t position = 0;
    while (position < m->counts.exports && !reader_refused(m)) {
        validator_exported(m, position);
        position++;
    }
}

/* Check one export. */
void validator_exported(struct module *m, uint32_t position)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_planted(m));
    REQUIRES(position < m->counts.exports);
    const struct export *found = &m->exports.at[position];
    uint32_t at = found->name.at;
    if (found->kind == EXTERNAL_FUNCTION) {
        if (found->index >= m->counts.functions) {
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

/* Check that no export before has the same name. */
void validator_own_name(struct module *m, uint32_t position)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_planted(m));
    REQUIRES(position < m->counts.exports);
    const struct export *found = &m->exports.at[position];
    uint32_t node = texts_along(m, ROOT, found->name.at, found->name.size);
    uint32_t first = texts_first_text(m, node, position);
    if (first != position) {
        reader_refuse(m, REFUSAL_DUPLICATE_EXPORT, found->name.at);
    }
}

/* Check that the start function takes nothing and returns nothing. */
void validator_start(struct module *m)
{
    REQUIRES(room_counted(m));
    if (m->start == NONE || reader_refused(m)) {
        return;
    }
    if (m->start >= m->counts.functions) {
        reader_refuse(m, REFUSAL_UNKNOWN_FUNCTION, m->at);
        return;
    }
    uint32_t type_ = m->functions.at[m->start].type;
    if (type_ >= m->counts.types) {
        reader_refuse(m, REFUSAL_UNKNOWN_TYPE, m->at);
        return;
    }
    if (m->types.at[type_].parameters.count != 0 || m->types.at[type_].results.count != 0) {
        reader_refuse(m, REFUSAL_START_FUNCTION, m->at);
    }
}
