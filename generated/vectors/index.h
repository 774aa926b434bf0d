/* Generated from model/vectors/index.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 77f1fb3ba0ac0b55 */

#ifndef VECTORS_INDEX_H
#define VECTORS_INDEX_H

#include "types.h"

void index_begin(struct vectors *s);
status_t index_open_as(struct vectors *s, uint32_t dimension, element_t kind, uint32_t capacity, uint64_t latest);
status_t index_barred(const struct vectors *s, row_id_t p, row_id_t row, uint64_t key);
void index_link(struct vectors *s, row_id_t p, row_id_t n);
void index_insert(struct vectors *s, row_id_t p, row_id_t row, uint64_t key, uint64_t version);
status_t index_adopt(struct vectors *s, row_id_t p, row_id_t row, uint64_t key, uint64_t version);
status_t index_put(struct vectors *s, row_id_t p, row_id_t row, uint64_t key, uint64_t expected);
status_t index_delete(struct vectors *s, row_id_t p, uint64_t key, uint64_t expected);

#endif
