/* How does the root partition run agents? It makes and connects them, and waits until all are done. */
#include "library.h"

enum { PATIENCE = 500, ROUND = 200, AFTERWARDS = 3000 };     /* ms: as in agent.c, between looks, before an end */

static uint64_t began[AGENTS];
static bool over[AGENTS];

/* Agents that speak to each other start together, and children when their parent says so. */
static void create_agents(void)
{
    for (uint64_t i = 0; i < AGENTS; i++) {
        const struct lodging *home = create_agent(i, i, FIRST_AGENT + i);

        if (AGENT[i].may != 0)
            admit(i, home);
    }
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
    tell_number(what, p);
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

/* When only those agents go on that are to outlive the librarian, they look on for a while. Then it is killed. */
static void watch_librarian(void)
{
    static bool is_dead;
    bool ends = STORED != 0 && !is_dead;

    for (uint64_t i = 0; i < AGENTS; i++)
        ends &= over[i] || AGENT[i].outlives;
    if (!ends)
        return;
    wait(AFTERWARDS);
    end_guest(LIBRARIAN);
    is_dead = true;
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
    if (STORED != 0)
        open_library();
    prepare_housing();
    create_agents();
    tell("agents", AGENTS);
    while (!all_over()) {
        for (uint64_t i = 0; i < AGENTS; i++)
            watch(i);
        watch_librarian();
        wait(ROUND);
    }
    close_library();
    say("root|done\n");
    send();
    MUST(partition_suspend(SLOT_OWN));
}
