/* What does root give a guest that drives one end of a link? Both streams, and a region for the session. */
#ifndef STREAMS_H
#define STREAMS_H

#include "creator.h"

static inline void give_stream(uint64_t p, uint64_t transport, uint64_t slot, uint64_t word)
{
    MUST(capability_grant(SLOT_TRANSPORTS + transport, slot, RIGHT_READ | RIGHT_WRITE | RIGHT_LEASE, partition(p),
                          word));
}

/* With the streams goes a nonce, as their badges: what seals the log at this moment is new in each boot, as only the
 * kernel has the key, and no two seals of a boot are the same.
 */
static inline void give_streams(uint64_t p)
{
    const volatile uint64_t *seal = AT(PROOF_ENTRY);

    MUST(witness_seal(SLOT_LOG, COMMIT_PAGE));
    give_stream(p, SENDS_AT, OUTGOING, seal[CHECKPOINT_TAG]);
    give_stream(p, RECEIVES_AT, INCOMING, seal[CHECKPOINT_TAG + 1]);
    MUST(capability_grant(SLOT_REGIONS + STREAM_REGION, STREAM_SLOT, RIGHT_WRITE, partition(p), 0));
}

#endif
