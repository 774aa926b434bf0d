/* Where does a guest see large memory? In its second GiB, where a table of units leads to the units of a block. */
#ifndef LARGE_H
#define LARGE_H

#include "runtime.h"

enum { UNITS_OF = TABLE_3_OF + 1, LARGE_ENTRY = GUEST_ENTRY + 1 };  /* the table of units, beside the other tables */
enum { UNIT_SIZE = 1 << UNIT_SHIFT, PARTS_OF_UNIT = 1 << (UNIT_SHIFT - UNIT_PART_SHIFT) };
enum { LARGE_ORDER = 3, LARGE_UNITS = 1 << LARGE_ORDER, LARGE_SIZE = LARGE_UNITS * UNIT_SIZE };  /* of such a guest */

#define LARGE ((uint8_t *)GUEST_BASE + (1ull << 30))

/* Let all units of a block be in the table of units of the partition that holds it, or none. Is that so now? */
bool link_block(uint64_t handle, uint64_t head, uint64_t table);
bool unlink_block(uint64_t handle, uint64_t head);

#endif
