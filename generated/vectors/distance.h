/* Generated from model/vectors/distance.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 011730b81ce499b3 */

#ifndef VECTORS_DISTANCE_H
#define VECTORS_DISTANCE_H

#include "types.h"

uint64_t distance_first_of(const struct store *s, uint64_t row);
bool distance_has_bytes(const struct store *s, uint64_t first);
bool distance_has_words(const struct store *s, uint64_t first);
uint32_t distance_squared_of_bytes(const struct store *s, uint64_t first);
uint32_t distance_squared(uint8_t a, uint8_t b);
uint32_t distance_product_of_bytes(const struct store *s, uint64_t first);
uint32_t distance_fall(uint8_t a, uint8_t b);
uint32_t distance_square(uint32_t a, uint32_t b);
uint32_t distance_squared_of_words(const struct store *s, uint64_t first);
uint32_t distance_product_of_words(const struct store *s, uint64_t first);
uint32_t distance_added(const uint32_t *sum);
uint32_t distance_far_of(uint32_t product);
uint32_t distance_far(const struct store *s, uint64_t row);
bool distance_is_finite(const struct store *s, uint64_t row);
bool distance_are_finite(const struct store *s, uint64_t first);

#endif
