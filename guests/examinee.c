/* How does the VM answer the questions of a test? It takes modules, and calls to the last one; answers go out as words.
 *
 * A question is four numbers of 32 bits: what is asked, the size of what follows, the number of arguments, and the
 * distance to the next question. A module follows as its bytes. A call follows as the name of an export and, from the
 * next whole word on, its arguments.
 */
#include "letter.h"
#include "service.h"

enum { ASK_MODULE, ASK_CALL, ASK_GET };                 /* what is asked */
enum { RETURNED, TRAPPED, REFUSED, UNSUITABLE };        /* the answer, with a number; RETURNED also has values */

struct question {
    uint32_t what, size, arguments, length;
};

static struct loaded loaded;
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
bool serve(struct instance *i)
{
    (void)i;
    return true;
}

static void answer_outcome(outcome_t outcome, uint64_t number)
{
    if (outcome == OUTCOME_TRAPPED)
        answer(TRAPPED, instance.machine.trap);
    else
        answer(RETURNED, number);
}

static void ask_module(const struct question *q)
{
    struct arena arena = corollary_arena(ROOM, 0);
    struct instance *i = &instance;

    loaded = (struct loaded){0};
    *i = (struct instance){.loaded = &loaded, .serve = serve};
    if (corollary_take_in(&loaded, &arena, &CAPACITY, (const uint8_t *)(q + 1), q->size) != REFUSAL_NONE) {
        answer(REFUSED, loaded.module.refusal);
    } else if (!corollary_make_room(i, &arena, &arena, &BOUNDS)) {
        answer(UNSUITABLE, 0);
    } else {
        corollary_make(i, &BOUNDS);
        i->machine.budget = ~0ull;
        answer_outcome(corollary_begin(i), 0);
    }
}

/* The export of this kind that a question names; null if there is none. */
static const struct export *named(const struct question *q, external_t kind)
{
    return corollary_find(&loaded.module, kind, (const char *)(q + 1), q->size);
}

static void ask_call(const struct question *q)
{
    const uint64_t *arguments = (const uint64_t *)(q + 1) + (q->size + sizeof(uint64_t) - 1) / sizeof(uint64_t);
    const struct export *found = named(q, EXTERNAL_FUNCTION);
    const struct module *m = &loaded.module;
    outcome_t outcome;
    uint32_t results;

    if (found == 0 || found->index < m->imported_functions) {
        answer(UNSUITABLE, 0);
        return;
    }
    results = corollary_type_of(m, found->index)->results.count;
    outcome = corollary_perform(&instance, found->index, arguments, q->arguments);
    answer_outcome(outcome, results);
    for (uint32_t n = 0; n < results && outcome != OUTCOME_TRAPPED; n++)
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
    void (*const ask[])(const struct question *) = {
        [ASK_MODULE] = ask_module,
        [ASK_CALL] = ask_call,
        [ASK_GET] = ask_global,
    };

    buffer_page = LETTER->buffer_page;
    for (uint64_t at = 0; at < LETTER->size;
         at += q->length, q = (const struct question *)((const uint8_t *)q + q->length))
        ask[q->what](q);
    send_answers();
    LETTER->done = 1;
}
