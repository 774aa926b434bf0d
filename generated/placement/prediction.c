/* Generated from spec/placement/prediction.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 2298690a4cb00e1d */

#include "prediction.h"
#include "builtins.h"
#include "graph.h"

#define GAIN_PART 10                    /* a change must bring together a tenth of the traffic that it concerns, or free that much of a score */
#define MERGES 4096                     /* ranks of moves come before those of merges */
#define SPLITS 8192

/* What would partitions score after a change, and is the change worth it?

   The sums of a partition and the traffic of its nodes are of one graph, so no difference below is really cut off at
   0. */

/* Return the score of a partition without a node with traffic `near` in it and `far` outside of it. */
uint32_t prediction_score_left(const struct home *p, traffic_t near, traffic_t far)
{
    return graph_share(saturating_sub(p->internal, near), saturating_sub(graph_together(p->external, near), far));
}

/* Return the score of a partition with one more node.

   The node has `whole` traffic with others, of this `with_it` with the partition, and `own` with itself. */
uint32_t prediction_score_joined(const struct home *q, traffic_t whole, traffic_t with_it, traffic_t own)
{
    traffic_t external = saturating_sub(saturating_sub(graph_together(q->external, whole), with_it), with_it);
    return graph_share(graph_together(q->internal, graph_together(with_it, own)), external);
}

/* Return the score of two partitions made one. */
uint32_t prediction_score_merged(const struct home *p, const struct home *q, traffic_t between)
{
    traffic_t external = saturating_sub(saturating_sub(graph_together(p->external, q->external), between), between);
    return graph_share(graph_together(graph_together(p->internal, q->internal), between), external);
}

/* Return the score of some nodes of a partition that have no traffic with the rest of it. */
uint32_t prediction_score_of(const struct placement *s, uint64_t nodes)
{
    return graph_share(graph_inside_of(s, nodes), graph_outside_of(s, nodes));
}

/* Does none of two partitions score worse, and at least one better? */
bool prediction_helps(uint32_t old, uint32_t new, uint32_t other_old, uint32_t other_new)
{
    return new >= old && other_new >= other_old && (new > old || other_new > other_old);
}

/* Is a gain worth a change that concerns this traffic? */
bool prediction_is_enough(traffic_t gain, traffic_t traffic)
{
    return gain != 0 && (uint64_t)gain * GAIN_PART >= traffic;
}

/* Are two halves worth a split: none scores worse than the whole, and one better by a tenth of all traffic? */
bool prediction_frees_enough(uint32_t old, uint32_t one, uint32_t other)
{
    return one >= old && other >= old && maximum(one, other) >= old + 0x186a0;
}

/* Is a candidate better than the best so far? Among equal gains, the lower rank is. */
bool prediction_is_better(traffic_t gain, uint32_t rank, const struct advice *best)
{
    return gain > best->gain || (gain == best->gain && rank < best->rank);
}

/* Return the rank of a move. */
uint32_t prediction_rank_of_move(node_id_t n, home_id_t q)
{
    return (uint32_t)n * HOMES + (uint32_t)q + 1;
}

/* Return the rank of a merge. */
uint32_t prediction_rank_of_merge(home_id_t p, home_id_t q)
{
    return MERGES + (uint32_t)p * HOMES + (uint32_t)q + 1;
}

/* Return the rank of a split. */
uint32_t prediction_rank_of_split(home_id_t p)
{
    return SPLITS + (uint32_t)p + 1;
}

/* Is the score of a partition of the graph as it is? */
bool prediction_is_scored(const struct placement *s, home_id_t p)
{
    return graph_has(s->scored, p);
}

/* Return for how many epochs the best candidate has held, if the one before had held for `held`. */
uint8_t prediction_held_for(uint8_t held, const struct advice *best, const struct advice *before)
{
    if (best->kind == CHANGE_NOTHING) {
        return 0;
    }
    bool same = best->rank == before->rank && best->side == before->side;
    return same ? minimum(held + 1, DWELL) : 1;
}
