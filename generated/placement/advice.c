/* Generated from model/placement/advice.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 a60f9e1fa0ab77ac */

#include "advice.h"
#include "builtins.h"
#include "graph.h"
#include "prediction.h"

#define REST 16                         /* epochs in which nothing more is recommended for a partition after a change */

/* Which change of placement is recommended?

   In each epoch whoever drives the component has it consider candidates. One that is the best for some epochs after
   another is recommended. */

/* Return why no change of two partitions may be considered now, or OK. */
status_t advice_unsuited(const struct placement *s, home_id_t p, home_id_t q)
{
    if (s->degraded) {
        return STATUS_DEGRADED;
    }
    if (s->recovering) {
        return STATUS_RECOVERING;
    }
    if (s->outstanding) {
        return STATUS_OUTSTANDING;
    }
    if (s->home[p].rests_until > s->epoch || s->home[q].rests_until > s->epoch) {
        return STATUS_RESTING;
    }
    if (!prediction_is_scored(s, p) || !prediction_is_scored(s, q)) {
        return STATUS_NOT_SURVEYED;
    }
    return STATUS_OK;
}

/* Consider a move of a node to another partition. */
status_t advice_consider_move(struct placement *s, node_id_t n, home_id_t q)
{
    if (!graph_has(s->nodes, n)) {
        return STATUS_NODE_UNKNOWN;
    }
    home_id_t p = s->node[n].home;
    if (p == q) {
        return STATUS_SAME_HOME;
    }
    status_t refused = advice_unsuited(s, p, q);
    if (refused != STATUS_OK) {
        return refused;
    }
    traffic_t own = graph_traffic(s, n, n);
    traffic_t near = graph_toward(s, n, graph_less(s->home[p].members, graph_only(n)));
    traffic_t far = graph_toward(s, n, graph_less(s->nodes, s->home[p].members));
    traffic_t there = graph_toward(s, n, s->home[q].members);
    traffic_t gain = saturating_sub(there, near);
    if (!prediction_is_enough(gain, graph_together(own, graph_together(near, far)))) {
        return STATUS_TOO_LITTLE;
    }
    uint32_t left = prediction_score_left(&s->home[p], graph_together(own, near), far);
    uint32_t joined = prediction_score_joined(&s->home[q], graph_together(near, far), there, own);
    if (!prediction_helps(s->home[p].score, left, s->home[q].score, joined)) {
        return STATUS_WORSE;
    }
    return advice_prefer(s, CHANGE_MIGRATE, n, p, q, gain, graph_only(n), prediction_rank_of_move(n, q));
}

/* Consider to make one partition of the two whose traffic with each other was added up. */
status_t advice_consider_merge(struct placement *s)
{
    const struct couple *couple = &s->couple;
    if (!couple->current || couple->left != 0) {
        return STATUS_NOT_SURVEYED;
    }
    home_id_t p = couple->first;
    home_id_t q = couple->second;
    status_t refused = advice_unsuited(s, p, q);
    if (refused != STATUS_OK) {
        return refused;
    }
    traffic_t external = saturating_sub(graph_together(s->home[p].external, s->home[q].external), couple->between);
    traffic_t traffic = graph_together(graph_together(s->home[p].internal, s->home[q].internal), external);
    if (!prediction_is_enough(couple->between, traffic)) {
        return STATUS_TOO_LITTLE;
    }
    uint32_t score = prediction_score_merged(&s->home[p], &s->home[q], couple->between);
    if (!prediction_helps(s->home[p].score, score, s->home[q].score, score)) {
        return STATUS_WORSE;
    }
    return advice_prefer(s, CHANGE_MERGE, 0, p, q, couple->between, s->home[p].members, prediction_rank_of_merge(p, q));
}

/* Consider to divide a partition along its cut, if the sides have no traffic with each other.

   If they had, one side would score worse than the partition: what both have inside is less, and what they have
   outside is more. */
status_t advice_consider_split(struct placement *s, home_id_t p)
{
    status_t refused = advice_unsuited(s, p, p);
    if (refused != STATUS_OK) {
        return refused;
    }
    const struct result *result = &s->result;
    if (!result->current || result->asked != s->home[p].members) {
        return STATUS_NO_CUT;
    }
    if (result->value != 0) {
        return STATUS_WORSE;
    }
    uint32_t one = prediction_score_of(s, result->side);
    uint32_t other = prediction_score_of(s, graph_less(result->asked, result->side));
    if (!prediction_frees_enough(s->home[p].score, one, other)) {
        return STATUS_TOO_LITTLE;
    }
    return advice_prefer(s, CHANGE_SPLIT, 0, p, p, 0, result->side, prediction_rank_of_split(p));
}

/* Make a candidate the best of this epoch, if it is. */
status_t advice_prefer(struct placement *s, change_t kind, node_id_t n, home_id_t p, home_id_t q, traffic_t gain,
                       uint64_t side, uint32_t rank)
{
    struct advice *best = &s->best;
    if (best->kind != CHANGE_NOTHING && !prediction_is_better(gain, rank, best)) {
        return STATUS_NOT_BETTER;
    }
    best->kind = kind;
    best->node = n;
    best->source = p;
    best->target = q;
    best->gain = gain;
    best->side = side;
    best->rank = rank;
    return STATUS_OK;
}

/* End an epoch: its best candidate has held for one more, or takes the place of the one before. */
status_t advice_begin_epoch(struct placement *s)
{
    if (s->epoch >= LAST_EPOCH) {
        return STATUS_LAST_EPOCH;
    }
    s->epoch++;
    if (!s->outstanding) {
        s->held = prediction_held_for(s->held, &s->best, &s->advice);
        advice_replace(&s->advice, &s->best);
    }
    s->best = (struct advice){0};
    return STATUS_OK;
}

/* Make one advice the same as another. */
void advice_replace(struct advice *advice, const struct advice *other)
{
    advice->kind = other->kind;
    advice->node = other->node;
    advice->source = other->source;
    advice->target = other->target;
    advice->gain = other->gain;
    advice->side = other->side;
    advice->rank = other->rank;
}

/* Record that the system recovers from a failure, or that it does no more. */
status_t advice_set_recovery(struct placement *s, bool on)
{
    s->recovering = on;
    return STATUS_OK;
}

/* Recommend the change that was the best for long enough. */
status_t advice_recommend(struct placement *s)
{
    if (s->degraded) {
        return STATUS_DEGRADED;
    }
    if (s->recovering) {
        return STATUS_RECOVERING;
    }
    if (s->outstanding) {
        return STATUS_OUTSTANDING;
    }
    if (s->held < DWELL) {
        return STATUS_NOT_HELD;
    }
    s->outstanding = true;
    return STATUS_OK;
}

/* Record that what was recommended was carried out, or failed: either way its partitions rest. */
status_t advice_conclude(struct placement *s)
{
    if (!s->outstanding) {
        return STATUS_NOT_OUTSTANDING;
    }
    s->home[s->advice.source].rests_until = s->epoch + REST;
    s->home[s->advice.target].rests_until = s->epoch + REST;
    s->advice = (struct advice){0};
    s->best = (struct advice){0};
    s->held = 0;
    s->outstanding = false;
    return STATUS_OK;
}
