/* Generated from spec/placement/cut.py, model/placement/cut.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 4a1b78f33e7be309 */

#include "cut.h"
#include "builtins.h"
#include "graph.h"

#define CUT_TIME 50000                  /* ns from the beginning of a cut until it is over budget */
#define LATEST 0xffffffffffff3cafull    /* ns; the last time at which a cut may begin */

/* What do the words for the steps of a cut mean? */

/* Return the place of the vertex not taken that has most traffic with those taken; of equal ones the first. */
place_t cut_heaviest(const struct placement *s)
{
    place_t best = 0;
    for (uint32_t i = 0; i < NODES; i++) {
        if (i >= s->cut.left) {
            return best;
        }
        best = cut_heavier(s, best, i);
    }
    return best;
}

/* Return the place of the vertex with more traffic with those taken; of equal ones the one chosen before. */
place_t cut_heavier(const struct placement *s, place_t chosen, place_t at)
{
    return s->vertex[at].key > s->vertex[chosen].key ? at : chosen;
}

/* Return the traffic of two vertices. */
traffic_t cut_between(const struct placement *s, node_id_t v, node_id_t w)
{
    return s->merged[v].to[w];
}

/* Is a vertex in the list of the cut? */
bool cut_is_listed(const struct placement *s, node_id_t v)
{
    place_t at = s->place[v];
    return at < s->cut.count && s->vertex[at].node == v;
}

/* Does a vertex of the cut under way stand for a node? */
bool cut_is_loaded(const struct placement *s, node_id_t n)
{
    return (((s->cut.asked & (s->cut.loading ^ NO_VALUE)) >> (uint64_t)n) & 1) == 1;
}

/* How is the least cut of the graph found? In steps, by the algorithm of Stoer and Wagner.

   A phase takes one vertex after the other, always the one with most traffic with those taken before. The traffic of
   the last one with all others is a cut. Then the last two are made one, and the next phase begins. The least of
   these cuts is the least of the graph. */

/* Begin to cut the whole graph, or a partition, in a number of steps, and in `CUT_TIME` from now (ns) on. */
status_t cut_begin_cut(struct placement *s, bool whole, home_id_t p, uint32_t steps, uint64_t now)
{
    if (graph_is_busy(s)) {
        return STATUS_BUSY;
    }
    uint64_t asked = whole ? s->nodes : s->home[p].members;
    if (asked == 0 || (asked & (asked - 1)) == 0) {
        return STATUS_TOO_FEW_NODES;
    }
    if (now > LATEST) {
        return STATUS_TOO_LATE;
    }
    struct cut *cut = &s->cut;
    cut->stage = STAGE_LOADING;
    cut->asked = asked;
    cut->loading = asked;
    cut->count = 0;
    cut->left = 0;
    cut->turn = 0;
    cut->steps = steps;
    cut->deadline = now + CUT_TIME;
    cut->value = NO_VALUE;
    cut->side = 0;
    return STATUS_OK;
}

/* Return why the cut may not take a step of a stage now, or OK. */
status_t cut_barred(const struct placement *s, stage_t stage, uint64_t now)
{
    if (s->cut.stage != stage) {
        return STATUS_WRONG_STAGE;
    }
    if (s->cut.steps == 0 || now > s->cut.deadline) {
        return STATUS_OVER_BUDGET;
    }
    return STATUS_OK;
}

/* Load the traffic of the next node, and list it as a vertex. */
status_t cut_load_row(struct placement *s, uint64_t now)
{
    status_t refused = cut_barred(s, STAGE_LOADING, now);
    if (refused != STATUS_OK) {
        return refused;
    }
    struct cut *cut = &s->cut;
    node_id_t n = trailing_zeros_64(cut->loading);
    cut_copy_row(s, n);
    cut_put(s, cut->count, n, 0);
    s->group[n] = graph_only(n);
    s->leader[n] = n;
    cut->steps--;
    cut->count++;
    cut->loading = graph_less(cut->loading, graph_only(n));
    if (cut->loading == 0) {
        cut->left = cut->count;
        cut->stage = STAGE_TAKING;
    }
    return STATUS_OK;
}

/* Copy the traffic of a node. */
void cut_copy_row(struct placement *s, node_id_t n)
{
    for (uint32_t i = 0; i < NODES; i++) {
        s->merged[n].to[i] = s->weight[n].to[i];
    }
}

/* Put a vertex into the list. */
void cut_put(struct placement *s, place_t at, node_id_t v, traffic_t key)
{
    s->vertex[at].node = v;
    s->vertex[at].key = key;
    s->place[v] = at;
}

/* Take the vertex that has most traffic with those taken; with the last one the phase ends. */
status_t cut_take_vertex(struct placement *s, uint64_t now)
{
    status_t refused = cut_barred(s, STAGE_TAKING, now);
    if (refused != STATUS_OK) {
        return refused;
    }
    struct cut *cut = &s->cut;
    place_t at = cut_heaviest(s);
    node_id_t v = s->vertex[at].node;
    traffic_t key = s->vertex[at].key;
    cut->steps--;
    cut->left--;
    place_t last = cut->left;
    cut_put(s, at, s->vertex[last].node, s->vertex[last].key);
    cut_put(s, last, v, key);
    cut_spread(s, v);
    if (cut->left == 0) {
        cut_end_phase(s, v, key);
    }
    return STATUS_OK;
}

/* Add the traffic with a vertex to the key of each vertex that is not taken. */
void cut_spread(struct placement *s, node_id_t v)
{
    for (uint32_t k = 0; k < 8; k++) {
        if (k * 8 >= s->cut.left) {
            return;
        }
        cut_spread_eight(s, v, k * 8);
    }
}

/* Do so for eight places, from one on. */
void cut_spread_eight(struct placement *s, node_id_t v, place_t first)
{
    for (uint32_t i = 0; i < 8; i++) {
        if ((uint32_t)first + i < s->cut.left) {
            struct vertex *vertex = &s->vertex[(uint32_t)first + i];
            vertex->key = graph_together(vertex->key, s->merged[v].to[vertex->node]);
        }
    }
}

/* Keep the cut between the vertex taken last and all others, if it is the least so far. */
void cut_end_phase(struct placement *s, node_id_t v, traffic_t key)
{
    struct cut *cut = &s->cut;
    if (key < cut->value) {
        cut->value = key;
        cut->side = s->group[v];
    }
    cut->turn = 2;
    cut->stage = cut->count > 2 ? STAGE_JOINING : STAGE_CLOSING;
}

/* Add up the traffic of the last two vertices taken, which come first in the list, with another one. */
status_t cut_join_entry(struct placement *s, uint64_t now)
{
    status_t refused = cut_barred(s, STAGE_JOINING, now);
    if (refused != STATUS_OK) {
        return refused;
    }
    struct cut *cut = &s->cut;
    node_id_t v = s->vertex[1].node;
    node_id_t other = s->vertex[cut->turn].node;
    traffic_t sum = graph_together(cut_between(s, v, other), cut_between(s, s->vertex[0].node, other));
    s->merged[v].to[other] = sum;
    s->merged[other].to[v] = sum;
    cut->steps--;
    cut->turn++;
    if (cut->turn == cut->count) {
        cut->stage = STAGE_CLOSING;
    }
    return STATUS_OK;
}

/* Make the last two vertices taken one, and begin the next phase; with only one left, the cut is complete. */
status_t cut_close_phase(struct placement *s, uint64_t now)
{
    status_t refused = cut_barred(s, STAGE_CLOSING, now);
    if (refused != STATUS_OK) {
        return refused;
    }
    struct cut *cut = &s->cut;
    node_id_t gone = s->vertex[0].node;
    node_id_t v = s->vertex[1].node;
    s->group[v] |= s->group[gone];
    cut_follow(s, gone, v);
    cut->steps--;
    cut->count--;
    cut_put(s, 0, s->vertex[cut->count].node, 0);
    if (cut->count == 1) {
        cut_complete(s);
        return STATUS_OK;
    }
    cut->left = cut->count;
    cut_forget_keys(s);
    cut->stage = STAGE_TAKING;
    return STATUS_OK;
}

/* Let one vertex stand for the nodes of another. */
void cut_follow(struct placement *s, node_id_t v, node_id_t w)
{
    for (uint32_t i = 0; i < NODES; i++) {
        cut_let_follow(s, i, v, w);
    }
}

/* Do so for one node. */
void cut_let_follow(struct placement *s, node_id_t n, node_id_t v, node_id_t w)
{
    if (s->leader[n] == v) {
        s->leader[n] = w;
    }
}

/* Begin a phase: nothing is taken. */
void cut_forget_keys(struct placement *s)
{
    for (uint32_t k = 0; k < 8; k++) {
        if (k * 8 >= s->cut.left) {
            return;
        }
        cut_forget_eight(s, k * 8);
    }
}

/* Do so for eight places, from one on. */
void cut_forget_eight(struct placement *s, uint32_t first)
{
    for (uint32_t i = 0; i < 8; i++) {
        s->vertex[first + i].key = 0;
    }
}

/* Let the cut be the result. */
void cut_complete(struct placement *s)
{
    s->cut.stage = STAGE_IDLE;
    s->result.asked = s->cut.asked;
    s->result.value = s->cut.value;
    s->result.side = s->cut.side;
    s->result.current = true;
    s->degraded = false;
}

/* Give up the cut under way: the last complete one stays the result. */
status_t cut_give_up_cut(struct placement *s)
{
    if (!graph_is_busy(s)) {
        return STATUS_NO_CUT;
    }
    s->cut.stage = STAGE_IDLE;
    s->degraded = true;
    return STATUS_OK;
}
