/* What do all guests know that use the disk? */
#ifndef DISK_H
#define DISK_H

#include "runtime.h"

enum { WHOLE = PAGE_SIZE, SECTOR_WORDS = SECTOR / 8 };
enum { DRIVERS_SECTOR = 8, INTRUDERS_SECTOR = 24 };
enum { TAKE_OVER = DISK, DESTROY };         /* what the hostile guest asks root to do next */
#define BEYOND_THE_DISK (1ull << 40)
#define MINUTE 60000000000ull
#define LARGE (1ull << 20)          /* bytes that may be moved on a lease */

/* Ask until a request is over; `result[0]` of the answer is the status that the device gave. */
static inline struct answer finish_request(void)
{
    struct answer answer;

    while ((answer = TRY(device_complete(DISK))).status == STATUS_WOULD_BLOCK)
        linger(50 * 1000000ull);
    return answer;
}

#endif
