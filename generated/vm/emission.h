/* Generated from model/wasm/emission.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 97e31aeecfd1dd1c */

#ifndef VM_EMISSION_H
#define VM_EMISSION_H

#include "types.h"

#define HANDLERS 753
#define SAFE_POINT 1                    /* execution may resume at the operation itself */
#define RETURN_POINT 2                  /* a call returns here */

void emission_emit(struct module *m, struct translation *t, uint64_t word);
void emission_operation(struct module *m, struct translation *t, handler_t handler, uint32_t a, uint32_t b, uint32_t c);
void emission_far_operation(struct module *m, struct translation *t, handler_t handler, uint32_t a, uint32_t far);
void emission_mark(struct translation *t, uint8_t kind);
void emission_safe_point(struct translation *t);
void emission_poll(struct module *m, struct translation *t);
void emission_join(struct translation *t, uint32_t straight);
void emission_take_back(struct translation *t, uint32_t at);
bool emission_is_latest(const struct translation *t, uint32_t at, uint32_t words);
uint64_t emission_word_at(const struct translation *t, uint32_t at);
uint32_t emission_far_of(const struct translation *t, uint32_t at);
void emission_set_far(struct translation *t, uint32_t at, uint32_t far);
void emission_resolve(struct module *m, struct translation *t, uint32_t last, uint32_t target);
void emission_retarget(struct translation *t, uint32_t at, uint32_t target);
void emission_field_sized(struct module *m, uint64_t index);

#endif
