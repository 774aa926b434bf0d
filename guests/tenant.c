/* What does who has 16 MiB find there, and leave there?
 *
 * The first tenant counts the words that are not zero, fills all of them, and goes on reading until it is stopped. The
 * second counts the words that are not as the first left them, and turns all bits around.
 */
#include "large.h"

#define WORD ((volatile uint64_t *)LARGE)
#define LEFT_AT(i) ((i) * 0x9e3779b97f4a7c15ull + 1)

enum { WORDS = LARGE_SIZE / 8 };

static void use_first(void)
{
    for (uint64_t i = 0; i < WORDS; i++) {
        status.wish += WORD[i] != 0;
        WORD[i] = LEFT_AT(i);
    }
    for (;;)
        status.done += WORD[status.done % WORDS] != 0;
}

static void use_second(void)
{
    for (uint64_t i = 0; i < WORDS; i++) {
        status.wish += WORD[i] != LEFT_AT(i);
        WORD[i] = ~WORD[i];
    }
    status.done = 1;
    for (;;)
        give_way();
}

void main(void)
{
    if (myself() == WORKER_A)
        use_first();
    use_second();
}
