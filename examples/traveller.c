/* What does an agent look like that moves to another machine while messages come? Like any other: it does not know. */
#include "corollary.h"
#include "count.h"

enum { LEG = 20 };      /* messages, after which it tells how far it has come */

uint32_t run(void)
{
    uint64_t received = 0, wrong = 0, sum = 0, number;

    tell("sum so far: ", sum);
    while ((number = hear()) != END) {
        received++;
        wrong += number != received;
        sum += number * number;
        if (received % LEG == 0)
            tell("sum so far: ", sum);
    }
    tell("numbers received: ", received);
    tell("sum: ", sum);
    tell("out of order, lost or doubled: ", wrong);
    return (uint32_t)wrong;
}
