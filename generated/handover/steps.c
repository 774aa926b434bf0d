/* Generated from model/handover/steps.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 15a2ce5d45ccd505 */

#include "steps.h"
#include "builtins.h"
#include "life.h"
#include "source.h"
#include "step.h"
#include "target.h"
#include "tasks.h"

#define LAST_NUMBER 0xffffffffffffffffull /* no task and no move has this number */

/* What can happen to an agent that moves? Each function is one step of one manager, of one kernel, or a message.

   The managers' part of each is a function of `model/manager/`. The rest says when it can happen: a message can come
   once it was sent, an outcome can be told once it is so, and a kernel does what the next task of its manager says. */

/* The agent runs at the source. */
void steps_begin(struct handover *s)
{
    s->source.badge = 1;
    s->source.state = LIFE_RUNNING;
    s->source_runs = true;
    s->ticket = 1;
}

/* A move begins. */
status_t steps_set_out_source(struct handover *s, uint64_t epoch)
{
    return source_set_out(&s->source, 0, 0, epoch);
}

/* The kernel suspends the agent, as the task says. */
status_t steps_suspend_source(struct handover *s)
{
    if (step_verb_of(s->source.step) != VERB_SUSPEND) {
        return STATUS_WRONG_STEP;
    }
    s->source_runs = false;
    return STATUS_OK;
}

/* The manager is told that the agent is suspended. */
status_t steps_stop_source(struct handover *s)
{
    if (s->source_runs) {
        return STATUS_WRONG_STATE;
    }
    return source_stop(&s->source);
}

/* The manager is told that the snapshot is taken. */
status_t steps_snap_source(struct handover *s, uint32_t chunks, uint64_t first, uint64_t second, uint64_t third,
                           uint64_t fourth)
{
    if (s->ticket >= LAST_NUMBER) {
        return STATUS_EXHAUSTED;
    }
    status_t status = source_snap(&s->source, s->ticket, chunks, first, second, third, fourth);
    if (status == STATUS_OK) {
        s->ticket++;
    }
    return status;
}

/* A message comes: the target has room. */
status_t steps_want_source(struct handover *s, uint64_t ticket, agent_id_t there, uint32_t chunk)
{
    if (ticket > s->heard) {
        return STATUS_UNKNOWN;
    }
    return source_want(&s->source, ticket, there, chunk);
}

/* A message comes: the target has everything. */
status_t steps_fill_source(struct handover *s, uint64_t ticket, agent_id_t there)
{
    if (ticket > s->filled) {
        return STATUS_UNKNOWN;
    }
    return source_fill(&s->source, ticket, there);
}

/* The manager decides. */
status_t steps_decide_source(struct handover *s)
{
    status_t status = source_decide(&s->source);
    if (status == STATUS_OK) {
        s->decided = s->source.ticket;
    }
    return status;
}

/* A message comes: the agent runs at the target. */
status_t steps_let_go_source(struct handover *s, uint64_t ticket)
{
    if (!s->done || ticket != s->decided) {
        return STATUS_UNKNOWN;
    }
    return source_let_go(&s->source, ticket);
}

/* The manager is told that nothing is left. */
status_t steps_release_source(struct handover *s)
{
    return source_release(&s->source);
}

/* The move is given up. */
status_t steps_give_up_source(struct handover *s)
{
    return source_give_up(&s->source);
}

/* The manager is told that its task was refused. A kernel that refuses to resume has not resumed. */
status_t steps_set_back_source(struct handover *s)
{
    if (s->source.step == STEP_NONE) {
        return STATUS_WRONG_STEP;
    }
    if (s->source.step == STEP_RETURNING && s->source_runs) {
        return STATUS_WRONG_STATE;
    }
    tasks_set_back(&s->source);
    return STATUS_OK;
}

/* The kernel lets the agent run again, as the task says. */
status_t steps_wake_source(struct handover *s)
{
    if (step_verb_of(s->source.step) != VERB_RESUME) {
        return STATUS_WRONG_STEP;
    }
    s->source_runs = true;
    return STATUS_OK;
}

/* The manager is told so. */
status_t steps_come_back_source(struct handover *s)
{
    if (!s->source_runs) {
        return STATUS_WRONG_STATE;
    }
    return source_come_back(&s->source);
}

/* Somebody else resumes the agent while it is in the middle of nothing. */
status_t steps_resume_source(struct handover *s)
{
    status_t status = life_change(&s->source, LIFE_SUSPENDED, LIFE_RUNNING);
    if (status == STATUS_OK) {
        s->source_runs = true;
    }
    return status;
}

/* The manager begins again with what was written. */
status_t steps_restart_source(struct handover *s)
{
    s->source.asked = 0;
    return STATUS_OK;
}

/* A message comes: the source asks for room. */
status_t steps_promise_target(struct handover *s, uint64_t badge, uint64_t ticket, uint32_t chunks, uint64_t first,
                              uint64_t second, uint64_t third, uint64_t fourth)
{
    if (ticket <= s->heard) {
        return STATUS_DOUBLED;
    }
    if (ticket >= s->ticket) {
        return STATUS_UNKNOWN;
    }
    bool alike = s->source.chunks == chunks && step_is_hash(&s->source.hash, first, second, third, fourth);
    if (ticket == s->source.ticket && !alike) {
        return STATUS_UNKNOWN;
    }
    status_t status = target_promise(&s->target, badge, 0, 0, 0, 0, ticket, chunks, first, second, third, fourth);
    if (status == STATUS_OK) {
        s->heard = ticket;
    }
    return status;
}

/* A message comes: a chunk. */
status_t steps_take_chunk_target(struct handover *s, uint64_t ticket, uint32_t chunk)
{
    return target_take_chunk(&s->target, 0, ticket, chunk);
}

/* The manager is told the hash of all chunks. */
status_t steps_check_target(struct handover *s, uint64_t first, uint64_t second, uint64_t third, uint64_t fourth)
{
    return target_check(&s->target, first, second, third, fourth);
}

/* The target says that it has everything. */
status_t steps_fill_target(struct handover *s)
{
    if (step_verb_of(s->target.step) != VERB_SEND_FILLED) {
        return STATUS_WRONG_STEP;
    }
    s->filled = maximum(s->filled, s->target.ticket);
    return STATUS_OK;
}

/* A message comes: the source has decided. */
status_t steps_accept_target(struct handover *s, uint64_t ticket)
{
    if (s->decided == 0 || ticket != s->decided) {
        return STATUS_UNKNOWN;
    }
    return target_accept(&s->target, 0, ticket);
}

/* The same message comes to a target that knows nothing of the move: it says that the agent runs. */
status_t steps_answer_target(struct handover *s)
{
    if (s->decided == 0) {
        return STATUS_UNKNOWN;
    }
    if (step_awaits(&s->target, 0, s->decided)) {
        return STATUS_WRONG_STEP;
    }
    s->done = true;
    return STATUS_OK;
}

/* A message comes: the move is void. */
status_t steps_drop_target(struct handover *s, uint64_t ticket)
{
    if (ticket == 0 || ticket >= s->ticket || !step_is_void(&s->source, ticket)) {
        return STATUS_UNKNOWN;
    }
    return target_drop(&s->target, 0, ticket);
}

/* The promise is taken back. */
status_t steps_withdraw_target(struct handover *s)
{
    return target_withdraw(&s->target);
}

/* The manager is told that its task was refused. */
status_t steps_set_back_target(struct handover *s)
{
    if (s->target.step == STEP_NONE) {
        return STATUS_WRONG_STEP;
    }
    tasks_set_back(&s->target);
    return STATUS_OK;
}

/* The kernel lets the snapshot run, as the task says. */
status_t steps_wake_target(struct handover *s)
{
    if (step_verb_of(s->target.step) != VERB_RESTORE) {
        return STATUS_WRONG_STEP;
    }
    s->target_runs = true;
    return STATUS_OK;
}

/* The manager is told so. */
status_t steps_arrive_target(struct handover *s, uint64_t epoch)
{
    if (!s->target_runs) {
        return STATUS_WRONG_STATE;
    }
    return target_arrive(&s->target, epoch);
}

/* The manager begins again with what was written. */
status_t steps_restart_target(struct handover *s)
{
    s->target.asked = 0;
    return STATUS_OK;
}
