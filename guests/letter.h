/* What does root tell the guest of an agent, and where does that find all it needs? */
#ifndef LETTER_H
#define LETTER_H

#include "runtime.h"

/* Above the image in its level-3 table, besides the pages of every guest: the letter, the module, and room for the instance. */
enum { MESSAGE_OF = SPARE_OF, LETTER_ENTRY = 96, MODULE_ENTRY = 112, MODULE_PAGES = 16, ROOM_ENTRY = 128, ROOM_PAGES = 64 };

/* Root writes it before the guest starts, and reads it afterwards. */
struct letter {
    uint64_t buffer_page, message_page; /* pages that the guest has to name */
    uint64_t size;                      /* of the module, in bytes */
    volatile uint64_t done;
};

#define LETTER ((struct letter *)AT(LETTER_ENTRY))

#endif
