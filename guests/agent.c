/* How does an agent run in a partition? The VM loads its module and calls `run`, and the host is told how it ended. */
#include "large.h"
#include "letter.h"
#include "saved.h"
#include "service.h"

enum { PATIENCE = 20 };     /* ms until a spent allowance is back: an epoch is shorter; the auditor looks as often */

static struct loaded loaded;
static struct instance instance;

static void tell(const char *how, uint64_t first, uint64_t second)
{
    say("agent|");
    say(how);
    say("|");
    say_number(first);
    say("|");
    say_number(second);
    say("\n");
}

/* The index of the function `run` that the module defines. */
static bool find_run(const struct module *m, uint32_t *index)
{
    const struct export *found = corollary_find(m, EXTERNAL_FUNCTION, TEXT("run"));

    *index = found != 0 ? found->index : 0;
    return found != 0 && *index >= m->imported_functions;
}

/* Prepare a module for its first step, or tell the host why that fails. */
static bool prepare(struct instance *i, uint32_t *index)
{
    const struct module *m = &loaded.module;
    struct arena arena = corollary_arena(ROOM, 0), large = corollary_arena(LARGE, LARGE_SIZE, LARGE_SIZE);
    refusal_t refusal = corollary_take_in(&loaded, &arena, &CAPACITY, MODULE, LETTER->size);
    bool fits;

    i->loaded = &loaded;
    i->serve = serve;
    if (refusal != REFUSAL_NONE) {
        tell("refused", refusal, m->offset);
        return false;
    }
    fits = corollary_make_room(i, &arena, LETTER->large ? &large : &arena, &BOUNDS);
    if (fits && !link(i, index)) {
        tell("unlinkable", *index, 0);
        return false;
    }
    if (!fits || !find_run(m, index)) {
        tell("unsuitable", !fits, 0);
        return false;
    }
    corollary_make(i, &BOUNDS);
    return true;
}

/* A new life begins with zeros, whatever an earlier one left. */
static void clear_large(void)
{
    for (uint64_t at = 0; at < LARGE_SIZE; at += sizeof(uint64_t))
        *(volatile uint64_t *)(LARGE + at) = 0;
}

/* Run the start function, which spends no fuel, and then `run`. */
static outcome_t begin_and_run(struct instance *i, uint32_t index)
{
    if (LETTER->large)
        clear_large();
    i->machine.budget = ~0ull;
    if (corollary_begin(i) == OUTCOME_TRAPPED)
        return OUTCOME_TRAPPED;
    i->machine.budget = fuel();
    return corollary_perform(i, index, 0, 0);
}

/* Continue from a snapshot: first answer a call that waited for the host. If no call was running, begin one. */
static outcome_t go_on_with_snapshot(struct instance *i, uint32_t index)
{
    i->machine.budget = fuel();
    if (i->machine.outcome == OUTCOME_RETURNED)
        return corollary_perform(i, index, 0, 0);
    if (i->machine.outcome == OUTCOME_HOST_CALL && !wake(i) && !i->serve(i))
        return i->machine.outcome;
    return corollary_go_on(i);
}

/* Run the agent to its end, or until it waits for the host. A guest that starts again finds what it left. */
static outcome_t live(struct instance *i)
{
    struct start start;
    uint8_t reason = TAKEN;
    uint32_t index;
    outcome_t outcome;

    begin_to_obey();
    *i = (struct instance){0};
    loaded = (struct loaded){0};
    if (!prepare(i, &index))
        return OUTCOME_TRAPPED;
    start = start_of_life();
    if (start.size != 0)
        reason = restore(i, start.snapshot, start.size);
    if (reason != TAKEN) {
        tell("foreign", reason, 0);
        return OUTCOME_TRAPPED;
    }
    begin_life();
    outcome = start.size != 0 ? go_on_with_snapshot(i, index) : begin_and_run(i, index);
    outcome = go_on_by_order(i, outcome);
    if (outcome == OUTCOME_TRAPPED)
        tell("trapped", i->machine.trap, 0);
    else if (outcome == OUTCOME_HOST_CALL)
        tell("hibernated", keep(i), 0);
    else if (outcome == OUTCOME_SUSPENDED)
        tell("suspended", keep(i), 0);
    else
        tell("returned", i->machine.stack.at[0], 0);
    return outcome;
}

enum { BADGES = 16 };       /* of a row that are looked for */

/* Speak as the agent. Of a child, root knows the row alone: each attempt of its parent there made another badge. */
static void speak(void)
{
    if (LETTER->managed && ORDER->badge != 0)
        LETTER->badge = ORDER->badge;
    while (TRY(agent_speak(LETTER->badge)).status == STATUS_STALE_HANDLE && LETTER->badge >> BADGE_ROW_BITS < BADGES)
        LETTER->badge += 1ull << BADGE_ROW_BITS;
}

void main(void)
{
    outcome_t outcome;

    buffer_page = LETTER->buffer_page;
    console = LETTER->console;
    patience = PATIENCE;
    speak();
    outcome = live(&instance);
    send();
    end_life(outcome);
}
