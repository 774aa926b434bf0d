/* What does root tell the guest of an agent, and where does the guest find what it needs? */
#ifndef LETTER_H
#define LETTER_H

#include "origin.h"

/* Entries above the image in its level-3 table, besides the pages of every guest: the letter, the module with a
 * snapshot after it, and room for the instance.
 */
enum { MESSAGE_OF = SPARE_OF, WINDOW_OF = EXCHANGE_OF };
enum { ELEMENTS_OF = SPARE_OF + 1, LENT_OF };   /* of a vector to put, and of the one that the librarian lends */
enum { LETTER_ENTRY = 96, ORDER_ENTRY, MODULE_ENTRY = 112, ROOM_ENTRY = 192, ROOM_PAGES = 56 };
enum { CHECKPOINT_ENTRY = ROOM_ENTRY + ROOM_PAGES, CHECKPOINT_PAGES = 18 };
enum { ARRIVAL_ENTRY = CHECKPOINT_ENTRY + CHECKPOINT_PAGES };   /* the checkpoint of another guest, to read */

/* What the guest of a managed agent is told to do, how the agent begins, and how it ended. */
enum { ORDER_NONE, ORDER_SAVE, ORDER_PAUSE, ORDER_SNAPSHOT, ORDER_GO, ORDER_CHECK, ORDER_ARRIVE };
enum { FROM_MODULE, FROM_CHECKPOINT, FROM_ARRIVAL };
enum { NOT_ENDED, ENDED_WELL, ENDED_BADLY };

/* A page of the manager, which it shares with the guest. */
struct order {
    uint64_t verb, from;                /* how the agent is to begin when the guest starts */
    uint64_t badge;                     /* of the agent that is here now; 0 if the letter has it */
    uint64_t size;                      /* of what arrives */
    uint64_t inbox;                     /* the handle of RECEIVING, if the manager has passed that on; otherwise 0 */
    volatile uint64_t number, life;     /* of the order, and of the start */
};

/* What the guest has done. */
struct report {
    volatile uint64_t obeyed;           /* the last order */
    volatile uint64_t started, ready;   /* the life in which it started, and in which its module was prepared */
    volatile uint64_t begun;            /* the last life in which the agent ran */
    volatile uint64_t ended;            /* how this life ended */
    volatile uint64_t saved;            /* bytes of the checkpoint; 0 while there is none */
    volatile uint64_t hash[4];          /* of the last snapshot that was taken or checked */
    volatile uint64_t violations;       /* calls that were refused since the agent took more than its quota */
};

/* Root writes the letter before the guest starts, and reads it afterwards. */
struct letter {
    uint64_t buffer_page, message_page, window_page, table; /* pages whose numbers the guest passes in calls */
    uint64_t console;                   /* its handle on the console: a slot that was used before has another one */
    uint64_t self, badge;               /* its partition, and its agent, or the first that its parent makes there */
    uint64_t row;                       /* the first row for its children: one for each place, and one besides */
    uint64_t first_page[CHILDREN];      /* of the module of a child, by its place */
    struct origin child[CHILDREN];
    uint64_t size, snapshot;            /* bytes of the module, and of a snapshot in the pages after it; 0 for none */
    uint64_t hasty;                     /* does the agent see that it came too soon? */
    uint64_t fuel;                      /* safe points until it is suspended; 0 for no limit */
    uint64_t managed;                   /* does a manager give orders? */
    uint64_t reads;                     /* may it ask for vectors? */
    uint64_t large;                     /* is its memory in units, which no snapshot has in it? */
    struct report report;
    volatile uint64_t done;
};

#define MODULE ((const uint8_t *)AT(MODULE_ENTRY))
#define PAGES(size) (((size) + PAGE_SIZE - 1) / PAGE_SIZE)
#define LETTER ((struct letter *)AT(LETTER_ENTRY))
#define ORDER ((const struct order *)AT(ORDER_ENTRY))
#define CHECKPOINT ((uint8_t *)AT(CHECKPOINT_ENTRY))
#define ARRIVAL ((const uint8_t *)AT(ARRIVAL_ENTRY))
#define ROOM ((void *)AT(ROOM_ENTRY)), ROOM_PAGES * PAGE_SIZE

#endif
