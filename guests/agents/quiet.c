/* Is an agent that talks little left with the one that listens? It sends every other number to a third one, too. */
#include "corollary.h"
#include "count.h"

enum { STEPS = 20000 };     /* between two numbers */

uint32_t run(void)
{
    uint64_t sent = 0;

    while (!has_heard(RECEIVING)) {
        say(++sent);
        if (sent % 2 == 0)
            send(ALSO_SENDING, &sent, 1, SCHEMA);
        pass_time(STEPS);
    }
    return end_with(sent);
}
