/* Does every message arrive? It sends numbers in batches; after each, the answer says how many came in order. */
#include "corollary.h"
#include "talk.h"

static void say(uint64_t number)
{
    while (send(SENDING, &number, 1, SCHEMA) == STATUS_WOULD_BLOCK)
        ;
}

static uint64_t answer(void)
{
    struct about about;
    uint64_t arrived = 0;

    while (recv(RECEIVING, &arrived, 1, &about) == STATUS_WOULD_BLOCK)
        ;
    return arrived;
}

uint32_t run(void)
{
    uint64_t wrong = 0;

    for (uint64_t sent = 0; sent < MESSAGES;) {
        for (uint32_t i = 0; i < BATCH; i++)
            say(sent++);
        wrong += answer() != sent;
    }
    notify(POKE, 1);
    tell("messages sent: ", MESSAGES);
    tell("answers that were wrong: ", wrong);
    return (uint32_t)wrong;
}
