/* Does an agent that moves with 16 MiB find them as it left them? Each number that comes is written somewhere else. */
#include "corollary.h"
#include "count.h"

enum { PAGE = 1 << 16, PAGES = 256, WORDS = (PAGES - 1) * PAGE / 8, STRIDE = 7919 };    /* a prime, none of WORDS */

#define WORD ((volatile uint64_t *)PAGE)
#define MADE_OF(i) ((i) * 0x9e3779b97f4a7c15ull + 1)

static uint32_t place_of(uint64_t number)
{
    return number * STRIDE % WORDS;
}

/* Count the words that are not as they were made, or as the numbers that came have left them. */
static uint64_t wrong_words(uint64_t received)
{
    uint64_t wrong = 0;

    for (uint64_t number = 1; number <= received; number++) {
        wrong += WORD[place_of(number)] != number;
        WORD[place_of(number)] = MADE_OF(place_of(number));
    }
    for (uint32_t i = 0; i < WORDS; i++)
        wrong += WORD[i] != MADE_OF(i);
    return wrong;
}

uint32_t run(void)
{
    struct count count = {0};
    uint32_t wrong;

    tell("begins with ", count.received);
    __builtin_wasm_memory_grow(0, PAGES - __builtin_wasm_memory_size(0));
    for (uint32_t i = 0; i < WORDS; i++)
        WORD[i] = MADE_OF(i);
    while (count_next(&count))
        WORD[place_of(count.received)] = count.received;
    wrong = end_count(&count);
    tell("words that are wrong: ", wrong_words(count.received));
    return wrong;
}
