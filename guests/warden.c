/* How does the root partition run agents? It makes and connects them, and waits until all are done. */
#include "housing.h"

enum { PATIENCE = 500, ROUND = 200 };   /* ms: as in agent.c, and between two looks */

static uint64_t began[AGENTS];
static bool over[AGENTS];

/* Agents that speak to each other start together, and children when their parent says so. */
static void create_agents(void)
{
    for (uint64_t i = 0; i < AGENTS; i++)
        create_agent(i, i, FIRST_AGENT + i);
    for (uint64_t i = 0; i < AGENTS; i++)
        endow(i);
    for (uint64_t i = 0; i < AGENTS; i++) {
        began[i] = nanoseconds();
        if (!is_child(i))
            run(FIRST_AGENT + i);
    }
}

/* ---- watching */

static void tell(const char *what, uint64_t p)
{
    say(what);
    say("|");
    say_number(p);
    say("\n");
    send();
}

/* Stop an agent that is done, or whose time is up, unless the kernel has stopped it already. */
static void watch(uint64_t number)
{
    uint64_t p = FIRST_AGENT + number;
    bool done = letter_of(p)->done, late = nanoseconds() - began[number] > AGENT[number].milliseconds * 1000000ull;

    if (over[number] || (!done && !late))
        return;
    over[number] = true;
    tell(TRY(partition_suspend(partition(p))).status != STATUS_OK ? "contained" : done ? "done" : "overdue", p);
}

static bool all_over(void)
{
    bool all = true;

    for (uint64_t i = 0; i < AGENTS; i++)
        all &= over[i];
    return all;
}

void main(void)
{
    patience = PATIENCE;
    take_console();
    take_own(COMMIT_PAGE, PROOF_ENTRY);
    create_auditor(AUDITOR_IMAGE);
    prepare_housing();
    create_agents();
    tell("agents", AGENTS);
    while (!all_over()) {
        for (uint64_t i = 0; i < AGENTS; i++)
            watch(i);
        wait(ROUND);
    }
    say("root|done\n");
    send();
    MUST(partition_suspend(SLOT_OWN));
}
