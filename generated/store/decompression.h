/* Generated from model/store/decompression.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 fd01dcbedc5bf0bc */

#ifndef STORE_DECOMPRESSION_H
#define STORE_DECOMPRESSION_H

#include "types.h"

bool decompression_is_bounded(const struct decompression *d);
bool decompression_is_inside(const struct decompression *d);
bool decompression_is_complete(const struct decompression *d);
EXPORTED block_fault_t decompression_decompress(struct decompression *d);
bool decompression_copy_short(struct decompression *d, uint64_t at, uint64_t made);
uint64_t decompression_offset_at(const struct decompression *d, uint64_t at);
block_fault_t decompression_sequence(struct decompression *d, uint64_t at, uint64_t made);
uint64_t decompression_continuation(struct decompression *d, uint64_t at);
block_fault_t decompression_copy_literals(struct decompression *d, uint64_t at, uint64_t made, uint64_t count);
block_fault_t decompression_match(struct decompression *d, uint64_t at, uint64_t made, uint8_t low);
void decompression_repeat(struct decompression *d, uint64_t made, uint64_t offset, uint64_t count);
void decompression_repeat_pieces(struct decompression *d, uint64_t made, uint64_t offset, uint64_t count);
void decompression_repeat_growing(struct decompression *d, uint64_t made, uint64_t offset, uint64_t count);

#endif
