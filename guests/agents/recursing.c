/* Does an agent that is moved in the middle of its calls keep its state? It sums by recursion, and counts in memory. */
#include "corollary.h"

enum { DEEP = 20, STEPS = 3 };

static volatile uint32_t visits[DEEP + 1];

__attribute__((noinline, disable_tail_calls)) static uint32_t recurse(uint32_t n)
{
    visits[n]++;
    return n < 2 ? n : recurse(n - 1) + recurse(n - 2);
}

/* The same without recursion. */
static uint32_t iterate(uint32_t n)
{
    uint32_t before = 0, value = 1;

    for (uint32_t i = 1; i < n; i++) {
        uint32_t sum = before + value;

        before = value;
        value = sum;
    }
    return value;
}

uint32_t run(void)
{
    uint32_t wrong = 0;

    for (uint32_t i = 0; i < STEPS; i++)
        wrong += recurse(DEEP) != iterate(DEEP);
    for (uint32_t n = 1; n <= DEEP; n++)
        wrong += visits[n] != STEPS * iterate(DEEP + 1 - n);
    tell("sums and counts that are wrong: ", wrong);
    return wrong;
}
