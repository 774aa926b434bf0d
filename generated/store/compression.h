/* Generated from model/store/compression.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 13bfb8f2f78fe6e1 */

#ifndef STORE_COMPRESSION_H
#define STORE_COMPRESSION_H

#include "types.h"

bool compression_is_bounded(const struct compression *c);
EXPORTED block_fault_t compression_compress(struct compression *c);
uint64_t compression_word(const struct compression *c, uint64_t at);
bucket_t compression_bucket_of(uint64_t word_);
void compression_remember(struct compression *c, uint64_t at);
uint64_t compression_equal_before(const struct compression *c, uint64_t from_, uint64_t at, uint64_t first);
uint64_t compression_equal_after(const struct compression *c, uint64_t from_, uint64_t at);
uint64_t compression_continued(uint64_t count);
uint64_t compression_put_sequence(struct compression *c, uint64_t made, uint64_t first, uint64_t count,
                                  uint64_t offset, uint64_t beyond);
uint64_t compression_put_length(struct compression *c, uint64_t at, uint64_t count);
void compression_put_literals(struct compression *c, uint64_t at, uint64_t first, uint64_t count);
block_fault_t compression_put_rest(struct compression *c, uint64_t made, uint64_t first);

#endif
