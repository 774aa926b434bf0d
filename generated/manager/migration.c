/* Generated from model/manager/migration.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 aa125c7f7ade6be0 */

#include "migration.h"
#include "source.h"
#include "target.h"
#include "task.h"
#include "tasks.h"

/* How does an agent move from here, or to here? Operations for outcomes of tasks, and for messages of the other end. */

/* Let an agent move to a peer in a lane. */
status_t migration_admit(struct manager *s, agent_id_t a, peer_id_t peer, lane_id_t lane)
{
    if (s->lane[lane].taken) {
        return STATUS_LANE_TAKEN;
    }
    status_t status = source_set_out(&s->agent[a], peer, lane, s->epoch);
    if (status == STATUS_OK) {
        s->lane[lane].taken = true;
        s->lane[lane].agent = a;
    }
    return status;
}

/* The kernel has suspended an agent. */
status_t migration_stopped(struct manager *s, agent_id_t a, uint64_t number)
{
    if (!task_is_out(s, a, number)) {
        return STATUS_OUTDATED;
    }
    return source_stop(&s->agent[a]);
}

/* The kernel has taken the snapshot of an agent that moves: so many chunks, with this hash. */
status_t migration_snapped(struct manager *s, agent_id_t a, uint64_t number, uint32_t chunks, uint64_t first,
                           uint64_t second, uint64_t third, uint64_t fourth)
{
    if (!task_is_out(s, a, number)) {
        return STATUS_OUTDATED;
    }
    if (s->ticket >= LAST_NUMBER) {
        return STATUS_EXHAUSTED;
    }
    status_t status = source_snap(&s->agent[a], s->ticket, chunks, first, second, third, fourth);
    if (status == STATUS_OK) {
        s->ticket++;
    }
    return status;
}

/* The target has room in a row, and wants a chunk. If the answer is VOID, tell it so. */
status_t migration_hear_want(struct manager *s, agent_id_t a, uint64_t ticket, agent_id_t there, uint32_t chunk)
{
    if (ticket == 0 || ticket >= s->ticket) {
        return STATUS_UNKNOWN;
    }
    return source_want(&s->agent[a], ticket, there, chunk);
}

/* The target has everything, and asks what is decided. If the answer is VOID, tell it so. */
status_t migration_hear_filled(struct manager *s, agent_id_t a, uint64_t ticket, agent_id_t there)
{
    if (ticket == 0 || ticket >= s->ticket) {
        return STATUS_UNKNOWN;
    }
    return source_fill(&s->agent[a], ticket, there);
}

/* Hand an agent over. */
status_t migration_commit(struct manager *s, agent_id_t a)
{
    return source_decide(&s->agent[a]);
}

/* The agent runs at the target. */
status_t migration_hear_done(struct manager *s, agent_id_t a, uint64_t ticket)
{
    return source_let_go(&s->agent[a], ticket);
}

/* The kernel has freed what was left of an agent that moved. */
status_t migration_released(struct manager *s, agent_id_t a, uint64_t number)
{
    if (!task_is_out(s, a, number)) {
        return STATUS_OUTDATED;
    }
    status_t status = source_release(&s->agent[a]);
    tasks_free_lane(s, a);
    return status;
}

/* Give a move up that is not decided. */
status_t migration_abort(struct manager *s, agent_id_t a)
{
    status_t status = source_give_up(&s->agent[a]);
    tasks_free_lane(s, a);
    return status;
}

/* The kernel lets an agent run again whose move was given up. */
status_t migration_returned(struct manager *s, agent_id_t a, uint64_t number)
{
    if (!task_is_out(s, a, number)) {
        return STATUS_OUTDATED;
    }
    status_t status = source_come_back(&s->agent[a]);
    tasks_free_lane(s, a);
    return status;
}

/* A source asks for room, for an agent in its row `there`; the kernel has some, under a new badge. */
status_t migration_hear_reserve(struct manager *s, agent_id_t a, lane_id_t lane, uint64_t badge, partition_id_t place,
                                peer_id_t peer, agent_id_t there, uint64_t ticket, uint32_t chunks, uint64_t first,
                                uint64_t second, uint64_t third, uint64_t fourth)
{
    if (ticket <= s->peer[peer].heard) {
        return STATUS_DOUBLED;
    }
    if (s->lane[lane].taken) {
        return STATUS_LANE_TAKEN;
    }
    if (badge <= s->badge) {
        return STATUS_BADGE_USED;
    }
    struct agent *g = &s->agent[a];
    status_t status = target_promise(g, badge, place, lane, peer, there, ticket, chunks, first, second, third, fourth);
    if (status == STATUS_OK) {
        s->badge = badge;
        s->peer[peer].heard = ticket;
        s->lane[lane].taken = true;
        s->lane[lane].agent = a;
    }
    return status;
}

/* A chunk came, and is stored. */
status_t migration_hear_chunk(struct manager *s, agent_id_t a, peer_id_t peer, uint64_t ticket, uint32_t chunk)
{
    return target_take_chunk(&s->agent[a], peer, ticket, chunk);
}

/* All chunks together have this hash. */
status_t migration_checked(struct manager *s, agent_id_t a, uint64_t number, uint64_t first, uint64_t second,
                           uint64_t third, uint64_t fourth)
{
    if (!task_is_out(s, a, number)) {
        return STATUS_OUTDATED;
    }
    return target_check(&s->agent[a], first, second, third, fourth);
}

/* The source has handed an agent over. If the answer is DONE, tell it so. */
status_t migration_hear_commit(struct manager *s, agent_id_t a, peer_id_t peer, uint64_t ticket)
{
    if (ticket > s->peer[peer].heard) {
        return STATUS_UNKNOWN;
    }
    return target_accept(&s->agent[a], peer, ticket);
}

/* The source has given up. */
status_t migration_hear_abort(struct manager *s, agent_id_t a, peer_id_t peer, uint64_t ticket)
{
    status_t status = target_drop(&s->agent[a], peer, ticket);
    tasks_free_lane(s, a);
    return status;
}

/* Take a promise back. */
status_t migration_refuse(struct manager *s, agent_id_t a)
{
    status_t status = target_withdraw(&s->agent[a]);
    tasks_free_lane(s, a);
    return status;
}

/* The kernel lets a snapshot run, of an agent that came or was reconstructed. */
status_t migration_restored(struct manager *s, agent_id_t a, uint64_t number)
{
    if (!task_is_out(s, a, number)) {
        return STATUS_OUTDATED;
    }
    status_t status = target_arrive(&s->agent[a], s->epoch);
    tasks_free_lane(s, a);
    return status;
}
