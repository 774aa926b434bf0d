/* Does an agent go on when the kernel has started again? It computes for a while, and tells how far it has come. */
#include "corollary.h"

enum { ROUNDS = 60, STEPS = 10000, SHOWN = 32 };   /* bits of the sum that are not shown */

#define FACTOR 6364136223846793005ull

static volatile uint64_t sum;

static void compute(void)
{
    for (uint32_t i = 0; i < STEPS; i++)
        sum = sum * FACTOR + i;
}

uint32_t run(void)
{
    tell("begins with ", sum >> SHOWN);
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        compute();
        tell("rounds: ", round);
    }
    tell("sum: ", sum >> SHOWN);
    return 0;
}
