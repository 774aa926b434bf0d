/* Generated from spec/kernel/hardware.py, model/kernel/memory.py, model/kernel/partition.py, model/kernel/device.py,
   model/kernel/console.py, model/kernel/block.py, model/kernel/unit.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 16b5161f6e912fa1 */

#ifndef KERNEL_HARDWARE_H
#define KERNEL_HARDWARE_H

#include "types.h"

#define POOL_BASE 0x44000000
#define POOL_END 0x44400000
#define VTTBR_FIXED 0x44000000
#define VTTBR_ROOT_SHIFT 12
#define VTTBR_VMID_SHIFT 48
#define LINK_FIXED 0x44000003
#define LINK_PAGE_SHIFT 12
#define LEAF_VALID 0x1
#define LEAF_READABLE 0x40              /* S2AP[0] */
#define LEAF_WRITABLE 0x80              /* S2AP[1] */
#define LEAF_NEVER_EXECUTED 0x40000000000000ull /* XN */
#define UNIT_LEAF_FIXED 0x4000006000073dull
#define UNIT_LEAF_READABLE 0x40         /* S2AP[0] */
#define UNIT_LEAF_WRITABLE 0x80         /* S2AP[1] */
#define UNIT_LEAF_UNIT_SHIFT 21

/* The physical address of a page of the pool. */
inline uint64_t hardware_page_address(page_id_t page)
{
    return POOL_BASE + ((uint64_t)page << PAGE_BITS);
}

/* VTTBR_EL2 while partition `p` runs: its VMID and the address of its root table. */
inline uint64_t hardware_vttbr(const struct kernel *s, partition_id_t p)
{
    return VTTBR_FIXED | ((uint64_t)s->partition[p].root << VTTBR_ROOT_SHIFT) |
           ((uint64_t)(uint16_t)p << VTTBR_VMID_SHIFT);
}

/* The VMID in a value of VTTBR_EL2. */
inline uint64_t hardware_vmid(uint64_t base)
{
    return (uint16_t)(base >> VTTBR_VMID_SHIFT);
}

access_t hardware_permitted(uint64_t descriptor);

/* Effects that C cannot express; each is the last step of the function whose name it bears. */
/* IC IALLU after DSB and before ISB, so that code written as data is fetched anew (D7.5.9) */
void hardware_memory_synchronize_instructions(page_id_t page);
/* TLBI VMALLS12E1IS for the VMID in `base`, with the barriers of break-before-make (D8.14) */
void hardware_memory_flush_translation(mapping_id_t m, uint64_t base);
/* the saved registers of the partition: zero, `entry` as program counter, EL1h with interrupts masked */
void hardware_partition_reset_context(partition_id_t p, uint64_t entry);
/* TLBI VMALLS12E1IS for the VMID of the partition, with the barriers of break-before-make (D8.14) */
void hardware_partition_flush_partition(partition_id_t p);
/* the device is reset: it has nothing in flight, and reads and writes no memory (virtio 1.2, 2.4) */
void hardware_device_reset(device_id_t d);
/* the device is reset, then given its queue, and may use that from now on (virtio 1.2, 3.1.1) */
void hardware_device_start(device_id_t d, device_kind_t kind);
/* the character goes out on the console; a device that has no room for it for too long loses it */
void hardware_console_put(uint8_t character);
/* what was stored before is there for the device before what is stored next (virtio 1.2, 2.7.13) */
void hardware_device_publish(device_id_t d);
/* the device is told that there is a request (virtio 1.2, 4.2.3.3) */
void hardware_device_notify(device_id_t d, device_kind_t kind);
/* what the device wrote before it counted a request as used is there to be read (virtio 1.2, 2.7.14) */
void hardware_device_observe(device_id_t d);
/* zeros in 64 KiB of large memory, by DC ZVA, before anything that follows (C5.3) */
void hardware_block_clear_part(unit_id_t unit, unit_part_id_t part);
/* TLBI VMALLS12E1IS for the VMID in `base`, with the barriers of break-before-make (D8.14) */
void hardware_unit_flush_unit(unit_id_t unit, uint64_t base);

#endif
