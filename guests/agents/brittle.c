/* Does an agent that fails come to its end? It computes, and trips over every message that it is sent. */
#include "corollary.h"

enum { ROUNDS = 10, SURE = 6, STEPS = 10000 };  /* after so many rounds it looks for messages, too */
enum { BEYOND = 0x7ffffff0, SHOWN = 32 };       /* bits of the sum that are not shown */

#define FACTOR 6364136223846793005ull

static volatile uint64_t sum;

static void compute(void)
{
    for (uint32_t i = 0; i < STEPS; i++)
        sum = sum * FACTOR + i;
}

static uint32_t is_to_trip(void)
{
    struct about about;
    uint64_t word;

    return recv(RECEIVING, &word, 1, &about) == STATUS_OK;
}

uint32_t run(void)
{
    tell("begins with ", sum >> SHOWN);
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        compute();
        tell("rounds: ", round);
        if (round >= SURE && is_to_trip())
            return *(volatile uint32_t *)BEYOND;
    }
    tell("sum: ", sum >> SHOWN);
    return 0;
}
