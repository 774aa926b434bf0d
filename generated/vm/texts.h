/* Generated from model/wasm/texts.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 d9ae2226d8223ecb */

#ifndef VM_TEXTS_H
#define VM_TEXTS_H

#include "types.h"

#define ROOT 0

void texts_forget_texts(struct module *m);
uint32_t texts_new_node(struct module *m, uint8_t half);
uint32_t texts_below(struct module *m, uint32_t at, uint8_t half);
uint32_t texts_along(struct module *m, uint32_t at, uint32_t first, uint32_t size);
uint32_t texts_first_text(struct module *m, uint32_t node, uint32_t number);

#endif
