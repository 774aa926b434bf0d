/* Generated from model/link/keys.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 f9287b09c0b4e4fe */

#ifndef LINK_KEYS_H
#define LINK_KEYS_H

#include "types.h"

void keys_derive(struct session *s, struct beginning *b);
void keys_expand(uint32_t *derived, const uint32_t *extracted, uint32_t purpose);
void keys_expand_key(uint32_t *key, const uint32_t *extracted, uint32_t purpose);
void keys_authenticate(uint32_t *tag, const uint32_t *key, const uint32_t *message);

#endif
