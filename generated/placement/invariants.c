/* Generated from spec/placement/integrity.py
   with codegen/templates/invariants.c.j2: edit those, not this.
   Content: sha256 ae38810f08f85929 */

/* What must hold in every reachable state? One function for each invariant, and a check of them all. */

#include "invariants.h"
#include "builtins.h"
#include "advice.h"
#include "cut.h"
#include "graph.h"
#include "integrity.h"
#include "prediction.h"

#define TRAFFIC 0x100000000000ull       /* bound of sums: more than the weights of all pairs together, so no sum is ever cut off */

const char *const INVARIANT_ID[INVARIANTS + 1] = {
    "",
    "CUT-1",
    "CUT-2",
    "CUT-3",
    "CUT-4",
    "CUT-5",
    "CUT-6",
    "CUT-7",
    "CUT-8",
    "CUT-9",
    "CUT-10",
    "CUT-11",
    "CUT-13",
    "MOVE-1",
    "MOVE-2",
    "MOVE-3",
    "PLACE-1",
    "PLACE-2",
    "PLACE-3",
    "PLACE-4",
    "PLACE-5",
    "PLACE-6",
};

/* PLACE-1: a partition lists exactly the nodes that are in it. */
bool integrity_home_lists_its_nodes(const struct placement *s, node_id_t n, home_id_t p)
{
    return graph_is_member(s, n, p) == (graph_has(s->nodes, n) && s->node[n].home == p);
}

/* PLACE-2: traffic is the same both ways round. */
bool integrity_is_symmetric(const struct placement *s, node_id_t n, node_id_t m)
{
    return graph_traffic(s, n, m) == graph_traffic(s, m, n);
}

/* PLACE-3: what is not in the graph has no traffic. */
bool integrity_stranger_has_no_traffic(const struct placement *s, node_id_t n, node_id_t m)
{
    return graph_has(s->nodes, n) || graph_traffic(s, n, m) == 0;
}

/* PLACE-4: score and pressure lie between 0 and 1,000,000, and add up to 1,000,000. */
bool integrity_score_and_pressure_are_all(const struct placement *s, home_id_t p)
{
    return s->home[p].score <= WHOLE && s->home[p].pressure == WHOLE - s->home[p].score;
}

/* PLACE-5: two partitions whose traffic is added up are not the same. */
bool integrity_couple_is_of_two(const struct placement *s)
{
    return !s->couple.current || s->couple.first != s->couple.second;
}

/* PLACE-6: epochs do not end. */
bool integrity_epoch_is_bounded(const struct placement *s)
{
    return s->epoch <= LAST_EPOCH;
}

/* CUT-1: a complete cut has some but not all of the nodes asked about on its side, and a value. */
bool integrity_result_has_two_sides(const struct placement *s)
{
    return s->result.asked == 0 || integrity_is_proper(s->result.side, s->result.asked);
}

/* CUT-2: so has the best cut of the phases so far. */
bool integrity_side_is_proper(const struct placement *s)
{
    bool known = integrity_is_proper(s->cut.side, s->cut.asked) && s->cut.value < TRAFFIC;
    bool ended = s->cut.stage == STAGE_JOINING || s->cut.stage == STAGE_CLOSING;
    return !graph_is_busy(s) || (known || (s->cut.side == 0 && s->cut.value == NO_VALUE && !ended));
}

/* CUT-3: the nodes of a cut are in the graph, and those that are not loaded are among them. */
bool integrity_cut_is_of_the_graph(const struct placement *s)
{
    return !graph_is_busy(s) ||
           (graph_less(s->cut.asked, s->nodes) == 0 && graph_less(s->cut.loading, s->cut.asked) == 0);
}

/* CUT-4: nodes are loaded in order, until all are. */
bool integrity_loads_in_order(const struct placement *s)
{
    if (s->cut.stage != STAGE_LOADING) {
        return !graph_is_busy(s) || s->cut.loading == 0;
    }
    return s->cut.loading != 0 && s->cut.count <= trailing_zeros_64(s->cut.loading);
}

/* CUT-5: a cut has at least two nodes. */
bool integrity_cut_has_two_nodes(const struct placement *s)
{
    const struct cut *cut = &s->cut;
    uint64_t rest = cut->asked != 0 ? cut->asked & (cut->asked - 1) : 0;
    bool loading = (cut->count != 0 || cut->loading == cut->asked) && (cut->count != 1 || cut->loading == rest);
    return !graph_is_busy(s) || (rest != 0 && (cut->stage != STAGE_LOADING || loading));
}

/* CUT-6: the numbers of a phase fit each other. */
bool integrity_phase_is_counted(const struct placement *s)
{
    const struct cut *cut = &s->cut;
    bool taking = cut->count >= 2 && cut->left >= 1 && cut->left <= cut->count;
    bool joining = cut->turn >= 2 && cut->turn < cut->count;
    return (!graph_is_busy(s) || cut->count <= NODES) && (cut->stage != STAGE_TAKING || taking) &&
           (cut->stage != STAGE_JOINING || joining) && (cut->stage != STAGE_CLOSING || cut->count >= 2);
}

/* CUT-7: the vertices of the list are different, and stand for nodes of the cut, themselves among them. */
bool integrity_list_has_no_doubles(const struct placement *s, place_t i)
{
    node_id_t v = s->vertex[i].node;
    bool known = s->place[v] == i && cut_is_loaded(s, v) && s->leader[v] == v;
    return !(graph_is_busy(s) && i < s->cut.count) || known;
}

/* CUT-8: each node is in one group: that of the vertex that stands for it, which is listed. */
bool integrity_groups_cover_the_nodes(const struct placement *s, node_id_t n)
{
    return !(graph_is_busy(s) && cut_is_loaded(s, n)) || cut_is_listed(s, s->leader[n]);
}

/* CUT-9: the groups of vertices are disjoint: each has just the nodes that it stands for. */
bool integrity_groups_are_disjoint(const struct placement *s, node_id_t n, node_id_t v)
{
    bool in_group = graph_has(s->group[v], n) == (s->leader[n] == v);
    return !(graph_is_busy(s) && cut_is_loaded(s, n) && cut_is_loaded(s, v) && cut_is_listed(s, v)) || in_group;
}

/* CUT-13: a group has nodes of the cut only. */
bool integrity_groups_are_of_the_cut(const struct placement *s, node_id_t v)
{
    uint64_t loaded = graph_less(s->cut.asked, s->cut.loading);
    return !(graph_is_busy(s) && cut_is_loaded(s, v)) || graph_less(s->group[v], loaded) == 0;
}

/* CUT-10: traffic of vertices is the same both ways round. */
bool integrity_merged_is_symmetric(const struct placement *s, node_id_t n, node_id_t m)
{
    return !(graph_is_busy(s) && cut_is_loaded(s, n) && cut_is_loaded(s, m)) ||
           cut_between(s, n, m) == cut_between(s, m, n);
}

/* CUT-11: what is loaded is the traffic of the graph. */
bool integrity_loaded_is_exact(const struct placement *s, node_id_t n, node_id_t m)
{
    bool loading = s->cut.stage == STAGE_LOADING && cut_is_loaded(s, n);
    return !loading || cut_between(s, n, m) == graph_traffic(s, n, m);
}

/* MOVE-1: nothing is held for a partition that rests. */
bool integrity_rested(const struct placement *s)
{
    bool advised = s->advice.kind == CHANGE_NOTHING ||
                   (integrity_is_rested(s, s->advice.source) && integrity_is_rested(s, s->advice.target));
    return advised &&
           (s->best.kind == CHANGE_NOTHING ||
            (integrity_is_rested(s, s->best.source) && integrity_is_rested(s, s->best.target)));
}

/* MOVE-2: an advice is held for one to `DWELL` epochs, and carried out only after all of them. */
bool integrity_is_held(const struct placement *s)
{
    bool counted = s->held <= DWELL && s->held == 0 == (s->advice.kind == CHANGE_NOTHING);
    return counted && (!s->outstanding || s->held == DWELL);
}

/* MOVE-3: every change has a rank, and nothing else has one. */
bool integrity_is_ranked(const struct placement *s)
{
    bool ranked = s->advice.rank == 0 == (s->advice.kind == CHANGE_NOTHING);
    return ranked && s->best.rank == 0 == (s->best.kind == CHANGE_NOTHING);
}

/* Note a violation. */
static bool violated(struct violation *found, uint32_t number, uint32_t first, uint32_t second)
{
    found->number = number;
    found->index[0] = first;
    found->index[1] = second;
    return false;
}

/* CUT-1, CUT-2, CUT-3, CUT-4, CUT-5, CUT-6, MOVE-1, MOVE-2, MOVE-3, PLACE-5, PLACE-6, for the state as a whole. */
static bool check_whole(const struct placement *s, struct violation *found)
{
    if (!integrity_result_has_two_sides(s)) {
        return violated(found, 1, 0, 0);
    }
    if (!integrity_side_is_proper(s)) {
        return violated(found, 2, 0, 0);
    }
    if (!integrity_cut_is_of_the_graph(s)) {
        return violated(found, 3, 0, 0);
    }
    if (!integrity_loads_in_order(s)) {
        return violated(found, 4, 0, 0);
    }
    if (!integrity_cut_has_two_nodes(s)) {
        return violated(found, 5, 0, 0);
    }
    if (!integrity_phase_is_counted(s)) {
        return violated(found, 6, 0, 0);
    }
    if (!integrity_rested(s)) {
        return violated(found, 13, 0, 0);
    }
    if (!integrity_is_held(s)) {
        return violated(found, 14, 0, 0);
    }
    if (!integrity_is_ranked(s)) {
        return violated(found, 15, 0, 0);
    }
    if (!integrity_couple_is_of_two(s)) {
        return violated(found, 20, 0, 0);
    }
    if (!integrity_epoch_is_bounded(s)) {
        return violated(found, 21, 0, 0);
    }
    return true;
}

/* CUT-7, for every place. */
static bool check_places(const struct placement *s, struct violation *found)
{
    for (uint32_t i = 0; i < 64; i++) {
        if (!integrity_list_has_no_doubles(s, i)) {
            return violated(found, 7, i, 0);
        }
    }
    return true;
}

/* CUT-8, CUT-13, for every node. */
static bool check_nodes(const struct placement *s, struct violation *found)
{
    for (uint32_t n = 0; n < 64; n++) {
        if (!integrity_groups_cover_the_nodes(s, n)) {
            return violated(found, 8, n, 0);
        }
        if (!integrity_groups_are_of_the_cut(s, n)) {
            return violated(found, 12, n, 0);
        }
    }
    return true;
}

/* PLACE-1, for every node and every home. */
static bool check_nodes_and_homes(const struct placement *s, struct violation *found)
{
    for (uint32_t n = 0; n < 64; n++) {
        for (uint32_t p = 0; p < 64; p++) {
            if (!integrity_home_lists_its_nodes(s, n, p)) {
                return violated(found, 16, n, p);
            }
        }
    }
    return true;
}

/* PLACE-2, for every node and every node. */
static bool check_nodes_and_nodes_3(const struct placement *s, struct violation *found)
{
    for (uint32_t n = 0; n < 64; n++) {
        for (uint32_t m = 0; m < 64; m++) {
            if (!integrity_is_symmetric(s, n, m)) {
                return violated(found, 17, n, m);
            }
        }
    }
    return true;
}

/* PLACE-4, for every home. */
static bool check_homes(const struct placement *s, struct violation *found)
{
    for (uint32_t p = 0; p < 64; p++) {
        if (!integrity_score_and_pressure_are_all(s, p)) {
            return violated(found, 19, p, 0);
        }
    }
    return true;
}

/* CUT-9, CUT-10, for every node of one node, if it is one that they are about. */
static bool check_nodes_of_node_1(const struct placement *s, struct violation *found, node_id_t n)
{
    if (!(graph_is_busy(s) && cut_is_loaded(s, n))) {
        return true;
    }
    for (uint32_t v = 0; v < 64; v++) {
        if (!integrity_groups_are_disjoint(s, n, v)) {
            return violated(found, 9, n, v);
        }
        if (!integrity_merged_is_symmetric(s, n, v)) {
            return violated(found, 10, n, v);
        }
    }
    return true;
}

/* CUT-9, CUT-10, for every node. */
static bool check_nodes_and_nodes_1(const struct placement *s, struct violation *found)
{
    for (uint32_t n = 0; n < 64; n++) {
        if (!check_nodes_of_node_1(s, found, n)) {
            return false;
        }
    }
    return true;
}

/* CUT-11, for every node of one node, if it is one that they are about. */
static bool check_nodes_of_node_2(const struct placement *s, struct violation *found, node_id_t n)
{
    if (!(s->cut.stage == STAGE_LOADING && cut_is_loaded(s, n))) {
        return true;
    }
    for (uint32_t m = 0; m < 64; m++) {
        if (!integrity_loaded_is_exact(s, n, m)) {
            return violated(found, 11, n, m);
        }
    }
    return true;
}

/* CUT-11, for every node. */
static bool check_nodes_and_nodes_2(const struct placement *s, struct violation *found)
{
    for (uint32_t n = 0; n < 64; n++) {
        if (!check_nodes_of_node_2(s, found, n)) {
            return false;
        }
    }
    return true;
}

/* PLACE-3, for every node of one node, if it is one that they are about. */
static bool check_nodes_of_node_4(const struct placement *s, struct violation *found, node_id_t n)
{
    if (graph_has(s->nodes, n)) {
        return true;
    }
    for (uint32_t m = 0; m < 64; m++) {
        if (!integrity_stranger_has_no_traffic(s, n, m)) {
            return violated(found, 18, n, m);
        }
    }
    return true;
}

/* PLACE-3, for every node. */
static bool check_nodes_and_nodes_4(const struct placement *s, struct violation *found)
{
    for (uint32_t n = 0; n < 64; n++) {
        if (!check_nodes_of_node_4(s, found, n)) {
            return false;
        }
    }
    return true;
}

/* Do all invariants hold? If not, the first that was found to fail is noted. */
bool check_invariants(const struct placement *s, struct violation *found)
{
    return check_whole(s, found) &&
           check_places(s, found) &&
           check_nodes(s, found) &&
           check_nodes_and_homes(s, found) &&
           check_nodes_and_nodes_3(s, found) &&
           check_homes(s, found) &&
           check_nodes_and_nodes_1(s, found) &&
           check_nodes_and_nodes_2(s, found) &&
           check_nodes_and_nodes_4(s, found);
}
