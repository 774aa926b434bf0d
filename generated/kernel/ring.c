/* Generated from spec/ring.py, spec/kernel/ring.py, model/kernel/ring.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 14920c96f9888beb */

#include "ring.h"
#include "builtins.h"
#include "capability.h"
#include "partition.h"

/* ns of credit */
static const uint32_t CALL_COST[4] = {
    [RING_ROOT] = 10000000,
    [RING_PRIVILEGED] = 20000000,
    [RING_STANDARD] = 50000000,
    [RING_SANDBOX] = 200000000,
};
/* concurrent tools */
static const uint8_t TOOLS[4] = {
    [RING_ROOT] = 32,
    [RING_PRIVILEGED] = 16,
    [RING_STANDARD] = 8,
    [RING_SANDBOX] = 2,
};
static const uint8_t NETWORK[4] = {
    [RING_ROOT] = 1,
    [RING_PRIVILEGED] = 1,
    [RING_STANDARD] = 1,
    /* all others: 0 */
};
static const uint8_t SUBPROCESS[4] = {
    [RING_ROOT] = 1,
    [RING_PRIVILEGED] = 1,
    [RING_STANDARD] = 1,
    /* all others: 0 */
};
static const uint8_t FILESYSTEM[4] = {
    [RING_ROOT] = SCOPE_FULL,
    [RING_PRIVILEGED] = SCOPE_FULL,
    [RING_STANDARD] = SCOPE_SCOPED,
    /* all others: SCOPE_NONE */
};

/* The code of what the header has copied to its callers. */
extern inline bool ring_more_privileged(ring_t a, ring_t b);
extern inline bool ring_confers_trust(object_kind_t kind);
extern inline bool ring_epoch_over(const struct kernel *s, partition_id_t p, uint64_t now);
extern inline uint64_t ring_left_of(uint64_t credit, uint64_t cost);

/* Which rings are there, which ring follows from trust, and what does each allow? Whoever keeps rings asks this
   module.

   The kernel keeps those of partitions, and governance those of agents. */

/* The ring that follows from a trust score and a consensus; never ring 0. */
ring_t ring_for(uint32_t score, bool consensus)
{
    if (score > RING_1_SCORE && consensus) {
        return RING_PRIVILEGED;
    }
    if (score > RING_2_SCORE) {
        return RING_STANDARD;
    }
    return RING_SANDBOX;
}

/* Which ring does a partition run in, and what does the ring allow? */

/* Is the capability that the partition rose under still there, and live? */
bool ring_attested(const struct kernel *s, partition_id_t p)
{
    return capability_handle_holds(s, p, s->partition[p].elevation.attestation, OBJECT_KIND_PROOF_ROOT, RIGHT_PROVE);
}

/* Does the partition hold an elevation that has not expired and, if it is to ring 1, is still attested? */
bool ring_elevated(const struct kernel *s, partition_id_t p, uint64_t now)
{
    const struct elevation *held = &s->partition[p].elevation;
    return held->active && now < held->expires && (held->ring != RING_PRIVILEGED || ring_attested(s, p));
}

/* The ring of the partition itself: its base ring, or a better one held for a while. */
ring_t ring_own_ring(const struct kernel *s, partition_id_t p, uint64_t now)
{
    ring_t held = s->partition[p].elevation.ring;
    if (ring_elevated(s, p, now) && ring_more_privileged(held, s->partition[p].ring)) {
        return held;
    }
    return s->partition[p].ring;
}

/* Limit a partition's own ring: it is no better than any of its creators' rings by their scores. */
ring_t ring_bounded(const struct kernel *s, partition_id_t p, ring_t own)
{
    ring_t ring = own;
    partition_id_t at = p;
    for (uint32_t step = 0; step < ANCESTRY_LIMIT; step++) {
        if (s->partition[at].ancestry != 0) {
            at = s->partition[at].parent;
            ring_t above = s->partition[at].ring;
            ring = ring_more_privileged(ring, above) ? above : ring;
        }
    }
    return ring;
}

/* The ring that follows from scores alone, ignoring elevations. */
ring_t ring_base_ring(const struct kernel *s, partition_id_t p)
{
    return ring_bounded(s, p, s->partition[p].ring);
}

/* The ring that the gate applies; an elevation is personal, and nobody inherits it. */
ring_t ring_effective_ring(const struct kernel *s, partition_id_t p, uint64_t now)
{
    return ring_bounded(s, p, ring_own_ring(s, p, now));
}

/* Does the ring allow the use of a resource? */
bool ring_permits(ring_t ring, resource_t resource)
{
    if (resource == RESOURCE_NETWORK) {
        return NETWORK[(uint8_t)ring] != 0;
    }
    if (resource == RESOURCE_SUBPROCESS) {
        return SUBPROCESS[(uint8_t)ring] != 0;
    }
    if (resource == RESOURCE_FILESYSTEM) {
        return FILESYSTEM[(uint8_t)ring] != SCOPE_NONE;
    }
    return true;
}

/* The best ring that a partition can have without asking: its own, or the ring of an elevation not cleared yet. */
ring_t ring_lasting_ring(const struct kernel *s, partition_id_t p)
{
    const struct elevation *held = &s->partition[p].elevation;
    return held->active && ring_more_privileged(held->ring, s->partition[p].ring) ? held->ring : s->partition[p].ring;
}

/* Count the partition's tools for the resources that a ring permits. */
uint32_t ring_permitted_tools(const struct kernel *s, partition_id_t p, ring_t ring)
{
    uint32_t held = 0;
    for (uint32_t i = 0; i < RESOURCES; i++) {
        if (ring_permits(ring, i)) {
            held += s->partition[p].tools[i];
        }
    }
    return held;
}

/* Return how many tools of a resource are left in a ring.

   A ring keeps the tools that it permits, up to its limit, in the order of the resources. */
uint8_t ring_kept_tools(const struct kernel *s, partition_id_t p, ring_t ring, resource_t resource)
{
    uint8_t room = TOOLS[(uint8_t)ring];
    uint8_t kept = 0;
    for (uint32_t i = 0; i < RESOURCES; i++) {
        if (i <= resource) {
            kept = ring_permits(ring, i) ? minimum(s->partition[p].tools[i], room) : 0;
            room -= kept;
        }
    }
    return kept;
}

/* Does the partition hold no more tools than a ring allows, and none of a resource that it denies? */
bool ring_within_ring(const struct kernel *s, partition_id_t p, ring_t ring)
{
    uint32_t held = 0;
    for (uint32_t i = 0; i < RESOURCES; i++) {
        held += s->partition[p].tools[i];
        if (s->partition[p].tools[i] != 0 && !ring_permits(ring, i)) {
            return false;
        }
    }
    return held <= TOOLS[(uint8_t)ring];
}

/* Is the ring of a partition exactly the one that its score and its consensus give? */
bool ring_earned(const struct kernel *s, partition_id_t p)
{
    const struct partition *own = &s->partition[p];
    return own->ring != RING_ROOT && own->ring == RING_PRIVILEGED == (own->score > RING_1_SCORE && own->consensus) &&
           own->ring == RING_SANDBOX == (own->score <= RING_2_SCORE);
}

/* How do partitions gain and lose rings, and how are calls and tools rationed? */

/* Return what the bucket holds by now; a clock that runs back adds nothing. */
uint64_t ring_credit_at(const struct kernel *s, partition_id_t p, uint64_t now)
{
    const struct bucket *bucket = &s->partition[p].bucket;
    uint64_t passed = minimum(saturating_sub(now, bucket->refilled), BURST);
    return minimum(bucket->credit + passed, BURST);
}

/* Refill the bucket and take one token of a ring from it, if there is one. */
bool ring_spend(struct kernel *s, partition_id_t p, ring_t ring, uint64_t now)
{
    uint32_t cost = CALL_COST[(uint8_t)ring];
    uint64_t credit = ring_credit_at(s, p, now);
    struct bucket *bucket = &s->partition[p].bucket;
    bucket->credit = ring_left_of(credit, cost);
    bucket->refilled = maximum(bucket->refilled, now);
    return credit >= cost;
}

/* Return how many messages of its present epoch the partition has used up. */
uint16_t ring_messages_by(const struct kernel *s, partition_id_t p, uint64_t now)
{
    return ring_epoch_over(s, p, now) ? 0 : s->partition[p].messages.used;
}

/* Is a message of the partition's epoch left? */
bool ring_has_message(const struct kernel *s, partition_id_t p, uint64_t now)
{
    return ring_messages_by(s, p, now) < MESSAGES_PER_EPOCH;
}

/* Use up one message of the epoch, if there is one left. */
bool ring_count_message(struct kernel *s, partition_id_t p, uint64_t now)
{
    uint16_t used = ring_messages_by(s, p, now);
    if (used >= MESSAGES_PER_EPOCH) {
        return false;
    }
    struct epoch *allowance = &s->partition[p].messages;
    allowance->began = ring_epoch_over(s, p, now) ? now : allowance->began;
    allowance->used = used + 1;
    return true;
}

/* Pay for a call in this ring from its meter, if the meter holds enough. */
bool ring_pay(struct kernel *s, partition_id_t p, meter_t meter, ring_t ring, uint64_t now)
{
    if (meter == METER_MESSAGES) {
        return ring_count_message(s, p, now);
    }
    return ring_spend(s, p, ring, now);
}

/* Give up the tools that a ring does not allow.

   Those are all tools of a resource that it denies, then the last ones beyond its limit. */
void ring_shed_tools(struct kernel *s, partition_id_t p, ring_t ring)
{
    uint8_t room = TOOLS[(uint8_t)ring];
    for (uint32_t i = 0; i < RESOURCES; i++) {
        uint8_t kept = ring_permits(ring, i) ? minimum(s->partition[p].tools[i], room) : 0;
        s->partition[p].tools[i] = kept;
        room -= kept;
    }
}

/* Put a partition back in the ring of its score, with the tools that it may have there. */
void ring_end_elevation(struct kernel *s, partition_id_t p)
{
    s->partition[p].elevation.active = false;
    ring_shed_tools(s, p, s->partition[p].ring);
}

/* Clear an elevation that is over; it has had no effect since it ended. */
void ring_expire(struct kernel *s, partition_id_t p, uint64_t now)
{
    if (s->partition[p].elevation.active && !ring_elevated(s, p, now)) {
        ring_end_elevation(s, p);
    }
}

/* Set score, consensus and the ring that follows; what was held beyond the old ring or the new one ends. */
void ring_set_trust(struct kernel *s, partition_id_t p, uint32_t score, bool consensus)
{
    ring_end_elevation(s, p);
    s->partition[p].score = score;
    s->partition[p].consensus = consensus;
    s->partition[p].ring = ring_for(score, consensus);
    ring_shed_tools(s, p, s->partition[p].ring);
}

/* Set the trust score and consensus of another partition, and the ring that follows.

   They stay within what the caller has of its own. */
status_t ring_assign(struct kernel *s, const struct call *call, handle_t of, uint32_t score, bool consensus)
{
    (void)call;
    if (!capability_may_act_on(s, s->current, of, RIGHT_WRITE)) {
        return STATUS_INSUFFICIENT_RIGHTS;
    }
    partition_id_t p = capability_partition_of_handle(s, s->current, of);
    if (p == s->current) {
        return STATUS_INVALID_TARGET;
    }
    if (score > PPM) {
        return STATUS_BAD_ARGUMENT;
    }
    if (score > s->partition[s->current].score) {
        return STATUS_INSUFFICIENT_TRUST;
    }
    if (ring_more_privileged(ring_for(score, consensus), ring_base_ring(s, s->current))) {
        return STATUS_RING_DENIED;
    }
    ring_set_trust(s, p, score, consensus);
    return STATUS_OK;
}

/* Lower the score of a partition, recompute its ring with the consensus it had, and end any elevation. */
status_t ring_demote(struct kernel *s, const struct call *call, uint32_t score)
{
    partition_id_t p = capability_named_partition(s, call);
    if (!partition_alive(s, p)) {
        return STATUS_WRONG_STATE;
    }
    if (score > s->partition[p].score) {
        return STATUS_BAD_ARGUMENT;
    }
    ring_set_trust(s, p, score, s->partition[p].consensus);
    return STATUS_OK;
}

/* Hold a better ring for a while (default 300 s, at most 3600 s).

   Ring 1 asks for an attestation, and lasts only as long as the attestation is live. */
status_t ring_elevate(struct kernel *s, const struct call *call, ring_t target, uint32_t seconds, handle_t attestation)
{
    struct partition *own = &s->partition[s->current];
    if (!ring_more_privileged(target, ring_effective_ring(s, s->current, call->now))) {
        return STATUS_INVALID_TARGET;
    }
    if (target == RING_ROOT) {
        return STATUS_RING_0_FORBIDDEN;
    }
    if (ring_elevated(s, s->current, call->now)) {
        return STATUS_DUPLICATE_ELEVATION;
    }
    if (own->score < (target == RING_PRIVILEGED ? ELEVATE_1_SCORE : ELEVATE_2_SCORE)) {
        return STATUS_INSUFFICIENT_TRUST;
    }
    if (target == RING_PRIVILEGED &&
        !capability_handle_holds(s, s->current, attestation, OBJECT_KIND_PROOF_ROOT, RIGHT_PROVE)) {
        return STATUS_NO_SPONSORSHIP;
    }
    uint32_t asked = seconds == 0 ? ELEVATION_DEFAULT : minimum(seconds, ELEVATION_LIMIT);
    if (call->now > CLOCK_LIMIT) {
        return STATUS_BAD_ARGUMENT;
    }
    ring_expire(s, s->current, call->now);
    own->elevation.active = true;
    own->elevation.ring = target;
    own->elevation.attestation = attestation;
    own->elevation.expires = call->now + (uint64_t)asked * SECOND;
    return STATUS_OK;
}

/* End the elevation of a partition before its time. */
status_t ring_restore(struct kernel *s, const struct call *call)
{
    partition_id_t p = capability_named_partition(s, call);
    if (!s->partition[p].elevation.active) {
        return STATUS_WRONG_STATE;
    }
    ring_end_elevation(s, p);
    return STATUS_OK;
}

/* Count one more concurrent tool, as far as the ring allows; return how many there are. */
status_t ring_tool_acquire(struct kernel *s, struct call *call, resource_t resource)
{
    partition_id_t p = s->current;
    ring_t ring = ring_effective_ring(s, p, call->now);
    if (ring_permitted_tools(s, p, ring) >= TOOLS[(uint8_t)ring]) {
        return STATUS_LIMIT_REACHED;
    }
    ring_shed_tools(s, p, ring);
    s->partition[p].tools[resource]++;
    call->result[0] = ring_permitted_tools(s, p, ring);
    return STATUS_OK;
}

/* Count one concurrent tool of a resource less, among those that the ring allows. */
status_t ring_tool_release(struct kernel *s, const struct call *call, resource_t resource)
{
    partition_id_t p = s->current;
    ring_t ring = ring_effective_ring(s, p, call->now);
    if (ring_kept_tools(s, p, ring, resource) == 0) {
        return STATUS_WRONG_STATE;
    }
    ring_shed_tools(s, p, ring);
    s->partition[p].tools[resource]--;
    return STATUS_OK;
}
