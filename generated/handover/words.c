/* Generated from spec/handover/words.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 a7786285fdf89260 */

#include "words.h"
#include "step.h"

/* Where is the agent, and how far is it from there to the end of its move? */

/* Have both ends the same snapshot? */
bool words_is_like(const struct agent *one, const struct agent *other)
{
    const struct hash *hash = &one->hash;
    return one->chunks == other->chunks &&
           step_is_hash(&other->hash, hash->first, hash->second, hash->third, hash->fourth);
}

/* Does the target keep room for the move that the source is in the middle of? */
bool words_has_current(const struct handover *s)
{
    return step_has_ticket(s->source.step) && step_may_drop(s->target.step) && s->target.ticket == s->source.ticket;
}

/* Is the agent handed over, and the target does not know yet? */
bool words_in_transit(const struct handover *s)
{
    return s->decided != 0 && s->target.step == STEP_FILLED;
}
