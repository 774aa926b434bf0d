/* What does root tell the manager of the agents that it made? It writes this page, and the manager reads it. */
#ifndef ROLL_H
#define ROLL_H

#include <stdint.h>

enum { MOST_AGENTS = 6 };   /* that root has slots and pages for */
enum { MOST_TRIALS = 32 };
enum { ROLL_ENTRY = 128 };  /* in the manager's level-3 table */

/* What goes wrong in a trial: nothing, a task is refused, the manager is killed before it, or before it is told, or
 * what comes from the disk is altered.
 */
enum { NO_FAULT, FAULT_REFUSED, FAULT_DROPPED, FAULT_LOST, FAULT_ALTERED };

/* An agent, or room for one that moves. */
struct entry {
    uint64_t badge, handle, partition;  /* the manager's handle on its partition */
    uint64_t table, letter, room, checkpoint;   /* pages of that; the last two are the first ones of several */
    uint64_t is_room;
};

struct roll {
    uint64_t agents, entries, epoch;    /* the last in ms */
    uint64_t tried, moves, trials;      /* the row of the agent that moves, or else hibernates, and how often */
    struct { uint64_t verb, fault; } trial[MOST_TRIALS];    /* at which task what goes wrong */
    struct entry entry[MOST_AGENTS];
    volatile uint64_t answered;         /* the last wish of the manager, and whether it came true */
    volatile uint64_t granted;
};

/* The manager wishes that an agent is spawned again, that there is new room in a row, that an agent has pages again
 * which were freed, that it is killed and started again, or that agents come to their end, as all trials were made.
 * Wishes are numbered.
 */
enum { WISH_SPAWN, WISH_ROOM, WISH_PAGES, WISH_KILL, WISH_END, WISHES, WISH_BITS = 8 };
#define WISH(number, what, row) (((uint64_t)(number) * WISHES + (what)) << WISH_BITS | (row))

#endif
