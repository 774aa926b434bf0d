/* What does an agent look like? It computes, speaks, and asks the kernel for something that it was not given. */
#include "corollary.h"

uint32_t run(void)
{
    uint32_t sum = 0;

    for (uint32_t number = 1; number <= 100; number++)
        sum += number * number;
    tell("sum of the first 100 squares: ", sum);
    tell("a notification that it was not given: ", notify(1, 1));
    return 0;
}
