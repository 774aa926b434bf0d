/* What does a proof say? These are the words that its digest covers, in order. */
#ifndef MUTATION_H
#define MUTATION_H

#include <stdint.h>

struct mutation {
    uint64_t operation;
    uint64_t actor, incarnation;    /* the calling partition, and which incarnation of it */
    uint64_t kind, object;          /* of the object; its number is in the low bits, its incarnation above */
    uint64_t nonce;
    uint64_t argument[4];           /* x2 .. x5; for a handle, the partition that it names, its incarnation above */
    uint64_t root[4];               /* the root that a commit puts in force, else zeros */
};

void write_proof(volatile uint64_t *page, uint64_t tier, struct mutation meant);

#endif
