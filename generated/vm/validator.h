/* Generated from model/wasm/validator.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 6941883be3d933e1 */

#ifndef VM_VALIDATOR_H
#define VM_VALIDATOR_H

#include "types.h"

EXPORTED void validator_validate(struct module *m, struct validation *v);
void validator_equal_types(struct module *m);
void validator_types_exist(struct module *m);
void validator_sizes(struct module *m);
void validator_initial_values(struct module *m);
void validator_constant(struct module *m, const struct constant *c, value_type_t wanted);
value_type_t validator_constant_type(struct module *m, const struct constant *c);
void validator_declare(struct module *m, const struct constant *c);
value_type_t validator_imported_constant(struct module *m, const struct constant *c);
void validator_elements(struct module *m);
void validator_element(struct module *m, uint32_t position);
void validator_segments(struct module *m);
void validator_exports(struct module *m);
void validator_exported(struct module *m, uint32_t position);
void validator_own_name(struct module *m, uint32_t position);
void validator_start(struct module *m);

#endif
