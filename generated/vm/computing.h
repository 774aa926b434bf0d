/* Generated from model/wasm/computing.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 da91c0835f2dc955 */

#ifndef VM_COMPUTING_H
#define VM_COMPUTING_H

#include "types.h"

void computing_compute(struct module *m, struct translation *t, const struct decoded *d);
void computing_unary(struct module *m, struct translation *t, opcode_t opcode);
void computing_binary(struct module *m, struct translation *t, opcode_t opcode);
void computing_value_before(struct module *m, struct translation *t, opcode_t opcode);
void computing_value_behind(struct module *m, struct translation *t, opcode_t opcode);
void computing_with_value(struct module *m, struct translation *t, uint16_t number, uint32_t a, uint64_t value);
void computing_select(struct module *m, struct translation *t);

#endif
