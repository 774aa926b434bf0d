/* What happens to calls without the capability that they need, or with one for something else? */
#include "corollary.h"

uint32_t run(void)
{
    uint64_t word = 0;
    struct about about;

    tell("send without an edge: ", send(SENDING, &word, 1, SCHEMA));
    tell("receive from the console: ", recv(CONSOLE, &word, 1, &about));
    tell("notify without a notification: ", notify(POKE, 1));
    tell("wait with a handle that was never given: ", wait(~0ull, &word));
    return 0;
}
