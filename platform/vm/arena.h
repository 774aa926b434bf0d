/* How does the VM get room? From a block of memory: what lasts from below, what is borrowed for a while from above. */
#ifndef VM_ARENA_H
#define VM_ARENA_H

#include <stdbool.h>
#include <stdint.h>

/* A block of memory with the positions between which it is free. Without a block, an arena only counts. */
struct arena {
    uint8_t *block;
    uint64_t low, high, size;
    uint64_t zero;      /* below this position, what is free is zero */
    uint64_t most;      /* bytes that were ever in use at once */
    bool is_short;      /* was there ever too little room? */
};

/* An arena that is given out anew. `zero` says how many of its bytes are known to be zero. */
struct arena corollary_arena(void *block, uint64_t size, uint64_t zero);
/* An arena that counts how many bytes are needed. */
struct arena corollary_counting(void);
/* Room for `count` zero elements, for good or until it is given back; null if too little is left. */
void *corollary_take(struct arena *arena, uint64_t count, uint64_t size);
void *corollary_borrow(struct arena *arena, uint64_t count, uint64_t size);
void corollary_give_back(struct arena *arena);
uint64_t corollary_left(const struct arena *arena);

/* Room for the elements of a slice. */
#define TAKE(arena, slice, count) FILL(slice, corollary_take(arena, count, sizeof(*(slice).at)), count)
#define BORROW(arena, slice, count) FILL(slice, corollary_borrow(arena, count, sizeof(*(slice).at)), count)
#define FILL(slice, room, count) ((slice).at = (room), (slice).length = (slice).at != 0 ? (count) : 0)

#endif
