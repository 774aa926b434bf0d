/* How does an agent move from one row of the manager to another? Both ends are here, so no message is lost on the way.
 *
 * The moves that root asks for are made one after the other. In each something goes wrong, or nothing.
 */
#include "manager/migration.h"
#include "manager/tasks.h"
#include "moves.h"
#include "trials.h"

enum { PEER = 1, SOURCE_LANE = 0, TARGET_LANE = 1 };
enum { PATIENCE = 2000 };   /* ms without progress until tasks that are out have failed */

static uint64_t began, arrived;     /* ms: the last move */
static uint64_t progress;           /* ms: when something was done last */
static bool is_over;
static uint64_t place;              /* the row where the agent is */

/* ---- messages between the ends */

static agent_id_t row_with_room(void)
{
    agent_id_t row = 0;

    while (row < the_roll()->entries && !ward_has_room(row))
        row++;
    return row;
}

/* The target hears that an agent wants to come. If there is no room, nobody answers. */
bool pass_reserve(struct manager *s, agent_id_t a)
{
    const struct agent *g = &s->agent[a];
    agent_id_t there = row_with_room();
    const volatile struct entry *room = &the_roll()->entry[there];

    if (there != the_roll()->entries && ward_expect(there))
        migration_hear_reserve(s, there, TARGET_LANE, room->badge, room->partition, PEER, a, g->ticket, g->chunks,
                               g->hash.first, g->hash.second, g->hash.third, g->hash.fourth);
    return true;
}

/* The target gets what it asked for; it may have it already. */
bool pass_chunk(struct manager *s, agent_id_t a)
{
    const struct agent *g = &s->agent[a];

    if (!ward_pass_chunk(a, g->there, g->chunk))
        return false;
    migration_hear_chunk(s, g->there, PEER, g->ticket, g->chunk);
    return true;
}

/* The target learns that the agent is its own. If it runs there, the source hears so. */
bool pass_commit(struct manager *s, agent_id_t a)
{
    const struct agent *g = &s->agent[a];

    if (migration_hear_commit(s, g->there, PEER, g->ticket) == STATUS_DONE)
        migration_hear_done(s, a, g->ticket);
    return true;
}

/* The target asks the source for something. If the move was given up, the target forgets it. */
static bool is_heard(struct manager *s, agent_id_t a, status_t status)
{
    if (status == STATUS_VOID)
        migration_hear_abort(s, a, PEER, s->agent[a].ticket);
    return true;
}

bool pass_filled(struct manager *s, agent_id_t a)
{
    const struct agent *g = &s->agent[a];

    return is_heard(s, a, migration_hear_filled(s, g->there, g->ticket, a));
}

/* Ask for the next chunk; when there are all, compute their hash. */
bool ask_chunk(struct manager *s, agent_id_t a)
{
    const struct agent *g = &s->agent[a];
    const volatile uint64_t *hash = ward_hash(a);

    if (g->chunk < g->chunks)
        return is_heard(s, a, migration_hear_want(s, g->there, g->ticket, a, g->chunk));
    return ward_check(a, g->there) &&
        migration_checked(s, a, g->asked, hash[0], hash[1], hash[2], hash[3]) == STATUS_OK;
}

bool decide(struct manager *s, agent_id_t a)
{
    return migration_commit(s, a) == STATUS_OK;
}

/* ---- outcomes */

status_t tell_snapped(struct manager *s, agent_id_t a, uint64_t number)
{
    const volatile uint64_t *hash = ward_hash(a);

    return migration_snapped(s, a, number, ward_chunks(a), hash[0], hash[1], hash[2], hash[3]);
}

/* The agent runs here, and the source hears so. */
status_t tell_restored(struct manager *s, agent_id_t a, uint64_t number)
{
    status_t status = migration_restored(s, a, number);

    arrived = milliseconds();
    if (status == STATUS_OK)
        migration_hear_done(s, s->agent[a].there, s->agent[a].ticket);
    return status;
}

/* ---- one move after the other */

void note_progress(void)
{
    progress = milliseconds();
}

/* A task that is out and gets no answer has failed. */
static void lose_patience(struct manager *s)
{
    if (milliseconds() - progress < PATIENCE)
        return;
    for (uint64_t a = 0; a < the_roll()->entries; a++)
        tasks_failed(s, a, s->agent[a].asked);
    note_progress();
}

/* Is nobody on the way any more? Then say where the agent is, and make room again. */
static void settle(struct manager *s)
{
    for (uint64_t a = 0; a < the_roll()->entries; a++)
        if (s->agent[a].state == LIFE_MIGRATING)
            return;
    for (uint64_t a = 0; a < the_roll()->entries; a++)
        place = s->agent[a].state == LIFE_RUNNING && (a == place || the_roll()->entry[a].is_room) ? a : place;
    report("settled", trial(), the_roll()->entry[place].partition, arrived > began ? arrived - began : 0);
    end_trial();
}

static void make_room(struct manager *s)
{
    for (uint64_t a = 0; a < the_roll()->entries; a++)
        if (a != place && s->agent[a].state == LIFE_TERMINATED && s->agent[a].step == STEP_NONE &&
            (a == the_roll()->tried || the_roll()->entry[a].is_room))
            ward_make_room(a);
}

/* Let the agent set out, as soon as the manager admits that and there is room. */
static void set_out(struct manager *s)
{
    if (row_with_room() == the_roll()->entries || migration_admit(s, place, PEER, SOURCE_LANE) != STATUS_OK)
        return;
    begin_trial();
    began = milliseconds();
    arrived = 0;
}

void look_after_moves(struct manager *s)
{
    if (is_over || !the_roll()->moves)
        return;
    if (trial() == 0 && !is_trial_under_way())
        place = the_roll()->tried;
    lose_patience(s);
    if (is_trial_under_way())
        settle(s);
    if (is_trial_under_way())
        return;
    if (are_trials_over()) {
        is_over = true;
        end_agents();
        return;
    }
    make_room(s);
    set_out(s);
}
