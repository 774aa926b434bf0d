/* What does root tell the manager of the agents that it made? It writes this page, and the manager reads it. */
#ifndef ROLL_H
#define ROLL_H

#include <stdint.h>
#include "layout.h"

enum { MOST_AGENTS = 6 };   /* that root has slots and pages for */
enum { MOST_TRIALS = 48 };
enum { ROLL_ENTRY = 128 };  /* in the manager's level-3 table */

/* An agent, or room for one that moves; without a partition, neither. */
struct entry {
    uint64_t badge, handle, partition;  /* the manager's handle on its partition */
    uint64_t table, letter, room, checkpoint;   /* pages of that; the last two are the first ones of several */
    uint64_t units;                     /* its table of units, if its memory is large */
    uint64_t is_room;
    uint64_t number, can_move;          /* of the agent; can the manager move it? */
    uint64_t house;                     /* of the row, if agents are placed in houses */
};

/* What goes wrong in a trial, at the task for this verb. */
struct fault {
    uint64_t verb, fault;
};

struct roll {
    uint64_t agents, entries;           /* agents that begin, in the first rows, and all rows */
    uint64_t ends;                      /* how many agents come to their end, here or on the other machine */
    uint64_t epoch, round;              /* ms; the second between two looks */
    uint64_t tried, moves, trials;      /* the row of who moves, or else hibernates, and how often at least */
    uint64_t messages;                  /* that it is sent at least */
    uint64_t block;                     /* the first unit of its memory, if that is large */
    uint64_t houses;                    /* in which agents are placed, as is recommended; otherwise none */
    uint64_t is_home;                   /* does it begin on this machine? */
    uint64_t faults;                    /* those of the trials, one after the other, over and over again */
    struct fault trial[MOST_TRIALS];
    struct entry entry[MOST_AGENTS];
    volatile uint64_t answered;         /* the last wish of the manager, and whether it came true */
    volatile uint64_t granted;
};

/* The manager wishes that an agent is spawned again, that there is new room in a row, the same for an agent of another
 * row, that an agent has pages again which were freed, that it is killed and started again, or that agents come to
 * their end, as all trials were made. Wishes are numbered.
 */
enum { WISH_SPAWN, WISH_ROOM, WISH_PLACE, WISH_PAGES, WISH_KILL, WISH_END, WISHES, WISH_BITS = 8 };
#define WISH(number, what, row) (((uint64_t)(number) * WISHES + (what)) << WISH_BITS | (row))
#define ROW_FOR(row, number) ((row) + (number) * MOST_AGENTS)

#endif
