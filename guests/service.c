/* How do an agent's imports reach the kernel? Each function is one hypercall, and its status is returned unchanged.
 *
 * Every line about an agent to the host begins with a word that no agent can put there.
 */
#include "letter.h"
#include "service.h"

enum { LINE = 96, WORD = sizeof(uint64_t), I32 = VALUE_TYPE_I32, I64 = VALUE_TYPE_I64 };
enum { LENGTH, BADGE, SEQUENCE, ABOUT_WORDS };     /* the words that `recv` gives about a message */

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

/* Tell the host about a refused call, and which record of this partition shows it. If a call would block, give way. */
static uint64_t judged(const char *what, struct answer answer)
{
    if (answer.status == STATUS_WOULD_BLOCK) {
        give_way();
    } else if (answer.status != STATUS_OK) {
        say("denied|");
        say(what);
        say("|");
        say_number(answer.status);
        say("|");
        say_number(status.calls);
        say("\n");
    }
    return answer.status;
}

/* send(handle, words, count, schema) */
static trap_t perform_send(struct instance *i, const uint64_t *slot, uint64_t *result)
{
    uint32_t count = (uint32_t)slot[2];
    const uint8_t *words = within(i, slot[1], WORD * (uint64_t)count);
    volatile uint64_t *page = AT(ENTRY_OF(MESSAGE_OF));

    if (words == 0)
        return TRAP_MEMORY_OUT_OF_BOUNDS;
    if (count <= PAGE_SIZE / WORD - MESSAGE_PAYLOAD)
        copy_out(page + MESSAGE_PAYLOAD, words, count);
    *result = judged("send", TRY(edge_send(slot[0], LETTER->message_page, count, slot[3])));
    return TRAP_NONE;
}

/* recv(handle, words, room, about): as many words as there is room for */
static trap_t perform_recv(struct instance *i, const uint64_t *slot, uint64_t *result)
{
    uint32_t room = (uint32_t)slot[2];
    uint8_t *words = within(i, slot[1], WORD * (uint64_t)room), *about = within(i, slot[3], WORD * ABOUT_WORDS);
    volatile uint64_t *page = AT(ENTRY_OF(MESSAGE_OF));
    struct answer answer;

    if (words == 0 || about == 0)
        return TRAP_MEMORY_OUT_OF_BOUNDS;
    answer = TRY(edge_receive(slot[0], LETTER->message_page));
    if (answer.status == STATUS_OK) {
        copy_in(words, page + MESSAGE_PAYLOAD, answer.result[LENGTH] < room ? answer.result[LENGTH] : room);
        copy_in(about, answer.result, ABOUT_WORDS);
    }
    *result = judged("recv", answer);
    return TRAP_NONE;
}

/* notify(handle, bits) */
static trap_t perform_notify(struct instance *i, const uint64_t *slot, uint64_t *result)
{
    (void)i;
    *result = judged("notify", TRY(notification_signal(slot[0], slot[1])));
    return TRAP_NONE;
}

/* wait(handle, bits): the bits that were set */
static trap_t perform_wait(struct instance *i, const uint64_t *slot, uint64_t *result)
{
    uint8_t *bits = within(i, slot[1], WORD);
    struct answer answer;

    if (bits == 0)
        return TRAP_MEMORY_OUT_OF_BOUNDS;
    answer = TRY(notification_wait(slot[0]));
    if (answer.status == STATUS_OK)
        copy_in(bits, answer.result, 1);
    *result = judged("wait", answer);
    return TRAP_NONE;
}

/* yield_now() */
static trap_t perform_yield_now(struct instance *i, const uint64_t *slot, uint64_t *result)
{
    (void)i;
    (void)slot;
    *result = judged("yield_now", TRY(yield_now()));
    return TRAP_NONE;
}

/* print(text, size): a line on the console for each line of the text; longer ones are split */
static trap_t perform_print(struct instance *i, const uint64_t *slot, uint64_t *result)
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
    *result = send();
    return TRAP_NONE;
}

/* ---- the table of services */

#define ENDS 0

static const struct service {
    const char *name;
    uint64_t size;
    uint8_t parameters[5], results[2];
    trap_t (*perform)(struct instance *i, const uint64_t *slot, uint64_t *result);
} SERVICE[] = {
    {TEXT("send"), {I64, I32, I32, I64, ENDS}, {I32, ENDS}, perform_send},
    {TEXT("recv"), {I64, I32, I32, I32, ENDS}, {I32, ENDS}, perform_recv},
    {TEXT("notify"), {I64, I64, ENDS}, {I32, ENDS}, perform_notify},
    {TEXT("wait"), {I64, I32, ENDS}, {I32, ENDS}, perform_wait},
    {TEXT("yield_now"), {ENDS}, {I32, ENDS}, perform_yield_now},
    {TEXT("print"), {I32, I32, ENDS}, {I32, ENDS}, perform_print},
};

enum { SERVICES = sizeof(SERVICE) / sizeof(SERVICE[0]) };

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

        if (wanted->kind != EXTERNAL_FUNCTION || !corollary_is_text(m, &wanted->module, TEXT("corollary")))
            return false;
        while (found < SERVICES && !offers(m, wanted, &SERVICE[found]))
            found++;
        if (found == SERVICES)
            return false;
        i->services.at[wanted->index] = found;
    }
    return true;
}

/* Serve a host call. Its arguments stay unchanged, because they are part of a snapshot. */
bool serve(struct instance *i)
{
    struct machine *vm = &i->machine;
    uint64_t *result = vm->stack.at + entry_result_slot(vm, 1);
    trap_t trap = TRAP_INDIRECT_CALL_TYPE;

    if (!vm->foreign && vm->callee < i->services.length)
        trap = SERVICE[i->services.at[vm->callee]].perform(i, vm->stack.at + vm->arguments, result);
    return trap == TRAP_NONE || corollary_trapped(i, trap) != OUTCOME_TRAPPED;
}
