/* When does an agent hibernate, and when is it wanted again? */
#ifndef NAPS_H
#define NAPS_H

#include "manager/types.h"

/* Carry out tasks that need the receipt of the agent. */
bool pass_record(struct manager *s, agent_id_t a);
bool pass_read(struct manager *s, agent_id_t a);
bool pass_unpack(struct manager *s, agent_id_t a);

/* Tell the manager that these are done. What is not as the receipt says has failed. */
status_t tell_frozen(struct manager *s, agent_id_t a, uint64_t number);
status_t tell_packed(struct manager *s, agent_id_t a, uint64_t number);
status_t tell_written(struct manager *s, agent_id_t a, uint64_t number);
status_t tell_read(struct manager *s, agent_id_t a, uint64_t number);
status_t tell_unpacked(struct manager *s, agent_id_t a, uint64_t number);

/* See what is to be done next. */
void look_after_naps(struct manager *s);

#endif
