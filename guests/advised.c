/* How does the manager hear what placement recommends, and answer?
 *
 * If nobody says any more, what was said last stands.
 */
#include "advised.h"
#include "ward.h"

static struct counsel last;
static struct outcome move;
static bool is_waiting;         /* is it to be made? */

/* Hear all that was said since. A move is recommended only after the one before was settled. */
static void listen(void)
{
    while (counsel_receive(&last, sizeof(last)))
        if (last.moves) {
            move.number = last.number;
            move.house = last.house;
            is_waiting = true;
        }
}

const struct outcome *advised_move(void)
{
    listen();
    return is_waiting ? &move : 0;
}

void advised_settle(bool is_there)
{
    move.is_there = is_there;
    counsel_send(&move, sizeof(move));
    is_waiting = false;
}

void advised_leave(void)
{
    listen();
    report("stands", last.epoch, last.side, last.value);
}
