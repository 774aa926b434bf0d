/* How does one end of a link reach the other machine? Sealed frames go through one stream, and come through another.
 *
 * What is sealed, sent again, opened and given out is decided by the link, whose machine code is proved. A stream may
 * lose and change whatever it likes: each frame begins with a mark, at which who receives finds the next one.
 */
#include "link/session.h"
#include "link.h"
#include "peer.h"

enum { SECTOR = 512, UNIT = 3 * SECTOR, UNITS = 2, MARK = 8, FRAME_AT = MARK + 2, MOST = UNIT - FRAME_AT };
enum { BUFFER_PAGES = (2 * WINDOW * MOST_MESSAGE + PAGE_SIZE - 1) / PAGE_SIZE };
enum { PAUSE = 200000, LATER = 1000 };      /* ns between two looks; ms for the other end to learn that all came */
#define MINUTES (1ull << 36)
#define ALL_BYTES (1ull << 30)

_Static_assert(MOST >= MOST_FRAME, "a frame does not fit a unit");

static const uint8_t MARK_OF[MARK] = {0xf7, 'f', 'r', 'a', 'm', 'e', 0x00, 0xff};
static uint8_t frame[MOST_FRAME], message[MOST_MESSAGE], unit[UNIT];
static struct session session;
static uint64_t filled;                 /* bytes of the unit that have come */
static uint64_t sent, received, wrong;  /* messages */
static bool sending, asking;            /* is a request out? */

/* ---- messages: each says its number, and is as long as the number demands */

static uint64_t size_of(uint64_t number)
{
    return 8 + number * 37 % (MOST_MESSAGE - 7);
}

static uint8_t byte_of(uint64_t number, uint64_t i)
{
    return (uint8_t)(number >> 8 * (i & 7)) ^ (uint8_t)(i >> 3);
}

static bool submit_next(void)
{
    session.size = size_of(sent);
    for (uint64_t i = 0; i < session.size; i++)
        message[i] = byte_of(sent, i);
    if (sent == MESSAGES || session_submit(&session, nanoseconds()) != ANSWER_OK)
        return false;
    sent++;
    return true;
}

static bool take_next(void)
{
    bool good = true;

    if (session_give_out(&session) != ANSWER_OK)
        return false;
    good = session.size == size_of(received);
    for (uint64_t i = 0; good && i < session.size; i++)
        good = message[i] == byte_of(received, i);
    wrong += !good;
    received++;
    return true;
}

/* ---- streams */

static uint64_t page(uint64_t what)
{
    return PAGE_OF(myself(), what);
}

/* Copy the next frames that must be sent to the page; return how many. */
static uint64_t gather(volatile uint8_t *bytes)
{
    uint64_t units = 0;

    for (; units < UNITS && session_poll(&session, nanoseconds()) == ANSWER_OK; units++, bytes += UNIT) {
        for (uint64_t i = 0; i < MARK; i++)
            bytes[i] = MARK_OF[i];
        bytes[MARK] = (uint8_t)session.size;
        bytes[MARK + 1] = (uint8_t)(session.size >> 8);
        for (uint64_t i = 0; i < session.size; i++)
            bytes[FRAME_AT + i] = frame[i];
    }
    return units;
}

static bool send_frames(void)
{
    uint64_t units;

    if (sending) {
        sending = TRY(device_complete(OUTGOING)).status != STATUS_OK;
        return !sending;
    }
    units = gather((volatile uint8_t *)AT(ENTRY_OF(TO_SEND_OF)));
    if (units != 0)
        sending = TRY(device_submit(OUTGOING, page(TO_SEND_OF), 0, units * UNIT, false, 0)).status == STATUS_OK;
    return units != 0;
}

static bool is_marked(void)
{
    for (uint64_t i = 0; i < MARK && i < filled; i++)
        if (unit[i] != MARK_OF[i])
            return false;
    return true;
}

/* Take one byte of the stream: what does not begin with the mark is left out. */
static void take_byte(uint8_t byte)
{
    uint64_t size;

    unit[filled++] = byte;
    while (!is_marked()) {
        filled--;
        for (uint64_t i = 0; i < filled; i++)
            unit[i] = unit[i + 1];
    }
    if (filled != UNIT)
        return;
    filled = 0;
    size = unit[MARK] | (uint64_t)unit[MARK + 1] << 8;
    session.size = size;
    for (uint64_t i = 0; i < MOST_FRAME; i++)
        frame[i] = unit[FRAME_AT + i];
    session_arrive(&session, nanoseconds());
}

static bool receive_frames(void)
{
    const volatile uint8_t *bytes = (const volatile uint8_t *)AT(ENTRY_OF(RECEIVED_OF));
    struct answer answer;

    if (!asking) {
        asking = TRY(device_submit(INCOMING, page(RECEIVED_OF), 0, PAGE_SIZE, true, 0)).status == STATUS_OK;
        return asking;
    }
    answer = TRY(device_complete(INCOMING));
    if (answer.status != STATUS_OK)
        return false;
    asking = false;
    for (uint64_t i = 0; i < answer.result[0]; i++)
        take_byte(bytes[i]);
    return true;
}

/* ---- the session */

static void take_pages(void)
{
    take_page(BUFFER_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    for (uint64_t i = TO_SEND_OF; i < BUFFERS_OF + BUFFER_PAGES; i++)
        take_page(i, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
}

static answer_t begin(void)
{
    uint8_t *buffers = (uint8_t *)AT(ENTRY_OF(BUFFERS_OF));
    static struct beginning beginning = BEGINNING;

    session.frame.bytes = (struct u8_slice){frame, sizeof(frame)};
    session.message = (struct u8_slice){message, sizeof(message)};
    session.outgoing = (struct u8_slice){buffers, WINDOW * MOST_MESSAGE};
    session.incoming = (struct u8_slice){buffers + WINDOW * MOST_MESSAGE, WINDOW * MOST_MESSAGE};
    TRY(device_lease(OUTGOING, MINUTES, ALL_BYTES));
    TRY(device_lease(INCOMING, MINUTES, ALL_BYTES));
    return session_begin(&session, &beginning, nanoseconds());
}

/* Rest a little, but stay: while all guests rest, the machine's time runs ahead of the other machine. */
static void linger(uint64_t time)
{
    uint64_t end = nanoseconds() + time;

    while (nanoseconds() < end)
        ;
}

static bool is_over(void)
{
    return session.ended != ANSWER_OK || (session.link.settled == MESSAGES && received == MESSAGES);
}

/* Do all that can be done now; pause if that is nothing. */
static void step(void)
{
    bool busy = send_frames();

    busy |= receive_frames();
    while (submit_next())
        busy = true;
    while (take_next())
        busy = true;
    if (!busy)
        linger(PAUSE);
}

static void tell(const char *what, uint64_t value)
{
    say("link|");
    say(what);
    say("|");
    say_number(value);
    say("\n");
}

void main(void)
{
    uint64_t end;

    take_pages();
    if (begin() == ANSWER_OK)
        while (!is_over())
            step();
    for (end = nanoseconds() + LATER * 1000000ull; nanoseconds() < end;)
        step();
    tell("sent", session.link.settled);
    tell("received", received);
    tell("wrong", wrong);
    tell("forged", session.forged);
    tell("replayed", session.replayed);
    tell("refused", session.refused);
    tell("ended", session.ended);
    send();
    status.done = 1;
}
