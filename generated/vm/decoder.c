/* Generated from model/wasm/decoder.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 1014ce6f7314b8c5 */

#include "decoder.h"
#include "builtins.h"
#include "instructions.h"
#include "reader.h"
#include "room.h"

#define FUNCTION_FORM 0x60
#define SECTIONS 13
#define EXTERNALS 4
static const uint8_t MAGIC[4] = {'\0', 'a', 's', 'm'};
static const uint8_t VERSION[4] = {1, 0, 0, 0};
/* the required order of the sections */
static const uint8_t RANK[13] = {
    [SECTION_TYPE] = 1,
    [SECTION_IMPORT] = 2,
    [SECTION_FUNCTION] = 3,
    [SECTION_TABLE] = 4,
    [SECTION_MEMORY] = 5,
    [SECTION_GLOBAL] = 6,
    [SECTION_EXPORT] = 7,
    [SECTION_START] = 8,
    [SECTION_ELEMENT] = 9,
    [SECTION_CODE] = 11,
    [SECTION_DATA] = 12,
    [SECTION_DATA_COUNT] = 10,
    /* all others: 0 */
};

/* How are the bytes of a module decoded?

   WebAssembly core 2.0, chapter 5. The entries are first counted, then read into the room that was made for them. */

/* Count how many there are of everything, so that the host can make room.

   The content of the sections is not read yet. */
void decoder_survey(struct module *m)
{
    decoder_opening(m);
    m->work = FREE_ROUNDS + ROUNDS * (uint64_t)m->end;
    uint64_t left = m->bytes.length;
    while (left > 0 && m->at < m->end && !reader_refused(m)) {
        left--;
        decoder_survey_section(m);
    }
}

/* Read the module into the room that was made. */
void decoder_decode(struct module *m)
{
    decoder_opening(m);
    uint8_t before = 0;
    uint64_t left = m->bytes.length;
    while (left > 0 && m->at < m->end && !reader_refused(m)) {
        left--;
        before = decoder_decode_section(m, before);
    }
    decoder_consistent(m);
    decoder_bodies(m);
}

/* Begin at the first byte, and check the magic number and the version.

   Ensures: counted. */
void decoder_opening(struct module *m)
{
    m->counts = (struct counts){0};
    m->imported_functions = 0;
    m->imported_globals = 0;
    m->start = NONE;
    m->data_count = NONE;
    m->refusal = REFUSAL_NONE;
    m->at = 0;
    m->end = (uint32_t)minimum(m->bytes.length, NONE);
    for (uint32_t i = 0; i < 4; i++) {
        uint8_t found = reader_byte(m);
        if (found != MAGIC[i]) {
            reader_refuse(m, reader_refused(m) ? REFUSAL_UNEXPECTED_END : REFUSAL_MAGIC, 0);
        }
    }
    for (uint32_t i = 0; i < 4; i++) {
        uint8_t found = reader_byte(m);
        if (found != VERSION[i]) {
            reader_refuse(m, reader_refused(m) ? REFUSAL_UNEXPECTED_END : REFUSAL_VERSION, 4);
        }
    }
}

/* Read the size of a section, which must lie within the module. */
uint32_t decoder_section_size(struct module *m)
{
    uint32_t start = m->at;
    uint32_t size = reader_unsigned_32(m);
    if (size > reader_remaining(m)) {
        reader_refuse(m, REFUSAL_LENGTH, start);
        return 0;
    }
    return size;
}

/* Count what a section holds, and go to its end. */
void decoder_survey_section(struct module *m)
{
    uint8_t kind = reader_byte(m);
    uint32_t size = decoder_section_size(m);
    if (reader_refused(m)) {
        return;
    }
    uint32_t after = m->at + size;
    if (kind < SECTIONS) {
        decoder_survey_vector(m, kind, size);
    }
    if (!reader_refused(m)) {
        m->at = after;
    }
}

/* Count the entries of a section. Each item of an element segment takes at least one byte. */
void decoder_survey_vector(struct module *m, section_t kind, uint32_t size)
{
    if (kind == SECTION_CUSTOM || kind == SECTION_START) {
        return;
    }
    uint32_t number = reader_unsigned_32(m);
    if (number > size && kind != SECTION_DATA_COUNT) {
        reader_refuse(m, REFUSAL_LENGTH, m->at);
        return;
    }
    if (number > ENTRIES && kind != SECTION_DATA_COUNT) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
        return;
    }
    if (kind == SECTION_TYPE || kind == SECTION_EXPORT) {
        m->counts.text = maximum(m->counts.text, size);
    }
    if (kind == SECTION_TYPE) {
        m->counts.types = number;
    } else if (kind == SECTION_IMPORT) {
        m->counts.imports = number;
    } else if (kind == SECTION_FUNCTION) {
        m->counts.functions = number;
    } else if (kind == SECTION_TABLE) {
        m->counts.tables = number;
    } else if (kind == SECTION_MEMORY) {
        m->counts.memories = number;
    } else if (kind == SECTION_GLOBAL) {
        m->counts.globals = number;
    } else if (kind == SECTION_EXPORT) {
        m->counts.exports = number;
    } else if (kind == SECTION_ELEMENT) {
        m->counts.elements = number;
        m->counts.items = minimum(size, SEGMENT_ITEMS);
    } else if (kind == SECTION_DATA) {
        m->counts.data = number;
    }
}

/* Read one section, and return its rank, or `before` if it is a custom section.

   It must come after all sections of a rank up to `before`.

   Ensures: counted. */
uint8_t decoder_decode_section(struct module *m, uint8_t before)
{
    REQUIRES(room_counted(m));
    uint32_t start = m->at;
    uint8_t kind = reader_byte(m);
    uint32_t size = decoder_section_size(m);
    if (reader_refused(m)) {
        return before;
    }
    if (kind >= SECTIONS) {
        reader_refuse(m, REFUSAL_SECTION_ID, start);
        return before;
    }
    uint8_t rank = RANK[kind];
    if (rank != 0 && rank <= before) {
        reader_refuse(m, REFUSAL_SECTION_ORDER, start);
        return before;
    }
    uint32_t whole = m->end;
    m->end = m->at + size;
    uint32_t after = m->end;
    decoder_content(m, kind);
    if (!reader_refused(m) && m->at != after) {
        reader_refuse(m, REFUSAL_SECTION_SIZE, m->at);
    }
    m->end = whole;
    if (reader_refused(m)) {
        m->at = whole;
    }
    return rank != 0 ? rank : before;
}

/* Read the content of a section.

   Ensures: counted. */
void decoder_content(struct module *m, section_t kind)
{
    REQUIRES(room_counted(m));
    if (kind == SECTION_CUSTOM) {
        decoder_custom(m);
    } else if (kind == SECTION_START) {
        m->start = reader_unsigned_32(m);
    } else if (kind == SECTION_DATA_COUNT) {
        m->data_count = reader_unsigned_32(m);
    } else {
        decoder_vector(m, kind);
    }
}

/* Read a custom section: a name, and bytes that mean nothing here. */
void decoder_custom(struct module *m)
{
    struct name about = {0};
    reader_name(m, &about);
    reader_skip(m, reader_remaining(m));
}

/* Read the entries of a section.

   Ensures: counted. */
void decoder_vector(struct module *m, section_t kind)
{
    REQUIRES(room_counted(m));
    uint32_t left = reader_count(m);
    while (left > 0 && !reader_refused(m)) {
        left--;
        decoder_entry(m, kind);
    }
}

/* Read one entry of a section.

   Ensures: counted. */
void decoder_entry(struct module *m, section_t kind)
{
    REQUIRES(room_counted(m));
    if (kind == SECTION_TYPE) {
        decoder_type_entry(m);
    } else if (kind == SECTION_IMPORT) {
        decoder_import_entry(m);
    } else if (kind == SECTION_FUNCTION) {
        uint32_t type_index = reader_unsigned_32(m);
        decoder_function_entry(m, type_index);
    } else if (kind == SECTION_TABLE) {
        decoder_table_entry(m);
    } else if (kind == SECTION_MEMORY) {
        decoder_memory_entry(m);
    } else if (kind == SECTION_GLOBAL) {
        decoder_global_entry(m, true);
    } else if (kind == SECTION_EXPORT) {
        decoder_export_entry(m);
    } else if (kind == SECTION_ELEMENT) {
        decoder_element_entry(m);
    } else if (kind == SECTION_CODE) {
        decoder_code_entry(m);
    } else if (kind == SECTION_DATA) {
        decoder_data_entry(m);
    }
}

/* Is there room for an entry at a position? If not, refuse the module. */
bool decoder_has_room(struct module *m, uint32_t position, uint64_t room)
{
    if (position >= room || position >= ENTRIES) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
        return false;
    }
    return true;
}

/* Read a function type: the types of its parameters and results.

   Ensures: counted. */
void decoder_type_entry(struct module *m)
{
    REQUIRES(room_counted(m));
    uint32_t start = m->at;
    uint8_t form = reader_byte(m);
    if (form != FUNCTION_FORM) {
        reader_refuse(m, REFUSAL_TYPE_FORM, start);
    }
    uint32_t position = m->counts.types;
    bool room = decoder_has_room(m, position, m->types.length);
    if (!room) {
        return;
    }
    struct function_type *found = &m->types.at[position];
    instructions_value_types(m, &found->parameters);
    instructions_value_types(m, &found->results);
    m->counts.types = position + 1;
}

/* Read an import: what the module needs from another, and under which names.

   Ensures: counted. */
void decoder_import_entry(struct module *m)
{
    REQUIRES(room_counted(m));
    uint32_t position = m->counts.imports;
    bool room = decoder_has_room(m, position, m->imports.length);
    if (!room) {
        return;
    }
    struct import *found = &m->imports.at[position];
    reader_name(m, &found->module);
    reader_name(m, &found->name);
    uint32_t start = m->at;
    uint8_t kind = reader_byte(m);
    if (kind >= EXTERNALS) {
        reader_refuse(m, REFUSAL_IMPORT_KIND, start);
    }
    if (reader_refused(m)) {
        return;
    }
    found->kind = kind;
    m->counts.imports = position + 1;
    if (found->kind == EXTERNAL_FUNCTION) {
        found->index = m->counts.functions;
        uint32_t type_index = reader_unsigned_32(m);
        decoder_function_entry(m, type_index);
        m->imported_functions = m->counts.functions;
    } else if (found->kind == EXTERNAL_TABLE) {
        found->index = m->counts.tables;
        decoder_table_entry(m);
    } else if (found->kind == EXTERNAL_MEMORY) {
        found->index = m->counts.memories;
        decoder_memory_entry(m);
    } else {
        found->index = m->counts.globals;
        decoder_global_entry(m, false);
        m->imported_globals = m->counts.globals;
    }
}

/* Add a function of a type. Its body, if any, comes later.

   Ensures: counted. */
void decoder_function_entry(struct module *m, uint32_t type_index)
{
    REQUIRES(room_counted(m));
    uint32_t position = m->counts.functions;
    bool room = decoder_has_room(m, position, m->functions.length);
    if (!room) {
        return;
    }
    m->functions.at[position].type = type_index;
    m->functions.at[position].at = 0;
    m->functions.at[position].end = 0;
    m->functions.at[position].declared = false;
    m->functions.at[position].entry = 0;
    m->functions.at[position].calls = 0;
    m->counts.functions = position + 1;
}

/* Read a minimum, and perhaps a maximum. */
void decoder_limits(struct module *m, struct limits *found)
{
    uint32_t start = m->at;
    uint8_t flag = reader_byte(m);
    if (flag > 1) {
        reader_refuse(m, REFUSAL_LIMITS_FLAG, start);
    }
    found->bounded = flag == 1;
    found->minimum = reader_unsigned_32(m);
    found->maximum = NONE;
    if (flag == 1) {
        found->maximum = reader_unsigned_32(m);
    }
}

/* Read a table of references.

   Ensures: counted. */
void decoder_table_entry(struct module *m)
{
    REQUIRES(room_counted(m));
    uint32_t position = m->counts.tables;
    bool room = decoder_has_room(m, position, m->tables.length);
    if (!room) {
        return;
    }
    struct table_type *found = &m->tables.at[position];
    found->element = instructions_reference_type(m);
    decoder_limits(m, &found->limits);
    m->counts.tables = position + 1;
}

/* Read a memory.

   Ensures: counted. */
void decoder_memory_entry(struct module *m)
{
    REQUIRES(room_counted(m));
    uint32_t position = m->counts.memories;
    bool room = decoder_has_room(m, position, m->memories.length);
    if (!room) {
        return;
    }
    decoder_limits(m, &m->memories.at[position]);
    m->counts.memories = position + 1;
}

/* Read a global, with its initial value unless it is imported.

   Ensures: counted. */
void decoder_global_entry(struct module *m, bool own)
{
    REQUIRES(room_counted(m));
    uint32_t position = m->counts.globals;
    bool room = decoder_has_room(m, position, m->globals.length);
    if (!room) {
        return;
    }
    struct global *found = &m->globals.at[position];
    found->type = instructions_value_type(m);
    uint32_t start = m->at;
    uint8_t flag = reader_byte(m);
    if (flag > 1) {
        reader_refuse(m, REFUSAL_MUTABILITY, start);
    }
    found->mutable = flag == 1;
    if (own) {
        decoder_constant(m, &found->value);
    }
    m->counts.globals = position + 1;
}

/* Read an export: what the module offers, and under which name.

   Ensures: counted. */
void decoder_export_entry(struct module *m)
{
    REQUIRES(room_counted(m));
    uint32_t position = m->counts.exports;
    bool room = decoder_has_room(m, position, m->exports.length);
    if (!room) {
        return;
    }
    struct export *found = &m->exports.at[position];
    reader_name(m, &found->name);
    uint32_t start = m->at;
    uint8_t kind = reader_byte(m);
    if (kind >= EXTERNALS) {
        reader_refuse(m, REFUSAL_EXPORT_KIND, start);
        return;
    }
    found->kind = kind;
    found->index = reader_unsigned_32(m);
    m->counts.exports = position + 1;
}

/* Read the instructions of a constant expression, up to an `end`.

   Anything but one constant instruction is noted. It is refused once the module is known to be well-formed. */
void decoder_constant(struct module *m, struct constant *found)
{
    struct decoded d = {0};
    instructions_instruction(m, &d);
    found->opcode = d.opcode;
    found->value = d.value;
    found->type = d.type;
    found->at = d.at;
    found->wrong = decoder_is_constant(d.opcode) ? REFUSAL_NONE
                   : (d.opcode == OPCODE_END ? REFUSAL_TYPE_MISMATCH : REFUSAL_CONSTANT_REQUIRED);
    uint32_t left = reader_remaining(m);
    while (left > 0 && d.opcode != OPCODE_END && !reader_refused(m)) {
        left--;
        instructions_instruction(m, &d);
        if (d.opcode != OPCODE_END && found->wrong == REFUSAL_NONE) {
            found->wrong = decoder_is_constant(d.opcode) ? REFUSAL_TYPE_MISMATCH : REFUSAL_CONSTANT_REQUIRED;
        }
    }
    if (d.opcode != OPCODE_END) {
        reader_refuse(m, REFUSAL_END_MISSING, m->at);
    }
}

/* May an instruction stand in a constant expression? */
bool decoder_is_constant(opcode_t opcode)
{
    return opcode == OPCODE_I32_CONST || opcode == OPCODE_I64_CONST || opcode == OPCODE_F32_CONST ||
           opcode == OPCODE_F64_CONST || opcode == OPCODE_REF_NULL || opcode == OPCODE_REF_FUNC ||
           opcode == OPCODE_GLOBAL_GET;
}

/* Read an element segment.

   Bit 0 of its flag: not active. Bit 1: declarative, or with a table. Bit 2: the items are expressions.

   Ensures: counted. */
void decoder_element_entry(struct module *m)
{
    REQUIRES(room_counted(m));
    uint32_t position = m->counts.elements;
    bool room = decoder_has_room(m, position, m->elements.length);
    if (!room) {
        return;
    }
    struct element *found = &m->elements.at[position];
    uint32_t start = m->at;
    uint32_t flag = reader_unsigned_32(m);
    if (flag > 7) {
        reader_refuse(m, REFUSAL_SEGMENT_FLAG, start);
        return;
    }
    found->mode = (flag & 1) == 0 ? MODE_ACTIVE : ((flag & 2) == 0 ? MODE_PASSIVE : MODE_DECLARATIVE);
    found->table = 0;
    if ((flag & 3) == 2) {
        found->table = reader_unsigned_32(m);
    }
    if ((flag & 1) == 0) {
        decoder_constant(m, &found->offset);
    }
    found->type = VALUE_TYPE_FUNCREF;
    if ((flag & 3) != 0) {
        found->type = decoder_element_type(m, (flag & 4) != 0);
    }
    found->first = m->counts.items;
    found->count = reader_count(m);
    decoder_items(m, found->count, (flag & 4) != 0);
    m->counts.elements = position + 1;
}

/* Read the type of the items of a segment: a reference type, or a zero byte for functions. */
value_type_t decoder_element_type(struct module *m, bool expressions)
{
    if (expressions) {
        return instructions_reference_type(m);
    }
    uint32_t start = m->at;
    uint8_t kind = reader_byte(m);
    if (kind != 0) {
        reader_refuse(m, REFUSAL_ELEMENT_KIND, start);
    }
    return VALUE_TYPE_FUNCREF;
}

/* Read the items of a segment, as expressions or as function indices. */
void decoder_items(struct module *m, uint32_t number, bool expressions)
{
    uint32_t left = number;
    while (left > 0 && !reader_refused(m)) {
        left--;
        decoder_item(m, expressions);
    }
}

/* Read one item of a segment. */
void decoder_item(struct module *m, bool expressions)
{
    uint32_t position = m->counts.items;
    if (position >= m->items.length || position >= SEGMENT_ITEMS) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
        return;
    }
    struct constant *found = &m->items.at[position];
    if (expressions) {
        decoder_constant(m, found);
    } else {
        found->at = m->at;
        found->opcode = OPCODE_REF_FUNC;
        found->wrong = REFUSAL_NONE;
        uint32_t value = reader_unsigned_32(m);
        found->value = value;
    }
    m->counts.items = position + 1;
}

/* Note where the body of the next function begins and ends. Imported functions have no body.

   Ensures: counted. */
void decoder_code_entry(struct module *m)
{
    REQUIRES(room_counted(m));
    uint32_t size = decoder_section_size(m);
    if (size > BODY || m->counts.codes >= ENTRIES || m->imported_functions >= ENTRIES) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
        return;
    }
    uint32_t position = m->imported_functions + m->counts.codes;
    m->counts.codes++;
    if (position < m->counts.functions) {
        m->functions.at[position].at = m->at;
        m->functions.at[position].end = m->at + size;
    }
    reader_skip(m, size);
}

/* Read a data segment.

   Ensures: counted. */
void decoder_data_entry(struct module *m)
{
    REQUIRES(room_counted(m));
    uint32_t position = m->counts.data;
    bool room = decoder_has_room(m, position, m->data.length);
    if (!room) {
        return;
    }
    struct data *found = &m->data.at[position];
    uint32_t start = m->at;
    uint32_t flag = reader_unsigned_32(m);
    if (flag > 2) {
        reader_refuse(m, REFUSAL_SEGMENT_FLAG, start);
        return;
    }
    found->mode = flag == 1 ? MODE_PASSIVE : MODE_ACTIVE;
    found->memory = 0;
    if (flag == 2) {
        found->memory = reader_unsigned_32(m);
    }
    if (flag != 1) {
        decoder_constant(m, &found->offset);
    }
    found->size = reader_count(m);
    found->at = m->at;
    reader_skip(m, found->size);
    m->counts.data = position + 1;
}

/* Check that every function has a body and that the data section holds what was announced. */
void decoder_consistent(struct module *m)
{
    if (reader_refused(m)) {
        return;
    }
    if (m->imported_functions > m->counts.functions || m->counts.codes != m->counts.functions - m->imported_functions) {
        reader_refuse(m, REFUSAL_FUNCTION_COUNT, m->at);
    }
    if (m->data_count != NONE && m->data_count != m->counts.data) {
        reader_refuse(m, REFUSAL_DATA_COUNT, m->at);
    }
}

/* Check that every body is well-formed. */
void decoder_bodies(struct module *m)
{
    REQUIRES(room_counted(m));
    uint32_t position = m->imported_functions;
    while (position < m->counts.functions && !reader_refused(m)) {
        m->at = m->functions.at[position].at;
        m->end = m->functions.at[position].end;
        decoder_body(m);
        position++;
    }
}

/* Read groups of locals, then instructions up to the `end` of the body. */
void decoder_body(struct module *m)
{
    decoder_local_groups(m);
    struct decoded d = {0};
    uint32_t depth = 1;
    uint32_t left = reader_remaining(m);
    while (left > 0 && depth > 0 && !reader_refused(m)) {
        left--;
        instructions_instruction(m, &d);
        if (d.opcode == OPCODE_BLOCK || d.opcode == OPCODE_LOOP || d.opcode == OPCODE_IF) {
            depth++;
        }
        if (d.opcode == OPCODE_END) {
            depth--;
        }
        if (m->data_count == NONE && (d.opcode == OPCODE_MEMORY_INIT || d.opcode == OPCODE_DATA_DROP)) {
            reader_refuse(m, REFUSAL_DATA_COUNT_MISSING, d.at);
        }
    }
    if (depth > 0 || m->at != m->end) {
        reader_refuse(m, REFUSAL_END_MISSING, m->at);
    }
}

/* Read groups of locals of one type. A u32 must be able to count all of them together. */
void decoder_local_groups(struct module *m)
{
    uint64_t total = 0;
    uint32_t left = reader_count(m);
    while (left > 0 && !reader_refused(m)) {
        left--;
        uint32_t start = m->at;
        uint32_t number = reader_unsigned_32(m);
        instructions_skip_value_type(m);
        total += number;
        if (total > NONE) {
            reader_refuse(m, REFUSAL_TOO_MANY_LOCALS, start);
        }
    }
}
