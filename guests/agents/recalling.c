/* What does an agent see that may get vectors, but not put them? It looks on until all was learned, and goes on when
 * nobody answers any more.
 */
#include "learning.h"

enum { SILENCES = 3, STEPS = 100000 };      /* calls in a row that nobody answers; of a computation after that */

static struct { uint64_t version; uint32_t lessons; } known[LAST_KEY + 1];
static uint64_t wrong, backwards;

/* Look at a key; return the status. */
static uint32_t look(uint64_t key)
{
    uint64_t version;
    uint32_t status = vector_get(STORE, key, vector, sizeof(vector), &version), lessons;

    if (status != STATUS_OK)
        return status;
    lessons = lessons_in(key, vector[0]);
    wrong += wrong_in(key, lessons);
    backwards += version < known[key].version || (version == known[key].version) != (lessons == known[key].lessons);
    known[key].version = version;
    known[key].lessons = lessons;
    return status;
}

static void look_on(void)
{
    while (known[FIRST_KEY].lessons + known[LAST_KEY].lessons < LEARNERS * LESSONS * LAST_KEY)
        for (uint64_t key = FIRST_KEY; key <= LAST_KEY; key++)
            look(key);
    for (uint64_t key = FIRST_KEY; key <= LAST_KEY; key++)
        tell("lessons: ", known[key].lessons);
}

/* Ask until nobody has answered several times. */
static uint64_t silences(void)
{
    uint64_t silent = 0;

    while (silent < SILENCES)
        silent = look(FIRST_KEY) == STATUS_WOULD_BLOCK ? silent + 1 : 0;
    return silent;
}

uint32_t run(void)
{
    uint64_t sum = 0, version = 0;

    look_on();
    tell("put what it may not: ", vector_put(STORE, FIRST_KEY, vector, sizeof(vector), &version));
    tell("elements that are wrong: ", wrong);
    tell("versions that went back: ", backwards);
    tell("silences: ", silences());
    for (uint32_t step = 0; step < STEPS; step++)
        sum += step;
    tell("sum: ", sum);
    return 0;
}
