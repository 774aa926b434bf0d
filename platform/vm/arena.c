/* How is a block of memory given out? In whole grains, and as zeros. */
#include "arena.h"

enum { GRAIN = 16 };

#define WHOLE (UINT64_MAX / 4)      /* bytes that an arena without a block seems to have */

struct arena corollary_arena(void *block, uint64_t size, uint64_t zero)
{
    size -= size % GRAIN;
    return (struct arena){.block = block, .high = size, .size = size, .zero = zero - zero % GRAIN};
}

struct arena corollary_counting(void)
{
    struct arena arena = corollary_arena(0, WHOLE, WHOLE);

    arena.low = arena.most = GRAIN;     /* no element has the address 0 */
    return arena;
}

/* The bytes of whole grains that `count` elements need; if that is too much, more than are left. */
static uint64_t bytes_of(struct arena *arena, uint64_t count, uint64_t size)
{
    bool fits = count <= (UINT64_MAX - GRAIN) / size;
    uint64_t bytes = fits ? (count * size + GRAIN - 1) / GRAIN * GRAIN : 0;

    fits = fits && bytes <= corollary_left(arena);
    arena->is_short |= !fits;
    return fits ? bytes : UINT64_MAX;
}

/* Bytes that are in use from now on; those that may not be zero are cleared. */
static void *zeroed(struct arena *arena, uint64_t at, uint64_t bytes)
{
    uint64_t used = arena->size - corollary_left(arena);

    for (uint64_t n = at > arena->zero ? at : arena->zero; n < at + bytes; n += sizeof(uint64_t))
        *(volatile uint64_t *)(arena->block + n) = 0;
    arena->most = used > arena->most ? used : arena->most;
    return (void *)((uintptr_t)arena->block + at);
}

void *corollary_take(struct arena *arena, uint64_t count, uint64_t size)
{
    uint64_t bytes = bytes_of(arena, count, size), at = arena->low;

    if (bytes > corollary_left(arena))
        return 0;
    arena->low += bytes;
    return zeroed(arena, at, bytes);
}

void *corollary_borrow(struct arena *arena, uint64_t count, uint64_t size)
{
    uint64_t bytes = bytes_of(arena, count, size);
    void *room;

    if (bytes > corollary_left(arena))
        return 0;
    arena->high -= bytes;
    room = zeroed(arena, arena->high, bytes);
    if (arena->block != 0 && arena->high < arena->zero)
        arena->zero = arena->high;
    return room;
}

void corollary_give_back(struct arena *arena)
{
    arena->high = arena->size;
}

uint64_t corollary_left(const struct arena *arena)
{
    return arena->high - arena->low;
}
