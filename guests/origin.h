/* Of which module is an agent, and why does the root in force admit that? */
#ifndef ORIGIN_H
#define ORIGIN_H

#include "runtime.h"

enum { PATH_LIMIT = 5 };    /* levels above a leaf: of the modules of a boot, and four calls, there are fewer than 32 */

struct origin {
    uint64_t parts, word;   /* of 256 bytes, that are measured; the first eight bytes of the hash of all */
    uint64_t position, levels, path[PATH_LIMIT][4];     /* of its hash, below the root in force */
};

/* A page in which the caller writes proofs, and its own partition. */
struct prover {
    volatile uint64_t *proof;
    uint64_t page, actor;
};

/* Make a call on a partition that needs a proof of P2; or one that names a second partition, and says more besides. */
struct answer prove(const struct prover *prover, uint64_t handle, uint64_t operation);
struct answer prove_pair(const struct prover *prover, uint64_t handle, uint64_t operation, uint64_t other,
                         const uint64_t more[3]);

/* Begin an agent in the partition that the handle names, of the module that begins with a page of it. Its badge is the
 * first result. After a refusal there is no such agent, and the first result is the number of the record that tells of
 * the refusal.
 */
struct answer begin_agent(const struct prover *prover, uint64_t handle, uint64_t row, uint64_t place, uint64_t page,
                          const struct origin *origin);

/* End an agent that is in this state. */
void end_agent(uint64_t handle, uint64_t badge, life_t life);

#endif
