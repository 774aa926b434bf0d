/* What does an indirect call cost? Small functions, called through a table at an index that the result of the
   last one decides. */

#include <stdint.h>

enum { FUNCTIONS = 8, CALLS = 1024 };

typedef uint32_t function(uint32_t, uint32_t);

static uint32_t add(uint32_t a, uint32_t b) { return a + b; }
static uint32_t subtract(uint32_t a, uint32_t b) { return a - b; }
static uint32_t multiply(uint32_t a, uint32_t b) { return a * (b | 1); }
static uint32_t both(uint32_t a, uint32_t b) { return (a & b) + 0x9e3779b9; }
static uint32_t either(uint32_t a, uint32_t b) { return (a | b) - 0x7f4a7c15; }
static uint32_t differ(uint32_t a, uint32_t b) { return a ^ b; }
static uint32_t rotate(uint32_t a, uint32_t b) { return (a << 7 | a >> 25) + b; }
static uint32_t mix(uint32_t a, uint32_t b) { return (a ^ a >> 15) + b; }

static function *const TABLE[FUNCTIONS] = { add, subtract, multiply, both, either, differ, rotate, mix };

uint32_t run(uint32_t scale)
{
    uint32_t value = 1;
    for (uint32_t i = 0; i < scale * CALLS; i++) {
        value = TABLE[(value ^ value >> 16 ^ i) % FUNCTIONS](value, i);
    }
    return value;
}
