/* Is an agent that talks much brought together with the one that listens? It hardly listens itself. */
#include "corollary.h"
#include "count.h"

enum { STEPS = 1000 };      /* between two numbers */

uint32_t run(void)
{
    uint64_t sent = 0;

    while (!has_heard(RECEIVING)) {
        say(++sent);
        has_heard(ALSO_RECEIVING);
        pass_time(STEPS);
    }
    return end_with(sent);
}
