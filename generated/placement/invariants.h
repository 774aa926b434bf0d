/* Generated from spec/placement/integrity.py
   with codegen/templates/invariants.h.j2: edit those, not this.
   Content: sha256 13afbd8266b97fae */

#ifndef PLACEMENT_INVARIANTS_H
#define PLACEMENT_INVARIANTS_H

#include "types.h"

#define INVARIANTS 21

/* The first invariant that was found not to hold: its number, from 1, and the indices for which it fails. */
struct violation {
    uint32_t number;
    uint32_t index[2];
};

/* The id of an invariant by its number, from 1. */
extern const char *const INVARIANT_ID[INVARIANTS + 1];

bool check_invariants(const struct placement *s, struct violation *found);
bool integrity_home_lists_its_nodes(const struct placement *s, node_id_t n, home_id_t p);
bool integrity_is_symmetric(const struct placement *s, node_id_t n, node_id_t m);
bool integrity_stranger_has_no_traffic(const struct placement *s, node_id_t n, node_id_t m);
bool integrity_score_and_pressure_are_all(const struct placement *s, home_id_t p);
bool integrity_couple_is_of_two(const struct placement *s);
bool integrity_epoch_is_bounded(const struct placement *s);
bool integrity_result_has_two_sides(const struct placement *s);
bool integrity_side_is_proper(const struct placement *s);
bool integrity_cut_is_of_the_graph(const struct placement *s);
bool integrity_loads_in_order(const struct placement *s);
bool integrity_cut_has_two_nodes(const struct placement *s);
bool integrity_phase_is_counted(const struct placement *s);
bool integrity_list_has_no_doubles(const struct placement *s, place_t i);
bool integrity_groups_cover_the_nodes(const struct placement *s, node_id_t n);
bool integrity_groups_are_disjoint(const struct placement *s, node_id_t n, node_id_t v);
bool integrity_groups_are_of_the_cut(const struct placement *s, node_id_t v);
bool integrity_merged_is_symmetric(const struct placement *s, node_id_t n, node_id_t m);
bool integrity_loaded_is_exact(const struct placement *s, node_id_t n, node_id_t m);
bool integrity_rested(const struct placement *s);
bool integrity_is_held(const struct placement *s);
bool integrity_is_ranked(const struct placement *s);

#endif
