/* Where does an instance lie? In pages that root gave its guest.
 *
 * Lasting room is taken from below; room that is needed only for a while is taken from above.
 */
#include "room.h"
#include "letter.h"

enum { GRAIN = 16 };

#define BOTTOM (GUEST_BASE + ROOM_ENTRY * PAGE_SIZE)
#define TOP (BOTTOM + ROOM_PAGES * PAGE_SIZE)

static uint64_t low = BOTTOM, high = TOP;
static bool is_short;

void clear_room(void)
{
    low = BOTTOM;
    high = TOP;
    is_short = false;
}

/* The bytes that `count` elements need, rounded up to whole grains; if too many, more than there are. */
static uint64_t bytes_of(uint64_t count, uint64_t size)
{
    uint64_t bytes = (count * size + GRAIN - 1) & ~(GRAIN - 1ull);
    bool fits = count <= TOP - BOTTOM && bytes <= room_left();

    is_short |= !fits;
    return fits ? bytes : ~0ull;
}

static void *zeroed(uint64_t at, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i += sizeof(uint64_t))
        *(volatile uint64_t *)(at + i) = 0;
    return (void *)at;
}

void *take_room(uint64_t count, uint64_t size)
{
    uint64_t bytes = bytes_of(count, size), at = low;

    if (bytes > room_left())
        return 0;
    low += bytes;
    return zeroed(at, bytes);
}

void *borrow_room(uint64_t count, uint64_t size)
{
    uint64_t bytes = bytes_of(count, size);

    if (bytes > room_left())
        return 0;
    high -= bytes;
    return zeroed(high, bytes);
}

void give_back(void)
{
    high = TOP;
}

uint64_t room_left(void)
{
    return high - low;
}

bool room_is_short(void)
{
    return is_short;
}
