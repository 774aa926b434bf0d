/* What do bytes in memory cost, stored at a stride and read in order? The sieve of Eratosthenes, over flags that
   fit the first cache. */

#include <stdint.h>

enum { LIMIT = 8192, STEP = 1024, DIFFERENT = 4 };

static uint8_t composite[LIMIT];

static uint32_t primes_below(uint32_t limit)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < limit; i++) {
        composite[i] = 0;
    }
    for (uint32_t i = 2; i < limit; i++) {
        if (!composite[i]) {
            count++;
            for (uint32_t j = 2 * i; j < limit; j += i) {
                composite[j] = 1;
            }
        }
    }
    return count;
}

uint32_t run(uint32_t scale)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < scale; i++) {
        sum = 31 * sum + primes_below(LIMIT - i % DIFFERENT * STEP);
    }
    return sum;
}
