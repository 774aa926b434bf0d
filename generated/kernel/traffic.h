/* Generated from spec/kernel/traffic.py, model/kernel/traffic.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 e5428dde30636c13 */

#ifndef KERNEL_TRAFFIC_H
#define KERNEL_TRAFFIC_H

#include "types.h"

#define WORDS_OF_UNIT_BITS 3            /* a unit of traffic is a message, or 64 bytes of one */

/* What a message of so many words counts for. */
inline uint64_t traffic_units(uint64_t length)
{
    return (length >> WORDS_OF_UNIT_BITS) + 1;
}

uint64_t traffic_with_message(uint64_t carried, uint64_t length);
void traffic_put_row(struct kernel *s, page_id_t page, uint32_t position, edge_id_t e);
status_t traffic_graph_read(struct kernel *s, const struct call *call, page_id_t page, edge_group_t group);

#endif
