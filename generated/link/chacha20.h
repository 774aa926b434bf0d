/* Generated from model/link/chacha20.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 4f497b333d001a36 */

#ifndef LINK_CHACHA20_H
#define LINK_CHACHA20_H

#include "types.h"

void chacha20_quarter_round(uint32_t *s, state_word_t a, state_word_t b, state_word_t c, state_word_t d);
void chacha20_begin(uint32_t *s, const uint32_t *key, const uint32_t *nonce, uint32_t counter);
void chacha20_block(uint32_t *s, const uint32_t *key, const uint32_t *nonce, uint32_t counter);
void chacha20_encrypt(struct envelope *e);
void chacha20_add_block(struct envelope *e, uint64_t at, const uint32_t *stream);
void chacha20_add_rest(struct envelope *e, uint64_t at, uint64_t count, const uint32_t *stream);

#endif
