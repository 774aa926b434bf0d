/* Generated from model/vectors/store.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 0b6a9f566e74743d */

#ifndef VECTORS_STORE_H
#define VECTORS_STORE_H

#include "types.h"

bool store_is_roomy(const struct store *s, uint32_t dimension, element_t kind, uint32_t capacity);
bool store_has_room(const struct store *s);
EXPORTED status_t store_format(struct store *s, uint32_t dimension, element_t kind, uint32_t capacity);
status_t store_opened_empty(struct vectors *s, uint32_t dimension, element_t kind, uint32_t capacity, uint64_t latest);
EXPORTED status_t store_open_stored(struct store *s);
status_t store_header_fault(const struct store *s);
status_t store_taken_in(struct store *s);
row_id_t store_place_of(const struct vectors *s, uint64_t key);
EXPORTED uint32_t store_row_of(const struct store *s, uint64_t key);
EXPORTED uint32_t store_free_row(const struct store *s);
void store_note_row(struct store *s, row_id_t row);
EXPORTED status_t store_put_row(struct store *s, uint32_t row, uint64_t key, uint64_t expected);
EXPORTED status_t store_delete_key(struct store *s, uint64_t key, uint64_t expected);
EXPORTED status_t store_begin_nearest(struct store *s, metric_t metric);
EXPORTED status_t store_go_on(struct store *s, uint32_t rows);

#endif
