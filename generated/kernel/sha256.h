/* Generated from spec/kernel/sha256.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 a3d0976726201117 */

#ifndef KERNEL_SHA256_H
#define KERNEL_SHA256_H

#include "types.h"

void sha256_compress(uint32_t *state, const uint32_t *block);
void sha256_begin(uint32_t *state);
void sha256_put(uint32_t *block, pair_id_t number, uint64_t value);
void sha256_put_digest(uint32_t *block, digest_place_t position, const uint32_t *digest);
uint64_t sha256_word_of(const uint32_t *digest, digest_pair_t number);
void sha256_end(uint32_t *block, word_id_t position, uint32_t bits);
void sha256_keyed(uint32_t *state, const uint32_t *key, uint32_t pad);
void sha256_authenticate(uint32_t *tag, const uint32_t *key, const uint32_t *message, const uint32_t *rest);

#endif
