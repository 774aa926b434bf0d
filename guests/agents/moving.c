/* Does an agent that moves lose a message, or get one twice? It checks that the numbers that come follow each other. */
#include "corollary.h"
#include "count.h"

uint32_t run(void)
{
    uint64_t received = 0, wrong = 0, number;

    tell("begins with ", received);
    while ((number = hear()) != END) {
        received++;
        wrong += number != received;
    }
    tell("numbers received: ", received);
    tell("out of order, lost or doubled: ", wrong);
    return (uint32_t)wrong;
}
