/* How does the VM answer the questions of a test? It takes modules, and calls to the last one; answers go out as words.
 *
 * A question is four numbers of 32 bits: what is asked, the size of what follows, the number of arguments, and the
 * distance to the next question. A module follows as its bytes. A call follows as the name of an export and, from the
 * next whole word on, its arguments.
 */
#include "instance.h"
#include "letter.h"

enum { MODULE, CALL, GET };                             /* what is asked */
enum { RETURNED, TRAPPED, REFUSED, UNSUITABLE };        /* the answer, with a number; RETURNED also has values */

struct question {
    uint32_t what, size, arguments, length;
};

static struct instance instance;
static uint64_t filled;

/* ---- answers */

static void send_answers(void)
{
    if (filled != 0)
        write_out(LETTER->message_page, filled, FORMAT_HEX);
    filled = 0;
}

static void put(uint64_t word)
{
    AT(ENTRY_OF(MESSAGE_OF))[filled++] = word;
    if (filled == PAGE_SIZE / sizeof(word))
        send_answers();
}

static void answer(uint64_t kind, uint64_t number)
{
    put(number << 32 | kind);
}

/* ---- questions */

/* Host functions here do nothing, and have no results. */
trap_t serve(struct instance *i)
{
    (void)i;
    return TRAP_NONE;
}

static void ask_module(const struct question *q)
{
    struct instance *i = &instance;
    trap_t trap;

    clear_room();
    *i = (struct instance){0};
    if (load(i, (const uint8_t *)(q + 1), q->size) != REFUSAL_NONE) {
        answer(REFUSED, i->module.refusal);
    } else if (!make(i)) {
        answer(UNSUITABLE, 0);
    } else {
        trap = begin(i);
        answer(trap == TRAP_NONE ? RETURNED : TRAPPED, trap);
    }
}

/* The export of this kind that a question names; null if there is none. */
static const struct export *named(const struct question *q, external_t kind)
{
    const struct module *m = &instance.module;

    for (uint32_t n = 0; n < m->counts.exports; n++)
        if (m->exports.at[n].kind == kind && is_text(m, &m->exports.at[n].name, (const char *)(q + 1), q->size))
            return &m->exports.at[n];
    return 0;
}

static void ask_call(const struct question *q)
{
    const uint64_t *arguments = (const uint64_t *)(q + 1) + (q->size + sizeof(uint64_t) - 1) / sizeof(uint64_t);
    const struct export *found = named(q, EXTERNAL_FUNCTION);
    const struct module *m = &instance.module;
    uint32_t results;
    trap_t trap;

    if (found == 0 || found->index < m->imported_functions) {
        answer(UNSUITABLE, 0);
        return;
    }
    results = m->types.at[m->functions.at[found->index].type].results.count;
    trap = enter(&instance, found->index, arguments, q->arguments);
    if (trap == TRAP_NONE && go_on(&instance) == OUTCOME_TRAPPED)
        trap = instance.machine.trap;
    answer(trap == TRAP_NONE ? RETURNED : TRAPPED, trap == TRAP_NONE ? results : trap);
    for (uint32_t n = 0; n < results && trap == TRAP_NONE; n++)
        put(instance.machine.stack.at[n]);
}

static void ask_global(const struct question *q)
{
    const struct export *found = named(q, EXTERNAL_GLOBAL);

    answer(found == 0 ? UNSUITABLE : RETURNED, found != 0);
    if (found != 0)
        put(instance.machine.globals.at[found->index].cell.at[0]);
}

void main(void)
{
    const struct question *q = (const struct question *)AT(MODULE_ENTRY);
    void (*const ask[])(const struct question *) = {[MODULE] = ask_module, [CALL] = ask_call, [GET] = ask_global};

    buffer_page = LETTER->buffer_page;
    for (uint64_t at = 0; at < LETTER->size;
         at += q->length, q = (const struct question *)((const uint8_t *)q + q->length))
        ask[q->what](q);
    send_answers();
    LETTER->done = 1;
}
