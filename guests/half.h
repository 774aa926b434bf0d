/* What does root know of the two halves that it makes of a guest? */
#ifndef HALF_H
#define HALF_H

#include "runtime.h"

enum { NOTHING_YET, FILLED, HEARD, CHECKED };   /* how far the first half has come */

#define MOVED_PAGE PAGE_OF(WORKER_A, EXCHANGE_OF)

#endif
