/* Generated from model/governance/sagas.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 1ba193facb60e7c8 */

#include "sagas.h"
#include "builtins.h"
#include "words.h"

/* How does a saga go on? Steps are taken in order; if one fails for good, all that were completed are undone. */

/* Begin a saga of some steps, each of which is tried again as often as that. */
status_t sagas_open_saga(struct governance *s, saga_id_t g, uint8_t steps, uint8_t retries)
{
    if (!words_is_over(s->saga[g].phase)) {
        return STATUS_TAKEN;
    }
    if (steps == 0 || steps > STEPS) {
        return STATUS_BAD_LIMIT;
    }
    s->saga[g] = (struct saga){0};
    s->saga[g].phase = PHASE_READY;
    s->saga[g].steps = steps;
    s->saga[g].retries = retries;
    return STATUS_OK;
}

/* Begin the next step, or try it again. */
status_t sagas_begin_step(struct governance *s, saga_id_t g)
{
    if (s->saga[g].phase != PHASE_READY) {
        return STATUS_WRONG_STAGE;
    }
    s->saga[g].phase = PHASE_EXECUTING;
    return STATUS_OK;
}

/* Note that the step is completed. */
status_t sagas_complete_step(struct governance *s, saga_id_t g)
{
    struct saga *saga = &s->saga[g];
    if (saga->phase != PHASE_EXECUTING) {
        return STATUS_WRONG_STAGE;
    }
    if (saga->done < STEPS) {
        saga->done++;
    }
    saga->failures = 0;
    saga->phase = saga->done == saga->steps ? PHASE_COMPLETED : PHASE_READY;
    return STATUS_OK;
}

/* Begin to undo what was completed, if anything was. */
void sagas_turn_back(struct saga *saga)
{
    saga->phase = saga->done > 0 ? PHASE_COMPENSATING : PHASE_COMPENSATED;
}

/* Note that the step failed: it is tried again, or the saga turns back. */
status_t sagas_fail_step(struct governance *s, saga_id_t g)
{
    struct saga *saga = &s->saga[g];
    if (saga->phase != PHASE_EXECUTING) {
        return STATUS_WRONG_STAGE;
    }
    if (saga->failures < saga->retries) {
        saga->failures++;
        saga->phase = PHASE_READY;
    } else {
        sagas_turn_back(saga);
    }
    return STATUS_OK;
}

/* Give a saga up between two steps. */
status_t sagas_abandon(struct governance *s, saga_id_t g)
{
    if (s->saga[g].phase != PHASE_READY) {
        return STATUS_WRONG_STAGE;
    }
    sagas_turn_back(&s->saga[g]);
    return STATUS_OK;
}

/* Note whether the last step that is completed and not undone was undone. */
status_t sagas_undo_step(struct governance *s, saga_id_t g, bool undone)
{
    struct saga *saga = &s->saga[g];
    if (saga->phase != PHASE_COMPENSATING || saga->done == 0) {
        return STATUS_WRONG_STAGE;
    }
    saga->done--;
    if (!undone) {
        saga->lost |= shift_left_64(1, saga->done);
    }
    if (saga->done == 0) {
        saga->phase = saga->lost == 0 ? PHASE_COMPENSATED : PHASE_ESCALATED;
    }
    return STATUS_OK;
}
