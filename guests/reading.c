/* How does the guest of an agent ask for vectors? It asks the librarian, and waits for the answer, but not for long.
 *
 * One request is out at a time. Whoever asks the same again waits for its answer. Before anything else is asked that
 * answer has come, and is dropped: until then the elements of a put must stay as they are.
 */
#include "calls.h"
#include "slip.h"

enum { PATIENT = 1000, HASTY = 5 };     /* ms */

#define ELEMENTS AT(ENTRY_OF(ELEMENTS_OF))

static struct { uint64_t number, store; struct slip slip; bool is_out; } asked;

static volatile uint64_t *payload(void)
{
    return AT(ENTRY_OF(MESSAGE_OF)) + MESSAGE_PAYLOAD;
}

/* Is a request the one that is out, with the same elements if it is a put? */
static bool is_asked(const struct slip *slip, const uint8_t *bytes)
{
    bool same = asked.slip.verb == slip->verb && asked.slip.key == slip->key && asked.slip.version == slip->version &&
        asked.slip.size == slip->size;

    for (uint64_t n = 0; same && slip->verb == SLIP_PUT && n < slip->size; n++)
        same = ((const volatile uint8_t *)ELEMENTS)[n] == bytes[n];
    return same;
}

/* Send a request, and ring. Without pages for elements, an edge that takes it leads to somebody else. */
static bool ask(struct ended *ended, uint64_t store, const struct slip *slip, const uint8_t *bytes)
{
    static uint64_t bit;            /* that it may set: the badge of its bell */

    bit = bit != 0 ? bit : TRY(capability_inspect(BELL)).result[1];
    asked.number++;
    if (LETTER->reads && slip->verb == SLIP_PUT)
        copy_out(ELEMENTS, bytes, slip->size);
    copy_in((uint8_t *)&asked.slip, (const volatile uint64_t *)slip, sizeof(*slip));
    asked.slip.number = asked.number;
    copy_out(payload(), (const uint8_t *)&asked.slip, sizeof(*slip));
    asked.store = store;
    asked.is_out = allowed(ended, TRY(edge_send(store, LETTER->message_page, SLIP_WORDS, SCHEMA))) && LETTER->reads;
    if (ended->status != STATUS_OK)
        return false;
    return allowed(ended, TRY(notification_signal(BELL, bit)));
}

/* Hear the answer to what is out. Those to other requests come too late. */
static bool hear(struct ended *ended, struct reply *reply)
{
    uint64_t patience = (LETTER->hasty ? HASTY : PATIENT) * 1000000ull, end = nanoseconds() + patience;

    while (true) {
        if (allowed(ended, TRY(edge_receive(ANSWERS, LETTER->message_page)))) {
            copy_in((uint8_t *)reply, payload(), sizeof(*reply));
            asked.is_out = reply->number != asked.slip.number;
            if (!asked.is_out)
                return true;
        } else if (ended->status != STATUS_WOULD_BLOCK || nanoseconds() >= end ||
                   !allowed(ended, TRY(edge_await(ANSWERS, patience)))) {
            return false;
        }
    }
}

/* Ask, and hear; false if the kernel refused something, or if there is no answer yet. */
static bool answered(struct ended *ended, uint64_t store, const struct slip *slip, const uint8_t *bytes,
                     struct reply *reply)
{
    bool waits = asked.is_out && asked.store == store, again = waits && is_asked(slip, bytes);

    if (waits && !again && !hear(ended, reply))
        return false;
    return (again || ask(ended, store, slip, bytes)) && hear(ended, reply);
}

/* (store, key, bytes, size, version): the elements are in the pages of the guest meanwhile */
static trap_t perform(struct instance *i, const uint64_t *slot, struct ended *ended, uint64_t verb)
{
    struct slip slip = {.verb = verb, .key = slot[1], .size = (uint32_t)slot[3]};
    uint8_t *bytes = within(i, slot[2], slip.size), *version = within(i, slot[4], WORD);
    struct reply reply;

    if (bytes == 0 || version == 0 || slip.size > PAGE_SIZE)
        return TRAP_MEMORY_OUT_OF_BOUNDS;
    if (verb == SLIP_PUT)
        copy_in((uint8_t *)&slip.version, (const volatile uint64_t *)version, WORD);
    if (!answered(ended, slot[0], &slip, bytes, &reply))
        return TRAP_NONE;
    ended->answered = reply.status;
    if (reply.status == STATUS_OK && verb == SLIP_GET)
        copy_in(bytes, AT(ENTRY_OF(LENT_OF)), slip.size);
    if (reply.status == STATUS_OK)
        copy_in(version, &reply.version, WORD);
    return TRAP_NONE;
}

trap_t perform_vector_get(struct instance *i, const uint64_t *slot, struct ended *ended)
{
    return perform(i, slot, ended, SLIP_GET);
}

trap_t perform_vector_put(struct instance *i, const uint64_t *slot, struct ended *ended)
{
    return perform(i, slot, ended, SLIP_PUT);
}
