/* Does an agent that hibernates go on where it was? It counts, sleeps in the middle, and counts on. */
#include "corollary.h"

enum { HALF = 500 };

static volatile uint64_t sum, rounds;

static void count(void)
{
    for (uint32_t i = 0; i < HALF; i++) {
        rounds++;
        sum += rounds * rounds;
    }
}

uint32_t run(void)
{
    volatile uint64_t before = 0;

    count();
    before = sum;
    tell("sum before it sleeps: ", before);
    tell("answer to hibernate: ", hibernate(OWN));
    count();
    tell("what it remembers: ", before);
    tell("sum of all rounds: ", sum);
    return 0;
}
