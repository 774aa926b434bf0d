/* How do agents change a vector together? Each puts what follows from the version that it got, unless that is stale. */
#include "learning.h"

enum { PATIENCE = 3 };      /* attempts until something else is asked */

static uint64_t wrong;

static uint32_t look(uint64_t key, uint64_t *version)
{
    uint32_t status = vector_get(STORE, key, vector, sizeof(vector), version);

    if (status == STATUS_OK)
        wrong += wrong_in(key, lessons_in(key, vector[0]));
    return status;
}

/* Get the vector of a key. If that takes long, ask for another one meanwhile. */
static uint32_t got(uint64_t key, uint64_t *version)
{
    uint32_t status, attempts = 0;

    while ((status = look(key, version)) == STATUS_WOULD_BLOCK)
        if (++attempts % PATIENCE == 0)
            look(FIRST_KEY + LAST_KEY - key, version);
    return status;
}

/* Put one lesson more than there was. */
static uint32_t learn(uint64_t key)
{
    uint64_t version = 0;
    uint32_t status = got(key, &version), lessons = 0;

    if (status == STATUS_OK)
        lessons = lessons_in(key, vector[0]);
    else if (status == STORE_ABSENT)
        version = 0;
    else
        return status;
    write(key, lessons + 1);
    while ((status = vector_put(STORE, key, vector, sizeof(vector), &version)) == STATUS_WOULD_BLOCK)
        ;
    return status;
}

uint32_t run(void)
{
    uint32_t status = STATUS_OK;

    for (uint32_t lesson = 0; lesson < LESSONS && status == STATUS_OK; lesson++)
        for (uint64_t key = FIRST_KEY; key <= LAST_KEY; key++)
            while ((status = learn(key)) == STORE_STALE_VERSION)
                ;
    tell("last status: ", status);
    tell("elements that are wrong: ", wrong);
    return 0;
}
