/* What do doubles cost? Products of square matrices by the textbook: for each multiplication and addition two
   loads, one of them at a stride.

   Each sum is taken in the order in which it is written, so that every engine must get the same bits. */

#include <stdint.h>

enum { SIZE = 48 };

static double left[SIZE][SIZE], right[SIZE][SIZE], product[SIZE][SIZE];

/* Any numbers between -1 and 1 on the left; on the right columns whose sums are 1, so that each product is a mean. */
static void fill(void)
{
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++) {
            left[i][j] = (double)(i - j) / SIZE;
            right[i][j] = (double)(1 + (i + j) % SIZE) * 2 / (SIZE * (SIZE + 1));
        }
    }
}

static void multiply(void)
{
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++) {
            double sum = 0;
            for (int k = 0; k < SIZE; k++) {
                sum += left[i][k] * right[k][j];
            }
            product[i][j] = sum;
        }
    }
}

/* The next factor, from the product by a chaotic map of this interval: it neither settles nor vanishes into numbers
   that processors are slow with. */
static void feed_back(void)
{
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++) {
            left[i][j] = 1 - 1.9 * product[i][j] * product[i][j];
        }
    }
}

static uint32_t folded(void)
{
    uint32_t sum = 0;
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++) {
            union { double value; uint64_t bits; } cell = { .value = left[i][j] };
            sum = 31 * sum + (uint32_t)(cell.bits ^ cell.bits >> 32);
        }
    }
    return sum;
}

uint32_t run(uint32_t scale)
{
    fill();
    for (uint32_t i = 0; i < scale; i++) {
        multiply();
        feed_back();
    }
    return folded();
}
