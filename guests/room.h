/* How does one ask for room in the pages of a guest? */
#ifndef ROOM_H
#define ROOM_H

#include <stdbool.h>
#include <stdint.h>

/* Nothing is in use any more. */
void clear_room(void);
/* So many elements of a size, all zero, until all is cleared; or until `give_back`. Null where there is not enough room. */
void *take_room(uint64_t count, uint64_t size);
void *borrow_room(uint64_t count, uint64_t size);
void give_back(void);
/* Bytes that nobody has yet. */
uint64_t room_left(void);
/* Was there ever not enough, since all was cleared? */
bool room_is_short(void);

/* Room for the elements of a slice. */
#define TAKE(slice, count) ((slice).at = take_room(count, sizeof(*(slice).at)), (slice).length = (slice).at ? (count) : 0)
#define BORROW(slice, count) ((slice).at = borrow_room(count, sizeof(*(slice).at)), (slice).length = (slice).at ? (count) : 0)

#endif
