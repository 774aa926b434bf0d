/* Generated from spec/kernel/traffic.py, model/kernel/traffic.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 ab9f5563daed0f41 */

#ifndef KERNEL_TRAFFIC_H
#define KERNEL_TRAFFIC_H

#include "types.h"

uint64_t traffic_units(uint16_t length);
void traffic_put_row(struct kernel *s, page_id_t page, uint32_t position, edge_id_t e);
status_t traffic_graph_read(struct kernel *s, const struct call *call, page_id_t page, edge_group_t group);

#endif
