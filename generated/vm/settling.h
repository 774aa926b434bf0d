/* Generated from model/wasm/settling.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 fc04dbe1e12caec3 */

#ifndef VM_SETTLING_H
#define VM_SETTLING_H

#include "types.h"

uint32_t settling_slot(struct module *m, struct translation *t, uint32_t height);
void settling_settle(struct module *m, struct translation *t, uint32_t height);
void settling_place_in(struct module *m, struct translation *t, uint32_t height, uint32_t target);
void settling_compute_late(struct module *m, struct translation *t, uint32_t height, uint32_t target);
uint32_t settling_add_late(struct module *m, struct translation *t, uint32_t height, uint32_t from_, uint32_t addend,
                           uint32_t target);
uint32_t settling_unchanged(uint64_t copied, uint32_t from_);
void settling_copy(struct module *m, struct translation *t, uint32_t from_, uint32_t target);
void settling_settle_from(struct module *m, struct translation *t, uint32_t bottom);
void settling_settle_two(struct module *m, struct translation *t, uint32_t height);
void settling_settle_locals(struct module *m, struct translation *t, uint32_t which);
void settling_gather(struct module *m, struct translation *t, uint32_t first);
void settling_variable(struct module *m, struct translation *t, const struct decoded *d);

#endif
