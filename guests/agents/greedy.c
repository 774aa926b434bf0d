/* What becomes of an agent that takes too much? Three times it calls until it is refused, and then it goes on. */
#include "corollary.h"
#include "count.h"

enum { TIMES = 3 };

static void take_too_much(void)
{
    while (yield_now() != STATUS_RATE_LIMITED)
        ;
}

uint32_t run(void)
{
    uint64_t received = 0, wrong = 0, number;

    tell("begins with ", received);
    while ((number = hear()) != END) {
        received++;
        wrong += number != received;
        if (received <= TIMES)
            take_too_much();
    }
    tell("numbers received: ", received);
    tell("out of order, lost or doubled: ", wrong);
    return (uint32_t)wrong;
}
