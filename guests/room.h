/* How does a guest get room in its pages? */
#ifndef ROOM_H
#define ROOM_H

#include <stdbool.h>
#include <stdint.h>

/* Free everything. */
void clear_room(void);
/* Room for `count` zero elements, taken until `clear_room` or borrowed until `give_back`; null if too little is
   left. */
void *take_room(uint64_t count, uint64_t size);
void *borrow_room(uint64_t count, uint64_t size);
void give_back(void);
/* The free bytes. */
uint64_t room_left(void);
/* Was there ever too little room since everything was freed? */
bool room_is_short(void);

/* Room for the elements of a slice. */
#define TAKE(slice, count) \
    ((slice).at = take_room(count, sizeof(*(slice).at)), (slice).length = (slice).at ? (count) : 0)
#define BORROW(slice, count) \
    ((slice).at = borrow_room(count, sizeof(*(slice).at)), (slice).length = (slice).at ? (count) : 0)

#endif
