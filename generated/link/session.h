/* Generated from model/link/session.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 edb161a5fbee17b8 */

#ifndef LINK_SESSION_H
#define LINK_SESSION_H

#include "types.h"

bool session_is_roomy(const struct session *s);
bool session_is_refusal(answer_t answer);
uint32_t session_place_of(uint64_t number);
answer_t session_why_over(const struct session *s);
EXPORTED answer_t session_begin(struct session *s, struct beginning *b, uint64_t now);
EXPORTED answer_t session_submit(struct session *s, uint64_t now);
EXPORTED answer_t session_give_out(struct session *s);
EXPORTED answer_t session_poll(struct session *s, uint64_t now);
answer_t session_send_message(struct session *s, uint64_t number, uint64_t now);
answer_t session_send(struct session *s, uint8_t kind, uint64_t number, uint64_t size);
bool session_has_nonce(const struct envelope *e, uint32_t direction, uint64_t number);
void session_prepare(struct envelope *e, uint32_t direction, uint64_t number, uint64_t size);
bool session_is_used_once(const struct session *s, const struct session *old, answer_t answer);
EXPORTED answer_t session_arrive(struct session *s, uint64_t now);
answer_t session_opened(struct session *s, uint64_t now);
answer_t session_judged(const struct session *s);
answer_t session_used(struct session *s, uint8_t kind, uint64_t size);

#endif
