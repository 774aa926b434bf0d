/* What do the guest that places agents and the manager tell each other? */
#ifndef COUNSEL_H
#define COUNSEL_H

#include <stdbool.h>
#include <stdint.h>

/* To the manager, of an epoch of placement: the last complete cut, with the agents on one side of it as bits and the
 * traffic across it; and whether an agent is to move to another house.
 */
struct counsel {
    uint64_t epoch, side, value, moves, number, house;
};

/* From the manager: is the agent in that house now? */
struct outcome {
    uint64_t number, house, is_there;
};

void counsel_prepare(void);
bool counsel_send(const void *words, uint64_t size);
bool counsel_receive(void *words, uint64_t size);

#endif
