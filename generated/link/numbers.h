/* Generated from model/link/numbers.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 486e7951f4782a56 */

#ifndef LINK_NUMBERS_H
#define LINK_NUMBERS_H

#include "types.h"

bool numbers_is_same(const struct link *s, const struct link *old);
bool numbers_has_grown(uint64_t count, uint64_t old, answer_t answer);
answer_t numbers_take_number(struct link *s);
answer_t numbers_look(const struct link *s, uint64_t number);
answer_t numbers_accept(struct link *s, uint64_t number);
answer_t numbers_take(struct link *s);
answer_t numbers_settle(struct link *s, uint64_t count);
answer_t numbers_hold(struct link *s, uint64_t number);
answer_t numbers_give(struct link *s);

#endif
