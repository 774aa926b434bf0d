/* Generated from model/kernel/lane.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 dffaff67b8973b0f */

#ifndef KERNEL_LANE_H
#define KERNEL_LANE_H

#include "types.h"

uint32_t lane_foremost_in_row(const struct kernel *s, lane_row_t row, bool fair);

#endif
