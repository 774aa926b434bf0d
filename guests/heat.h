/* Of how much use is a block of large memory, and of which tier is it therefore? */
#ifndef HEAT_H
#define HEAT_H

#include "large.h"

struct warmth {
    uint64_t heat;      /* the tier of the block */
    uint64_t epochs;    /* a bit for each, the most recent in bit 0: was the block used? */
    bool is_seen;       /* are its units in the tables of its holder? */
};

/* A block begins hot, as if it had been used all the time. */
#define ALL_EPOCHS ((1ull << USE_EPOCHS) - 1)
#define WARMTH_BEGUN (struct warmth){HEAT_HOT, ALL_EPOCHS, false}

/* The block is needed, and therefore of all use. Is it hot? */
bool heat_up(struct warmth *w, uint64_t handle, uint64_t head);

/* An epoch is over. A block that is of too little use for its tier gets colder, by one tier, and is taken out of the
 * holder's tables before it is dormant.
 */
void let_fade(struct warmth *w, uint64_t handle, uint64_t head, bool was_used);

#endif
