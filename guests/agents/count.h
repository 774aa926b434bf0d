/* What have the agent that counts and those that it sends to agreed on? */
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

#endif
