/* Generated from model/link/exchange.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 d9affed0a75bd986 */

#ifndef LINK_EXCHANGE_H
#define LINK_EXCHANGE_H

#include "types.h"

uint32_t exchange_half_of(uint32_t direction);
void exchange_sign(uint32_t *tag, const struct hello *h, const uint32_t *secret, uint32_t half);
EXPORTED void exchange_introduce(struct hello *h, const struct beginning *b);
bool exchange_is_genuine(const struct beginning *b, const struct hello *h);
bool exchange_is_expected(const struct beginning *b, const struct hello *h);
bool exchange_is_answer(const struct beginning *b, const struct hello *h);
bool exchange_is_heard(answer_t answer);
bool exchange_has_nonce_of(const struct beginning *b, const struct beginning *old, const struct hello *h);
bool exchange_is_same(const struct beginning *b, const struct beginning *old);
EXPORTED answer_t exchange_meet(struct beginning *b, const struct hello *h);

#endif
