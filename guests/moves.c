/* How does an agent move from one row to another? Each end does what its manager asks for, and tells the other end.
 *
 * The moves that root asks for are made one after the other. In each something goes wrong, or nothing. Whether the
 * other end is here or on another machine is up to the carrier.
 */
#include "manager/migration.h"
#include "manager/step.h"
#include "manager/tasks.h"
#include "advised.h"
#include "carrier.h"
#include "trials.h"

enum { PEER = 1, SOURCE_LANE = 0, TARGET_LANE = 1 };
enum { PATIENCE = 2000 };   /* ms without progress until tasks that are out have failed */

static uint64_t began, arrived;     /* ms: the last move */
static uint64_t progress;           /* ms: when something was done last */
static bool is_over;
static uint64_t place;              /* the row where the agent is; one after the last if it is elsewhere */
static uint64_t mover, target;      /* the number of the agent; the row that it moves to, if its house was chosen */

/* A move begins, at this end. */
static void begin_move(uint64_t number)
{
    begin_trial(number);
    began = milliseconds();
    arrived = 0;
}

/* ---- what this end tells */

static struct note note_of(const struct manager *s, agent_id_t a, uint64_t kind)
{
    const struct agent *g = &s->agent[a];

    return (struct note){
        .kind = kind, .to = g->there, .from = a, .ticket = g->ticket, .move = trial(),
        .chunk = g->chunk, .chunks = g->chunks, .size = ward_size(a),
        .hash = {g->hash.first, g->hash.second, g->hash.third, g->hash.fourth},
    };
}

static bool tell(struct manager *s, agent_id_t a, uint64_t kind)
{
    struct note note = note_of(s, a, kind);

    return carry(s, &note);
}

bool pass_reserve(struct manager *s, agent_id_t a)
{
    return tell(s, a, RESERVE_NOTE);
}

bool pass_chunk(struct manager *s, agent_id_t a)
{
    struct note note = note_of(s, a, CHUNK_NOTE);

    return carry_chunk(s, a, &note);
}

/* The target learns that the agent is its own, and which messages that has received. */
bool pass_commit(struct manager *s, agent_id_t a)
{
    struct note note = note_of(s, a, COMMIT_NOTE);

    note.read = hand_over_mail();
    return carry(s, &note);
}

bool pass_filled(struct manager *s, agent_id_t a)
{
    return tell(s, a, FILLED_NOTE);
}

/* Ask for the next chunk; when there are all, compute their hash. */
bool ask_chunk(struct manager *s, agent_id_t a)
{
    const struct agent *g = &s->agent[a];
    const volatile uint64_t *hash = ward_hash(a);

    if (g->chunk < g->chunks)
        return tell(s, a, WANT_NOTE);
    return ward_check(a) && migration_checked(s, a, g->asked, hash[0], hash[1], hash[2], hash[3]) == STATUS_OK;
}

bool decide(struct manager *s, agent_id_t a)
{
    return migration_commit(s, a) == STATUS_OK;
}

/* ---- what the other end tells */

/* An agent wants to come. If there is no room, nobody answers. */
static void hear_reserve(struct manager *s, const struct note *note)
{
    agent_id_t a = row_with_room();
    const volatile struct entry *room = &the_roll()->entry[a];

    if (a == the_roll()->entries)
        return;
    ward_expect(a, note->size);
    if (migration_hear_reserve(s, a, TARGET_LANE, room->badge, room->partition, PEER, note->from, note->ticket,
                               note->chunks, note->hash[0], note->hash[1], note->hash[2], note->hash[3]) == STATUS_OK &&
        !is_trial_under_way())
        begin_move(note->move);
}

/* The target asks for something. If the move was given up, it is to forget it. */
static void answer(struct manager *s, const struct note *note, status_t status)
{
    struct note answer = {.kind = VOID_NOTE, .to = note->from, .from = note->to, .ticket = note->ticket};

    if (status == STATUS_VOID)
        carry(s, &answer);
}

/* The agent belongs to this end. If it runs here, the source hears so. */
static void hear_commit(struct manager *s, const struct note *note)
{
    status_t status = migration_hear_commit(s, note->to, PEER, note->ticket);
    struct note done = {.kind = DONE_NOTE, .to = note->from, .from = note->to, .ticket = note->ticket};

    if (status == STATUS_OK)
        take_over_mail(note->read);
    if (status == STATUS_DONE)
        carry(s, &done);
}

static void hear_done(struct manager *s, const struct note *note)
{
    if (migration_hear_done(s, note->to, note->ticket) == STATUS_OK)
        arrived = milliseconds();
}

void hear(struct manager *s, const struct note *note)
{
    note_progress();
    if (note->kind == RESERVE_NOTE)
        hear_reserve(s, note);
    else if (note->kind == WANT_NOTE)
        answer(s, note, migration_hear_want(s, note->to, note->ticket, note->from, note->chunk));
    else if (note->kind == CHUNK_NOTE)
        migration_hear_chunk(s, note->to, PEER, note->ticket, note->chunk);
    else if (note->kind == FILLED_NOTE)
        answer(s, note, migration_hear_filled(s, note->to, note->ticket, note->from));
    else if (note->kind == COMMIT_NOTE)
        hear_commit(s, note);
    else if (note->kind == DONE_NOTE)
        hear_done(s, note);
    else if (note->kind == VOID_NOTE)
        migration_hear_abort(s, note->to, PEER, note->ticket);
}

/* ---- outcomes */

status_t tell_snapped(struct manager *s, agent_id_t a, uint64_t number)
{
    const volatile uint64_t *hash = ward_hash(a);

    return migration_snapped(s, a, number, ward_chunks(a) + memory_to_carry(), hash[0], hash[1], hash[2], hash[3]);
}

/* The agent runs here, and the source hears so. */
status_t tell_restored(struct manager *s, agent_id_t a, uint64_t number)
{
    status_t status = migration_restored(s, a, number);

    if (status == STATUS_OK)
        tell(s, a, DONE_NOTE);
    return status;
}

/* ---- one move after the other */

agent_id_t row_with_room(void)
{
    agent_id_t row = 0;

    if (the_roll()->houses != 0)
        return ward_is_open(target) ? target : the_roll()->entries;
    while (row < the_roll()->entries && !ward_is_open(row))
        row++;
    return row;
}

void note_progress(void)
{
    progress = milliseconds();
}

/* A task that is out has failed. A move that is given up for that is told of, as the agent stays then. */
static void fail(struct manager *s, agent_id_t a)
{
    bool is_given_up = step_may_give_up(s->agent[a].step);

    if (tasks_failed(s, a, s->agent[a].asked) == STATUS_OK && is_given_up)
        report("gave up", trial(), a, 0);
}

/* A task gets no answer any more. */
static void lose_patience(struct manager *s)
{
    if (milliseconds() - progress < PATIENCE)
        return;
    for (uint64_t a = 0; a < the_roll()->entries; a++)
        fail(s, a);
    note_progress();
}

/* Can the agent that moves be in this row? */
static bool is_stop(uint64_t a)
{
    return the_roll()->entry[a].number == mover;
}

static void find_place(const struct manager *s)
{
    place = the_roll()->entries;
    for (uint64_t a = 0; a < the_roll()->entries; a++)
        if (s->agent[a].state == LIFE_RUNNING && is_stop(a))
            place = a;
}

static bool is_in_house(uint64_t house)
{
    return place < the_roll()->entries && the_roll()->entry[place].house == house;
}

/* Is nobody on the way any more? Then say in which partition the agent is; in none, if it is elsewhere. */
static void settle(struct manager *s)
{
    for (uint64_t a = 0; a < the_roll()->entries; a++)
        if (s->agent[a].state == LIFE_MIGRATING)
            return;
    find_place(s);
    report("settled", trial(), place < the_roll()->entries ? the_roll()->entry[place].partition : 0,
           arrived > began ? arrived - began : 0);
    end_trial();
    if (the_roll()->houses != 0)
        advised_settle(is_in_house(advised_move()->house));
}

static void open_rooms(void)
{
    for (uint64_t a = 0; a < the_roll()->entries; a++)
        ward_open(a);
}

void close_rooms(void)
{
    for (uint64_t a = 0; a < the_roll()->entries; a++)
        ward_close(a);
}

static void make_room_in(uint64_t a)
{
    if (!ward_has_room(a) && leave(a))
        ward_make_room(a);
}

static void make_room(struct manager *s)
{
    for (uint64_t a = 0; a < the_roll()->entries; a++)
        if (a != place && s->agent[a].state == LIFE_TERMINATED && s->agent[a].step == STEP_NONE && is_stop(a))
            make_room_in(a);
}

/* Let the agent set out, as soon as the manager admits that and there is room. */
static void set_out(struct manager *s)
{
    if (has_room_there(place) && migration_admit(s, place, PEER, SOURCE_LANE) == STATUS_OK)
        begin_move(trial());
}

/* ---- moves that placement recommends */

/* Find a row of a house that has room for the agent, or no partition. */
static bool find_target(uint64_t house)
{
    for (target = 0; target < the_roll()->entries; target++)
        if (the_roll()->entry[target].house == house &&
            (ward_is_empty(target) || (ward_has_room(target) && is_stop(target))))
            return true;
    return false;
}

/* Is there something to be moved? Who places agents may err, or lie: it may name nobody, who cannot move, or a house
 * where the agent is already.
 */
static bool is_sensible(const struct outcome *advice)
{
    return place < the_roll()->entries && the_roll()->entry[place].can_move && !is_in_house(advice->house);
}

/* Let the agent move to the house that is recommended, as soon as the manager admits that, if there is a row. */
static void follow_advice(struct manager *s)
{
    const struct outcome *advice = advised_move();

    if (advice == 0)
        return;
    mover = advice->number;
    find_place(s);
    if (is_sensible(advice) && find_target(advice->house) &&
        (ward_has_room(target) || ward_prepare_room(target, mover)))
        set_out(s);
    else
        advised_settle(is_in_house(advice->house));
}

void look_after_moves(struct manager *s)
{
    if (is_over || !the_roll()->moves)
        return;
    lose_patience(s);
    open_rooms();
    if (is_trial_under_way())
        settle(s);
    if (is_trial_under_way())
        return;
    if (the_roll()->houses != 0) {
        follow_advice(s);
        return;
    }
    mover = the_roll()->entry[the_roll()->tried].number;
    find_place(s);
    if (place < the_roll()->entries && are_trials_over() && has_enough_mail()) {
        is_over = true;
        end_moves(s);
        return;
    }
    make_room(s);
    if (place < the_roll()->entries)
        set_out(s);
}
