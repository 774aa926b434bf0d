/* What do the stages of the pipeline agree on? Each takes numbers from the one before it, and hands them on. */
#ifndef PIPELINE_H
#define PIPELINE_H

#include "corollary.h"

enum { NUMBERS = 100 };

/* Send a number as soon as there is room. */
static inline void hand_on(uint64_t number)
{
    while (send(SENDING, &number, 1, SCHEMA) == STATUS_WOULD_BLOCK)
        ;
}

/* Wait for the next number. */
static inline uint64_t take(void)
{
    struct about about;
    uint64_t number = 0;

    while (recv(RECEIVING, &number, 1, &about) == STATUS_WOULD_BLOCK)
        ;
    return number;
}

#endif
