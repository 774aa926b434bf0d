/* How is the manager driven? It says what is to be done next for an agent; that is done, and the manager is told.
 *
 * What it decides is proved. This file only carries it out, a row for each verb.
 */
#include "manager/failures.h"
#include "manager/life.h"
#include "manager/step.h"
#include "manager/tasks.h"
#include "roll.h"
#include "ward.h"

/* ms: between two looks, of an epoch, and between two checkpoints. */
enum { ROUND = 50, EPOCH = 10000, CHECKPOINT = 400 };

/* How an agent comes to its end. */
enum { RETURNED, NOT_SPAWNED, GIVEN_UP };

/* What a verb asks for, and the operation that is told when it is done. */
static const struct {
    bool (*perform)(uint64_t a);
    status_t (*tell)(struct manager *s, agent_id_t a, uint64_t number);
} WORK[] = {
    [VERB_RESTART] = {ward_restart, failures_remedied},
    [VERB_RELOAD] = {ward_reload, failures_remedied},
    [VERB_REPLACE] = {ward_destroy, failures_remedied},
};

enum { WORKS = sizeof(WORK) / sizeof(WORK[0]) };

static bool over[MOST_AGENTS], failed[MOST_AGENTS];   /* is an agent no more, and was its last remedy refused? */

/* Do what is to be done next for an agent. A verb that has no row is refused. */
static void work(struct manager *s, agent_id_t a)
{
    verb_t verb;
    bool done;

    if (tasks_assign(s, a) != STATUS_OK)
        return;
    verb = s->task.verb;
    done = verb < WORKS && WORK[verb].perform != 0 && WORK[verb].perform(a);
    failed[a] = !done && step_is_remedy(s->agent[a].step);
    report("task", a, verb, done);
    if (done)
        WORK[verb].tell(s, a, s->agent[a].asked);
    else
        tasks_failed(s, a, s->agent[a].asked);
}

static void end(struct manager *s, agent_id_t a, uint64_t how)
{
    life_terminated(s, a);
    over[a] = true;
    report("ended", a, how, s->agent[a].remedy);
}

/* An agent failed, or a remedy did: more is done. There is nothing more than to start the kernel again. */
static void mend(struct manager *s, agent_id_t a)
{
    if (failed[a] && s->agent[a].remedy == REMEDY_REBOOT) {
        ward_give_up(a);
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
    life_respawn(s, a, ward_badge(a));
    life_started(s, a);
    report("spawned", a, ward_partition(a), s->agent[a].badge);
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
    for (uint64_t a = 0; a < ward_count(); a++)
        if (s->agent[a].state == LIFE_RUNNING && s->agent[a].step == STEP_NONE)
            ward_save(a);
}

static void pass_time(struct manager *s)
{
    static uint64_t saved;

    rest(ROUND);
    while (s->epoch < FIRST_EPOCH + milliseconds() / EPOCH)
        life_begin_epoch(s);
    if (milliseconds() - saved < CHECKPOINT)
        return;
    save_all(s);
    saved = milliseconds();
}

static void begin(struct manager *s)
{
    life_begin(s);
    for (uint64_t a = 0; a < ward_count(); a++) {
        life_register(s, a, ward_badge(a), 0, ward_partition(a));
        if (ward_start(a))
            life_started(s, a);
    }
}

static bool all_over(void)
{
    for (uint64_t a = 0; a < ward_count(); a++)
        if (!over[a])
            return false;
    return true;
}

void main(void)
{
    struct manager *s = prepare_wards(sizeof(struct manager));

    begin(s);
    while (!all_over()) {
        for (uint64_t a = 0; a < ward_count(); a++) {
            look_after(s, a);
            work(s, a);
        }
        pass_time(s);
    }
    finish();
}
