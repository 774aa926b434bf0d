/* How is the manager driven? It says what is to be done next for an agent; that is done, and the manager is told.
 *
 * What it decides is proved. This file only carries it out, a row for each verb.
 */
#include "cold.h"
#include "manager/failures.h"
#include "manager/hibernation.h"
#include "manager/life.h"
#include "manager/migration.h"
#include "manager/step.h"
#include "manager/tasks.h"
#include "carrier.h"
#include "naps.h"
#include "trials.h"

enum { CHECKPOINT = 400, CUT_IN = 50 }; /* ms: between two checkpoints, and until the host has cut the wire */

/* How an agent comes to its end. */
enum { RETURNED, NOT_SPAWNED, GIVEN_UP };

/* ---- verbs of moves that hibernation has, too */

static bool halt(struct manager *s, agent_id_t a)
{
    return s->agent[a].step == STEP_STOPPING ? ward_halt(a) : ward_pause(a);
}

static bool restore(struct manager *s, agent_id_t a)
{
    return s->agent[a].step == STEP_RESTORING ? cold_restore(a, s->agent[a].receipt.plain) : ward_arrive(a);
}

static bool release(struct manager *s, agent_id_t a)
{
    return s->agent[a].step == STEP_FREEING ? cold_free(a) : leave(a);
}

static status_t tell_saved(struct manager *s, agent_id_t a, uint64_t number)
{
    return s->agent[a].step == STEP_FREEZING ? tell_frozen(s, a, number) : tell_snapped(s, a, number);
}

static status_t tell_back(struct manager *s, agent_id_t a, uint64_t number)
{
    return s->agent[a].step == STEP_RESTORING ? migration_restored(s, a, number) : tell_restored(s, a, number);
}

static status_t tell_released(struct manager *s, agent_id_t a, uint64_t number)
{
    return s->agent[a].step == STEP_FREEING ? hibernation_freed(s, a, number) : migration_released(s, a, number);
}

/* ---- one task */

/* What carries out what a verb asks for, alone or with the manager, and the operation that is told when it is done. */
static const struct {
    bool (*perform)(uint64_t a);
    bool (*pass)(struct manager *s, agent_id_t a);
    status_t (*tell)(struct manager *s, agent_id_t a, uint64_t number);
} WORK[] = {
    [VERB_RESTART] = {.perform = ward_restart, .tell = failures_remedied},
    [VERB_RELOAD] = {.perform = ward_reload, .tell = failures_remedied},
    [VERB_REPLACE] = {.perform = ward_destroy, .tell = failures_remedied},
    [VERB_SUSPEND] = {.pass = halt, .tell = migration_stopped},
    [VERB_SNAPSHOT] = {.perform = ward_snapshot, .tell = tell_saved},
    [VERB_RESUME] = {.perform = ward_resume, .tell = migration_returned},
    [VERB_RESTORE] = {.pass = restore, .tell = tell_back},
    [VERB_RELEASE] = {.pass = release, .tell = tell_released},
    [VERB_SEND_RESERVE] = {.pass = pass_reserve},
    [VERB_SEND_CHUNK] = {.pass = pass_chunk},
    [VERB_SEND_COMMIT] = {.pass = pass_commit},
    [VERB_ASK_CHUNK] = {.pass = ask_chunk},
    [VERB_SEND_FILLED] = {.pass = pass_filled},
    [VERB_DECIDE] = {.pass = decide},
    [VERB_COMPRESS] = {.perform = cold_pack, .tell = tell_packed},
    [VERB_WRITE] = {.perform = cold_write, .tell = tell_written},
    [VERB_RECORD] = {.pass = pass_record, .tell = hibernation_recorded},
    [VERB_READ] = {.pass = pass_read, .tell = tell_read},
    [VERB_DECOMPRESS] = {.pass = pass_unpack, .tell = tell_unpacked},
};

enum { WORKS = sizeof(WORK) / sizeof(WORK[0]) };

static bool over[MOST_AGENTS], failed[MOST_AGENTS];     /* is an agent no more, and was its last remedy refused? */
static uint64_t ended;                                  /* agents that are no more */

/* Do what a verb asks for. One that has no row is refused. */
static bool perform(struct manager *s, agent_id_t a, verb_t verb)
{
    if (verb >= WORKS)
        return false;
    if (WORK[verb].pass != 0)
        return WORK[verb].pass(s, a);
    return WORK[verb].perform != 0 && WORK[verb].perform(a);
}

/* The host cuts the wire to the other machine for a while. */
static void ask_for_cut(agent_id_t a, verb_t verb)
{
    report("cut", a, verb, 0);
    rest(CUT_IN);
}

/* Do what is to be done next for an agent, and tell the manager; false if nothing is. What tells it itself has no
 * operation here.
 */
static bool work(struct manager *s, agent_id_t a)
{
    struct task task;
    uint64_t fault;
    bool done;

    if (tasks_assign(s, a) != STATUS_OK)
        return false;
    task = s->task;
    fault = fault_at(task.verb);
    if (fault == MISHAP_CUT)
        ask_for_cut(a, task.verb);
    if (fault == MISHAP_FORGED)
        forge();
    if (fault == MISHAP_DROPPED)
        die();
    done = fault != MISHAP_REFUSED && perform(s, a, task.verb);
    if (fault == MISHAP_LOST)
        die();
    if (fault == MISHAP_ALTERED)
        alter_block();
    failed[a] = !done && step_is_remedy(s->agent[a].step);
    if (!done)
        report("task", a, task.verb, done);
    note_progress();
    if (!done)
        tasks_failed(s, a, task.number);
    else if (WORK[task.verb].tell != 0)
        WORK[task.verb].tell(s, a, task.number);
    return true;
}

static void end(struct manager *s, agent_id_t a, uint64_t how)
{
    life_terminated(s, a);
    over[a] = true;
    ended++;
    report("ended", a, how, s->agent[a].remedy);
    tell_ended(s, a);
}

/* An agent failed, or a remedy did: more is done. There is nothing more than to start the kernel again. */
static void mend(struct manager *s, agent_id_t a)
{
    if (failed[a] && s->agent[a].remedy == REMEDY_REBOOT) {
        ward_dismiss(a);
        end(s, a, GIVEN_UP);
        return;
    }
    failures_fail(s, a);
    report("failed", a, s->agent[a].remedy, s->epoch);
}

/* An agent that was destroyed is spawned again, if that is its parent's policy. */
static void replace(struct manager *s, agent_id_t a)
{
    if (!ward_spawn(a)) {
        end(s, a, NOT_SPAWNED);
        return;
    }
    life_respawn(s, a, the_roll()->entry[a].badge);
    life_started(s, a);
    report("spawned", a, the_roll()->entry[a].partition, s->agent[a].badge);
}

/* See what has become of an agent that is in the middle of nothing. */
static void look_after(struct manager *s, agent_id_t a)
{
    const struct agent *g = &s->agent[a];
    enum end how = g->state == LIFE_RUNNING ? ward_end(a) : NO_END;

    if (over[a] || g->step != STEP_NONE)
        return;
    if (g->awaited)
        replace(s, a);
    else if (failed[a] || (how == BAD_END && ward_stop(a)))
        mend(s, a);
    if (how != GOOD_END)
        return;
    ward_dismiss(a);
    end(s, a, RETURNED);
}

static void save_all(const struct manager *s)
{
    for (uint64_t a = 0; a < the_roll()->entries; a++)
        if (s->agent[a].state == LIFE_RUNNING && s->agent[a].step == STEP_NONE)
            ward_save(a);
}

/* Agents that move are not saved besides. */
static void pass_time(struct manager *s, bool is_idle)
{
    static uint64_t saved, faded;

    if (is_idle)
        rest(the_roll()->round);
    while (s->epoch < FIRST_EPOCH + milliseconds() / the_roll()->epoch)
        life_begin_epoch(s);
    if (milliseconds() - faded >= USE_EPOCH) {
        ward_let_fade();
        faded = milliseconds();
    }
    if (the_roll()->moves != 0 || milliseconds() - saved < CHECKPOINT)
        return;
    save_all(s);
    saved = milliseconds();
}

static void begin(struct manager *s)
{
    prepare_carrier();
    life_begin(s);
    for (uint64_t a = 0; a < the_roll()->agents; a++) {
        life_register(s, a, the_roll()->entry[a].badge, 0, the_roll()->entry[a].partition);
        if (ward_start(a))
            life_started(s, a);
    }
}

void main(void)
{
    bool was_there;
    struct manager *s = prepare_wards(sizeof(struct manager), &was_there);

    if (was_there)
        life_restart(s);
    else
        begin(s);
    while (ended + ended_there() < the_roll()->ends) {
        bool is_idle = true;

        for (uint64_t a = 0; a < the_roll()->entries; a++) {
            look_after(s, a);
            is_idle &= !work(s, a);
        }
        is_idle &= !carry_on(s);
        look_after_moves(s);
        look_after_naps(s);
        pass_time(s, is_idle);
    }
    take_leave(s);
    close_rooms();
    finish();
}
