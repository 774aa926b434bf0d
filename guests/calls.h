/* What do those need who perform the calls of an agent? Its memory, and the answers of the kernel. */
#ifndef CALLS_H
#define CALLS_H

#include "letter.h"
#include "service.h"
#include "services.h"

enum { WORD = sizeof(uint64_t) };

static inline uint8_t *within(const struct instance *i, uint64_t at, uint64_t count)
{
    return corollary_within(i, (uint32_t)at, count);
}

static inline void copy_out(volatile uint64_t *target, const uint8_t *source, uint64_t count)
{
    for (uint64_t n = 0; n < count; n++)
        ((volatile uint8_t *)target)[n] = source[n];
}

static inline void copy_in(uint8_t *target, const volatile uint64_t *source, uint64_t count)
{
    for (uint64_t n = 0; n < count; n++)
        target[n] = ((const volatile uint8_t *)source)[n];
}

/* Take the answer of the kernel to a call; return whether it was allowed. */
static inline bool allowed(struct ended *ended, struct answer answer)
{
    *ended = (struct ended){.status = answer.status, .record = status.calls};
    return answer.status == STATUS_OK;
}

#endif
