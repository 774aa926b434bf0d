/* Does an agent that never ends hold up the others? */
#include "corollary.h"

static volatile uint32_t rounds;

uint32_t run(void)
{
    tell("rounds so far: ", rounds);
    for (;;)
        rounds++;
}
