/* Generated from spec/handover/integrity.py
   with codegen/templates/invariants.c.j2: edit those, not this.
   Content: sha256 3569e880ac7c87ae */

/* What must hold in every reachable state? One function for each invariant, and a check of them all. */

#include "invariants.h"
#include "step.h"
#include "words.h"

const char *const INVARIANT_ID[INVARIANTS + 1] = {
    "",
    "PAIR-1",
    "PAIR-2",
    "PAIR-3",
    "PAIR-4",
    "PAIR-5",
    "PAIR-6",
    "PAIR-7",
    "PAIR-8",
    "PAIR-9",
    "PAIR-10",
    "PAIR-11",
    "PAIR-12",
    "PAIR-13",
};

/* PAIR-1: the agent does not run at both ends. */
bool integrity_runs_once(const struct handover *s)
{
    return !(s->source_runs && s->target_runs);
}

/* PAIR-2: one end has the agent, and the other does not; or it is handed over and still to be accepted. */
bool integrity_is_owned_once(const struct handover *s)
{
    bool at_source = step_is_held_at_source(&s->source);
    bool at_target = step_is_held_at_target(&s->target);
    return at_source != at_target || (!at_source && words_in_transit(s));
}

/* PAIR-3: the agent runs only where it is had. */
bool integrity_runs_where_owned(const struct handover *s)
{
    bool source = !s->source_runs || step_is_held_at_source(&s->source);
    return source && (!s->target_runs || step_is_held_at_target(&s->target));
}

/* PAIR-4: at the source it runs until it is suspended, or after it is to run again. */
bool integrity_source_runs_in_time(const struct handover *s)
{
    const struct agent *g = &s->source;
    bool suspending = g->step == STEP_ADMITTED && g->woken;
    return !s->source_runs || (g->state == LIFE_RUNNING || suspending || g->step == STEP_RETURNING);
}

/* PAIR-5: each end has the steps of its part. */
bool integrity_steps_are_parted(const struct handover *s)
{
    bool moves = step_lies(s->source.step, STEP_ADMITTED, STEP_RETURNING);
    bool still = s->source.step == STEP_NONE && s->source.state != LIFE_INITIALIZING;
    bool waits = s->target.step == STEP_NONE && (s->target.state == LIFE_TERMINATED || s->target.state == LIFE_RUNNING);
    bool parted = (moves || still) && (waits || (step_is_arriving(s->target.step) && s->target.peer == 0));
    bool kept = s->source.state != LIFE_HIBERNATED && s->source.state != LIFE_RECONSTRUCTING;
    return parted && kept && step_fits(s->source.state, s->source.step) && step_fits(s->target.state, s->target.step);
}

/* PAIR-6: a move has the last ticket that was given, and a promise the last that was heard. */
bool integrity_tickets_are_last(const struct handover *s)
{
    bool source = !step_has_ticket(s->source.step) || s->source.ticket == s->ticket - 1;
    bool target = !step_is_arriving(s->target.step) || (s->target.ticket == s->heard && s->heard != 0);
    return s->ticket >= 1 && s->heard < s->ticket && s->filled <= s->heard && source && target;
}

/* PAIR-7: what the target was promised is what the source has sent. */
bool integrity_promise_is_kept(const struct handover *s)
{
    bool same = step_is_arriving(s->target.step) && s->target.ticket == s->source.ticket &&
                step_has_ticket(s->source.step);
    return (!same || words_is_like(&s->source, &s->target)) &&
           (!step_has_ticket(s->source.step) || s->source.ticket != 0);
}

/* PAIR-8: whoever said that it has everything has it, until the source has decided. */
bool integrity_filled_stays(const struct handover *s)
{
    bool said = step_may_give_up(s->source.step) && step_has_ticket(s->source.step) && s->filled == s->source.ticket;
    bool kept = words_has_current(s) && s->target.step == STEP_FILLED;
    bool moved = !step_lies(s->source.step, STEP_MOVED, STEP_LEFT) || s->filled == s->source.ticket;
    bool reserved = s->source.step != STEP_RESERVED || s->heard == s->source.ticket;
    return moved && reserved && (!said || kept);
}

/* PAIR-9: the record of the decision is the row of the source. */
bool integrity_decision_is_recorded(const struct handover *s)
{
    bool gone = s->source.state == LIFE_TERMINATED;
    bool decided = s->decided == 0 || (step_is_handed_over(s->source.step) || gone);
    bool ticket = !step_is_handed_over(s->source.step) || s->decided == s->source.ticket;
    return decided && ticket && (!gone || (s->decided != 0 && s->source.step == STEP_NONE));
}

/* PAIR-10: after the decision the target has the agent, whole. */
bool integrity_decided_is_whole(const struct handover *s)
{
    bool runs = s->target.step == STEP_NONE && s->target.state == LIFE_RUNNING;
    bool there = s->target.step == STEP_FILLED || s->target.step == STEP_ACCEPTED || runs;
    bool whole = there && s->target.ticket == s->decided && words_is_like(&s->source, &s->target);
    return s->decided == 0 || whole;
}

/* PAIR-11: before the decision the target has no agent. */
bool integrity_undecided_is_not_there(const struct handover *s)
{
    bool there = s->target.step == STEP_ACCEPTED || s->target.state == LIFE_RUNNING;
    return s->decided != 0 || (!there && !s->target_runs);
}

/* PAIR-12: the source is free only after the agent ran at the target. */
bool integrity_is_freed_last(const struct handover *s)
{
    bool free = s->source.step == STEP_LEFT || s->source.state == LIFE_TERMINATED;
    bool arrived = s->target.state == LIFE_RUNNING;
    return (!free || s->done) && (!s->done || arrived) && (!arrived || s->target_runs);
}

/* PAIR-13: chunks are counted. */
bool integrity_chunks_are_counted(const struct handover *s)
{
    bool asked = !step_has_ticket(s->source.step) || s->source.chunks != 0;
    return s->target.chunk <= s->target.chunks && (!step_is_arriving(s->target.step) || s->target.chunks != 0) && asked;
}

/* Note a violation. */
static bool violated(struct violation *found, uint32_t number, uint32_t first, uint32_t second)
{
    found->number = number;
    found->index[0] = first;
    found->index[1] = second;
    return false;
}

/* PAIR-1, PAIR-2, PAIR-3, PAIR-4, PAIR-5, PAIR-6, PAIR-7, PAIR-8, PAIR-9, PAIR-10, PAIR-11, PAIR-12, PAIR-13, for
   the state as a whole. */
static bool check_whole(const struct handover *s, struct violation *found)
{
    if (!integrity_runs_once(s)) {
        return violated(found, 1, 0, 0);
    }
    if (!integrity_is_owned_once(s)) {
        return violated(found, 2, 0, 0);
    }
    if (!integrity_runs_where_owned(s)) {
        return violated(found, 3, 0, 0);
    }
    if (!integrity_source_runs_in_time(s)) {
        return violated(found, 4, 0, 0);
    }
    if (!integrity_steps_are_parted(s)) {
        return violated(found, 5, 0, 0);
    }
    if (!integrity_tickets_are_last(s)) {
        return violated(found, 6, 0, 0);
    }
    if (!integrity_promise_is_kept(s)) {
        return violated(found, 7, 0, 0);
    }
    if (!integrity_filled_stays(s)) {
        return violated(found, 8, 0, 0);
    }
    if (!integrity_decision_is_recorded(s)) {
        return violated(found, 9, 0, 0);
    }
    if (!integrity_decided_is_whole(s)) {
        return violated(found, 10, 0, 0);
    }
    if (!integrity_undecided_is_not_there(s)) {
        return violated(found, 11, 0, 0);
    }
    if (!integrity_is_freed_last(s)) {
        return violated(found, 12, 0, 0);
    }
    if (!integrity_chunks_are_counted(s)) {
        return violated(found, 13, 0, 0);
    }
    return true;
}

/* Do all invariants hold? If not, the first that was found to fail is noted. */
bool check_invariants(const struct handover *s, struct violation *found)
{
    return check_whole(s, found);
}
