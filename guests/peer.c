/* Does a link to another machine lose, double or change messages? It sends some, and checks those that come. */
#include "link/session.h"
#include "link.h"
#include "runtime.h"
#include "stream.h"

enum { PAUSE = 200000, LATER = 1000 };      /* ns between two looks; ms for the other end to learn that all came */

static uint64_t sent, received, wrong;  /* messages */

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
    uint64_t size = size_of(sent);

    for (uint64_t i = 0; i < size; i++)
        message[i] = byte_of(sent, i);
    if (sent == MESSAGES || !stream_submit(size))
        return false;
    sent++;
    return true;
}

static bool take_next(void)
{
    uint64_t size;
    bool good;

    if (!stream_take(&size))
        return false;
    good = size == size_of(received);
    for (uint64_t i = 0; good && i < size; i++)
        good = message[i] == byte_of(received, i);
    wrong += !good;
    received++;
    return true;
}

/* ---- the session */

static bool is_over(void)
{
    return stream_is_over() || (session->link.settled == MESSAGES && received == MESSAGES);
}

/* Do all that can be done now; pause if that is nothing. */
static void step(void)
{
    bool busy = stream_step();

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
    tell_number(what, value);
}

void main(void)
{
    uint64_t end;

    take_page(BUFFER_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    stream_prepare();
    stream_begin();
    while (!is_over())
        step();
    for (end = nanoseconds() + LATER * 1000000ull; nanoseconds() < end;)
        step();
    tell("sent", session->link.settled);
    tell("received", received);
    tell("wrong", wrong);
    tell("forged", session->forged);
    tell("replayed", session->replayed);
    tell("refused", session->refused);
    tell("strangers", stream_strangers());
    tell("ended", stream_why_over());
    send();
    status.done = 1;
}
