/* How often can the kernel append to its log, or check a handle? Each is called many times in a row. */
#include "gate.h"
#include "witness.h"

/* Append records as calls of the root partition leave them. */
void append_many(struct kernel *s, const struct call *call, uint64_t times)
{
    for (uint64_t i = 0; i < times; i++) {
        witness_append_for_partition(s, call->now, 0, ACTION_PROOF_REJECTED, TIER_NONE, STATUS_OK, 0, i, i, i);
    }
}

/* Check P1 of a call; return how often it held. */
uint64_t check_many(struct kernel *s, const struct call *call, uint64_t times)
{
    uint64_t held = 0;
    for (uint64_t i = 0; i < times; i++) {
        held += gate_lookup(s, call) == STATUS_OK;
    }
    return held;
}
