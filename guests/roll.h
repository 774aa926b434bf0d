/* What does root tell the manager of the agents that it made? It writes this page, and the manager reads it. */
#ifndef ROLL_H
#define ROLL_H

#include <stdint.h>

enum { MOST_AGENTS = 6 };   /* that root has slots and pages for */
enum { ROLL_ENTRY = 128 };  /* in the manager's level-3 table */

struct entry {
    uint64_t badge, handle, partition;  /* the manager's handle on its partition */
    uint64_t table, letter;             /* pages of that */
};

struct roll {
    uint64_t count;
    struct entry entry[MOST_AGENTS];
    volatile uint64_t answered;         /* the last wish of the manager, and whether it came true */
    volatile uint64_t granted;
};

/* The manager wishes that an agent is spawned again; wishes are numbered. */
enum { WISH_BITS = 8 };
#define WISH(number, agent) ((uint64_t)(number) << WISH_BITS | (agent))

#endif
