/* Does an agent that moves lose a message, or get one twice? It checks that the numbers that come follow each other. */
#include "corollary.h"
#include "count.h"

uint32_t run(void)
{
    struct count count = {0};

    tell("begins with ", count.received);
    while (count_next(&count))
        ;
    return end_count(&count);
}
