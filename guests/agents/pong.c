/* Does every message arrive once and in order? It checks the number in each, the kernel's number, and the sender. */
#include "corollary.h"
#include "talk.h"

static struct about about;

static uint64_t hear(void)
{
    uint64_t number = ~0ull;

    while (recv(RECEIVING, &number, 1, &about) == STATUS_WOULD_BLOCK)
        ;
    return number;
}

static void answer(uint64_t number)
{
    while (send(SENDING, &number, 1, SCHEMA) == STATUS_WOULD_BLOCK)
        ;
}

/* Wait for the notification that ping sends last. */
static void wait_for_ping(void)
{
    uint64_t bits;

    while (wait(POKED, &bits) == STATUS_WOULD_BLOCK)
        ;
}

uint32_t run(void)
{
    uint64_t first = 0, wrong = 0;

    for (uint64_t number = 0; number < MESSAGES; number++) {
        wrong += hear() != number || about.sequence != number || about.length != 1;
        first = number == 0 ? about.badge : first;
        wrong += about.badge != first;
        if ((number + 1) % BATCH == 0)
            answer(number + 1 - wrong);
    }
    wait_for_ping();
    tell("messages received: ", MESSAGES);
    tell("out of order, lost or doubled: ", wrong);
    return (uint32_t)wrong;
}
