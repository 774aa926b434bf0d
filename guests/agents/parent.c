/* How does an agent make another, with less authority than its own? It passes on what the child needs, and no more.
 *
 * On an edge of the family the parent may send and receive. The child gets only the right to send.
 */
#include "corollary.h"

enum { PLACE = 0 };

static struct about about;

static uint64_t hear(void)
{
    uint64_t word = 0;

    while (recv(FAMILY + PLACE, &word, 1, &about) == STATUS_WOULD_BLOCK)
        ;
    return word;
}

uint32_t run(void)
{
    struct grant more = {.handle = CHILD + PLACE, .slot = PEER, .rights = RIGHT_EXECUTE};
    struct grant grant = {.handle = FAMILY + PLACE, .slot = SENDING, .rights = RIGHT_WRITE};
    uint64_t badge = 0;

    tell("pass on what it may not: ", spawn_agent(CHILD + PLACE, PLACE, &more, 1, &badge));
    tell("spawn: ", spawn_agent(CHILD + PLACE, PLACE, &grant, 1, &badge));
    tell("the child says: ", hear());
    tell("send where the child sends: ", send(FAMILY + PLACE, &badge, 1, SCHEMA));
    return badge == 0;
}
