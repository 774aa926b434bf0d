/* How does a block get into the tables of its holder, and out of them? What is done already is done again without harm.
 */
#include "large.h"

static bool is_done(struct answer answer, uint64_t already)
{
    return answer.status == STATUS_OK || answer.status == already;
}

bool link_block(uint64_t handle, uint64_t head, uint64_t table)
{
    uint64_t i = 0;

    while (i < LARGE_UNITS && is_done(TRY(block_map(handle, head, head + i, table, i, ACCESS_READ | ACCESS_WRITE)),
                                      STATUS_ENTRY_IN_USE))
        i++;
    return i == LARGE_UNITS;
}

bool unlink_block(uint64_t handle, uint64_t head)
{
    uint64_t i = 0;

    while (i < LARGE_UNITS && is_done(TRY(block_unmap(handle, head, head + i)), STATUS_NOT_LINKED))
        i++;
    return i == LARGE_UNITS;
}
