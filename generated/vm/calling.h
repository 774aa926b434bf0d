/* Generated from model/wasm/calling.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 4b8e5cabceefccbf */

#ifndef VM_CALLING_H
#define VM_CALLING_H

#include "types.h"

void calling_call(struct module *m, struct translation *t, const struct decoded *d);
void calling_call_indirect(struct module *m, struct translation *t, const struct decoded *d);
void calling_return_here(struct module *m, struct translation *t, uint32_t results);

#endif
