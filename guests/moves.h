/* How do agents move between partitions of this machine? */
#ifndef MOVES_H
#define MOVES_H

#include "manager/types.h"
#include "ward.h"

/* Carry out tasks: messages to the other end, which is in another row, and what depends on it. */
bool pass_reserve(struct manager *s, agent_id_t a);
bool pass_chunk(struct manager *s, agent_id_t a);
bool pass_commit(struct manager *s, agent_id_t a);
bool pass_filled(struct manager *s, agent_id_t a);
bool ask_chunk(struct manager *s, agent_id_t a);
bool decide(struct manager *s, agent_id_t a);

/* Tell the manager that these are done. */
status_t tell_snapped(struct manager *s, agent_id_t a, uint64_t number);
status_t tell_restored(struct manager *s, agent_id_t a, uint64_t number);

/* Something was done; and see what is to be done next. */
void note_progress(void);
void look_after_moves(struct manager *s);

#endif
