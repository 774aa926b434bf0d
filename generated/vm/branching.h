/* Generated from model/wasm/branching.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 759643af6ee5e439 */

#ifndef VM_BRANCHING_H
#define VM_BRANCHING_H

#include "types.h"

void branching_take_condition(struct module *m, struct translation *t);
uint32_t branching_jump(struct module *m, struct translation *t, uint16_t branch_handler, uint32_t pending);
uint32_t branching_expected(const struct target *target);
bool branching_must_move(struct module *m, const struct translation *t, const struct target *target);
void branching_lead_to_end(const struct translation *t, struct target *target, uint32_t last);
bool branching_is_outermost(const struct translation *t, uint64_t label);
void branching_branch(struct module *m, struct translation *t, uint64_t label);
void branching_loop(struct module *m, struct translation *t, uint32_t start);
void branching_branch_if(struct module *m, struct translation *t, uint64_t label);
void branching_back(struct module *m, struct translation *t, uint32_t displacement);
bool branching_step_back(struct module *m, struct translation *t, uint32_t start);
bool branching_step_on_value(struct module *m, struct translation *t, uint32_t at, uint32_t start);
bool branching_step_on_slot(struct module *m, struct translation *t, uint32_t at, handler_t condition, uint32_t limit,
                            uint32_t start);
void branching_branch_table(struct module *m, struct translation *t, const struct decoded *d);
uint32_t branching_table_results(const struct translation *t, const struct decoded *d);
void branching_branch_from_table(struct module *m, struct translation *t, uint64_t label, uint32_t word);
void branching_return_(struct module *m, struct translation *t);

#endif
