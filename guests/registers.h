/* How does a guest tell whether its registers survive other partitions? */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdint.h>

/* 0: every register that a guest can set held a pattern made of `seed` while others ran. */
uint64_t registers_lost(uint64_t seed);

#endif
