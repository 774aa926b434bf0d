/* How does an agent run in a partition? The VM loads its module and calls `run`, and the host is told how it ended. */
#include "instance.h"
#include "letter.h"
#include "kept.h"

#define MODULE ((const uint8_t *)AT(MODULE_ENTRY))
#define PAGES(size) (((size) + PAGE_SIZE - 1) / PAGE_SIZE)

enum { PATIENCE = 20 };     /* ms until a spent allowance is back: an epoch is shorter; the auditor looks as often */

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
    for (uint32_t n = 0; n < m->counts.exports; n++) {
        const struct export *offered = &m->exports.at[n];

        *index = offered->index;
        if (offered->kind == EXTERNAL_FUNCTION && *index >= m->imported_functions
            && is_text(m, &offered->name, TEXT("run")))
            return true;
    }
    return false;
}

/* Prepare a module for its first step, or tell the host why that fails. */
static bool prepare(struct instance *i, uint32_t *index)
{
    const struct module *m = &i->module;

    if (load(i, MODULE, LETTER->size) != REFUSAL_NONE)
        tell("refused", m->refusal, m->offset);
    else if (!link(i, index))
        tell("unlinkable", *index, 0);
    else if (!make(i) || !find_run(m, index))
        tell("unsuitable", room_is_short(), 0);
    else
        return true;
    return false;
}

/* Run to the end, or until the fuel is spent. */
static trap_t proceed(struct instance *i)
{
    i->machine.budget = LETTER->fuel ? LETTER->fuel : ~0ull;
    return go_on(i) == OUTCOME_TRAPPED ? i->machine.trap : TRAP_NONE;
}

static trap_t begin_and_run(struct instance *i, uint32_t index)
{
    trap_t trap = begin(i);

    if (trap == TRAP_NONE)
        trap = enter(i, index, 0, 0);
    return trap != TRAP_NONE ? trap : proceed(i);
}

/* Continue from a snapshot: first answer a call that waited for the host. If no call was running, begin one. */
static trap_t go_on_with_snapshot(struct instance *i, uint32_t index)
{
    trap_t trap = TRAP_NONE;

    if (i->machine.outcome == OUTCOME_HOST_CALL)
        trap = serve(i);
    if (i->machine.outcome == OUTCOME_RETURNED)
        trap = enter(i, index, 0, 0);
    return trap != TRAP_NONE ? trap : proceed(i);
}

static void live(struct instance *i)
{
    uint8_t reason = TAKEN;
    uint32_t index;
    trap_t trap;

    if (!prepare(i, &index))
        return;
    if (LETTER->kept != 0)
        reason = restore(i, MODULE + PAGES(LETTER->size) * PAGE_SIZE, LETTER->kept);
    if (reason != TAKEN) {
        tell("foreign", reason, 0);
        return;
    }
    trap = LETTER->kept != 0 ? go_on_with_snapshot(i, index) : begin_and_run(i, index);
    if (trap != TRAP_NONE)
        tell("trapped", trap, 0);
    else if (i->machine.outcome == OUTCOME_SUSPENDED)
        tell("suspended", keep(i), 0);
    else
        tell("returned", i->machine.stack.at[0], 0);
}

void main(void)
{
    buffer_page = LETTER->buffer_page;
    patience = PATIENCE;
    live(&instance);
    send();
    LETTER->done = 1;
}
