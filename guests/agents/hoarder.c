/* What does an agent get that wants as much as there is? A definite answer where each quota ends. */
#include "corollary.h"

enum { ATTEMPTS = 100000 };

static uint64_t badge;

/* How many children it may have: each place is taken once, whatever partition is named. */
static void spawn_all(void)
{
    for (uint32_t place = 0; place < CHILDREN; place++)
        tell("spawn: ", spawn_agent(CHILD + place, place, 0, 0, &badge));
    for (uint32_t place = 0; place < CHILDREN; place++)
        tell("spawn one more: ", spawn_agent(CHILD, place, 0, 0, &badge));
}

/* Call until the answer is another one than OK. */
static uint32_t call_on(void)
{
    uint32_t status = STATUS_OK;

    for (uint32_t n = 0; n < ATTEMPTS && status == STATUS_OK; n++)
        status = yield_now();
    return status;
}

/* Take pages of memory until there are no more. */
static uint32_t grow_on(void)
{
    uint32_t pages = 0;

    while (__builtin_wasm_memory_grow(0, 1) != ~0ul)
        pages++;
    return pages;
}

uint32_t run(void)
{
    tell("pages that memory grew by: ", grow_on());
    spawn_all();
    tell("call without end: ", call_on());
    return 0;
}
