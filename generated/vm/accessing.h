/* Generated from model/wasm/accessing.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 50fce57d2c15d08d */

#ifndef VM_ACCESSING_H
#define VM_ACCESSING_H

#include "types.h"

void accessing_access(struct module *m, struct translation *t, const struct decoded *d);
bool accessing_is_scaled(const struct translation *t, uint32_t height, const struct decoded *d);
bool accessing_is_sum(const struct translation *t, uint32_t height, const struct decoded *d);
uint16_t accessing_number_of(const struct translation *t, uint32_t height, const struct decoded *d);
void accessing_load(struct module *m, struct translation *t, const struct decoded *d, uint32_t pair);
void accessing_store(struct module *m, struct translation *t, const struct decoded *d);
bool accessing_move(struct module *m, struct translation *t, const struct decoded *d);
uint32_t accessing_taken_back(struct translation *t);

#endif
