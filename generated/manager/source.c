/* Generated from model/manager/source.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 e1041ab5b1e4c9e3 */

#include "source.h"
#include "recent.h"
#include "step.h"

/* What does the source of a move do with its row? It alone decides, and until then it may give up at any moment.

   Each function can be called in any state of the row, and changes nothing unless it returns OK. */

/* Go on to a step: no task is out for it. */
void source_enter(struct agent *g, step_t step)
{
    g->step = step;
    g->asked = 0;
}

/* End what the agent was in the middle of, in a state. */
void source_settle(struct agent *g, life_t state)
{
    g->state = state;
    source_enter(g, STEP_NONE);
}

/* Set a hash. */
void source_put_hash(struct hash *hash, uint64_t first, uint64_t second, uint64_t third, uint64_t fourth)
{
    hash->first = first;
    hash->second = second;
    hash->third = third;
    hash->fourth = fourth;
}

/* Begin a move. */
status_t source_set_out(struct agent *g, peer_id_t peer, lane_id_t lane, uint64_t epoch)
{
    if (g->state != LIFE_RUNNING && g->state != LIFE_SUSPENDED) {
        return STATUS_WRONG_STATE;
    }
    if (g->step != STEP_NONE) {
        return STATUS_BUSY;
    }
    if (recent_is_recent(g->moved_at, epoch)) {
        return STATUS_RESTING;
    }
    if (recent_is_recent(g->failed_at, epoch) || recent_is_recent(g->violations.last, epoch)) {
        return STATUS_UNSTEADY;
    }
    g->woken = g->state == LIFE_RUNNING;
    g->state = LIFE_MIGRATING;
    source_enter(g, STEP_ADMITTED);
    g->peer = peer;
    g->lane = lane;
    g->moved_at = epoch;
    return STATUS_OK;
}

/* The agent does not run: it moves, or is hibernated. */
status_t source_stop(struct agent *g)
{
    if (g->step == STEP_ADMITTED) {
        source_enter(g, STEP_STOPPED);
        return STATUS_OK;
    }
    if (g->step != STEP_STOPPING) {
        return STATUS_WRONG_STEP;
    }
    g->state = LIFE_SUSPENDED;
    source_enter(g, STEP_FREEZING);
    return STATUS_OK;
}

/* The snapshot is taken; the move gets its ticket. */
status_t source_snap(struct agent *g, uint64_t ticket, uint32_t chunks, uint64_t first, uint64_t second,
                     uint64_t third, uint64_t fourth)
{
    if (g->step != STEP_STOPPED) {
        return STATUS_WRONG_STEP;
    }
    if (chunks == 0) {
        return STATUS_EMPTY;
    }
    source_put_hash(&g->hash, first, second, third, fourth);
    g->ticket = ticket;
    g->chunks = chunks;
    g->chunk = 0;
    source_enter(g, STEP_SNAPPED);
    return STATUS_OK;
}

/* The target has room, and wants a chunk. */
status_t source_want(struct agent *g, uint64_t ticket, agent_id_t there, uint32_t chunk)
{
    if (step_is_void(g, ticket)) {
        return STATUS_VOID;
    }
    if (g->step != STEP_SNAPPED && g->step != STEP_RESERVED) {
        return STATUS_WRONG_STEP;
    }
    if (g->step == STEP_RESERVED && g->there != there) {
        return STATUS_WRONG_ROW;
    }
    if (chunk >= g->chunks) {
        return STATUS_WRONG_CHUNK;
    }
    g->there = there;
    g->chunk = chunk;
    source_enter(g, STEP_RESERVED);
    return STATUS_OK;
}

/* The target has everything, and asks what is decided. Only a move that is over is VOID, whatever row asks. */
status_t source_fill(struct agent *g, uint64_t ticket, agent_id_t there)
{
    if (step_is_void(g, ticket)) {
        return STATUS_VOID;
    }
    if (step_is_handed_over(g->step)) {
        return STATUS_DECIDED;
    }
    if (g->step != STEP_RESERVED) {
        return STATUS_WRONG_STEP;
    }
    if (g->there != there) {
        return STATUS_WRONG_ROW;
    }
    source_enter(g, STEP_MOVED);
    return STATUS_OK;
}

/* Hand the agent over. Once this is written, it never runs here again. */
status_t source_decide(struct agent *g)
{
    if (g->step != STEP_MOVED) {
        return STATUS_WRONG_STEP;
    }
    source_enter(g, STEP_COMMITTED);
    return STATUS_OK;
}

/* The agent runs at the target. */
status_t source_let_go(struct agent *g, uint64_t ticket)
{
    if (g->step != STEP_COMMITTED) {
        return STATUS_WRONG_STEP;
    }
    if (g->ticket != ticket) {
        return STATUS_WRONG_TICKET;
    }
    source_enter(g, STEP_LEFT);
    return STATUS_OK;
}

/* Nothing of the agent is left here. */
status_t source_release(struct agent *g)
{
    if (g->step != STEP_LEFT) {
        return STATUS_WRONG_STEP;
    }
    source_settle(g, LIFE_TERMINATED);
    return STATUS_OK;
}

/* Let an agent that ran run again; any other one is suspended, as it was. */
void source_turn_back(struct agent *g)
{
    if (g->woken) {
        source_enter(g, STEP_RETURNING);
    } else {
        source_settle(g, LIFE_SUSPENDED);
    }
}

/* End a move that is not decided. */
status_t source_give_up(struct agent *g)
{
    if (!step_may_give_up(g->step)) {
        return STATUS_WRONG_STEP;
    }
    source_turn_back(g);
    return STATUS_OK;
}

/* The agent runs again after its move was given up. */
status_t source_come_back(struct agent *g)
{
    if (g->step != STEP_RETURNING) {
        return STATUS_WRONG_STEP;
    }
    source_settle(g, LIFE_RUNNING);
    return STATUS_OK;
}
