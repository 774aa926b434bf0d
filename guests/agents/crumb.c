/* What does a child do that was made only to be there? Nothing. */
#include "corollary.h"

uint32_t run(void)
{
    tell("it is there: ", yield_now());
    return 0;
}
