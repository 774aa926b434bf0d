/* Generated from model/governance/sessions.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 fa11286024b7ac96 */

#include "sessions.h"
#include "words.h"

/* How does a session go on, and how does its chain of deltas grow? */

/* Begin a session, in a row that is free. */
status_t sessions_open_session(struct governance *s, session_id_t c)
{
    if (s->session[c].stage != STAGE_VACANT) {
        return STATUS_TAKEN;
    }
    s->session[c] = (struct session){0};
    s->session[c].stage = STAGE_CREATED;
    return STATUS_OK;
}

/* Let a session come to the stage that follows. */
status_t sessions_advance(struct governance *s, session_id_t c, stage_t stage)
{
    if (stage == STAGE_VACANT || stage != words_next_stage(s->session[c].stage)) {
        return STATUS_WRONG_STAGE;
    }
    s->session[c].stage = stage;
    return STATUS_OK;
}

/* Free the row of a session that is archived. */
status_t sessions_forget(struct governance *s, session_id_t c)
{
    if (s->session[c].stage != STAGE_ARCHIVED) {
        return STATUS_WRONG_STAGE;
    }
    s->session[c].stage = STAGE_VACANT;
    return STATUS_OK;
}

/* Add the delta of a number to the chain. Its hash covers that of the delta before it. */
status_t sessions_append(struct governance *s, session_id_t c, uint64_t number, uint64_t first, uint64_t second,
                         uint64_t third, uint64_t fourth)
{
    struct session *session = &s->session[c];
    if (!words_has_chain(session->stage)) {
        return STATUS_WRONG_STAGE;
    }
    if (session->deltas >= 0xfffffffffffffffeull) {
        return STATUS_EXHAUSTED;
    }
    if (number != session->deltas + 1) {
        return STATUS_OUT_OF_ORDER;
    }
    session->deltas = number;
    session->first = first;
    session->second = second;
    session->third = third;
    session->fourth = fourth;
    return STATUS_OK;
}
