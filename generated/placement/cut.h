/* Generated from spec/placement/cut.py, model/placement/cut.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 726964ede54e9898 */

#ifndef PLACEMENT_CUT_H
#define PLACEMENT_CUT_H

#include "types.h"

#define NO_VALUE 0xffffffffffffffffull  /* more than any cut: no phase has ended yet */

place_t cut_heaviest(const struct placement *s);
place_t cut_heavier(const struct placement *s, place_t chosen, place_t at);
traffic_t cut_between(const struct placement *s, node_id_t v, node_id_t w);
bool cut_is_listed(const struct placement *s, node_id_t v);
bool cut_is_loaded(const struct placement *s, node_id_t n);
status_t cut_begin_cut(struct placement *s, bool whole, home_id_t p, uint32_t steps, uint64_t now);
status_t cut_barred(const struct placement *s, stage_t stage, uint64_t now);
status_t cut_load_row(struct placement *s, uint64_t now);
void cut_copy_row(struct placement *s, node_id_t n);
void cut_put(struct placement *s, place_t at, node_id_t v, traffic_t key);
status_t cut_take_vertex(struct placement *s, uint64_t now);
void cut_spread(struct placement *s, node_id_t v);
void cut_spread_eight(struct placement *s, node_id_t v, place_t first);
void cut_end_phase(struct placement *s, node_id_t v, traffic_t key);
status_t cut_join_entry(struct placement *s, uint64_t now);
status_t cut_close_phase(struct placement *s, uint64_t now);
void cut_follow(struct placement *s, node_id_t v, node_id_t w);
void cut_let_follow(struct placement *s, node_id_t n, node_id_t v, node_id_t w);
void cut_forget_keys(struct placement *s);
void cut_forget_eight(struct placement *s, uint32_t first);
void cut_complete(struct placement *s);
status_t cut_give_up_cut(struct placement *s);

#endif
