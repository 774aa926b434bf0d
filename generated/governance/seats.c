/* Generated from model/governance/seats.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 746be193a52f86be */

#include "seats.h"
#include "builtins.h"
#include "ring.h"
#include "words.h"

/* How do agents take seats, and what may they do there? Whatever is refused has changed nothing. */

/* Return why an agent cannot take a seat, if so. */
status_t seats_barred(const struct governance *s, seat_id_t a, agent_id_t agent, uint32_t score)
{
    if (s->seat[a].taken) {
        return STATUS_TAKEN;
    }
    if (s->agent[agent].killed) {
        return STATUS_KILLED;
    }
    if (score > PPM) {
        return STATUS_BAD_SCORE;
    }
    return s->seat[a].generation >= 0xfffffffffffffffeull ? STATUS_EXHAUSTED : STATUS_OK;
}

/* Let an agent have a seat, with a full bucket. */
void seats_sit(struct governance *s, seat_id_t a, agent_id_t agent, uint32_t score, bool consensus)
{
    struct seat *seat = &s->seat[a];
    uint64_t generation = minimum(seat->generation, 0xfffffffffffffffeull) + 1;
    *seat = (struct seat){0};
    seat->taken = true;
    seat->agent = agent;
    seat->generation = generation;
    seat->score = score;
    seat->consensus = consensus;
    seat->ring = ring_for(score, consensus);
}

/* Give an agent without a parent a free seat. */
status_t seats_enrol(struct governance *s, seat_id_t a, agent_id_t agent, uint32_t score, bool consensus)
{
    status_t refused = seats_barred(s, a, agent, score);
    if (refused != STATUS_OK) {
        return refused;
    }
    seats_sit(s, a, agent, score, consensus);
    return STATUS_OK;
}

/* Give the child of an agent that may act a free seat. */
status_t seats_register_child(struct governance *s, seat_id_t a, agent_id_t agent, seat_id_t parent, uint32_t score,
                              bool consensus, uint64_t now)
{
    status_t refused = seats_barred(s, a, agent, score);
    if (refused != STATUS_OK) {
        return refused;
    }
    status_t above = words_standing(s, parent, now);
    if (above != STATUS_OK) {
        return above;
    }
    if (s->seat[parent].ancestry >= ANCESTRY_LIMIT) {
        return STATUS_TOO_DEEP;
    }
    seats_sit(s, a, agent, score, consensus);
    s->seat[a].ancestry = minimum(s->seat[parent].ancestry, 7) + 1;
    s->seat[a].parent = parent;
    s->seat[a].born = s->seat[parent].generation;
    return STATUS_OK;
}

/* Free a seat; the children of who sat there are in the sandbox from now on. */
status_t seats_dismiss(struct governance *s, seat_id_t a)
{
    if (!s->seat[a].taken) {
        return STATUS_NOT_SEATED;
    }
    uint64_t generation = s->seat[a].generation;
    s->seat[a] = (struct seat){0};
    s->seat[a].generation = generation;
    return STATUS_OK;
}

/* Set the trust of an agent, and the ring that follows; an elevation ends. */
status_t seats_assign(struct governance *s, seat_id_t a, uint32_t score, bool consensus)
{
    struct seat *seat = &s->seat[a];
    if (!seat->taken) {
        return STATUS_NOT_SEATED;
    }
    if (score > PPM) {
        return STATUS_BAD_SCORE;
    }
    seat->elevation.active = false;
    seat->score = score;
    seat->consensus = consensus;
    seat->ring = ring_for(score, consensus);
    return STATUS_OK;
}

/* Let an agent have a better ring for a while: the default if no time is given, the longest at most. */
status_t seats_elevate(struct governance *s, seat_id_t a, ring_t target, uint32_t score, bool attested, uint64_t time,
                       uint64_t now)
{
    status_t refused = words_standing(s, a, now);
    if (refused != STATUS_OK) {
        return refused;
    }
    if (!ring_more_privileged(target, words_effective_ring(s, a, now))) {
        return STATUS_INVALID_TARGET;
    }
    if (target == RING_ROOT) {
        return STATUS_RING_0_FORBIDDEN;
    }
    struct elevation *held = &s->seat[a].elevation;
    if (words_is_elevated(held, now)) {
        return STATUS_DUPLICATE_ELEVATION;
    }
    if (score > PPM || score < (target == RING_PRIVILEGED ? ELEVATE_1_SCORE : ELEVATE_2_SCORE)) {
        return STATUS_INSUFFICIENT_TRUST;
    }
    if (target == RING_PRIVILEGED && !attested) {
        return STATUS_NO_SPONSORSHIP;
    }
    if (now > CLOCK_LIMIT) {
        return STATUS_BAD_LIMIT;
    }
    held->active = true;
    held->ring = target;
    held->expires = now +
                    (time == 0 ? (uint64_t)ELEVATION_DEFAULT * SECOND
                     : minimum(time, (uint64_t)ELEVATION_LIMIT * SECOND));
    return STATUS_OK;
}

/* End the elevation of an agent before its time. */
status_t seats_revoke(struct governance *s, seat_id_t a)
{
    if (!s->seat[a].elevation.active) {
        return STATUS_NOT_ELEVATED;
    }
    s->seat[a].elevation.active = false;
    return STATUS_OK;
}

/* Clear an elevation that is over; it has had no effect since it ended. */
status_t seats_expire(struct governance *s, seat_id_t a, uint64_t now)
{
    if (!s->seat[a].elevation.active || words_is_elevated(&s->seat[a].elevation, now)) {
        return STATUS_NOT_ELEVATED;
    }
    s->seat[a].elevation.active = false;
    return STATUS_OK;
}

/* May an agent do what needs a ring? */
status_t seats_check(const struct governance *s, seat_id_t a, ring_t required, uint64_t now)
{
    if (required == RING_ROOT) {
        return STATUS_NEEDS_SRE_WITNESS;
    }
    status_t refused = words_standing(s, a, now);
    if (refused != STATUS_OK) {
        return refused;
    }
    return words_admitted(words_effective_ring(s, a, now), required);
}

/* Pay a price, in ns of credit, from a bucket that holds as much as the span. */
status_t seats_spend(struct governance *s, seat_id_t a, uint64_t price, uint64_t span, uint64_t now)
{
    status_t refused = words_standing(s, a, now);
    if (refused != STATUS_OK) {
        return refused;
    }
    if (!words_is_rate(price, span, now)) {
        return STATUS_BAD_LIMIT;
    }
    uint64_t due = words_due_after(s->seat[a].due, price, now);
    if (due > now + span) {
        return STATUS_RATE_LIMITED;
    }
    s->seat[a].due = due;
    return STATUS_OK;
}

/* Keep an agent from acting for a while; a quarantine that lasts longer stays. */
status_t seats_quarantine(struct governance *s, seat_id_t a, uint64_t time, uint64_t now)
{
    if (!s->seat[a].taken) {
        return STATUS_NOT_SEATED;
    }
    if (time == 0 || time > TIME_LIMIT || now > CLOCK_LIMIT) {
        return STATUS_BAD_LIMIT;
    }
    s->seat[a].quarantined = maximum(s->seat[a].quarantined, now + time);
    return STATUS_OK;
}

/* End a quarantine. */
status_t seats_release(struct governance *s, seat_id_t a)
{
    if (s->seat[a].quarantined == 0) {
        return STATUS_WRONG_STAGE;
    }
    s->seat[a].quarantined = 0;
    return STATUS_OK;
}

/* Count a call of a ring, whether or not it was let through; if there are too many, the agent is stopped. */
status_t seats_record_call(struct governance *s, seat_id_t a, ring_t called, uint64_t now)
{
    if (!s->seat[a].taken) {
        return STATUS_NOT_SEATED;
    }
    struct breach *breach = &s->seat[a].breach;
    uint32_t weight = words_weight_after(breach, words_amplifier(words_effective_ring(s, a, now), called), now);
    severity_t severity = words_severity_of(weight, called);
    if (saturating_sub(now, breach->since) >= WINDOW) {
        breach->since = now;
    }
    breach->weight = minimum(weight, WEIGHT_LIMIT);
    breach->severity = severity;
    breach->tripped = breach->tripped || severity == SEVERITY_HIGH || severity == SEVERITY_CRITICAL;
    return STATUS_OK;
}

/* Let an agent act again that was stopped; its calls are counted anew. */
status_t seats_reset_breaker(struct governance *s, seat_id_t a)
{
    if (!s->seat[a].breach.tripped) {
        return STATUS_WRONG_STAGE;
    }
    s->seat[a].breach = (struct breach){0};
    return STATUS_OK;
}
