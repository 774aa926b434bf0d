/* Which move does placement recommend to the manager? */
#ifndef ADVISED_H
#define ADVISED_H

#include "counsel.h"

/* The move that waits to be made, or 0; and whether the agent is in that house now. */
const struct outcome *advised_move(void);
void advised_settle(bool is_there);

/* Tell the host of which epoch the cut is that stands when the manager ends. */
void advised_leave(void);

#endif
