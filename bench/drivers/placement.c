/* How long does a complete cut of a complete graph take? This takes all steps, with the clock that it is given. */

#define _POSIX_C_SOURCE 199309L

#include <time.h>

#include "cut.h"
#include "graph.h"

static uint64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Take steps of the cut under way until it is complete or refuses one; return the last status. */
status_t finish_cut(struct placement *s, uint64_t now)
{
    status_t status = STATUS_OK;
    while (status == STATUS_OK && s->cut.stage != STAGE_IDLE) {
        switch (s->cut.stage) {
        case STAGE_LOADING:
            status = cut_load_row(s, now);
            break;
        case STAGE_TAKING:
            status = cut_take_vertex(s, now);
            break;
        case STAGE_JOINING:
            status = cut_join_entry(s, now);
            break;
        default:
            status = cut_close_phase(s, now);
        }
    }
    return status;
}

/* Cut the whole graph some times, without a limit of time; return the nanoseconds of all. */
uint64_t time_cuts(struct placement *s, uint32_t times)
{
    uint64_t start = clock_ns();
    for (uint32_t i = 0; i < times; i++) {
        cut_begin_cut(s, true, 0, UINT32_MAX, 0);
        finish_cut(s, 0);
    }
    return clock_ns() - start;
}
