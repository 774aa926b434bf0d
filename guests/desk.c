/* How does the librarian reach those who ask? Each has an edge to it, one back, and pages; one bell is rung for all. */
#include "desk.h"
#include "runtime.h"

enum { PAPER_OF = EXCHANGE_OF, ANSWER_OF = SPARE_OF, STATE_OF = ANSWER_OF + READERS };  /* pages; root knows one */
enum { TAKEN_ENTRY = 192 };                 /* pages of those who ask, by their number */
enum { PATIENCE = 1000 };                   /* ms */

static uint64_t rung, turn;                 /* readers as bits who may have asked, and who was looked at last */

/* Its pages fill more than a region. */
static void take(uint64_t what)
{
    take_page_of(what < PAGES_IN_REGION ? REGION : MORE_REGION, PAGE_OF(LIBRARIAN, what), ENTRY_OF(what),
                 PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
}

void *desk_open(uint64_t size)
{
    take_page(BUFFER_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    take(PAPER_OF);
    for (uint64_t reader = 0; reader < READERS; reader++)
        take(ANSWER_OF + reader);
    for (uint64_t at = 0; at < size; at += PAGE_SIZE)
        take(STATE_OF + at / PAGE_SIZE);
    return (void *)AT(ENTRY_OF(STATE_OF));
}

void desk_is_open(uint64_t state)
{
    say("open|");
    say_number(state);
    say("\n");
    send();
    status.wish = 1;
}

/* ---- what is asked */

/* Copy a request, so that it stays as it is checked. Words that were not sent are zero. */
static bool receive(struct request *request)
{
    struct answer answer = TRY(edge_receive(ASKED + turn, PAGE_OF(LIBRARIAN, PAPER_OF)));
    volatile uint64_t *word = AT(ENTRY_OF(PAPER_OF)) + MESSAGE_PAYLOAD;

    if (answer.status != STATUS_OK)
        return false;
    request->words = answer.result[0];
    request->badge = answer.result[1];
    for (uint64_t i = 0; i < SLIP_WORDS; i++)
        ((uint64_t *)&request->slip)[i] = word[i];
    return true;
}

/* Look at those who have rung, one after the other. */
static bool look(struct request *request)
{
    for (uint64_t n = 0; n < READERS; n++) {
        turn = (turn + 1) % READERS;
        if ((rung >> turn & 1) != 0 && receive(request))
            return true;
        rung &= ~(1ull << turn);
    }
    return false;
}

uint64_t desk_hear(struct request *request)
{
    while (!look(request)) {
        struct answer bell;

        TRY(notification_await(RUNG, PATIENCE * 1000000ull));
        bell = TRY(notification_wait(RUNG));
        rung = bell.status == STATUS_OK ? bell.result[0] : 0;
    }
    if (request->words != SLIP_WORDS || (request->slip.verb != SLIP_GET && request->slip.verb != SLIP_PUT))
        return STATUS_BAD_ARGUMENT;
    return (request->badge & request->slip.verb) != 0 ? STATUS_OK : STATUS_INSUFFICIENT_RIGHTS;
}

/* ---- elements */

static void copy(volatile uint64_t *target, const volatile uint64_t *source)
{
    for (uint64_t i = 0; i < PAGE_SIZE / sizeof(uint64_t); i++)
        target[i] = source[i];
}

/* The kernel is asked each time: if the page is still shared, the entry is in use by it, or gets it now. */
uint64_t desk_take(const struct request *request, uint32_t *elements)
{
    uint64_t entry = TAKEN_ENTRY + READER_OF(request->badge);
    struct answer mapped = TRY(share_map(OWN, ELEMENTS_PAGE_OF(request->badge), LOAN, PAGE_OF(LIBRARIAN, TABLE_3_OF),
                                         entry));

    if (mapped.status != STATUS_OK && mapped.status != STATUS_ENTRY_IN_USE)
        return mapped.status;
    copy((volatile uint64_t *)elements, AT(entry));
    return STATUS_OK;
}

void desk_lend(const struct request *request, const uint32_t *elements)
{
    copy(AT(ENTRY_OF(ANSWER_OF + READER_OF(request->badge))), (const volatile uint64_t *)elements);
}

/* ---- what is answered */

static void tell(uint64_t number)
{
    say("|");
    say_number(number);
}

static void report(const struct request *request, const struct reply *reply, const uint32_t *elements)
{
    uint32_t digest[8] = {0};

    if (reply->status == STATUS_OK)
        hash_words(digest, (const volatile uint64_t *)elements, VECTOR_BYTES / sizeof(uint64_t));
    say("served");
    tell(request->badge & ((1 << (SLIP_BITS + READER_BITS)) - 1));
    tell(request->words);
    for (uint64_t i = 0; i < SLIP_WORDS; i++)
        tell(((const uint64_t *)&request->slip)[i]);
    tell(reply->status);
    tell(reply->version);
    tell((uint64_t)digest[0] << 32 | digest[1]);
    say("\n");
    send();
}

/* Nobody is waited for: an answer for which there is no room is lost. */
void desk_answer(const struct request *request, const struct reply *reply, const uint32_t *elements)
{
    volatile uint64_t *word = AT(ENTRY_OF(PAPER_OF)) + MESSAGE_PAYLOAD;

    report(request, reply, elements);
    for (uint64_t i = 0; i < REPLY_WORDS; i++)
        word[i] = ((const uint64_t *)reply)[i];
    TRY(edge_send(ANSWERING + READER_OF(request->badge), PAGE_OF(LIBRARIAN, PAPER_OF), REPLY_WORDS, SCHEMA));
}
