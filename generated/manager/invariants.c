/* Generated from spec/manager/integrity.py
   with codegen/templates/invariants.c.j2: edit those, not this.
   Content: sha256 69cd0002ffe8dec2 */

/* What must hold in every reachable state? One function for each invariant, and a check of them all. */

#include "invariants.h"
#include "life.h"
#include "recent.h"
#include "step.h"
#include "task.h"

const char *const INVARIANT_ID[INVARIANTS + 1] = {
    "",
    "AGENT-1",
    "AGENT-2",
    "AGENT-3",
    "AGENT-4",
    "CHUNK-1",
    "EPOCH-1",
    "EPOCH-2",
    "EPOCH-3",
    "FAIL-1",
    "LANE-1",
    "LANE-2",
    "TASK-1",
    "TASK-2",
    "TASK-3",
    "TASK-5",
    "TICKET-1",
    "TICKET-2",
    "TICKET-3",
    "TICKET-4",
};

/* AGENT-1: what an agent is in the middle of belongs to its state. */
bool integrity_step_fits_state(const struct manager *s, agent_id_t a)
{
    return step_fits(s->agent[a].state, s->agent[a].step);
}

/* AGENT-2: no badge is greater than the greatest. */
bool integrity_badge_is_counted(const struct manager *s, agent_id_t a)
{
    return s->agent[a].badge <= s->badge;
}

/* AGENT-3: two agents have different badges, and none has the badge 0. */
bool integrity_badge_is_unique(const struct manager *s, agent_id_t a, agent_id_t b)
{
    bool alive = s->agent[a].state != LIFE_TERMINATED;
    return !alive || (s->agent[a].badge != 0 && (a == b || s->agent[a].badge != s->agent[b].badge));
}

/* AGENT-4: only where an agent was destroyed, another one is awaited. */
bool integrity_awaited_is_terminated(const struct manager *s, agent_id_t a)
{
    return !s->agent[a].awaited || s->agent[a].state == LIFE_TERMINATED;
}

/* LANE-1: an agent that moves has a lane. */
bool integrity_mover_has_lane(const struct manager *s, agent_id_t a)
{
    const struct lane *lane = &s->lane[s->agent[a].lane];
    return s->agent[a].state != LIFE_MIGRATING || (lane->taken && lane->agent == a);
}

/* LANE-2: a lane that is taken has an agent that moves in it. */
bool integrity_lane_has_mover(const struct manager *s, lane_id_t lane)
{
    return !s->lane[lane].taken || task_holds_lane(s, s->lane[lane].agent, lane);
}

/* TICKET-1: the ticket of a move from here was given here. */
bool integrity_ticket_is_given(const struct manager *s, agent_id_t a)
{
    return !step_has_ticket(s->agent[a].step) || s->agent[a].ticket < s->ticket;
}

/* TICKET-2: two moves from here have different tickets. */
bool integrity_ticket_is_unique(const struct manager *s, agent_id_t a, agent_id_t b)
{
    bool both = step_has_ticket(s->agent[a].step) && step_has_ticket(s->agent[b].step);
    return !(both && a != b) || s->agent[a].ticket != s->agent[b].ticket;
}

/* TICKET-3: the ticket of a move to here was heard. */
bool integrity_ticket_is_heard(const struct manager *s, agent_id_t a)
{
    return !step_is_arriving(s->agent[a].step) || s->agent[a].ticket <= s->peer[s->agent[a].peer].heard;
}

/* TICKET-4: two moves to here from one peer have different tickets. */
bool integrity_heard_is_unique(const struct manager *s, agent_id_t a, agent_id_t b)
{
    bool both = step_is_arriving(s->agent[a].step) && step_is_arriving(s->agent[b].step) &&
                s->agent[a].peer == s->agent[b].peer;
    return !(both && a != b) || s->agent[a].ticket != s->agent[b].ticket;
}

/* CHUNK-1: a move has no more chunks than its snapshot, and one with everything has all. */
bool integrity_chunks_are_counted(const struct manager *s, agent_id_t a)
{
    const struct agent *g = &s->agent[a];
    bool whole = g->step == STEP_FILLED || g->step == STEP_ACCEPTED;
    return g->chunk <= g->chunks && (!whole || g->chunk == g->chunks);
}

/* TASK-1: tasks are numbered one after the other, from 1 on. */
bool integrity_number_was_given(const struct manager *s, agent_id_t a)
{
    return s->agent[a].asked < s->number;
}

/* TASK-5: the first number after a restart was not given before. */
bool integrity_numbers_begin_anew(const struct manager *s)
{
    return s->since >= 1 && s->since <= s->number;
}

/* TASK-3: a task is out only for who is in the middle of something. */
bool integrity_task_has_step(const struct manager *s, agent_id_t a)
{
    return s->agent[a].step != STEP_NONE || s->agent[a].asked == 0;
}

/* EPOCH-1: epochs do not end. */
bool integrity_epoch_is_bounded(const struct manager *s)
{
    return FIRST_EPOCH <= s->epoch && s->epoch <= LAST_EPOCH;
}

/* EPOCH-2: what is remembered is past. */
bool integrity_what_happened_is_past(const struct manager *s, agent_id_t a)
{
    return s->agent[a].moved_at <= s->epoch && s->agent[a].failed_at <= s->epoch;
}

/* EPOCH-3: events are remembered in order. */
bool integrity_events_are_ordered(const struct manager *s, agent_id_t a)
{
    const struct agent *g = &s->agent[a];
    bool rest = recent_is_ordered(&g->violations, s->epoch) && recent_is_ordered(&g->readings, s->epoch);
    return rest && recent_is_ordered(&g->restarts, s->epoch);
}

/* FAIL-1: a restart is a failure, and what never failed was never restarted. */
bool integrity_restart_is_failure(const struct manager *s, agent_id_t a)
{
    const struct agent *g = &s->agent[a];
    return g->restarts.last <= g->failed_at && (g->remedy != REMEDY_NONE || g->failed_at == 0);
}

/* Note a violation. */
static bool violated(struct violation *found, uint32_t number, uint32_t first, uint32_t second)
{
    found->number = number;
    found->index[0] = first;
    found->index[1] = second;
    return false;
}

/* AGENT-1, AGENT-2, AGENT-4, CHUNK-1, EPOCH-2, EPOCH-3, FAIL-1, LANE-1, TASK-1, TASK-3, TICKET-1, TICKET-3, for
   every agent. */
static bool check_agents(const struct manager *s, struct violation *found)
{
    for (uint32_t a = 0; a < 256; a++) {
        if (!integrity_step_fits_state(s, a)) {
            return violated(found, 1, a, 0);
        }
        if (!integrity_badge_is_counted(s, a)) {
            return violated(found, 2, a, 0);
        }
        if (!integrity_awaited_is_terminated(s, a)) {
            return violated(found, 4, a, 0);
        }
        if (!integrity_chunks_are_counted(s, a)) {
            return violated(found, 5, a, 0);
        }
        if (!integrity_what_happened_is_past(s, a)) {
            return violated(found, 7, a, 0);
        }
        if (!integrity_events_are_ordered(s, a)) {
            return violated(found, 8, a, 0);
        }
        if (!integrity_restart_is_failure(s, a)) {
            return violated(found, 9, a, 0);
        }
        if (!integrity_mover_has_lane(s, a)) {
            return violated(found, 10, a, 0);
        }
        if (!integrity_number_was_given(s, a)) {
            return violated(found, 12, a, 0);
        }
        if (!integrity_task_has_step(s, a)) {
            return violated(found, 14, a, 0);
        }
        if (!integrity_ticket_is_given(s, a)) {
            return violated(found, 16, a, 0);
        }
        if (!integrity_ticket_is_heard(s, a)) {
            return violated(found, 18, a, 0);
        }
    }
    return true;
}

/* EPOCH-1, TASK-5, for the state as a whole. */
static bool check_whole(const struct manager *s, struct violation *found)
{
    if (!integrity_epoch_is_bounded(s)) {
        return violated(found, 6, 0, 0);
    }
    if (!integrity_numbers_begin_anew(s)) {
        return violated(found, 15, 0, 0);
    }
    return true;
}

/* LANE-2, for every lane. */
static bool check_lanes(const struct manager *s, struct violation *found)
{
    for (uint32_t lane = 0; lane < 8; lane++) {
        if (!integrity_lane_has_mover(s, lane)) {
            return violated(found, 11, lane, 0);
        }
    }
    return true;
}

/* TICKET-2, TICKET-4, for every agent and every agent. */
static bool check_agents_and_agents_3(const struct manager *s, struct violation *found)
{
    for (uint32_t a = 0; a < 256; a++) {
        for (uint32_t b = 0; b < 256; b++) {
            if (!integrity_ticket_is_unique(s, a, b)) {
                return violated(found, 17, a, b);
            }
            if (!integrity_heard_is_unique(s, a, b)) {
                return violated(found, 19, a, b);
            }
        }
    }
    return true;
}

/* AGENT-3, for every agent of one agent, if it is one that they are about. */
static bool check_agents_of_agent_1(const struct manager *s, struct violation *found, agent_id_t a)
{
    if (s->agent[a].state == LIFE_TERMINATED) {
        return true;
    }
    for (uint32_t b = 0; b < 256; b++) {
        if (!integrity_badge_is_unique(s, a, b)) {
            return violated(found, 3, a, b);
        }
    }
    return true;
}

/* AGENT-3, for every agent. */
static bool check_agents_and_agents_1(const struct manager *s, struct violation *found)
{
    for (uint32_t a = 0; a < 256; a++) {
        if (!check_agents_of_agent_1(s, found, a)) {
            return false;
        }
    }
    return true;
}

/* TASK-2, for every agent of one agent, if it is one that they are about. */
static bool check_agents_of_agent_2(const struct manager *s, struct violation *found, agent_id_t a)
{
    if (s->agent[a].asked == 0) {
        return true;
    }
    for (uint32_t b = 0; b < 256; b++) {
        if (!(a == b || s->agent[a].asked != s->agent[b].asked)) {
            return violated(found, 13, a, b);
        }
    }
    return true;
}

/* TASK-2, for every agent. */
static bool check_agents_and_agents_2(const struct manager *s, struct violation *found)
{
    for (uint32_t a = 0; a < 256; a++) {
        if (!check_agents_of_agent_2(s, found, a)) {
            return false;
        }
    }
    return true;
}

/* Do all invariants hold? If not, the first that was found to fail is noted. */
bool check_invariants(const struct manager *s, struct violation *found)
{
    return check_agents(s, found) &&
           check_whole(s, found) &&
           check_lanes(s, found) &&
           check_agents_and_agents_3(s, found) &&
           check_agents_and_agents_1(s, found) &&
           check_agents_and_agents_2(s, found);
}
