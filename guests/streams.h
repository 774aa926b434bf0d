/* What does root give a guest that drives one end of a link? Both streams, and a region for the session. */
#ifndef STREAMS_H
#define STREAMS_H

#include "creator.h"

static inline void give_stream(uint64_t p, uint64_t transport, uint64_t slot)
{
    MUST(capability_grant(SLOT_TRANSPORTS + transport, slot, RIGHT_READ | RIGHT_WRITE | RIGHT_LEASE, partition(p), 0));
}

static inline void give_streams(uint64_t p)
{
    give_stream(p, SENDS_AT, OUTGOING);
    give_stream(p, RECEIVES_AT, INCOMING);
    MUST(capability_grant(SLOT_REGIONS + STREAM_REGION, STREAM_SLOT, RIGHT_WRITE, partition(p), 0));
}

#endif
