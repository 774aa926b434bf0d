/* Generated from model/wasm/merging.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 684dc8a6dbe2cdc5 */

#ifndef VM_MERGING_H
#define VM_MERGING_H

#include "types.h"

#define ADD_SLOTS 441
#define MISSING 0xffff

uint32_t merging_on_slots(struct module *m, struct translation *t, opcode_t opcode, uint32_t a, uint32_t b);
uint32_t merging_on_value(struct module *m, struct translation *t, uint32_t height, opcode_t opcode, uint32_t a,
                          uint64_t value, uint32_t target);
bool merging_has_value(const struct translation *t, uint32_t at);
uint16_t merging_pair_with(const struct translation *t, uint32_t inner, opcode_t opcode, bool value);
uint32_t merging_together(struct module *m, struct translation *t, uint16_t pair, uint32_t inner, bool constant,
                          uint64_t other, uint32_t target);

#endif
