/* What does a stage in the middle of a pipeline do? It doubles each number. Three such stages follow each other. */
#include "pipeline.h"

uint32_t run(void)
{
    for (uint32_t i = 0; i < NUMBERS; i++)
        hand_on(2 * take());
    tell("numbers doubled: ", NUMBERS);
    return 0;
}
