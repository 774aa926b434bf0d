/* What does a call cost? Fibonacci numbers by recursion: two direct calls for each addition, and almost nothing else.

   Neither call is inlined, and none is turned into a loop: a compiler that may replace a call at the end keeps one
   of the two only. */

#include <stdint.h>

enum { FIRST = 15, DIFFERENT = 4 };

__attribute__((noinline, disable_tail_calls)) static uint32_t fibonacci(uint32_t n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

uint32_t run(uint32_t scale)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < scale; i++) {
        sum = 31 * sum + fibonacci(FIRST + i % DIFFERENT);
    }
    return sum;
}
