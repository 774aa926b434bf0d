/* How does the root partition run agents that a manager looks after? It makes them, sends them what makes them fail, and
 * spawns those again that were destroyed, if that is its policy.
 */
#include "housing.h"
#include "roll.h"

enum { PATIENCE = 500, ROUND = 50, MANAGER_QUOTA = 256 };
enum { OWN_ROLL_ENTRY = 131, FATE_SLOT = 56, FATES = 32 };      /* of edges from root, by the number of the agent */
enum { MANAGES = RIGHT_READ | RIGHT_WRITE | RIGHT_EXECUTE | RIGHT_HIBERNATE | RIGHT_PROVE };

#define ROLL_PAGE (COMMIT_PAGE + 2)
#define ROLL ((struct roll *)AT(OWN_ROLL_ENTRY))

static uint64_t spawned;    /* agents that were made; each has a partition of its own */

static const struct status *manager(void)
{
    return (const struct status *)AT(STATUS_ENTRY + MANAGER);
}

/* Tell the host of which agent there is a partition, and by which handle the manager names that. */
static void tell_spawned(uint64_t number, uint64_t p, uint64_t handle)
{
    say("spawned|");
    say_number(number);
    say("|");
    say_number(p);
    say("|");
    say_number(handle);
    say("\n");
    send();
}

/* Make an agent, and tell the manager of it. */
static void spawn(uint64_t number)
{
    uint64_t p = FIRST_AGENT + spawned, handle = WARD + spawned++;
    const struct lodging *home = create_agent(number, p);

    MUST(capability_grant(FATE_SLOT + number, RECEIVING, RIGHT_READ, partition(p), p));
    MUST(capability_grant(partition(p), handle, MANAGES, partition(MANAGER), 0));
    ROLL->entry[number] = (struct entry){home->badge, handle, p, home->table, home->letter};
    tell_spawned(number, p, handle);
}

/* Each message makes the agent fail once. */
static void prepare_fate(uint64_t number)
{
    MUST(edge_create(SLOT_SCHEDULER, FATES + number, FATE_SLOT + number, SCHEMA));
    for (uint64_t i = 0; i < AGENT[number].faults; i++)
        MUST(edge_send(FATE_SLOT + number, COMMIT_PAGE, 1, SCHEMA));
}

static void create_manager(void)
{
    create(MANAGER, MANAGER_IMAGE, TRUSTED, MANAGER_QUOTA);
    take_own(ROLL_PAGE, OWN_ROLL_ENTRY);
    MUST(page_share(SLOT_OWN, ROLL_PAGE, 1, partition(MANAGER)));
    MUST(share_map(partition(MANAGER), ROLL_PAGE, 1, PAGE_OF(MANAGER, TABLE_3_OF), ROLL_ENTRY));
}

/* What the manager destroyed is no more; root keeps nothing of it. Spawn the agent again, if it is to be. */
static void grant(uint64_t wish)
{
    uint64_t number = wish & ((1 << WISH_BITS) - 1);

    MUST(capability_delete(partition(ROLL->entry[number].partition)));
    if (AGENT[number].respawns)
        spawn(number);
    else
        MUST(edge_destroy(FATE_SLOT + number));
    ROLL->granted = AGENT[number].respawns;
    ROLL->answered = wish;
}

void main(void)
{
    patience = PATIENCE;
    take_console();
    take_own(COMMIT_PAGE, PROOF_ENTRY);
    create_auditor(AUDITOR_IMAGE);
    create_manager();
    prepare_housing();
    ROLL->count = AGENTS;
    for (uint64_t i = 0; i < AGENTS; i++) {
        prepare_fate(i);
        spawn(i);
    }
    run(MANAGER);
    while (!manager()->done) {
        if (manager()->wish != ROLL->answered)
            grant(manager()->wish);
        wait(ROUND);
    }
    say("root|done\n");
    send();
    MUST(partition_suspend(partition(MANAGER)));
    MUST(partition_suspend(SLOT_OWN));
}
