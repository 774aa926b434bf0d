/* Generated from model/link/aead.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 833296aaaa7309bb */

#ifndef LINK_AEAD_H
#define LINK_AEAD_H

#include "types.h"

EXPORTED fault_t aead_seal(struct envelope *e);
EXPORTED fault_t aead_open_(struct envelope *e);
void aead_authenticate(const struct envelope *e, uint32_t *tag);
void aead_put_tag(struct envelope *e, uint64_t at, const uint32_t *tag);
uint32_t aead_difference(const struct envelope *e, uint64_t at, const uint32_t *tag);

#endif
