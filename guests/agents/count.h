/* What have the agents that count and those that they send to agreed on? */
#ifndef COUNT_H
#define COUNT_H

#include "corollary.h"

#define END 0ull    /* comes after the last number */

/* The next number that comes. */
static inline uint64_t hear(void)
{
    struct about about;
    uint64_t number;

    while (recv(RECEIVING, &number, 1, &about) == STATUS_WOULD_BLOCK)
        ;
    return number;
}

static inline void say(uint64_t number)
{
    while (send(SENDING, &number, 1, SCHEMA) == STATUS_WOULD_BLOCK)
        ;
}

/* Has a message come? */
static inline uint32_t has_heard(uint32_t slot)
{
    struct about about;
    uint64_t word;

    return recv(slot, &word, 1, &about) == STATUS_OK;
}

/* Numbers that come, each of which follows the one before. */
struct count {
    uint64_t received, wrong;
};

/* Is there another number? It is counted, and whether it is the one that was to come. */
static inline uint32_t count_next(struct count *count)
{
    uint64_t number = hear();

    if (number == END)
        return 0;
    count->received++;
    count->wrong += number != count->received;
    return 1;
}

/* Tell how many came, and return how many were wrong. */
static inline uint32_t end_count(const struct count *count)
{
    tell("numbers received: ", count->received);
    tell("out of order, lost or doubled: ", count->wrong);
    return (uint32_t)count->wrong;
}

static inline void pass_time(uint32_t steps)
{
    static volatile uint64_t idle;

    for (uint32_t i = 0; i < steps; i++)
        idle += i;
}

static inline uint32_t end_with(uint64_t sent)
{
    say(END);
    tell("numbers sent: ", sent);
    return 0;
}

#endif
