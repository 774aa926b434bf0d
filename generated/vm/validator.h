/* Generated from model/wasm/validator.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 bf48f22115dbdc12 */

#ifndef VM_VALIDATOR_H
#define VM_VALIDATOR_H

#include "types.h"

void validator_validate(struct module *m, struct validation *v);
void validator_empty_buckets(struct module *m);
void validator_equal_types(struct module *m);
void validator_first_equal(struct module *m, uint32_t position);
void validator_types_exist(struct module *m);
void validator_sizes(struct module *m);
void validator_initial_values(struct module *m);
void validator_constant(struct module *m, const struct constant *c, value_type_t wanted);
value_type_t validator_constant_type(struct module *m, const struct constant *c);
void validator_declare(struct module *m, const struct constant *c);
value_type_t validator_imported_constant(struct module *m, const struct constant *c);
void validator_elements(struct module *m);
void validator_element(struct module *m, uint32_t position);
value_type_t validator_table_type(struct module *m, uint64_t table, uint32_t at);
void validator_segments(struct module *m);
void validator_exports(struct module *m);
void validator_exported(struct module *m, uint32_t position);
void validator_own_name(struct module *m, uint32_t position);
uint64_t validator_hash_of(const struct module *m, uint32_t first, uint32_t size);
bool validator_same_name(const struct module *m, const struct name *one, const struct name *other);
void validator_start(struct module *m);
value_type_t validator_type_at(const struct module *m, const struct types *types, uint32_t position);
void validator_mismatch(struct module *m);
void validator_push(struct module *m, struct validation *v, value_type_t type_);
value_type_t validator_pop(struct module *m, struct validation *v);
void validator_expect(struct module *m, struct validation *v, value_type_t wanted);
void validator_push_all(struct module *m, struct validation *v, const struct types *types);
void validator_expect_all(struct module *m, struct validation *v, const struct types *types);
bool validator_fits(const struct module *m, const struct validation *v, const struct types *types);
void validator_unreachable(struct validation *v);
void validator_block_types(struct module *m, const struct decoded *d, struct label *block);
void validator_copy_types(const struct types *source, struct types *target);
void validator_open_block(struct module *m, struct validation *v, const struct decoded *d);
void validator_leave(struct module *m, struct validation *v, const struct label *block);
void validator_other_branch(struct module *m, struct validation *v, const struct decoded *d);
void validator_end(struct module *m, struct validation *v);
bool validator_same_types(const struct module *m, const struct types *one, const struct types *other);
void validator_branch(struct module *m, struct validation *v, const struct decoded *d, uint64_t label, bool keep);
void validator_branch_table(struct module *m, struct validation *v, const struct decoded *d);
void validator_one_of_table(struct module *m, const struct validation *v, const struct decoded *d, uint32_t label);
uint32_t validator_expected(const struct label *block);
void validator_body(struct module *m, struct validation *v, uint32_t position);
void validator_declare_locals(struct module *m, struct validation *v, const struct types *parameters);
void validator_add_locals(struct module *m, struct validation *v, uint32_t number, value_type_t type_);
void validator_check(struct module *m, struct validation *v, const struct decoded *d);
void validator_fixed(struct module *m, struct validation *v, const struct decoded *d);
bool validator_uses_memory(opcode_t opcode);
void validator_named(struct module *m, const struct decoded *d);
value_type_t validator_element_type(struct module *m, const struct decoded *d);
void validator_call(struct module *m, struct validation *v, const struct decoded *d);
void validator_call_indirect(struct module *m, struct validation *v, const struct decoded *d);
void validator_apply_type(struct module *m, struct validation *v, const struct decoded *d, uint64_t type_);
void validator_parametric(struct module *m, struct validation *v, const struct decoded *d);
void validator_drop(struct module *m, struct validation *v);
bool validator_is_reference(value_type_t type_);
void validator_local_variable(struct module *m, struct validation *v, const struct decoded *d);
void validator_global_variable(struct module *m, struct validation *v, const struct decoded *d);
void validator_reference(struct module *m, struct validation *v, const struct decoded *d);
void validator_table_access(struct module *m, struct validation *v, const struct decoded *d);

#endif
