/* Generated from spec/placement/graph.py, model/placement/graph.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 864e597e6bd86d7a */

#include "graph.h"
#include "builtins.h"

#define ALL_NODES 0xffffffffffffffffull
#define LOST 0xff                       /* mask of the fractional bits that are not kept */
#define FRACTION 8                      /* bits: weights come with 16 fractional bits, and are kept with half of them */
#define WEIGHT_MOST 0xffffffffu         /* of one pair, as it is kept: 2^24 units */

/* What do the words for sets of nodes, for traffic and for scores mean? */

/* Return the set of one node. */
uint64_t graph_only(node_id_t n)
{
    return shift_left_64(1, n);
}

/* Is a node in a set? */
bool graph_has(uint64_t nodes, node_id_t n)
{
    return ((nodes >> (uint64_t)n) & 1) == 1;
}

/* Return the nodes that are not among others. */
uint64_t graph_less(uint64_t nodes, uint64_t others)
{
    return nodes & (others ^ ALL_NODES);
}

/* Return the nodes of a set from one on. */
uint64_t graph_later(uint64_t nodes, node_id_t n)
{
    return nodes & shift_left_64(ALL_NODES, n);
}

/* Return a weight as it is kept, of one with 16 fractional bits: rounded up, so that no traffic is lost. */
uint32_t graph_kept(uint64_t weight)
{
    uint64_t units = (weight >> FRACTION) + ((weight & LOST) != 0 ? 1 : 0);
    return minimum(units, WEIGHT_MOST);
}

/* Return the sum of two amounts of traffic. */
traffic_t graph_together(traffic_t a, traffic_t b)
{
    return minimum((uint64_t)a + (uint64_t)b, 0xfffffffffffull);
}

/* Return the traffic of two nodes, or of one with itself. */
uint32_t graph_traffic(const struct placement *s, node_id_t n, node_id_t m)
{
    return s->weight[n].to[m];
}

/* Return a sum of at most all weights. */
traffic_t graph_capped(uint64_t sum)
{
    return minimum(sum, 0xfffffffffffull);
}

/* Return the traffic of a node with some nodes. */
traffic_t graph_toward(const struct placement *s, node_id_t n, uint64_t nodes)
{
    return graph_capped(graph_sum_toward(s, n, nodes));
}

/* Return the traffic of some nodes within their home, by the sums of each. */
traffic_t graph_inside_of(const struct placement *s, uint64_t nodes)
{
    return graph_capped(graph_sum_inside(s, nodes));
}

/* Return the traffic of some nodes with other homes, by the sums of each. */
traffic_t graph_outside_of(const struct placement *s, uint64_t nodes)
{
    return graph_capped(graph_sum_outside(s, nodes));
}

/* Return an amount of traffic of a node, or nothing if the node is not in a set. */
uint64_t graph_counted(uint64_t nodes, node_id_t n, uint64_t amount)
{
    return graph_has(nodes, n) ? amount : 0;
}

/* Add up the traffic of a node with some nodes. */
uint64_t graph_sum_toward(const struct placement *s, node_id_t n, uint64_t nodes)
{
    uint64_t found = 0;
    for (uint32_t i = 0; i < NODES; i++) {
        found += graph_counted(nodes, i, graph_traffic(s, n, i));
    }
    return found;
}

/* Add up the traffic of some nodes within their home. */
uint64_t graph_sum_inside(const struct placement *s, uint64_t nodes)
{
    uint64_t found = 0;
    for (uint32_t i = 0; i < NODES; i++) {
        found += graph_counted(nodes, i, s->node[i].inside);
    }
    return found;
}

/* Add up the traffic of some nodes with other homes. */
uint64_t graph_sum_outside(const struct placement *s, uint64_t nodes)
{
    uint64_t found = 0;
    for (uint32_t i = 0; i < NODES; i++) {
        found += graph_counted(nodes, i, s->node[i].outside);
    }
    return found;
}

/* Return the score in ppm, rounded down: how much of the traffic is internal. All of none is internal. */
uint32_t graph_share(traffic_t internal, traffic_t external)
{
    uint64_t whole = (uint64_t)internal + (uint64_t)external;
    return minimum(graph_quotient((uint64_t)internal * WHOLE, whole), WHOLE);
}

/* Return how often a whole is in a part, rounded down; for a whole of nothing, a million times. */
uint64_t graph_quotient(uint64_t part, uint64_t whole)
{
    return whole != 0 ? part / whole : WHOLE;
}

/* Has a node no traffic at all? */
bool graph_is_isolated(const struct placement *s, node_id_t n)
{
    for (uint32_t i = 0; i < NODES; i++) {
        if (graph_traffic(s, n, i) != 0) {
            return false;
        }
    }
    return true;
}

/* Is a cut under way? */
bool graph_is_busy(const struct placement *s)
{
    return s->cut.stage != STAGE_IDLE;
}

/* Is a node listed in a home? */
bool graph_is_member(const struct placement *s, node_id_t n, home_id_t p)
{
    return graph_has(s->home[p].members, n);
}

/* How does the graph change, and what do its partitions score? */

/* Make every partition one without traffic. */
void graph_begin(struct placement *s)
{
    for (uint32_t i = 0; i < HOMES; i++) {
        s->home[i].score = WHOLE;
    }
}

/* Add a node to the graph, in a partition. */
status_t graph_add_node(struct placement *s, node_id_t n, home_id_t p)
{
    if (graph_is_busy(s)) {
        return STATUS_BUSY;
    }
    if (graph_has(s->nodes, n)) {
        return STATUS_NODE_KNOWN;
    }
    s->nodes |= graph_only(n);
    s->node[n].home = p;
    s->home[p].members |= graph_only(n);
    graph_age(s);
    graph_reconsider(s);
    return STATUS_OK;
}

/* Take a node without traffic out of the graph. */
status_t graph_remove_node(struct placement *s, node_id_t n)
{
    if (graph_is_busy(s)) {
        return STATUS_BUSY;
    }
    if (!graph_has(s->nodes, n)) {
        return STATUS_NODE_UNKNOWN;
    }
    if (!graph_is_isolated(s, n)) {
        return STATUS_CONNECTED;
    }
    s->nodes = graph_less(s->nodes, graph_only(n));
    struct home *home = &s->home[s->node[n].home];
    home->members = graph_less(home->members, graph_only(n));
    graph_age(s);
    graph_reconsider(s);
    return STATUS_OK;
}

/* Record that a node is in another partition now. */
status_t graph_rehome_node(struct placement *s, node_id_t n, home_id_t p)
{
    if (graph_is_busy(s)) {
        return STATUS_BUSY;
    }
    if (!graph_has(s->nodes, n)) {
        return STATUS_NODE_UNKNOWN;
    }
    if (s->node[n].home == p) {
        return STATUS_SAME_HOME;
    }
    struct home *home = &s->home[s->node[n].home];
    home->members = graph_less(home->members, graph_only(n));
    s->home[p].members |= graph_only(n);
    s->node[n].home = p;
    graph_age(s);
    graph_reconsider(s);
    return STATUS_OK;
}

/* Set the traffic of two nodes, or of one with itself, in units with 16 fractional bits. */
status_t graph_set_weight(struct placement *s, node_id_t n, node_id_t m, uint64_t weight)
{
    if (graph_is_busy(s)) {
        return STATUS_BUSY;
    }
    if (!graph_has(s->nodes, n) || !graph_has(s->nodes, m)) {
        return STATUS_NODE_UNKNOWN;
    }
    s->weight[n].to[m] = graph_kept(weight);
    s->weight[m].to[n] = graph_kept(weight);
    graph_age(s);
    return STATUS_OK;
}

/* Note that whatever was computed is of an older graph. */
void graph_age(struct placement *s)
{
    s->surveyed = 0;
    s->scored = 0;
    s->result.current = false;
    s->couple.current = false;
}

/* Forget which change was best, since other nodes are at other places now; not one that is being carried out. */
void graph_reconsider(struct placement *s)
{
    s->best = (struct advice){0};
    if (!s->outstanding) {
        s->advice = (struct advice){0};
        s->held = 0;
    }
}

/* Add up the traffic of a node inside and outside of its home. */
status_t graph_survey_node(struct placement *s, node_id_t n)
{
    if (!graph_has(s->nodes, n)) {
        return STATUS_NODE_UNKNOWN;
    }
    struct node *node = &s->node[n];
    uint64_t members = s->home[node->home].members;
    node->inside = graph_toward(s, n, graph_later(members, n));
    node->outside = graph_toward(s, n, graph_less(s->nodes, members));
    s->surveyed |= graph_only(n);
    return STATUS_OK;
}

/* Score a partition whose nodes were all surveyed. */
status_t graph_score_home(struct placement *s, home_id_t p)
{
    struct home *home = &s->home[p];
    if (graph_less(home->members, s->surveyed) != 0) {
        return STATUS_NOT_SURVEYED;
    }
    home->internal = graph_inside_of(s, home->members);
    home->external = graph_outside_of(s, home->members);
    home->score = graph_share(home->internal, home->external);
    home->pressure = WHOLE - home->score;
    s->scored |= graph_only(p);
    return STATUS_OK;
}

/* Begin to add up the traffic of two partitions with each other. */
status_t graph_couple_homes(struct placement *s, home_id_t p, home_id_t q)
{
    if (p == q) {
        return STATUS_SAME_HOME;
    }
    struct couple *couple = &s->couple;
    couple->first = p;
    couple->second = q;
    couple->left = s->home[p].members;
    couple->between = 0;
    couple->current = true;
    return STATUS_OK;
}

/* Add the traffic of the next node of the first partition with the second one. */
status_t graph_add_couple_row(struct placement *s)
{
    struct couple *couple = &s->couple;
    if (!couple->current || couple->left == 0) {
        return STATUS_NOT_SURVEYED;
    }
    node_id_t n = trailing_zeros_64(couple->left);
    couple->between = graph_together(couple->between, graph_toward(s, n, s->home[couple->second].members));
    couple->left = graph_less(couple->left, graph_only(n));
    return STATUS_OK;
}
