/* How long do steps of governance take, without a host that calls them? */

#define _POSIX_C_SOURCE 199309L

#include <time.h>

#include "kills.h"
#include "seats.h"
#include "sessions.h"

static uint64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Ask some times whether an agent may act in a ring; return the nanoseconds of all, or 0 if it may not. */
uint64_t time_checks(struct governance *s, uint32_t times)
{
    uint64_t start = clock_ns();
    uint64_t refused = 0;
    for (uint32_t i = 0; i < times; i++) {
        refused += seats_check(s, 0, RING_STANDARD, i);
    }
    return refused == 0 ? clock_ns() - start : 0;
}

/* Pay some times; return likewise. */
uint64_t time_payments(struct governance *s, uint32_t times)
{
    uint64_t start = clock_ns();
    uint64_t refused = 0;
    for (uint32_t i = 0; i < times; i++) {
        refused += seats_spend(s, 0, 1, SPAN_LIMIT, i);
    }
    return refused == 0 ? clock_ns() - start : 0;
}

/* Add some deltas to a chain; return likewise. */
uint64_t time_deltas(struct governance *s, uint32_t times)
{
    uint64_t start = clock_ns();
    uint64_t refused = 0;
    for (uint32_t i = 1; i <= times; i++) {
        refused += sessions_append(s, 0, s->session[0].deltas + 1, i, i, i, i);
    }
    return refused == 0 ? clock_ns() - start : 0;
}

/* Kill some agents, and note that they ended; return likewise. */
uint64_t time_kills(struct governance *s, uint32_t times)
{
    uint64_t start = clock_ns();
    uint64_t refused = 0;
    for (uint32_t i = 0; i < times; i++) {
        refused += kills_kill(s, (agent_id_t)i, (agent_id_t)i);
        refused += kills_report(s, (agent_id_t)i, true);
    }
    return refused == 0 ? clock_ns() - start : 0;
}
