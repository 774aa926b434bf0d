/* Does every message arrive, wherever the other agent is? It sends numbers until it is told to end. */
#include "corollary.h"
#include "count.h"

enum { STEPS = 20000 };     /* between two numbers */

static volatile uint64_t idle;

static void say(uint64_t number)
{
    while (send(SENDING, &number, 1, SCHEMA) == STATUS_WOULD_BLOCK)
        ;
}

static uint32_t is_to_end(void)
{
    struct about about;
    uint64_t word;

    return recv(RECEIVING, &word, 1, &about) == STATUS_OK;
}

uint32_t run(void)
{
    uint64_t sent = 0;

    while (!is_to_end()) {
        say(++sent);
        for (uint32_t i = 0; i < STEPS; i++)
            idle += i;
    }
    say(END);
    tell("numbers sent: ", sent);
    return 0;
}
