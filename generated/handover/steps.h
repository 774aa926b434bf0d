/* Generated from model/handover/steps.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 c22a1f603425fbb4 */

#ifndef HANDOVER_STEPS_H
#define HANDOVER_STEPS_H

#include "types.h"

void steps_begin(struct handover *s);
status_t steps_set_out_source(struct handover *s, uint64_t epoch);
status_t steps_suspend_source(struct handover *s);
status_t steps_stop_source(struct handover *s);
status_t steps_snap_source(struct handover *s, uint32_t chunks, uint64_t first, uint64_t second, uint64_t third,
                           uint64_t fourth);
status_t steps_want_source(struct handover *s, uint64_t ticket, agent_id_t there, uint32_t chunk);
status_t steps_fill_source(struct handover *s, uint64_t ticket, agent_id_t there);
status_t steps_decide_source(struct handover *s);
status_t steps_let_go_source(struct handover *s, uint64_t ticket);
status_t steps_release_source(struct handover *s);
status_t steps_give_up_source(struct handover *s);
status_t steps_set_back_source(struct handover *s);
status_t steps_wake_source(struct handover *s);
status_t steps_come_back_source(struct handover *s);
status_t steps_resume_source(struct handover *s);
status_t steps_restart_source(struct handover *s);
status_t steps_promise_target(struct handover *s, uint64_t badge, uint64_t ticket, uint32_t chunks, uint64_t first,
                              uint64_t second, uint64_t third, uint64_t fourth);
status_t steps_take_chunk_target(struct handover *s, uint64_t ticket, uint32_t chunk);
status_t steps_check_target(struct handover *s, uint64_t first, uint64_t second, uint64_t third, uint64_t fourth);
status_t steps_fill_target(struct handover *s);
status_t steps_accept_target(struct handover *s, uint64_t ticket);
status_t steps_answer_target(struct handover *s);
status_t steps_drop_target(struct handover *s, uint64_t ticket);
status_t steps_withdraw_target(struct handover *s);
status_t steps_set_back_target(struct handover *s);
status_t steps_wake_target(struct handover *s);
status_t steps_arrive_target(struct handover *s, uint64_t epoch);
status_t steps_restart_target(struct handover *s);

#endif
