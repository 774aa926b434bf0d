/* Generated from spec/placement/prediction.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 f485af1b85f94375 */

#ifndef PLACEMENT_PREDICTION_H
#define PLACEMENT_PREDICTION_H

#include "types.h"

#define DWELL 3                         /* consecutive epochs for which one change must be the best before it is recommended */

uint32_t prediction_score_left(const struct home *p, traffic_t near, traffic_t far);
uint32_t prediction_score_joined(const struct home *q, traffic_t whole, traffic_t with_it, traffic_t own);
uint32_t prediction_score_merged(const struct home *p, const struct home *q, traffic_t between);
uint32_t prediction_score_of(const struct placement *s, uint64_t nodes);
bool prediction_helps(uint32_t old, uint32_t new, uint32_t other_old, uint32_t other_new);
bool prediction_is_enough(traffic_t gain, traffic_t traffic);
bool prediction_frees_enough(uint32_t old, uint32_t one, uint32_t other);
bool prediction_is_better(traffic_t gain, uint32_t rank, const struct advice *best);
uint32_t prediction_rank_of_move(node_id_t n, home_id_t q);
uint32_t prediction_rank_of_merge(home_id_t p, home_id_t q);
uint32_t prediction_rank_of_split(home_id_t p);
bool prediction_is_scored(const struct placement *s, home_id_t p);
uint8_t prediction_held_for(uint8_t held, const struct advice *best, const struct advice *before);

#endif
