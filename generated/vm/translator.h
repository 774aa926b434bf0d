/* Generated from model/wasm/translator.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 6cc2a6e1f6f6ce51 */

#ifndef VM_TRANSLATOR_H
#define VM_TRANSLATOR_H

#include "types.h"

#define FIELD 0xffff
#define SAFE_POINT 1                    /* may be resumed at the operation itself */
#define RETURN_POINT 2                  /* a call returns here */

void translator_begin(struct module *m, struct translation *t);
void translator_translate(struct module *m, struct translation *t);
void translator_emit(struct module *m, struct translation *t, uint64_t word);
void translator_operation(struct module *m, struct translation *t, handler_t handler, uint32_t a, uint32_t b,
                          uint32_t c);
void translator_far_operation(struct module *m, struct translation *t, handler_t handler, uint32_t a, uint32_t far);
void translator_mark(struct translation *t, uint8_t kind);
void translator_take_back(struct translation *t, uint32_t at);
bool translator_is_latest(const struct translation *t, uint32_t at, uint32_t words);
uint64_t translator_word_at(const struct translation *t, uint32_t at);
uint32_t translator_far_of(const struct translation *t, uint32_t at);
void translator_set_far(struct translation *t, uint32_t at, uint32_t far);
void translator_resolve(struct translation *t, uint32_t last, uint32_t target);
uint32_t translator_own_slot(const struct translation *t, uint32_t height);
void translator_push(struct module *m, struct translation *t, place_t place, uint64_t value);
void translator_push_slot(struct module *m, struct translation *t);
void translator_push_made(struct module *m, struct translation *t, uint32_t at);
uint32_t translator_maker(const struct translation *t, uint32_t height);
void translator_pop(struct translation *t, uint32_t count);
bool translator_is_value(const struct translation *t, uint32_t height);
uint64_t translator_value_of(const struct translation *t, uint32_t height);
uint32_t translator_addend_of(const struct translation *t, uint32_t height);
uint32_t translator_shift_of(const struct translation *t, uint32_t height);
uint32_t translator_slot(struct module *m, struct translation *t, uint32_t height);
uint32_t translator_source(const struct translation *t, uint32_t height);
void translator_settle(struct module *m, struct translation *t, uint32_t height);
void translator_place_in(struct module *m, struct translation *t, uint32_t height, uint32_t target);
void translator_compute_late(struct module *m, struct translation *t, uint32_t height, uint32_t target);
uint32_t translator_add_late(struct module *m, struct translation *t, uint32_t height, uint32_t from_, uint32_t addend,
                             uint32_t target);
uint32_t translator_unchanged(uint64_t copied, uint32_t from_);
void translator_copy(struct module *m, struct translation *t, uint32_t from_, uint32_t target);
void translator_settle_from(struct module *m, struct translation *t, uint32_t bottom);
void translator_settle_two(struct module *m, struct translation *t, uint32_t height);
void translator_settle_locals(struct module *m, struct translation *t, uint32_t which);
void translator_body(struct module *m, struct translation *t, uint32_t position);
void translator_count_locals(struct module *m, struct translation *t, uint32_t parameters);
void translator_instructions(struct module *m, struct translation *t);
void translator_leave_out(struct module *m, struct translation *t, const struct decoded *d);
void translator_translate_one(struct module *m, struct translation *t, const struct decoded *d);
void translator_compute(struct module *m, struct translation *t, const struct decoded *d);
void translator_unary(struct module *m, struct translation *t, opcode_t opcode);
void translator_binary(struct module *m, struct translation *t, opcode_t opcode);
void translator_value_before(struct module *m, struct translation *t, opcode_t opcode);
void translator_value_behind(struct module *m, struct translation *t, opcode_t opcode);
uint32_t translator_on_slots(struct module *m, struct translation *t, opcode_t opcode, uint32_t a, uint32_t b);
uint32_t translator_on_value(struct module *m, struct translation *t, uint32_t height, opcode_t opcode, uint32_t a,
                             uint64_t value, uint32_t target);
bool translator_has_value(const struct translation *t, uint32_t at);
uint16_t translator_pair_with(const struct translation *t, uint32_t inner, opcode_t opcode, bool value);
uint32_t translator_together(struct module *m, struct translation *t, uint16_t pair, uint32_t inner, bool constant,
                             uint64_t other, uint32_t target);
void translator_add(struct translation *t, uint32_t value);
bool translator_may_shift(const struct translation *t, uint32_t height);
void translator_scale(struct translation *t, uint32_t shift);
void translator_with_value(struct module *m, struct translation *t, uint16_t number, uint32_t a, uint64_t value);
void translator_access(struct module *m, struct translation *t, const struct decoded *d);
bool translator_is_scaled(const struct translation *t, uint32_t height, const struct decoded *d);
bool translator_is_sum(const struct translation *t, uint32_t height, const struct decoded *d);
void translator_load(struct module *m, struct translation *t, const struct decoded *d, uint32_t pair);
void translator_store(struct module *m, struct translation *t, const struct decoded *d);
bool translator_move(struct module *m, struct translation *t, const struct decoded *d);
uint32_t translator_taken_back(struct translation *t);
void translator_select(struct module *m, struct translation *t);
void translator_variable(struct module *m, struct translation *t, const struct decoded *d);
bool translator_in_own_slot(const struct translation *t, uint32_t height);
void translator_retarget(struct translation *t, uint32_t at, uint32_t target);
void translator_open_target(struct module *m, struct translation *t, opcode_t opcode, uint32_t parameters,
                            uint32_t results);
void translator_block(struct module *m, struct translation *t, const struct decoded *d);
void translator_count_types(const struct module *m, const struct decoded *d, struct target *types);
void translator_other_branch(struct module *m, struct translation *t);
void translator_restore(struct module *m, struct translation *t, uint32_t height, uint32_t count);
void translator_end(struct module *m, struct translation *t);
void translator_finish(struct module *m, struct translation *t, const struct target *target);
void translator_take_condition(struct module *m, struct translation *t);
uint32_t translator_jump(struct module *m, struct translation *t, uint16_t branch_handler, uint32_t pending);
uint32_t translator_expected(const struct target *target);
bool translator_must_move(const struct translation *t, const struct target *target);
bool translator_is_outermost(const struct translation *t, uint64_t label);
void translator_branch(struct module *m, struct translation *t, uint64_t label);
void translator_loop(struct module *m, struct translation *t, uint32_t start);
void translator_branch_if(struct module *m, struct translation *t, uint64_t label);
void translator_back(struct module *m, struct translation *t, uint32_t displacement);
bool translator_step_back(struct module *m, struct translation *t, uint32_t start);
bool translator_step_on_value(struct module *m, struct translation *t, uint32_t at, uint32_t start);
bool translator_step_on_slot(struct module *m, struct translation *t, uint32_t at, handler_t condition, uint32_t limit,
                             uint32_t start);
void translator_branch_table(struct module *m, struct translation *t, const struct decoded *d);
uint32_t translator_table_results(const struct translation *t, const struct decoded *d);
void translator_branch_from_table(struct module *m, struct translation *t, uint64_t label, uint32_t word);
void translator_return_(struct module *m, struct translation *t);
bool translator_is_local(const struct translation *t, uint32_t height);
void translator_gather(struct module *m, struct translation *t, uint32_t first);
void translator_call(struct module *m, struct translation *t, const struct decoded *d);
void translator_call_indirect(struct module *m, struct translation *t, const struct decoded *d);
void translator_return_here(struct module *m, struct translation *t, uint32_t results);
void translator_field_sized(struct module *m, uint64_t index);
void translator_other(struct module *m, struct translation *t, const struct decoded *d);
void translator_leave_result(struct module *m, struct translation *t, handler_t handler, uint32_t a, uint32_t b);
void translator_take_one(struct module *m, struct translation *t, handler_t handler, uint32_t b);
void translator_two_for_table(struct module *m, struct translation *t, const struct decoded *d);
void translator_three(struct module *m, struct translation *t, const struct decoded *d);
handler_t translator_bulk(opcode_t opcode);

#endif
