/* Generated from spec/ring.py, model/ring.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 c7dae063c7082032 */

#include "ring.h"
#include "builtins.h"
#include "capability.h"
#include "partition.h"

/* ns of credit */
static const uint32_t CALL_COST[4] = {10000000, 20000000, 50000000, 200000000};
/* concurrent tools, by ring */
static const uint8_t TOOLS[4] = {32, 16, 8, 2};
static const uint8_t NETWORK[4] = {1, 1, 1, 0};
static const uint8_t SUBPROCESS[4] = {1, 1, 1, 0};
/* a Scope, by ring */
static const uint8_t FILESYSTEM[4] = {3, 3, 2, 0};

/* Which ring does a partition run in, and what does the ring allow? */

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

/* Does ring `a` allow more than ring `b`? */
bool ring_more_privileged(ring_t a, ring_t b)
{
    return a < b;
}

/* Does the partition hold an elevation that has not expired? */
bool ring_elevated(const struct kernel *s, partition_id_t p, uint64_t now)
{
    return s->partition[p].elevation.active && now < s->partition[p].elevation.expires;
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

/* The ring that the gate applies: never better than that of any creator. */
ring_t ring_effective_ring(const struct kernel *s, partition_id_t p, uint64_t now)
{
    ring_t ring = ring_own_ring(s, p, now);
    partition_id_t at = p;
    for (uint32_t step = 0; step < ANCESTRY_LIMIT; step++) {
        if (s->partition[at].ancestry != 0) {
            at = s->partition[at].parent;
            ring_t above = ring_own_ring(s, at, now);
            ring = ring_more_privileged(ring, above) ? above : ring;
        }
    }
    return ring;
}

/* Is the epoch over in which the partition's messages were counted? A clock that runs back ends none. */
bool ring_epoch_over(const struct kernel *s, partition_id_t p, uint64_t now)
{
    return saturating_sub(now, s->partition[p].messages.began) >= QUANTUM;
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

/* How do partitions gain and lose rings, and how are calls and tools rationed? */

/* What the bucket holds by now; a clock that runs back gives nothing. */
uint64_t ring_credit_at(const struct kernel *s, partition_id_t p, uint64_t now)
{
    const struct bucket *bucket = &s->partition[p].bucket;
    uint64_t passed = minimum(saturating_sub(now, bucket->refilled), BURST);
    return minimum(bucket->credit + passed, BURST);
}

/* What a call costs a partition of this ring. */
uint64_t ring_cost_of_call(const struct kernel *s, partition_id_t p, uint64_t now)
{
    return CALL_COST[(uint8_t)ring_effective_ring(s, p, now)];
}

/* Refill the bucket and take one token of the partition's ring from it, if there is one. */
bool ring_spend(struct kernel *s, partition_id_t p, uint64_t now)
{
    uint64_t cost = ring_cost_of_call(s, p, now);
    struct bucket *bucket = &s->partition[p].bucket;
    bucket->credit = ring_credit_at(s, p, now);
    bucket->refilled = maximum(bucket->refilled, now);
    if (bucket->credit < cost) {
        return false;
    }
    bucket->credit -= cost;
    return true;
}

/* How many messages of its present epoch the partition has used up. */
uint16_t ring_messages_by(const struct kernel *s, partition_id_t p, uint64_t now)
{
    return ring_epoch_over(s, p, now) ? 0 : s->partition[p].messages.used;
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

/* Does what a call is paid from hold what it costs? */
bool ring_affordable(const struct kernel *s, partition_id_t p, meter_t meter, uint64_t now)
{
    if (meter == METER_MESSAGES) {
        return ring_messages_by(s, p, now) < MESSAGES_PER_EPOCH;
    }
    return ring_credit_at(s, p, now) >= ring_cost_of_call(s, p, now);
}

/* Take what a call costs from what it is paid from, if that holds so much. */
bool ring_pay(struct kernel *s, partition_id_t p, meter_t meter, uint64_t now)
{
    if (meter == METER_MESSAGES) {
        return ring_count_message(s, p, now);
    }
    return ring_spend(s, p, now);
}

/* Set the trust score and consensus of another partition, and the ring that follows from them. */
status_t ring_assign(struct kernel *s, const struct call *call, uint32_t score, bool consensus)
{
    partition_id_t p = capability_named_partition(s, call);
    if (p == s->current) {
        return STATUS_INVALID_TARGET;
    }
    if (score > PPM) {
        return STATUS_BAD_ARGUMENT;
    }
    if (!partition_alive(s, p)) {
        return STATUS_WRONG_STATE;
    }
    if (score > s->partition[s->current].score) {
        return STATUS_INSUFFICIENT_TRUST;
    }
    if (ring_more_privileged(ring_for(score, consensus), ring_effective_ring(s, s->current, call->now))) {
        return STATUS_RING_DENIED;
    }
    s->partition[p].score = score;
    s->partition[p].consensus = consensus;
    s->partition[p].ring = ring_for(score, consensus);
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
    s->partition[p].score = score;
    s->partition[p].ring = ring_for(score, s->partition[p].consensus);
    s->partition[p].elevation.active = false;
    return STATUS_OK;
}

/* Hold a better ring for a while (default 300 s, at most 3600 s); ring 1 asks for an attestation. */
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
    own->elevation.active = true;
    own->elevation.ring = target;
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
    s->partition[p].elevation.active = false;
    return STATUS_OK;
}

/* Count one more concurrent tool, as far as the ring allows. */
status_t ring_tool_acquire(struct kernel *s, struct call *call, resource_t resource)
{
    (void)resource;
    if (s->partition[s->current].tools >= TOOLS[(uint8_t)ring_effective_ring(s, s->current, call->now)]) {
        return STATUS_LIMIT_REACHED;
    }
    s->partition[s->current].tools++;
    call->result[0] = s->partition[s->current].tools;
    return STATUS_OK;
}

/* Count one concurrent tool less. */
status_t ring_tool_release(struct kernel *s, const struct call *call)
{
    (void)call;
    if (s->partition[s->current].tools == 0) {
        return STATUS_WRONG_STATE;
    }
    s->partition[s->current].tools--;
    return STATUS_OK;
}

/* Clear an elevation whose time is over; it has been without effect since. */
void ring_expire(struct kernel *s, partition_id_t p, uint64_t now)
{
    if (s->partition[p].elevation.active && !ring_elevated(s, p, now)) {
        s->partition[p].elevation.active = false;
    }
}
