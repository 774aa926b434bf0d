/* Generated from spec/kernel/hardware.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 8524228db5f2f179 */

#include "hardware.h"

#define POOL_BASE 0x44000000
#define VMID_SHIFT 48

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
    return ((uint64_t)p << VMID_SHIFT) | hardware_page_address(s->partition[p].root);
}

/* The VMID in a value of VTTBR_EL2. */
uint64_t hardware_vmid(uint64_t base)
{
    return base >> VMID_SHIFT;
}

/* The access that a leaf descriptor permits (D8.4.2). */
access_t hardware_permitted(uint64_t descriptor)
{
    access_t read = (descriptor & S2AP_READ) != 0 ? ACCESS_READ : 0;
    access_t write = (descriptor & S2AP_WRITE) != 0 ? ACCESS_WRITE : 0;
    access_t execute = (descriptor & EXECUTE_NEVER) == 0 ? ACCESS_EXECUTE : 0;
    return read | write | execute;
}
