/* Generated from model/vectors/search.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 93c3fed0d7d9b9b6 */

#ifndef VECTORS_SEARCH_H
#define VECTORS_SEARCH_H

#include "types.h"

status_t search_begin_search(struct vectors *s, metric_t metric);
status_t search_halted(const struct vectors *s);
status_t search_look(struct vectors *s, uint32_t far);
void search_rank(struct vectors *s, row_id_t row, uint64_t key, uint32_t far);
uint8_t search_place_from(const struct vectors *s, uint32_t far, uint64_t key, rank_t r, uint8_t place);
void search_make_room(struct vectors *s, uint8_t place, rank_t r);
void search_copy(struct vectors *s, rank_t q, rank_t r);
void search_set_found(struct vectors *s, rank_t r, row_id_t row, uint64_t key, uint32_t far);
status_t search_conclude(const struct vectors *s);

#endif
