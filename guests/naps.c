/* When does an agent hibernate, and when is it wanted again? One nap follows the other, as many as root asks for, or
 * one begins since the agent took too much.
 *
 * In each something goes wrong, or nothing.
 */
#include "cold.h"
#include "manager/failures.h"
#include "manager/hibernation.h"
#include "manager/life.h"
#include "manager/tasks.h"
#include "naps.h"
#include "trials.h"

enum { SLEEP = 300, AWAKE = 300 };  /* ms: until it is wanted again, and until the next nap */

static uint64_t since;              /* ms: the agent fell asleep, or woke up */
static uint64_t violations;         /* that the manager has counted */
static bool is_asleep, is_over;

/* ---- tasks that need the receipt */

bool pass_record(struct manager *s, agent_id_t a)
{
    const struct agent *g = &s->agent[a];
    const struct cold_receipt receipt = {g->receipt.at, g->receipt.packed, g->receipt.plain,
                                         {g->hash.first, g->hash.second, g->hash.third, g->hash.fourth}};

    return cold_record(a, &receipt);
}

bool pass_read(struct manager *s, agent_id_t a)
{
    return cold_read(a, s->agent[a].receipt.packed);
}

bool pass_unpack(struct manager *s, agent_id_t a)
{
    return cold_unpack(s->agent[a].receipt.packed, s->agent[a].receipt.plain);
}

/* ---- outcomes */

status_t tell_frozen(struct manager *s, agent_id_t a, uint64_t number)
{
    const volatile uint64_t *hash = ward_hash(a);

    return hibernation_frozen(s, a, number, ward_size(a), hash[0], hash[1], hash[2], hash[3]);
}

status_t tell_packed(struct manager *s, agent_id_t a, uint64_t number)
{
    return hibernation_packed(s, a, number, cold_packed());
}

status_t tell_written(struct manager *s, agent_id_t a, uint64_t number)
{
    return hibernation_written(s, a, number, cold_place(a));
}

/* What was read is not what the receipt says: tell the host how. */
static status_t judged(struct manager *s, agent_id_t a, uint64_t number, status_t status)
{
    if (status == STATUS_OK)
        return status;
    report("unfit", a, s->agent[a].step, status);
    return tasks_failed(s, a, number);
}

status_t tell_read(struct manager *s, agent_id_t a, uint64_t number)
{
    return judged(s, a, number, hibernation_read(s, a, number, cold_place(a), s->agent[a].receipt.packed));
}

status_t tell_unpacked(struct manager *s, agent_id_t a, uint64_t number)
{
    uint64_t hash[4], plain = s->agent[a].receipt.plain;

    cold_hash(hash, plain);
    return judged(s, a, number, hibernation_unpacked(s, a, number, plain, hash[0], hash[1], hash[2], hash[3]));
}

/* ---- one nap after the other */

static bool is_time(uint64_t milliseconds_later)
{
    return milliseconds() >= since + milliseconds_later;
}

/* The agent runs again: say how often it was hibernated, and for how many ms. */
static void settle(uint64_t partition)
{
    report("rested", trial(), partition, is_asleep ? milliseconds() - since : 0);
    is_asleep = false;
    since = milliseconds();
    end_trial();
}

/* What was given up has left the agent as it was. */
static void go_on(struct manager *s, agent_id_t a)
{
    if (ward_resume(a) && life_resumed(s, a) == STATUS_OK)
        settle(s->agent[a].place);
}

/* Tell the manager each violation once. At the third in a while the agent is to hibernate. */
static void count_violations(struct manager *s, agent_id_t a)
{
    while (violations < ward_violations(a) && failures_violate(s, a) == STATUS_OK)
        violations++;
    if (s->agent[a].step == STEP_STOPPING)
        begin_trial(trial());
}

static void lie_down(struct manager *s, agent_id_t a)
{
    if (fault_of_trial() == MISHAP_GREED || !is_time(AWAKE) || !ward_halt(a) || life_suspended(s, a) != STATUS_OK)
        return;
    begin_trial(trial());
    hibernation_hibernate(s, a);
}

static void sleep_on(struct manager *s, agent_id_t a)
{
    if (!is_asleep)
        since = milliseconds();
    is_asleep = true;
    if (is_time(SLEEP))
        hibernation_reconstruct(s, a);
}

void look_after_naps(struct manager *s)
{
    agent_id_t a = the_roll()->tried;
    const struct agent *g = &s->agent[a];

    if (is_over || the_roll()->moves || the_roll()->trials == 0)
        return;
    count_violations(s, a);
    if (g->step != STEP_NONE)
        return;
    if (g->state == LIFE_HIBERNATED)
        sleep_on(s, a);
    else if (g->state == LIFE_SUSPENDED)
        go_on(s, a);
    else if (is_trial_under_way())
        settle(g->place);
    else if (!are_trials_over())
        lie_down(s, a);
    else {
        is_over = true;
        end_agents();
    }
}
