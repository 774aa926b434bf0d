/* What does an agent include? The functions of the host, the slots where root puts capabilities, and a helper. */
#ifndef COROLLARY_H
#define COROLLARY_H

#include "host.h"
#include "slots.h"
#include "status.h"

uint32_t run(void);

/* Print a text followed by a number, as one line on the console. */
static inline void tell(const char *text, uint64_t number)
{
    char line[64];
    uint32_t used = 0, digits = 1;

    for (; text[used] != 0; used++)
        line[used] = text[used];
    for (uint64_t rest = number / 10; rest != 0; rest /= 10)
        digits++;
    for (uint32_t i = digits; i-- > 0; number /= 10)
        line[used + i] = (char)('0' + number % 10);
    print(line, used + digits);
}

#endif
