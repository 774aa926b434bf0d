/* What does a block copy cost? Pages of memory moved by `memory.copy`, natively by the C library:
   how much is left of the speed of the machine. */

#include <stdint.h>

enum { PAGE = 4096, PAGES = 8, COPIES = 64 };

static uint8_t memory[PAGES][PAGE];

uint32_t run(uint32_t scale)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < PAGES * PAGE; i++) {
        memory[i / PAGE][i % PAGE] = (uint8_t)(i ^ i >> 8);
    }
    for (uint32_t i = 0; i < scale * COPIES; i++) {
        uint32_t from = i % PAGES, to = (i + 1 + i / PAGES % (PAGES - 1)) % PAGES;
        __builtin_memcpy(memory[to], memory[from], PAGE);
        memory[to][i % PAGE]++;
    }
    for (uint32_t i = 0; i < PAGES * PAGE; i++) {
        sum = 31 * sum + memory[i / PAGE][i % PAGE];
    }
    return sum;
}
