/* What happens to calls with numbers that mean nothing? Each gets the status of the kernel, and the last one a trap. */
#include "corollary.h"

static const uint64_t NEVER = ~0ull;            /* as a handle, and as a region */
static const uint32_t HUGE = ~0u;

uint32_t run(void)
{
    uint64_t word = 0;
    struct grant grant = {.handle = NEVER, .slot = NEVER, .rights = NEVER};

    tell("more words than a message has: ", send(CONSOLE, &word, 4096, SCHEMA));
    tell("share with nobody: ", request_shared_region(NEVER, NEVER, 1, &word, 8, &word));
    tell("share as another kind: ", request_shared_region(CONSOLE, SENDING, HUGE, &word, 8, &word));
    tell("map what was never shared: ", map_shared(OWN, 4, &word, 8));
    tell("map a page that does not exist: ", map_shared(OWN, NEVER, &word, 8));
    tell("map into another: ", map_shared(CONSOLE, 4, &word, 8));
    for (uint32_t i = 0; i < 3; i++)
        tell("spawn in a loop: ", spawn_agent(OWN, HUGE - i, &grant, 1, &word));
    tell("spawn where there is nothing: ", spawn_agent(NEVER, 0, &grant, 1, &word));
    tell("spawn in itself: ", spawn_agent(OWN, 0, &grant, 1, &word));
    tell("hibernate another: ", hibernate(CONSOLE));
    tell("now it trips: ", 1);
    return spawn_agent(OWN, 0, &grant, HUGE, &word);
}
