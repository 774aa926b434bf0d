/* How does a pipeline begin? This stage makes the numbers that the others work on. */
#include "pipeline.h"

uint32_t run(void)
{
    for (uint64_t number = 1; number <= NUMBERS; number++)
        hand_on(number);
    tell("numbers made: ", NUMBERS);
    return 0;
}
