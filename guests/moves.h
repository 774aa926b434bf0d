/* How do agents move from one row of a manager to another one, of this machine or of the other? */
#ifndef MOVES_H
#define MOVES_H

#include "manager/types.h"
#include "ward.h"

/* What one end of a move tells the other one. */
enum { RESERVE_NOTE, WANT_NOTE, CHUNK_NOTE, FILLED_NOTE, COMMIT_NOTE, DONE_NOTE, VOID_NOTE, NOTES };

struct note {
    uint64_t kind;
    uint64_t to, from;                  /* rows of who hears it, and of who says it */
    uint64_t ticket, move;              /* the number of the move for the manager, and among all */
    uint64_t chunk, chunks, size;       /* of the snapshot; its size in bytes */
    uint64_t read;                      /* how many messages the agent has received */
    uint64_t hash[4];
};

/* Carry out tasks: what depends on the other end. */
bool pass_reserve(struct manager *s, agent_id_t a);
bool pass_chunk(struct manager *s, agent_id_t a);
bool pass_commit(struct manager *s, agent_id_t a);
bool pass_filled(struct manager *s, agent_id_t a);
bool ask_chunk(struct manager *s, agent_id_t a);
bool decide(struct manager *s, agent_id_t a);

/* Tell the manager that these are done. */
status_t tell_snapped(struct manager *s, agent_id_t a, uint64_t number);
status_t tell_restored(struct manager *s, agent_id_t a, uint64_t number);

/* Hear a note; and a row with room for an agent, or one after the last. */
void hear(struct manager *s, const struct note *note);
agent_id_t row_with_room(void);

/* Something was done; and see what is to be done next. */
void note_progress(void);
void look_after_moves(struct manager *s);
void close_rooms(void);

#endif
