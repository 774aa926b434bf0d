/* Generated from model/wasm/shared.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 1f0412658c0499aa */

#ifndef VM_SHARED_H
#define VM_SHARED_H

#include "types.h"

void shared_other(struct module *m, struct translation *t, const struct decoded *d);
bool shared_has_reference(const struct module *m, uint64_t number);
void shared_leave_result(struct module *m, struct translation *t, handler_t handler, uint32_t a, uint32_t b);
void shared_take_one(struct module *m, struct translation *t, handler_t handler, uint32_t b);
void shared_two_for_table(struct module *m, struct translation *t, const struct decoded *d);
void shared_grow(struct module *m, struct translation *t, const struct decoded *d, uint32_t a, uint32_t b);
void shared_bytes_of_memory(struct module *m, struct translation *t, const struct decoded *d);
void shared_in_pieces(struct module *m, struct translation *t, const struct decoded *d);

#endif
