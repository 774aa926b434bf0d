/* Generated from model/wasm/instructions.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 e81f53461921e201 */

#ifndef VM_INSTRUCTIONS_H
#define VM_INSTRUCTIONS_H

#include "types.h"

static const uint8_t IS_VALUE_TYPE[256] = {
    [VALUE_TYPE_EXTERNREF] = 1,
    [VALUE_TYPE_FUNCREF] = 1,
    [VALUE_TYPE_F64] = 1,
    [VALUE_TYPE_F32] = 1,
    [VALUE_TYPE_I64] = 1,
    [VALUE_TYPE_I32] = 1,
    /* all others: 0 */
};

void instructions_instruction(struct module *m, struct decoded *d);
opcode_t instructions_opcode(struct module *m);
void instructions_immediates(struct module *m, struct decoded *d, immediates_t kind);
void instructions_zero(struct module *m);
value_type_t instructions_value_type(struct module *m);
value_type_t instructions_reference_type(struct module *m);
void instructions_skip_value_type(struct module *m);
void instructions_block_type(struct module *m, struct decoded *d);
void instructions_labels(struct module *m, struct decoded *d);
void instructions_value_types(struct module *m, struct types *types);

#endif
