/* Generated from model/link/poly1305.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 c634db2919f7b153 */

#ifndef LINK_POLY1305_H
#define LINK_POLY1305_H

#include "types.h"

#define TOP 0x1000000                   /* in the highest limb, the bit 2 ** 128 */

bool poly1305_is_carried(const struct authenticator *a);
bool poly1305_is_clamped(const struct authenticator *a);
bool poly1305_is_wide(const struct authenticator *a);
uint32_t poly1305_limb(uint32_t low, uint32_t high, uint32_t shift);
void poly1305_begin(struct authenticator *a, const uint32_t *key);
uint64_t poly1305_product(uint32_t x, uint32_t y);
void poly1305_multiply(struct authenticator *a);
void poly1305_absorb(struct authenticator *a, uint32_t w0, uint32_t w1, uint32_t w2, uint32_t w3, uint32_t top);
void poly1305_absorb_bytes(struct authenticator *a, const struct envelope *e, uint64_t at, uint64_t count, bool filled);
void poly1305_absorb_piece(struct authenticator *a, const struct envelope *e, uint64_t at);
void poly1305_absorb_rest(struct authenticator *a, const struct envelope *e, uint64_t at, uint64_t count, bool filled);
void poly1305_finish(const struct authenticator *a, uint32_t *tag);

#endif
