/* Generated from model/vectors/distance.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 7e0ac77084e1f2ba */

#include "distance.h"
#include "builtins.h"
#include "floats.h"

#define SIGN 0x80                       /* of a byte: without it, a byte stands for 128 less than it is */
#define MOST_SQUARE 65536               /* more than any squared difference of two bytes */
#define MOST_FALL 32768                 /* more than there is from it to any product */
#define LANES 8
#define NEGATIVE 0x80000000u            /* the sign of a word */
#define MAGNITUDE 0x7fffffff            /* the bits of a word without its sign */
#define INFINITY 0x7f800000             /* the pattern of the number; patterns above it are NaN */
#define FARTHEST 0xffffffffu

/* How far is a row from the query, which lies in row 0? A small number is near.

   Of bytes, it is exact: a sum of squared differences, or `LARGEST_PRODUCT` for each element less the dot product.
   Of words, each operation rounds as IEEE 754 says, in one order for all machines: element i is added to sum i
   modulo `LANES` as long as there are `LANES` of them, and the rest to a sum of its own. */

/* Return where the elements of a row begin.

   Ensures: result <= ROWS * MOST_DIMENSION. */
uint64_t distance_first_of(const struct store *s, uint64_t row)
{
    return minimum(row, ROWS) * (uint64_t)minimum(s->index.dimension, MOST_DIMENSION);
}

/* Are there all elements of the query, and of a row that begins somewhere, and are they bytes? */
bool distance_has_bytes(const struct store *s, uint64_t first)
{
    bool few = s->index.dimension <= MOST_DIMENSION && first <= 0x800000;
    return few && first + (uint64_t)s->index.dimension <= s->bytes.length;
}

/* Are they there, and words? */
bool distance_has_words(const struct store *s, uint64_t first)
{
    bool few = s->index.dimension <= MOST_DIMENSION && first <= 0x800000;
    return few && first + (uint64_t)s->index.dimension <= s->words.length;
}

/* Return the sum of squared differences.

   Ensures: result <= MOST_DIMENSION * MOST_SQUARE. */
uint32_t distance_squared_of_bytes(const struct store *s, uint64_t first)
{
    REQUIRES(distance_has_bytes(s, first));
    uint32_t count = s->index.dimension;
    uint32_t sum = 0;
    uint32_t i = 0;
    while (i < count) {
        sum += distance_squared(s->bytes.at[i] ^ SIGN, s->bytes.at[first + (uint64_t)i] ^ SIGN);
        i++;
    }
    return sum;
}

/* Return the squared difference of two elements, or of each plus 128.

   Ensures: result < MOST_SQUARE. */
uint32_t distance_squared(uint8_t a, uint8_t b)
{
    uint32_t apart = maximum(a, b) - minimum(a, b);
    return apart * apart;
}

/* Return how far the dot product falls below that of the largest elements.

   With a and b for two elements plus 128, each product falls by 128 * (a + b) - a * b.

   Ensures: result <= MOST_DIMENSION * MOST_FALL. */
uint32_t distance_product_of_bytes(const struct store *s, uint64_t first)
{
    REQUIRES(distance_has_bytes(s, first));
    uint32_t count = s->index.dimension;
    uint32_t sum = 0;
    uint32_t i = 0;
    while (i < count) {
        sum += distance_fall(s->bytes.at[i] ^ SIGN, s->bytes.at[first + (uint64_t)i] ^ SIGN);
        i++;
    }
    return sum;
}

/* Return `LARGEST_PRODUCT` less the product of two elements, which are a - 128 and b - 128.

   Ensures: result < MOST_FALL. */
uint32_t distance_fall(uint8_t a, uint8_t b)
{
    return SIGN * ((uint32_t)a + (uint32_t)b) - (uint32_t)a * (uint32_t)b;
}

/* Return the squared difference of two words. */
uint32_t distance_square(uint32_t a, uint32_t b)
{
    uint32_t apart = f32_sub(a, b);
    return f32_mul(apart, apart);
}

/* Return the sum of squared differences. */
uint32_t distance_squared_of_words(const struct store *s, uint64_t first)
{
    REQUIRES(distance_has_words(s, first));
    uint32_t count = s->index.dimension;
    uint32_t sum[8] = {0};
    uint32_t i = 0;
    while (i + LANES <= count) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            sum[lane] = f32_add(sum[lane],
                                distance_square(s->words.at[i + lane],
                                                s->words.at[first + (uint64_t)i + (uint64_t)lane]));
        }
        i += LANES;
    }
    uint32_t rest = 0;
    while (i < count) {
        rest = f32_add(rest, distance_square(s->words.at[i], s->words.at[first + (uint64_t)i]));
        i++;
    }
    return f32_add(distance_added(sum), rest);
}

/* Return the dot product. */
uint32_t distance_product_of_words(const struct store *s, uint64_t first)
{
    REQUIRES(distance_has_words(s, first));
    uint32_t count = s->index.dimension;
    uint32_t sum[8] = {0};
    uint32_t i = 0;
    while (i + LANES <= count) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            sum[lane] = f32_add(sum[lane],
                                f32_mul(s->words.at[i + lane], s->words.at[first + (uint64_t)i + (uint64_t)lane]));
        }
        i += LANES;
    }
    uint32_t rest = 0;
    while (i < count) {
        rest = f32_add(rest, f32_mul(s->words.at[i], s->words.at[first + (uint64_t)i]));
        i++;
    }
    return f32_add(distance_added(sum), rest);
}

/* Add up all lanes: those four apart, then those two apart, then the last two. */
uint32_t distance_added(const uint32_t *sum)
{
    uint32_t low = f32_add(f32_add(sum[0], sum[4]), f32_add(sum[2], sum[6]));
    return f32_add(low, f32_add(f32_add(sum[1], sum[5]), f32_add(sum[3], sum[7])));
}

/* Return how far a dot product is: in the opposite order of the numbers, with NaN behind all of them. */
uint32_t distance_far_of(uint32_t product)
{
    if ((product & MAGNITUDE) > INFINITY) {
        return FARTHEST;
    }
    return product < NEGATIVE ? 0x7fffffff - product : product;
}

/* Return how far a row is from the query, by the metric of the search; 0 if its elements are not there. */
uint32_t distance_far(const struct store *s, uint64_t row)
{
    bool squared = s->index.search.metric == METRIC_SQUARED;
    uint64_t first = distance_first_of(s, row);
    if (s->index.kind == ELEMENT_I8) {
        if (!distance_has_bytes(s, first)) {
            return 0;
        }
        return squared ? distance_squared_of_bytes(s, first) : distance_product_of_bytes(s, first);
    }
    if (!distance_has_words(s, first)) {
        return 0;
    }
    return squared ? distance_squared_of_words(s, first) : distance_far_of(distance_product_of_words(s, first));
}

/* Are the elements of a row there, and finite? Bytes always are. */
bool distance_is_finite(const struct store *s, uint64_t row)
{
    uint64_t first = distance_first_of(s, row);
    if (s->index.kind == ELEMENT_I8) {
        return distance_has_bytes(s, first);
    }
    return distance_has_words(s, first) && distance_are_finite(s, first);
}

/* Are the words from a position on, as many as a vector has, finite? */
bool distance_are_finite(const struct store *s, uint64_t first)
{
    REQUIRES(distance_has_words(s, first));
    uint32_t i = 0;
    while (i < s->index.dimension) {
        if ((s->words.at[first + (uint64_t)i] & MAGNITUDE) >= INFINITY) {
            return false;
        }
        i++;
    }
    return true;
}
