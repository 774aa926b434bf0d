/* Generated from spec/vectors/order.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 e6b87eaf1f117644 */

#ifndef VECTORS_ORDER_H
#define VECTORS_ORDER_H

#include "types.h"

bool order_is_vector(const struct vectors *s, row_id_t i);
bool order_is_row(const struct vectors *s, row_id_t i);
row_id_t order_following(const struct vectors *s, row_id_t p);
bool order_is_before(const struct vectors *s, row_id_t p, uint64_t key);
row_id_t order_known(const struct vectors *s, row_id_t p, uint64_t key);
uint64_t order_version_of(const struct vectors *s, row_id_t n);
bool order_is_expected(uint64_t version, uint64_t expected);
bool order_is_full(const struct vectors *s);
bool order_is_nearer(const struct vectors *s, uint32_t far, uint64_t key, rank_t r);
bool order_is_worse(const struct vectors *s, uint32_t far, uint64_t key);
bool order_is_complete(const struct vectors *s);

#endif
