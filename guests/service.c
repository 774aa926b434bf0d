/* How do an agent's imports reach the kernel? Each function is one hypercall, and its status is returned unchanged.
 *
 * Every line about an agent to the host begins with a word that no agent can put there.
 */
#include "letter.h"
#include "service.h"
#include "services.h"

enum { LINE = 96, WORD = sizeof(uint64_t) };

/* ---- the memory of the agent */

static uint8_t *within(const struct instance *i, uint64_t at, uint64_t count)
{
    return corollary_within(i, (uint32_t)at, count);
}

static void copy_out(volatile uint64_t *target, const uint8_t *source, uint64_t words)
{
    for (uint64_t n = 0; n < WORD * words; n++)
        ((volatile uint8_t *)target)[n] = source[n];
}

static void copy_in(uint8_t *target, const volatile uint64_t *source, uint64_t words)
{
    for (uint64_t n = 0; n < WORD * words; n++)
        target[n] = ((const volatile uint8_t *)source)[n];
}

/* ---- the calls */

/* Take the answer of the kernel to a call; return whether it was allowed. */
static bool allowed(struct ended *ended, struct answer answer)
{
    *ended = (struct ended){.status = answer.status, .record = status.calls};
    return answer.status == STATUS_OK;
}

/* send(handle, words, count, schema) */
static trap_t perform_send(struct instance *i, const uint64_t *slot, struct ended *ended)
{
    uint32_t count = (uint32_t)slot[2];
    const uint8_t *words = within(i, slot[1], WORD * (uint64_t)count);
    volatile uint64_t *page = AT(ENTRY_OF(MESSAGE_OF));

    if (words == 0)
        return TRAP_MEMORY_OUT_OF_BOUNDS;
    if (count <= PAGE_SIZE / WORD - MESSAGE_PAYLOAD)
        copy_out(page + MESSAGE_PAYLOAD, words, count);
    allowed(ended, TRY(edge_send(slot[0], LETTER->message_page, count, slot[3])));
    return TRAP_NONE;
}

/* recv(handle, words, room, about): as many words as there is room for */
static trap_t perform_recv(struct instance *i, const uint64_t *slot, struct ended *ended)
{
    uint32_t room = (uint32_t)slot[2];
    uint8_t *words = within(i, slot[1], WORD * (uint64_t)room), *about = within(i, slot[3], WORD * ABOUT_WORDS);
    volatile uint64_t *page = AT(ENTRY_OF(MESSAGE_OF));
    struct answer answer;

    if (words == 0 || about == 0)
        return TRAP_MEMORY_OUT_OF_BOUNDS;
    answer = TRY(edge_receive(slot[0], LETTER->message_page));
    if (allowed(ended, answer)) {
        copy_in(words, page + MESSAGE_PAYLOAD, answer.result[ABOUT_LENGTH] < room ? answer.result[ABOUT_LENGTH] : room);
        copy_in(about, answer.result, ABOUT_WORDS);
    }
    return TRAP_NONE;
}

/* notify(handle, bits) */
static trap_t perform_notify(struct instance *i, const uint64_t *slot, struct ended *ended)
{
    (void)i;
    allowed(ended, TRY(notification_signal(slot[0], slot[1])));
    return TRAP_NONE;
}

/* wait(handle, bits): the bits that were set */
static trap_t perform_wait(struct instance *i, const uint64_t *slot, struct ended *ended)
{
    uint8_t *bits = within(i, slot[1], WORD);
    struct answer answer;

    if (bits == 0)
        return TRAP_MEMORY_OUT_OF_BOUNDS;
    answer = TRY(notification_wait(slot[0]));
    if (allowed(ended, answer))
        copy_in(bits, answer.result, 1);
    return TRAP_NONE;
}

/* yield_now() */
static trap_t perform_yield_now(struct instance *i, const uint64_t *slot, struct ended *ended)
{
    (void)i;
    (void)slot;
    allowed(ended, TRY(yield_now()));
    return TRAP_NONE;
}

/* print(text, size): a line on the console for each line of the text; longer ones are split */
static trap_t perform_print(struct instance *i, const uint64_t *slot, struct ended *ended)
{
    const uint8_t *text = within(i, slot[0], (uint32_t)slot[1]);
    uint32_t size = (uint32_t)slot[1], used = 0;
    char line[LINE + 1];

    if (text == 0)
        return TRAP_MEMORY_OUT_OF_BOUNDS;
    for (uint32_t n = 0; n < size; n++) {
        if (text[n] != '\n' && text[n] != 0)
            line[used++] = (char)text[n];
        if (used == 0 || (used < LINE && text[n] != '\n' && n + 1 < size))
            continue;
        line[used] = 0;
        say("said|");
        say(line);
        say("\n");
        used = 0;
    }
    ended->status = send();
    ended->record = status.calls;
    return TRAP_NONE;
}

/* ---- the table of services */

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

/* Tell the host about a refused call. If a call would block, give way. */
static uint64_t judged(const char *name, struct ended ended)
{
    if (ended.status == STATUS_WOULD_BLOCK) {
        give_way();
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
    struct ended ended;

    if (!vm->foreign && vm->callee < i->services.length) {
        const struct service *called = &SERVICE[i->services.at[vm->callee]];

        trap = called->perform(i, vm->stack.at + vm->arguments, &ended);
        if (trap == TRAP_NONE)
            *result = judged(called->name, ended);
    }
    return trap == TRAP_NONE || corollary_trapped(i, trap) != OUTCOME_TRAPPED;
}
