/* Generated from model/wasm/spilling.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 f36ded083146d1c3 */

#ifndef VM_SPILLING_H
#define VM_SPILLING_H

#include "types.h"

uint32_t spilling_slot(struct module *m, struct translation *t, uint32_t height);
void spilling_spill(struct module *m, struct translation *t, uint32_t height);
void spilling_place_in(struct module *m, struct translation *t, uint32_t height, uint32_t target);
void spilling_compute_late(struct module *m, struct translation *t, uint32_t height, uint32_t target);
uint32_t spilling_add_late(struct module *m, struct translation *t, uint32_t height, uint32_t from_, uint32_t addend,
                           uint32_t target);
uint32_t spilling_unchanged(uint64_t copied, uint32_t from_);
void spilling_copy(struct module *m, struct translation *t, uint32_t from_, uint32_t target);
void spilling_spill_from(struct module *m, struct translation *t, uint32_t bottom);
void spilling_spill_two(struct module *m, struct translation *t, uint32_t height);
void spilling_spill_locals(struct module *m, struct translation *t, uint32_t which);
void spilling_gather(struct module *m, struct translation *t, uint32_t first);
void spilling_variable(struct module *m, struct translation *t, const struct decoded *d);

#endif
