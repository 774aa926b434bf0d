/* What can an agent ask the librarian that it must not, and what comes of it? Some of it in words of its own. */
#include "learning.h"
#include "slip.h"

enum { FLOOD = 3 * MESSAGES_PER_EDGE };    /* some may be taken out meanwhile */

#define NOT_A_NUMBER 0x7fc00000u

static uint64_t bell, next = OWN_NUMBER;

/* Find the bit that it may set. Those of the others are refused. */
static void find_bell(void)
{
    for (bell = 1; notify(BELL, bell) != STATUS_OK; bell <<= 1)
        ;
}

/* ---- in its own words */

static void hear(struct reply *reply, struct about *about)
{
    while (recv(ANSWERS, (uint64_t *)reply, REPLY_WORDS, about) == STATUS_WOULD_BLOCK)
        ;
}

/* Ask with so many words, and tell the status of the answer to that. */
static void ask(const char *what, struct slip slip, uint32_t words)
{
    struct reply reply;
    struct about about;

    slip.number = ++next;
    send(STORE, (const uint64_t *)&slip, words, SCHEMA);
    notify(BELL, bell);
    hear(&reply, &about);
    tell(what, reply.number == (words > 0 ? next : 0) && about.length == REPLY_WORDS ? reply.status : ~0u);
}

static void ask_wrongly(void)
{
    const struct slip get = {.verb = SLIP_GET, .key = FIRST_KEY, .size = sizeof(vector)};
    struct slip slip = get;

    ask("no word: ", get, 0);
    ask("a word too few: ", get, SLIP_WORDS - 1);
    slip.verb = 0;
    ask("nothing: ", slip, SLIP_WORDS);
    slip.verb = SLIP_GET | SLIP_PUT;
    ask("both at once: ", slip, SLIP_WORDS);
    slip.verb = 1ull << 32 | SLIP_PUT;
    ask("a word that is no verb: ", slip, SLIP_WORDS);
    slip = get;
    slip.size++;
    ask("a byte too many: ", slip, SLIP_WORDS);
    slip.size = ~0ull;
    ask("as many bytes as there are numbers: ", slip, SLIP_WORDS);
    slip = get;
    slip.key = UNKNOWN_KEY;
    ask("a key that nobody knows: ", slip, SLIP_WORDS);
}

/* Send more than an edge holds, and ring only then. */
static void flood(void)
{
    struct slip slip = {.verb = SLIP_GET, .key = UNKNOWN_KEY, .size = sizeof(vector)};
    struct reply reply;
    struct about about;
    uint64_t taken[FLOOD], sent = 0, heard = 0;

    for (uint32_t n = 0; n < FLOOD; n++) {
        slip.number = ++next;
        if (send(STORE, (const uint64_t *)&slip, SLIP_WORDS, SCHEMA) == STATUS_OK)
            taken[sent++] = next;
    }
    notify(BELL, bell);
    for (uint64_t n = 0; n < sent; n++) {
        hear(&reply, &about);
        heard += reply.number == taken[n] && reply.status == STORE_ABSENT;
    }
    tell("as many taken at once as an edge holds, but not all: ", sent >= MESSAGES_PER_EDGE && sent < FLOOD);
    tell("taken, and not answered in order: ", sent - heard);
}

/* ---- as its guest asks */

static void get(const char *what, uint64_t store, uint64_t key, uint32_t size)
{
    uint64_t version;
    uint32_t status;

    while ((status = vector_get(store, key, vector, size, &version)) == STATUS_WOULD_BLOCK)
        ;
    tell(what, status);
}

static uint32_t put(uint64_t store, uint64_t key, uint64_t version, uint32_t size)
{
    uint32_t status;

    while ((status = vector_put(store, key, vector, size, &version)) == STATUS_WOULD_BLOCK)
        ;
    return status;
}

/* Put vectors of its own until the store is full. Others put none under new keys then. */
static void fill(void)
{
    uint64_t key = OWN_KEY;
    uint32_t status;

    while ((status = put(STORE, key, 0, sizeof(vector))) == STATUS_OK)
        key++;
    tell("vectors until the store is full: ", key - OWN_KEY);
    tell("one more: ", status);
    tell("one that was put before: ", put(STORE, OWN_KEY, ~0ull, sizeof(vector)));
}

uint32_t run(void)
{
    uint64_t version;

    find_bell();
    for (uint64_t key = FIRST_KEY; key <= LAST_KEY; key++)
        while (vector_get(STORE, key, vector, sizeof(vector), &version) != STATUS_OK)
            ;
    ask_wrongly();
    flood();
    get("get too much: ", STORE, FIRST_KEY, sizeof(vector) - 4);
    get("get from the console: ", CONSOLE, FIRST_KEY, sizeof(vector));
    get("get from nowhere: ", ~0ull, FIRST_KEY, sizeof(vector));
    write(OWN_KEY, 1);
    tell("put where answers come from: ", put(ANSWERS, OWN_KEY, 0, sizeof(vector)));
    tell("put what there is already: ", put(STORE, FIRST_KEY, 0, sizeof(vector)));
    tell("put after a version that nobody made: ", put(STORE, OWN_KEY, UNKNOWN_KEY, sizeof(vector)));
    ((uint32_t *)vector)[VECTOR_ELEMENTS - 1] = NOT_A_NUMBER;
    tell("put what is no number: ", put(STORE, UNKNOWN_KEY, 0, sizeof(vector)));
    write(OWN_KEY, 1);
    fill();
    return 0;
}
