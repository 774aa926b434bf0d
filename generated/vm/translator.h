/* Generated from model/wasm/translator.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 2c9f472971f5c8d6 */

#ifndef VM_TRANSLATOR_H
#define VM_TRANSLATOR_H

#include "types.h"

void translator_begin(struct module *m, struct translation *t);
EXPORTED void translator_translate(struct module *m, struct translation *t);
void translator_body(struct module *m, struct translation *t, uint32_t position);
void translator_count_locals(struct module *m, struct translation *t, uint32_t parameters);
void translator_instructions(struct module *m, struct translation *t);
void translator_leave_out(struct module *m, struct translation *t, const struct decoded *d);
void translator_translate_one(struct module *m, struct translation *t, const struct decoded *d);

#endif
