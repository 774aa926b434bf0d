/* Generated from model/link/words.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 c1379dfdce013a68 */

#ifndef LINK_WORDS_H
#define LINK_WORDS_H

#include "types.h"

uint32_t words_word(const struct envelope *e, uint64_t at);
void words_put(struct envelope *e, uint64_t at, uint32_t value);
uint64_t words_number_at(const struct envelope *e, uint64_t at);
void words_put_number(struct envelope *e, uint64_t at, uint64_t value);

#endif
