/* What does the guest of an agent ask the librarian, and what is answered? Both as words of a message.
 *
 * Elements are not in it: they lie in a page that one side writes and the other one only reads.
 */
#ifndef SLIP_H
#define SLIP_H

#include <stdint.h>
#include "slots.h"

/* Requests are numbered by whoever asks. The verb is one of the bits SLIP_GET and SLIP_PUT. The version is what a put
 * expects, 0 for none, and the size is in bytes.
 */
struct slip {
    uint64_t number, verb, key, version, size;
};

/* The status is the kernel's, or from STORE_STATUS on that of the store. */
struct reply {
    uint64_t number, status, version, size;
};

enum { REPLY_WORDS = sizeof(struct reply) / sizeof(uint64_t) };

_Static_assert(sizeof(struct slip) == SLIP_WORDS * sizeof(uint64_t), "the host counts the words of a request, too");

/* Root writes into a badge who asks, what they may ask, and the page with the elements that they put. */
_Static_assert(READERS == 1 << READER_BITS, "a badge has room for each who may ask");
#define SLIP_BADGE(page, reader, may) (((uint64_t)(page) << READER_BITS | (reader)) << SLIP_BITS | (may))
#define READER_OF(badge) ((badge) >> SLIP_BITS & (READERS - 1))
#define ELEMENTS_PAGE_OF(badge) ((badge) >> (SLIP_BITS + READER_BITS))

enum { LOAN = 1 };      /* which share of a page with elements is that with the other side */

#endif
