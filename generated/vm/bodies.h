/* Generated from model/wasm/bodies.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 40714b9123eb4540 */

#ifndef VM_BODIES_H
#define VM_BODIES_H

#include "types.h"

void bodies_body(struct module *m, struct validation *v, uint32_t position);
void bodies_declare_locals(struct module *m, struct validation *v, const struct types *parameters);
void bodies_add_locals(struct module *m, struct validation *v, uint32_t number, value_type_t type_);
void bodies_check(struct module *m, struct validation *v, const struct decoded *d);
void bodies_fixed(struct module *m, struct validation *v, const struct decoded *d);
bool bodies_uses_memory(opcode_t opcode);
void bodies_named(struct module *m, const struct decoded *d);
value_type_t bodies_table_type(struct module *m, uint64_t table, uint32_t at);
value_type_t bodies_element_type(struct module *m, const struct decoded *d);
void bodies_call(struct module *m, struct validation *v, const struct decoded *d);
void bodies_call_indirect(struct module *m, struct validation *v, const struct decoded *d);
void bodies_apply_type(struct module *m, struct validation *v, const struct decoded *d, uint64_t type_);
void bodies_parametric(struct module *m, struct validation *v, const struct decoded *d);
void bodies_drop(struct module *m, struct validation *v);
void bodies_local_variable(struct module *m, struct validation *v, const struct decoded *d);
void bodies_global_variable(struct module *m, struct validation *v, const struct decoded *d);
void bodies_reference(struct module *m, struct validation *v, const struct decoded *d);
void bodies_table_access(struct module *m, struct validation *v, const struct decoded *d);

#endif
