/* Does every message arrive, wherever the other agent is? It sends numbers until it is told to end. */
#include "corollary.h"
#include "count.h"

enum { STEPS = 20000 };     /* between two numbers */

uint32_t run(void)
{
    uint64_t sent = 0;

    while (!has_heard(RECEIVING)) {
        say(++sent);
        pass_time(STEPS);
    }
    return end_with(sent);
}
