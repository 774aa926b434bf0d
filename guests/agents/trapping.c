/* What happens to an agent that reads beyond its memory? */
#include "corollary.h"

enum { BEYOND = 0x7ffffff0 };

uint32_t run(void)
{
    yield_now();
    tell("it reads at ", BEYOND);
    return *(volatile uint32_t *)BEYOND;
}
