/* What becomes of an agent that takes too much? Some times it calls until it is refused, and then it goes on. */
#include "corollary.h"
#include "count.h"

static void take_too_much(void)
{
    while (yield_now() != STATUS_RATE_LIMITED)
        ;
}

uint32_t run(void)
{
    struct count count = {0};

    tell("begins with ", count.received);
    while (count_next(&count))
        if (count.received <= VIOLATIONS)
            take_too_much();
    return end_count(&count);
}
