/* Generated from spec/placement/graph.py, model/placement/graph.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 0bea8d08736f9a46 */

#ifndef PLACEMENT_GRAPH_H
#define PLACEMENT_GRAPH_H

#include "types.h"

#define NODES 64                        /* agents, or partitions without agents */
#define HOMES 64                        /* partitions */
#define WHOLE 1000000                   /* ppm */

uint64_t graph_only(node_id_t n);
bool graph_has(uint64_t nodes, node_id_t n);
uint64_t graph_less(uint64_t nodes, uint64_t others);
uint64_t graph_later(uint64_t nodes, node_id_t n);
uint32_t graph_kept(uint64_t weight);
traffic_t graph_together(traffic_t a, traffic_t b);
uint32_t graph_traffic(const struct placement *s, node_id_t n, node_id_t m);
traffic_t graph_capped(uint64_t sum);
traffic_t graph_toward(const struct placement *s, node_id_t n, uint64_t nodes);
traffic_t graph_inside_of(const struct placement *s, uint64_t nodes);
traffic_t graph_outside_of(const struct placement *s, uint64_t nodes);
uint64_t graph_counted(uint64_t nodes, node_id_t n, uint64_t amount);
uint64_t graph_sum_toward(const struct placement *s, node_id_t n, uint64_t nodes);
uint64_t graph_sum_inside(const struct placement *s, uint64_t nodes);
uint64_t graph_sum_outside(const struct placement *s, uint64_t nodes);
uint32_t graph_share(traffic_t internal, traffic_t external);
uint64_t graph_quotient(uint64_t part, uint64_t whole);
bool graph_is_isolated(const struct placement *s, node_id_t n);
bool graph_is_busy(const struct placement *s);
bool graph_is_member(const struct placement *s, node_id_t n, home_id_t p);
void graph_begin(struct placement *s);
status_t graph_add_node(struct placement *s, node_id_t n, home_id_t p);
status_t graph_remove_node(struct placement *s, node_id_t n);
status_t graph_rehome_node(struct placement *s, node_id_t n, home_id_t p);
status_t graph_set_weight(struct placement *s, node_id_t n, node_id_t m, uint64_t weight);
void graph_age(struct placement *s);
void graph_reconsider(struct placement *s);
status_t graph_survey_node(struct placement *s, node_id_t n);
status_t graph_score_home(struct placement *s, home_id_t p);
status_t graph_couple_homes(struct placement *s, home_id_t p, home_id_t q);
status_t graph_add_couple_row(struct placement *s);

#endif
