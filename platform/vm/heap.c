/* Where does memory come from, if nothing else is said? From the C library. */
#include <stdlib.h>

#include "corollary.h"

static void *allocate(void *context, size_t size)
{
    (void)context;
    return calloc(1, size);
}

static void release(void *context, void *block, size_t size)
{
    (void)context;
    (void)size;
    free(block);
}

extern const struct corollary_allocator corollary_heap;
const struct corollary_allocator corollary_heap = {allocate, release, 0};
