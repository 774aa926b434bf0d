/* How do an agent's imports reach the kernel, and how is it told?
 *
 * Every line about an agent to the host begins with a word that no agent can put there.
 */
#include "letter.h"
#include "service.h"
#include "services.h"

static bool offers(const struct module *m, const struct import *wanted, const struct service *service)
{
    const struct function_type *type = corollary_type_of(m, wanted->index);

    return corollary_is_text(m, &wanted->name, service->name, service->size) &&
        corollary_has_types(m, &type->parameters, service->parameters) &&
        corollary_has_types(m, &type->results, service->results);
}

/* Find what the module imports; false, with the number of the import, if one is not there. */
bool link(struct instance *i, uint32_t *missing)
{
    const struct module *m = &i->loaded->module;

    for (*missing = 0; *missing < m->counts.imports; ++*missing) {
        const struct import *wanted = &m->imports.at[*missing];
        uint32_t found = 0;

        if (wanted->kind != EXTERNAL_FUNCTION || !corollary_is_text(m, &wanted->module, AGENTS_IMPORT_FROM))
            return false;
        while (found < SERVICES && !offers(m, wanted, &SERVICE[found]))
            found++;
        if (found == SERVICES)
            return false;
        i->services.at[wanted->index] = found;
    }
    return true;
}

static const struct service *called_by(const struct instance *i)
{
    return &SERVICE[i->services.at[i->machine.callee]];
}

enum { CALM = 5 };  /* ms until the next attempt: each leaves a record, and who only waits must not fill the log */

static bool is_violation(uint64_t status)
{
    return status == STATUS_RATE_LIMITED || status == STATUS_SPAWN_LIMIT;
}

/* Tell the host about a refused call, and the manager if that is for a quota. If a call would block, wait a little. */
static uint64_t judged(const char *name, struct ended ended)
{
    LETTER->report.violations += is_violation(ended.status);
    if (ended.status == STATUS_WOULD_BLOCK) {
        wait(CALM);
    } else if (ended.status != STATUS_OK) {
        say("denied|");
        say(name);
        say("|");
        say_number(ended.status);
        say("|");
        say_number(ended.record);
        say("\n");
    }
    return ended.status;
}

/* Serve a host call. Its arguments stay unchanged, because they are part of a snapshot. */
bool serve(struct instance *i)
{
    struct machine *vm = &i->machine;
    uint64_t *result = vm->stack.at + entry_result_slot(vm, 1);
    trap_t trap = TRAP_INDIRECT_CALL_TYPE;
    struct ended ended = {0};

    if (!vm->foreign && vm->callee < i->services.length)
        trap = called_by(i)->perform(i, vm->stack.at + vm->arguments, &ended);
    if (trap != TRAP_NONE)
        return corollary_trapped(i, trap) != OUTCOME_TRAPPED;
    if (ended.status == STATUS_WOULD_BLOCK)
        end_slice(i);
    if (!ended.sleeps)
        *result = judged(called_by(i)->name, ended) + ended.answered;
    return !ended.sleeps;
}

/* Answer the call of an agent that hibernated: it is awake again. False if it waits for something else. */
bool wake(struct instance *i)
{
    struct machine *vm = &i->machine;
    bool slept = !vm->foreign && vm->callee < i->services.length && called_by(i)->perform == perform_hibernate;

    if (slept)
        vm->stack.at[entry_result_slot(vm, 1)] = STATUS_OK;
    return slept;
}
