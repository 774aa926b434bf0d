/* What does placement see of the machine, and whom does it tell? */
#ifndef CENSUS_H
#define CENSUS_H

#include <stdbool.h>
#include <stdint.h>
#include "roll.h"

enum { NOBODY = MOST_AGENTS };

/* What an edge has carried since it was made, and between which agents, by their numbers. */
struct account {
    uint64_t edge, carried, from, to;
};

/* Prepare everything; return the pages for the state of the component. */
void *prepare_census(uint64_t size);
const volatile struct roll *the_roll(void);

/* Read the accounts of one group of edges; false after the last one. */
bool census_read(uint64_t group, struct account account[GRAPH_ROWS]);

/* Tell the host, in numbers, at the end of an epoch; wait for the next one; let root know that all was seen. */
void report(const char *what, uint64_t first, uint64_t second, uint64_t third);
void send_reports(void);
void rest(uint64_t milliseconds);
void has_seen_enough(void);

#endif
