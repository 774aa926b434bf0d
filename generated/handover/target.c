/* Generated from model/manager/target.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 704b7ffdfcd00f70 */

#include "target.h"
#include "source.h"
#include "step.h"

/* What does the target of a move do with its row? It promises room, fills it, and waits for the decision.

   Each function can be called in any state of the row, and changes nothing unless it returns OK. */

/* Keep a row for an agent that is to come. The kernel has room for it, under a new badge. */
status_t target_promise(struct agent *g, uint64_t badge, partition_id_t place, lane_id_t lane, peer_id_t peer,
                        agent_id_t there, uint64_t ticket, uint32_t chunks, uint64_t first, uint64_t second,
                        uint64_t third, uint64_t fourth)
{
    if (g->state != LIFE_TERMINATED) {
        return STATUS_OCCUPIED;
    }
    if (chunks == 0) {
        return STATUS_EMPTY;
    }
    *g = (struct agent){0};
    g->badge = badge;
    g->place = place;
    g->state = LIFE_MIGRATING;
    g->lane = lane;
    g->peer = peer;
    g->there = there;
    g->ticket = ticket;
    g->chunks = chunks;
    source_put_hash(&g->hash, first, second, third, fourth);
    source_enter(g, STEP_PROMISED);
    return STATUS_OK;
}

/* A chunk came, and is stored. */
status_t target_take_chunk(struct agent *g, peer_id_t peer, uint64_t ticket, uint32_t chunk)
{
    if (g->step != STEP_PROMISED) {
        return STATUS_WRONG_STEP;
    }
    if (!step_awaits(g, peer, ticket)) {
        return STATUS_WRONG_TICKET;
    }
    if (chunk < g->chunk) {
        return STATUS_DOUBLED;
    }
    if (chunk > g->chunk || chunk >= g->chunks) {
        return STATUS_WRONG_CHUNK;
    }
    g->chunk++;
    g->asked = 0;
    return STATUS_OK;
}

/* All chunks are here, and have this hash. */
status_t target_check(struct agent *g, uint64_t first, uint64_t second, uint64_t third, uint64_t fourth)
{
    if (g->step != STEP_PROMISED) {
        return STATUS_WRONG_STEP;
    }
    if (g->chunk != g->chunks) {
        return STATUS_INCOMPLETE;
    }
    if (!step_is_hash(&g->hash, first, second, third, fourth)) {
        return STATUS_WRONG_HASH;
    }
    source_enter(g, STEP_FILLED);
    return STATUS_OK;
}

/* The source has handed the agent over. */
status_t target_accept(struct agent *g, peer_id_t peer, uint64_t ticket)
{
    if (!step_awaits(g, peer, ticket)) {
        return STATUS_DONE;
    }
    if (g->step == STEP_PROMISED) {
        return STATUS_WRONG_STEP;
    }
    if (g->step == STEP_ACCEPTED) {
        return STATUS_DOUBLED;
    }
    source_enter(g, STEP_ACCEPTED);
    return STATUS_OK;
}

/* The source has given up. */
status_t target_drop(struct agent *g, peer_id_t peer, uint64_t ticket)
{
    if (!step_may_drop(g->step)) {
        return STATUS_WRONG_STEP;
    }
    if (!step_awaits(g, peer, ticket)) {
        return STATUS_WRONG_TICKET;
    }
    source_settle(g, LIFE_TERMINATED);
    return STATUS_OK;
}

/* Take a promise back, which the target may do until it has said that it has everything. */
status_t target_withdraw(struct agent *g)
{
    if (g->step != STEP_PROMISED) {
        return STATUS_WRONG_STEP;
    }
    source_settle(g, LIFE_TERMINATED);
    return STATUS_OK;
}

/* The agent runs: here after its move, or again after its reconstruction. */
status_t target_arrive(struct agent *g, uint64_t epoch)
{
    if (g->step != STEP_ACCEPTED && g->step != STEP_RESTORING) {
        return STATUS_WRONG_STEP;
    }
    if (g->step == STEP_ACCEPTED) {
        g->moved_at = epoch;
    }
    source_settle(g, LIFE_RUNNING);
    return STATUS_OK;
}
