/* Generated from model/wasm/operand_types.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 0254b48bcab3239a */

#ifndef VM_OPERAND_TYPES_H
#define VM_OPERAND_TYPES_H

#include "types.h"

value_type_t operand_types_type_at(struct module *m, const struct types *types, uint32_t position);
void operand_types_copy_types(const struct types *source, struct types *target);
bool operand_types_same_types(struct module *m, const struct types *one, const struct types *other);
void operand_types_mismatch(struct module *m);
void operand_types_push(struct module *m, struct validation *v, value_type_t type_);
value_type_t operand_types_pop(struct module *m, struct validation *v);
void operand_types_expect(struct module *m, struct validation *v, value_type_t wanted);
void operand_types_push_all(struct module *m, struct validation *v, const struct types *types);
void operand_types_expect_all(struct module *m, struct validation *v, const struct types *types);
bool operand_types_fits(struct module *m, const struct validation *v, const struct types *types);
void operand_types_unreachable(struct module *m, struct validation *v);
EXPORTED bool operand_types_is_reference(value_type_t type_);

#endif
