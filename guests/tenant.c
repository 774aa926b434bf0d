/* What does who has 16 MiB find there, and leave there?
 *
 * The first tenant counts the words that are not zero, fills all of them, and goes on reading until it is stopped. The
 * second counts the words that are not as the first left them, and turns all bits around.
 */
#include "runtime.h"
#include "tenant.h"

#define LARGE ((volatile uint64_t *)(GUEST_BASE + (1ull << 30)))
#define LEFT_AT(i) ((i) * 0x9e3779b97f4a7c15ull + 1)

enum { WORDS = UNITS_LENT << UNIT_SHIFT >> 3 };

static void use_first(void)
{
    for (uint64_t i = 0; i < WORDS; i++) {
        status.wish += LARGE[i] != 0;
        LARGE[i] = LEFT_AT(i);
    }
    for (;;)
        status.done += LARGE[status.done % WORDS] != 0;
}

static void use_second(void)
{
    for (uint64_t i = 0; i < WORDS; i++) {
        status.wish += LARGE[i] != LEFT_AT(i);
        LARGE[i] = ~LARGE[i];
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
