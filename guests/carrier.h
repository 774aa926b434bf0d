/* How does one end of a move reach the other one? At once, if both are here, or over the link to another machine. */
#ifndef CARRIER_H
#define CARRIER_H

#include "moves.h"

/* Prepare everything, once; and do what is to be done all the time. Was there anything to do? */
void prepare_carrier(void);
bool carry_on(struct manager *s);

/* Let the other end hear a note, or get the chunk that it asked for; false if that cannot be. Is all ready there for an
 * agent?
 */
bool carry(struct manager *s, const struct note *note);
bool carry_chunk(struct manager *s, agent_id_t a, const struct note *note);
bool has_room_there(agent_id_t a);

/* The agent goes on there: free what is left of it here. */
bool leave(agent_id_t a);

/* How many pages of memory are carried behind those of the snapshot? */
uint64_t memory_to_carry(void);

/* Tell the other end what makes no sense. */
void forge(void);

/* The messages of the agent go where it is: it is handed over, having received so many, or it came from there. */
uint64_t hand_over_mail(void);
void take_over_mail(uint64_t read);
bool has_enough_mail(void);

/* The agent will not move again; one has ended here; and the other machine may know all that it must. */
void end_moves(struct manager *s);
void tell_ended(struct manager *s, agent_id_t a);
uint64_t ended_there(void);
void take_leave(struct manager *s);

#endif
