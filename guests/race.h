/* Who takes part in a race for the processor, and what does each keep of it? The pages in which it keeps its stints. */
#ifndef RACE_H
#define RACE_H

#include "runtime.h"

/* Partitions: two that compute, one of which makes another, and those that disturb them. */
enum { STEADY = 1, MAKER, RESTLESS, TALKER, LISTENER, FAULTY, CHILD_RACER };
enum { RACERS = FAULTY };   /* that root makes */

enum { DURATION = 2500 };                   /* ms that each of them runs, from its own beginning */

/* A time in which a partition ran, ns: nobody else did between its beginning and its end. */
struct stint {
    uint64_t begin, end;
};

bool racing(void);

#endif
