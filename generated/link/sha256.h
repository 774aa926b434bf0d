/* Generated from spec/kernel/sha256.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 e3aaca0df84605b2 */

#ifndef LINK_SHA256_H
#define LINK_SHA256_H

#include "types.h"

void sha256_compress(uint32_t *state, const uint32_t *block);
void sha256_begin(uint32_t *state);
void sha256_end(uint32_t *block, word_id_t position, uint32_t bits);
void sha256_keyed(uint32_t *state, const uint32_t *key, uint32_t pad);

#endif
