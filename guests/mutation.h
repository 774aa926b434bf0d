/* What does a proof say? The words that its digest is made of, in their order. */
#ifndef MUTATION_H
#define MUTATION_H

#include <stdint.h>

struct mutation {
    uint64_t operation;
    uint64_t actor, incarnation;    /* who means it: a partition, and which of that number */
    uint64_t kind, object;          /* of the object: its number, below its incarnation */
    uint64_t nonce;
    uint64_t argument[4];           /* x2 .. x5; in place of a handle, the partition that it names, below its incarnation */
    uint64_t root[4];               /* that a commit puts in force, else zeros */
};

void write_proof(volatile uint64_t *page, uint64_t tier, struct mutation meant);

#endif
