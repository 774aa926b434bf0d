/* When did this partition run? It looks at the clock all the time: a gap is time that others had. */
#include "race.h"

enum { GAP = 250000 };      /* ns: longer than a hypercall, shorter than two switches of the processor */

#define STINT ((volatile struct stint *)AT(ENTRY_OF(STINTS_OF)))

static const uint64_t MOST = STINT_PAGES * PAGE_SIZE / sizeof(struct stint);
static uint64_t stints;

/* Note that the partition runs now. Does it go on? */
bool racing(void)
{
    uint64_t now = nanoseconds();

    if (stints == 0 || now - STINT[stints - 1].end > GAP) {
        if (stints == MOST)
            return false;
        STINT[stints++].begin = now;
    }
    STINT[stints - 1].end = now;
    return now - STINT[0].begin < DURATION * 1000000ull;
}
