/* Generated from model/placement/advice.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 86bdca2d5f99c55a */

#ifndef PLACEMENT_ADVICE_H
#define PLACEMENT_ADVICE_H

#include "types.h"

#define LAST_EPOCH 0x8000000000000000ull

status_t advice_unsuited(const struct placement *s, home_id_t p, home_id_t q);
status_t advice_consider_move(struct placement *s, node_id_t n, home_id_t q);
status_t advice_consider_merge(struct placement *s);
status_t advice_consider_split(struct placement *s, home_id_t p);
status_t advice_prefer(struct placement *s, change_t kind, node_id_t n, home_id_t p, home_id_t q, traffic_t gain,
                       uint64_t side, uint32_t rank);
status_t advice_begin_epoch(struct placement *s);
void advice_replace(struct advice *advice, const struct advice *other);
status_t advice_set_recovery(struct placement *s, bool on);
status_t advice_recommend(struct placement *s);
status_t advice_conclude(struct placement *s);

#endif
