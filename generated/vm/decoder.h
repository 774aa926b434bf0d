/* Generated from model/wasm/decoder.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 5569deefa26948a1 */

#ifndef VM_DECODER_H
#define VM_DECODER_H

#include "types.h"

EXPORTED void decoder_survey(struct module *m);
EXPORTED void decoder_decode(struct module *m);
void decoder_opening(struct module *m);
uint32_t decoder_section_size(struct module *m);
void decoder_survey_section(struct module *m);
void decoder_survey_vector(struct module *m, section_t kind, uint32_t size);
uint8_t decoder_decode_section(struct module *m, uint8_t before);
void decoder_content(struct module *m, section_t kind);
void decoder_custom(struct module *m);
void decoder_vector(struct module *m, section_t kind);
void decoder_entry(struct module *m, section_t kind);
bool decoder_has_room(struct module *m, uint32_t position, uint64_t room);
void decoder_type_entry(struct module *m);
void decoder_import_entry(struct module *m);
void decoder_function_entry(struct module *m, uint32_t type_index);
void decoder_limits(struct module *m, struct limits *found);
void decoder_table_entry(struct module *m);
void decoder_memory_entry(struct module *m);
void decoder_global_entry(struct module *m, bool own);
void decoder_export_entry(struct module *m);
void decoder_constant(struct module *m, struct constant *found);
bool decoder_is_constant(opcode_t opcode);
void decoder_element_entry(struct module *m);
value_type_t decoder_element_type(struct module *m, bool expressions);
void decoder_items(struct module *m, uint32_t number, bool expressions);
void decoder_item(struct module *m, bool expressions);
void decoder_code_entry(struct module *m);
void decoder_data_entry(struct module *m);
void decoder_consistent(struct module *m);
void decoder_bodies(struct module *m);
void decoder_body(struct module *m);
void decoder_local_groups(struct module *m);

#endif
