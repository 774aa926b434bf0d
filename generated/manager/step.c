/* Generated from spec/manager/step.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 32004d874d12eaf2 */

#include "step.h"

/* What do the steps mean: in which state, what to do next, who has the agent, and what is still to come? */

/* Return a number that falls with each step. */
uint8_t step_rank(step_t step)
{
    return step;
}

/* Does a step come after another one, or is it that, and not after a last one? */
bool step_lies(step_t step, step_t first, step_t last)
{
    return step_rank(last) <= step_rank(step) && step_rank(step) <= step_rank(first);
}

/* Is it a move from here that is not decided? */
bool step_may_give_up(step_t step)
{
    return step_lies(step, STEP_ADMITTED, STEP_MOVED);
}

/* Is it a move from here that the target was asked about? */
bool step_has_ticket(step_t step)
{
    return step_lies(step, STEP_SNAPPED, STEP_LEFT);
}

/* Is the agent the target's? */
bool step_is_handed_over(step_t step)
{
    return step == STEP_COMMITTED || step == STEP_LEFT;
}

/* Is it a move to here? */
bool step_is_arriving(step_t step)
{
    return step_lies(step, STEP_PROMISED, STEP_ACCEPTED);
}

/* Is it a move to here of an agent that is still the source's? */
bool step_may_drop(step_t step)
{
    return step == STEP_PROMISED || step == STEP_FILLED;
}

/* Is a failure being mended? */
bool step_is_remedy(step_t step)
{
    return step_lies(step, STEP_REBOOTING, STEP_RESTARTING);
}

/* Does a step belong to a state? */
bool step_fits(life_t state, step_t step)
{
    if (step == STEP_NONE) {
        return state != LIFE_MIGRATING && state != LIFE_RECONSTRUCTING;
    }
    if (step_lies(step, STEP_PROMISED, STEP_RETURNING)) {
        return state == LIFE_MIGRATING;
    }
    if (step_lies(step, STEP_FREEZING, STEP_RECORDING) || step_is_remedy(step)) {
        return state == LIFE_SUSPENDED;
    }
    if (step == STEP_STOPPING) {
        return state == LIFE_RUNNING;
    }
    if (step == STEP_RESTORING) {
        return state == LIFE_RECONSTRUCTING;
    }
    return state == LIFE_HIBERNATED;
}

/* Return what is to be done next in the middle of a step: after a restart it is the same again. */
verb_t step_verb_of(step_t step)
{
    if (step_lies(step, STEP_REBOOTING, STEP_RESTARTING)) {
        return step_mending(step);
    }
    if (step_lies(step, STEP_READING, STEP_FREEING)) {
        return step_keeping(step);
    }
    return step_moving(step);
}

/* Return the same for a move. */
verb_t step_moving(step_t step)
{
    switch (step) {
    case STEP_ADMITTED:
        return VERB_SUSPEND;
    case STEP_STOPPED:
        return VERB_SNAPSHOT;
    case STEP_SNAPPED:
        return VERB_SEND_RESERVE;
    case STEP_RESERVED:
        return VERB_SEND_CHUNK;
    case STEP_MOVED:
        return VERB_DECIDE;
    case STEP_COMMITTED:
        return VERB_SEND_COMMIT;
    case STEP_LEFT:
        return VERB_RELEASE;
    case STEP_RETURNING:
        return VERB_RESUME;
    case STEP_PROMISED:
        return VERB_ASK_CHUNK;
    case STEP_FILLED:
        return VERB_SEND_FILLED;
    }
    return step == STEP_ACCEPTED ? VERB_RESTORE : VERB_NOTHING;
}

/* Return the same for hibernation and reconstruction. */
verb_t step_keeping(step_t step)
{
    switch (step) {
    case STEP_STOPPING:
        return VERB_SUSPEND;
    case STEP_FREEZING:
        return VERB_SNAPSHOT;
    case STEP_PACKING:
        return VERB_COMPRESS;
    case STEP_WRITING:
        return VERB_WRITE;
    case STEP_RECORDING:
        return VERB_RECORD;
    case STEP_FREEING:
        return VERB_RELEASE;
    case STEP_READING:
        return VERB_READ;
    }
    return step == STEP_UNPACKING ? VERB_DECOMPRESS : VERB_RESTORE;
}

/* Return the same for a failure. */
verb_t step_mending(step_t step)
{
    if (step == STEP_RESTARTING) {
        return VERB_RESTART;
    }
    if (step == STEP_RELOADING) {
        return VERB_RELOAD;
    }
    return step == STEP_REPLACING ? VERB_REPLACE : VERB_REBOOT;
}

/* Return the step in which a remedy is carried out. */
step_t step_for(remedy_t remedy)
{
    if (remedy == REMEDY_RESTART) {
        return STEP_RESTARTING;
    }
    if (remedy == REMEDY_RELOAD) {
        return STEP_RELOADING;
    }
    if (remedy == REMEDY_REPLACE) {
        return STEP_REPLACING;
    }
    return remedy == REMEDY_REBOOT ? STEP_REBOOTING : STEP_NONE;
}

/* Is the source not in the middle of a move? Then one that it began was given up, or is over. */
bool step_is_void(const struct agent *g, uint64_t ticket)
{
    return !step_has_ticket(g->step) || g->ticket != ticket;
}

/* Is the target in the middle of a move? */
bool step_awaits(const struct agent *g, peer_id_t peer, uint64_t ticket)
{
    return step_is_arriving(g->step) && g->peer == peer && g->ticket == ticket;
}

/* Is it this hash? */
bool step_is_hash(const struct hash *hash, uint64_t first, uint64_t second, uint64_t third, uint64_t fourth)
{
    return hash->first == first && hash->second == second && hash->third == third && hash->fourth == fourth;
}
