/* Generated from spec/kernel/traffic.py, model/kernel/traffic.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 b1be6d2f189d4740 */

#include "traffic.h"
#include "memory.h"

/* The code of what the header has copied to its callers. */
extern inline uint64_t traffic_units(uint64_t length);

/* How much do edges carry, and between whom? The kernel counts; who places agents reads the counts, and weighs them. */

/* What has been carried, with one more message of so many words. */
uint64_t traffic_with_message(uint64_t carried, uint64_t length)
{
    return carried + traffic_units(length);
}

/* How is traffic told? Eight edges at a time, to who holds the capability to see all of it. */

/* Write what an edge has carried, and between whom, to two words of a page. */
void traffic_put_row(struct kernel *s, page_id_t page, uint32_t position, edge_id_t e)
{
    const struct traffic *edge = &s->traffic[e];
    struct frame *target = &s->memory[page];
    target->word[position] = edge->carried;
    target->word[position + 1] = (uint64_t)e | ((uint64_t)edge->source << TRAFFIC_ENDS_SOURCE_SHIFT) |
                                 ((uint64_t)edge->target << TRAFFIC_ENDS_TARGET_SHIFT);
}

/* Write what eight edges have carried to the start of the caller's page, two words for each. */
status_t traffic_graph_read(struct kernel *s, const struct call *call, page_id_t page, edge_group_t group)
{
    (void)call;
    if (!memory_owns_data(s, s->current, page)) {
        return STATUS_NOT_OWNER;
    }
    if (!memory_lets(s, s->current, page, ACCESS_WRITE)) {
        return STATUS_NOT_MAPPED;
    }
    for (uint32_t i = 0; i < GRAPH_ROWS; i++) {
        traffic_put_row(s, page, 2 * i, GRAPH_ROWS * (uint32_t)group + i);
    }
    return STATUS_OK;
}
