/* How does one end of a link reach the other machine? Sealed frames go through one stream, and come through another.
 *
 * What is sealed, sent again, opened and given out is decided by the link. A stream may lose and change whatever it
 * likes: each frame begins with a mark, at which who receives finds the next one.
 *
 * Before a session both ends show each other what they have booted, and a nonce, in hellos. An end sends its own until
 * a genuine frame comes: then the other end has heard it. Once it has heard a nonce, its hellos have that in them.
 */
#include "link/exchange.h"
#include "link/session.h"
#include "link.h"
#include "runtime.h"
#include "stream.h"

enum { UNITS = 2, MOST = UNIT - FRAME_AT, HELLO_SIZE = 0, NONCE_WORDS = 2 };
#define HELLO_PAUSE 100000000ull        /* ns between two hellos */
#define MINUTES (1ull << 36)
#define ALL_BYTES (1ull << 30)

_Static_assert(MOST >= MOST_FRAME, "a frame does not fit a unit");

/* What a session needs beside its buffers. All of it is in pages that a guest takes, so no image carries it. */
struct desk {
    struct session session;
    struct hello hello;
    uint8_t frame[MOST_FRAME], message[MOST_MESSAGE], unit[UNIT];
    uint64_t filled;            /* bytes of the unit that have come */
    uint64_t leased, greeted;   /* ns: when both streams were leased last, and when the last hello was sent */
    uint64_t begun, strangers;  /* ns: when the first hello was due; hellos that were not the other end's */
    bool met;                   /* has a hello come that answers this end's? */
    bool sending, asking;       /* is a request out? */
};

enum { BUFFER = WINDOW * MOST_MESSAGE, ENTRY = 256 };
enum { TO_SEND, RECEIVED, DESK_AT, BUFFERS_AT = DESK_AT + (sizeof(struct desk) + PAGE_SIZE - 1) / PAGE_SIZE };
enum { STREAM_PAGES = BUFFERS_AT + (2 * BUFFER + PAGE_SIZE - 1) / PAGE_SIZE };

_Static_assert(STREAM_PAGES <= PAGES_IN_REGION, "a session does not fit a region");

#define DESK ((struct desk *)AT(ENTRY + DESK_AT))
#define PAGE(what) (STREAM_REGION * PAGES_IN_REGION + (what))

struct session *const session = &DESK->session;
uint8_t *const message = DESK->message;

static struct beginning beginning = BEGINNING;
static const uint8_t MARK_OF[MARK_BYTES] = {0xf7, 'f', 'r', 'a', 'm', 'e', 0x00, 0xff};

/* ---- the beginning of a session */

/* A new number comes from root, with the streams: as badges, a word with each. */
static void take_nonce(void)
{
    static const uint64_t SLOT[NONCE_WORDS] = {OUTGOING, INCOMING};
    uint32_t *nonce = beginning.nonce + 8 * beginning.direction;

    for (uint64_t i = 0; i < NONCE_WORDS; i++) {
        uint64_t badge = TRY(capability_inspect(SLOT[i])).result[1];

        nonce[2 * i] = (uint32_t)badge;
        nonce[2 * i + 1] = (uint32_t)(badge >> 32);
    }
}

/* A hello came; the first one that answers this end's begins the session. Each that might be the other end's is
 * answered: one of an earlier session is forgotten as soon as the next one comes.
 */
static void meet(const volatile uint8_t *bytes)
{
    struct hello hello;
    answer_t answer;

    for (uint64_t i = 0; i < sizeof(hello); i++)
        ((uint8_t *)&hello)[i] = bytes[i];
    if (DESK->met)
        return;
    answer = exchange_meet(&beginning, &hello);
    if (!exchange_is_heard(answer)) {
        DESK->strangers++;
        return;
    }
    exchange_introduce(&DESK->hello, &beginning);
    DESK->met = answer == ANSWER_OK && session_begin(session, &beginning, nanoseconds()) == ANSWER_OK;
}

/* Has the other end not shown yet that it has heard the hello of this one? */
static bool is_unknown(void)
{
    return !DESK->met || session->link.after == 0;
}

/* ---- frames */

static uint8_t *put_mark(uint8_t *unit, uint64_t size)
{
    for (uint64_t i = 0; i < MARK_BYTES; i++)
        unit[i] = MARK_OF[i];
    unit[MARK_BYTES] = (uint8_t)size;
    unit[MARK_BYTES + 1] = (uint8_t)(size >> 8);
    return unit + FRAME_AT;
}

static void put_unit(uint8_t *unit, uint64_t size, const uint8_t *bytes, uint64_t count)
{
    uint8_t *place = put_mark(unit, size);

    for (uint64_t i = 0; i < count; i++)
        place[i] = bytes[i];
}

static bool greets(void)
{
    if (!is_unknown() || (DESK->greeted != 0 && nanoseconds() - DESK->greeted < HELLO_PAUSE))
        return false;
    DESK->greeted = nanoseconds();
    return true;
}

/* Copy the next frames that must be sent to the page, and a hello before them; return how many. */
static uint64_t gather(uint8_t *bytes)
{
    uint64_t units = 0;

    if (greets())
        put_unit(bytes + UNIT * units++, HELLO_SIZE, (const uint8_t *)&DESK->hello, sizeof(DESK->hello));
    while (DESK->met && units < UNITS && session_poll(session, nanoseconds()) == ANSWER_OK)
        put_unit(bytes + UNIT * units++, session->size, DESK->frame, session->size);
    return units;
}

static bool send_frames(void)
{
    uint64_t units;

    if (DESK->sending) {
        DESK->sending = TRY(device_complete(OUTGOING)).status != STATUS_OK;
        return !DESK->sending;
    }
    units = gather((uint8_t *)AT(ENTRY + TO_SEND));
    if (units != 0)
        DESK->sending = TRY(device_submit(OUTGOING, PAGE(TO_SEND), 0, units * UNIT, false, 0)).status == STATUS_OK;
    return units != 0;
}

static bool is_marked(void)
{
    for (uint64_t i = 0; i < MARK_BYTES && i < DESK->filled; i++)
        if (DESK->unit[i] != MARK_OF[i])
            return false;
    return true;
}

static void take_unit(uint64_t size, const uint8_t *bytes)
{
    if (size == HELLO_SIZE)
        meet(bytes);
    if (size == HELLO_SIZE || !DESK->met)
        return;
    session->size = size;
    for (uint64_t i = 0; i < MOST_FRAME; i++)
        DESK->frame[i] = bytes[i];
    session_arrive(session, nanoseconds());
}

/* Take one byte of the stream: what does not begin with the mark is left out. */
static void take_byte(uint8_t byte)
{
    uint8_t *unit = DESK->unit;

    unit[DESK->filled++] = byte;
    while (!is_marked()) {
        DESK->filled--;
        for (uint64_t i = 0; i < DESK->filled; i++)
            unit[i] = unit[i + 1];
    }
    if (DESK->filled != UNIT)
        return;
    DESK->filled = 0;
    take_unit(unit[MARK_BYTES] | (uint64_t)unit[MARK_BYTES + 1] << 8, unit + FRAME_AT);
}

static bool receive_frames(void)
{
    const volatile uint8_t *bytes = (const volatile uint8_t *)AT(ENTRY + RECEIVED);
    struct answer answer;

    if (!DESK->asking) {
        DESK->asking = TRY(device_submit(INCOMING, PAGE(RECEIVED), 0, PAGE_SIZE, true, 0)).status == STATUS_OK;
        return DESK->asking;
    }
    answer = TRY(device_complete(INCOMING));
    if (answer.status != STATUS_OK)
        return false;
    DESK->asking = false;
    for (uint64_t i = 0; i < answer.result[0]; i++)
        take_byte(bytes[i]);
    return true;
}

/* ---- the session */

/* Lease both streams, or renew that before it ends. */
static void lease(void)
{
    if (DESK->leased != 0 && nanoseconds() - DESK->leased < MINUTES / 4)
        return;
    TRY(device_lease(OUTGOING, MINUTES, ALL_BYTES));
    TRY(device_lease(INCOMING, MINUTES, ALL_BYTES));
    DESK->leased = nanoseconds();
}

void stream_prepare(void)
{
    for (uint64_t i = 0; i < STREAM_PAGES; i++)
        take_page_of(STREAM_SLOT, PAGE(i), ENTRY + i, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
}

/* Make everything ready. The session begins when the other end's hello has come. */
void stream_begin(void)
{
    uint8_t *buffers = (uint8_t *)AT(ENTRY + BUFFERS_AT);

    session->frame.bytes = (struct u8_slice){DESK->frame, sizeof(DESK->frame)};
    session->message = (struct u8_slice){DESK->message, sizeof(DESK->message)};
    session->outgoing = (struct u8_slice){buffers, BUFFER};
    session->incoming = (struct u8_slice){buffers + BUFFER, BUFFER};
    lease();
    take_nonce();
    exchange_introduce(&DESK->hello, &beginning);
    DESK->begun = nanoseconds();
}

/* Take the message for sending, unless too many are on the way, or the session has not begun. */
bool stream_submit(uint64_t size)
{
    session->size = size;
    return DESK->met && session_submit(session, nanoseconds()) == ANSWER_OK;
}

/* Give the next message out, if it has come. */
bool stream_take(uint64_t *size)
{
    bool is_there = DESK->met && session_give_out(session) == ANSWER_OK;

    *size = session->size;
    return is_there;
}

/* Do all that can be done now with frames; was there anything? */
bool stream_step(void)
{
    bool busy;

    lease();
    busy = send_frames();
    busy |= receive_frames();
    return busy;
}

bool stream_is_over(void)
{
    return stream_why_over() != ANSWER_OK;
}

/* Why it is over, 0 for not at all; how many hellos were not the other end's; and how much was kept out in all. */
uint64_t stream_why_over(void)
{
    if (!DESK->met)
        return nanoseconds() - DESK->begun < GIVE_UP ? ANSWER_OK : ANSWER_DEAD;
    return session->ended;
}

uint64_t stream_strangers(void)
{
    return DESK->strangers;
}

uint64_t stream_kept_out(void)
{
    return session->forged + session->replayed + session->refused + DESK->strangers;
}
