/* What do those agree on who learn together, and who recalls it? Each element follows from two numbers. */
#ifndef LEARNING_H
#define LEARNING_H

#include "corollary.h"

#define KEY_UNIT 1000000u

static float vector[VECTOR_ELEMENTS];

/* The element at a place of the vector of a key, after so many lessons. */
static inline float element(uint64_t key, uint32_t lessons, uint32_t place)
{
    return (float)((uint32_t)key * KEY_UNIT + lessons * (place + 1));
}

/* After how many lessons is this the first element of the vector of a key? */
static inline uint32_t lessons_in(uint64_t key, float first)
{
    return (uint32_t)first - (uint32_t)key * KEY_UNIT;
}

static inline void write(uint64_t key, uint32_t lessons)
{
    for (uint32_t place = 0; place < VECTOR_ELEMENTS; place++)
        vector[place] = element(key, lessons, place);
}

/* Count the elements that are not those of the key after so many lessons. */
static inline uint64_t wrong_in(uint64_t key, uint32_t lessons)
{
    uint64_t wrong = 0;

    for (uint32_t place = 0; place < VECTOR_ELEMENTS; place++)
        wrong += vector[place] != element(key, lessons, place);
    return wrong;
}

#endif
