/* Generated from spec/governance/words.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 84999daf09225b55 */

#include "words.h"
#include "builtins.h"
#include "ring.h"

/* What do the words of governance mean: who may act, in which ring, and what is left of a bucket? */

/* Is a seat in quarantine? */
bool words_is_quarantined(const struct governance *s, seat_id_t a, uint64_t now)
{
    return now < s->seat[a].quarantined;
}

/* Return why a seat may not act, if so. */
status_t words_standing(const struct governance *s, seat_id_t a, uint64_t now)
{
    if (!s->seat[a].taken) {
        return STATUS_NOT_SEATED;
    }
    if (s->agent[s->seat[a].agent].killed) {
        return STATUS_KILLED;
    }
    if (s->seat[a].breach.tripped) {
        return STATUS_TRIPPED;
    }
    return words_is_quarantined(s, a, now) ? STATUS_QUARANTINED : STATUS_OK;
}

/* Return the ring that an action needs. */
ring_t words_required_ring(bool admin, reversibility_t reversibility, bool read_only)
{
    if (admin) {
        return RING_ROOT;
    }
    if (reversibility == REVERSIBILITY_NONE && !read_only) {
        return RING_PRIVILEGED;
    }
    return read_only ? RING_SANDBOX : RING_STANDARD;
}

/* Is an elevation in force? */
bool words_is_elevated(const struct elevation *held, uint64_t now)
{
    return held->active && now < held->expires;
}

/* Return the ring of a seat by itself: that of its score, or a better one for a while. */
ring_t words_own_ring(const struct governance *s, seat_id_t a, uint64_t now)
{
    const struct elevation *held = &s->seat[a].elevation;
    if (words_is_elevated(held, now) && ring_more_privileged(held->ring, s->seat[a].ring)) {
        return held->ring;
    }
    return s->seat[a].ring;
}

/* Return the less privileged of two rings. */
ring_t words_worse(ring_t a, ring_t b)
{
    return ring_more_privileged(a, b) ? b : a;
}

/* Does the parent of a seat still sit where it sat, alive? */
bool words_has_parent(const struct governance *s, seat_id_t a)
{
    const struct seat *above = &s->seat[s->seat[a].parent];
    return above->taken && above->generation == s->seat[a].born && !s->agent[above->agent].killed;
}

/* Return the best ring that the parent of a seat leaves it; whose parent has gone is in the sandbox. */
ring_t words_ceiling(const struct governance *s, seat_id_t a, uint64_t now)
{
    if (s->seat[a].ancestry == 0) {
        return RING_ROOT;
    }
    return words_has_parent(s, a) ? words_own_ring(s, s->seat[a].parent, now) : RING_SANDBOX;
}

/* Return the seat of the parent, or the seat itself if it is a first one. */
seat_id_t words_above(const struct governance *s, seat_id_t a)
{
    return s->seat[a].ancestry == 0 ? a : s->seat[a].parent;
}

/* Return the ring in which a seat acts: no better than the rings in which those above it act. */
ring_t words_effective_ring(const struct governance *s, seat_id_t a, uint64_t now)
{
    ring_t ring = words_own_ring(s, a, now);
    seat_id_t at = a;
    for (uint32_t step = 0; step < ANCESTRY_LIMIT; step++) {
        ring = words_worse(ring, words_ceiling(s, at, now));
        at = words_above(s, at);
    }
    return ring;
}

/* Does a ring suffice for what needs another one? */
status_t words_admitted(ring_t ring, ring_t required)
{
    if (required == RING_ROOT) {
        return STATUS_NEEDS_SRE_WITNESS;
    }
    return ring_more_privileged(required, ring) ? STATUS_RING_DENIED : STATUS_OK;
}

/* Can so much be paid now, from a bucket that is so large? */
bool words_is_rate(uint64_t price, uint64_t span, uint64_t now)
{
    bool fits = span <= SPAN_LIMIT && price <= SPAN_LIMIT && now <= CLOCK_LIMIT;
    return fits && span != 0 && price != 0;
}

/* Return when everything is paid, if a price is added to what is due now; all are within their limits. */
uint64_t words_due_after(uint64_t due, uint64_t price, uint64_t now)
{
    return minimum(maximum(due, now), 0x9000000000000000ull) + minimum(price, SPAN_LIMIT);
}

/* Return for how many calls a call of a ring counts: for as many as the rings that it lies above one's own. */
uint32_t words_amplifier(ring_t ring, ring_t called)
{
    return ring_more_privileged(called, ring) ? (uint32_t)ring - (uint32_t)called : 1;
}

/* Return how bad so many calls are; a call of ring 0, which is nobody's, is as bad as can be by itself. */
severity_t words_severity_of(uint32_t weight, ring_t called)
{
    if (weight >= CRITICAL || called == RING_ROOT) {
        return SEVERITY_CRITICAL;
    }
    if (weight >= HIGH) {
        return SEVERITY_HIGH;
    }
    if (weight >= MEDIUM) {
        return SEVERITY_MEDIUM;
    }
    return weight >= LOW ? SEVERITY_LOW : SEVERITY_NONE;
}

/* Return what the calls of the window count for, with some more; a window that is over is followed by another. */
uint32_t words_weight_after(const struct breach *breach, uint32_t more, uint64_t now)
{
    uint32_t kept = saturating_sub(now, breach->since) >= WINDOW ? 0 : breach->weight;
    return minimum(kept, WEIGHT_LIMIT) + more;
}

/* Return the stage that follows; the last one is followed by none. */
stage_t words_next_stage(stage_t stage)
{
    if (stage == STAGE_CREATED) {
        return STAGE_HANDSHAKING;
    }
    if (stage == STAGE_HANDSHAKING) {
        return STAGE_ACTIVE;
    }
    if (stage == STAGE_ACTIVE) {
        return STAGE_TERMINATING;
    }
    return stage == STAGE_TERMINATING ? STAGE_ARCHIVED : STAGE_VACANT;
}

/* May a session get deltas? */
bool words_has_chain(stage_t stage)
{
    return stage != STAGE_VACANT && stage != STAGE_ARCHIVED;
}

/* Is there no saga, or nothing left to do for it? */
bool words_is_over(phase_t phase)
{
    return phase != PHASE_READY && phase != PHASE_EXECUTING && phase != PHASE_COMPENSATING;
}
