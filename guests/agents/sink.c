/* How does a pipeline end? This stage adds up what arrives. Nothing may be lost, doubled or out of order. */
#include "pipeline.h"

enum { FACTOR = 8 };    /* three stages double */

uint32_t run(void)
{
    uint64_t sum = 0, wrong = 0;

    for (uint64_t number = 1; number <= NUMBERS; number++) {
        uint64_t arrived = take();

        sum += arrived;
        wrong += arrived != FACTOR * number;
    }
    tell("sum of what arrived: ", sum);
    tell("numbers that are wrong: ", wrong);
    return (uint32_t)wrong;
}
