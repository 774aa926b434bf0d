/* Generated from spec/kernel/hardware.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 8df411a59440ea45 */

#include "hardware.h"

#define POOL_BASE 0x44000000
#define VTTBR_FIXED 0x44000000
#define VTTBR_ROOT_SHIFT 12
#define VTTBR_VMID_SHIFT 48

/* What does the Arm hardware do with the registers and tables that the kernel writes?

   Register values are built from named fields (Arm ARM DDI 0487, section given). `stage2_walk` is the architecture's
   translation of an intermediate physical address, from raw register values and raw descriptors; it is a model of
   hardware, compared with the `AT` instruction, never part of the kernel. */

/* The physical address of a page of the pool. */
uint64_t hardware_page_address(page_id_t page)
{
    return POOL_BASE + ((uint64_t)page << PAGE_BITS);
}

/* VTTBR_EL2 while partition `p` runs: its VMID and the address of its root table. */
uint64_t hardware_vttbr(const struct kernel *s, partition_id_t p)
{
    return VTTBR_FIXED | ((uint64_t)s->partition[p].root << VTTBR_ROOT_SHIFT) |
           ((uint64_t)(uint16_t)p << VTTBR_VMID_SHIFT);
}

/* The VMID in a value of VTTBR_EL2. */
uint64_t hardware_vmid(uint64_t base)
{
    return (uint16_t)(base >> VTTBR_VMID_SHIFT);
}

/* The access that a leaf descriptor permits (D8.4.2). */
access_t hardware_permitted(uint64_t descriptor)
{
    uint64_t leaf = descriptor;
    access_t read = (leaf & LEAF_READABLE) != 0 ? ACCESS_READ : 0;
    access_t write = (leaf & LEAF_WRITABLE) != 0 ? ACCESS_WRITE : 0;
    access_t execute = (leaf & LEAF_NEVER_EXECUTED) == 0 ? ACCESS_EXECUTE : 0;
    return read | write | execute;
}
