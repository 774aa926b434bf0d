/* How does a guest tell whether its registers survive other partitions? */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdint.h>

/* Returns 0 if every register that a guest can set kept a pattern made from `seed` while others ran. */
uint64_t registers_lost(uint64_t seed);

#endif
