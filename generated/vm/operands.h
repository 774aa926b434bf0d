/* Generated from model/wasm/operands.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 919a455faf7ba32f */

#ifndef VM_OPERANDS_H
#define VM_OPERANDS_H

#include "types.h"

uint32_t operands_own_slot(const struct translation *t, uint32_t height);
void operands_push(struct module *m, struct translation *t, place_t place, uint64_t value);
void operands_push_slot(struct module *m, struct translation *t);
void operands_push_made(struct module *m, struct translation *t, uint32_t at);
uint32_t operands_maker(const struct translation *t, uint32_t height);
bool operands_pop(struct module *m, struct translation *t, uint32_t count);
void operands_add(struct translation *t, uint32_t value);
void operands_scale(struct translation *t, uint32_t shift);
void operands_restore(struct module *m, struct translation *t, uint32_t height, uint32_t count);
bool operands_is_value(const struct translation *t, uint32_t height);
uint64_t operands_value_of(const struct translation *t, uint32_t height);
uint32_t operands_addend_of(const struct translation *t, uint32_t height);
uint32_t operands_shift_of(const struct translation *t, uint32_t height);
uint32_t operands_source(const struct translation *t, uint32_t height);
bool operands_may_shift(const struct translation *t, uint32_t height);
bool operands_is_local(const struct translation *t, uint32_t height);
bool operands_in_own_slot(const struct translation *t, uint32_t height);

#endif
