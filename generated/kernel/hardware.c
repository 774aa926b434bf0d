/* Generated from spec/kernel/hardware.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 686ec65ccc57a339 */

#include "hardware.h"

/* The code of what the header has copied to its callers. */
extern inline uint64_t hardware_page_address(page_id_t page);
extern inline uint64_t hardware_vttbr(const struct kernel *s, partition_id_t p);
extern inline uint64_t hardware_vmid(uint64_t base);

/* What does the Arm hardware do with the registers and tables that the kernel writes?

   Register values are built from named fields (Arm ARM DDI 0487, section given). `stage2_walk` is the architecture's
   translation of an intermediate physical address, from raw register values and raw descriptors; it is a model of
   hardware, compared with the `AT` instruction, never part of the kernel. */

/* The access that a leaf descriptor permits (D8.4.2). */
access_t hardware_permitted(uint64_t descriptor)
{
    uint64_t leaf = descriptor;
    access_t read = (leaf & LEAF_READABLE) != 0 ? ACCESS_READ : 0;
    access_t write = (leaf & LEAF_WRITABLE) != 0 ? ACCESS_WRITE : 0;
    access_t execute = (leaf & LEAF_NEVER_EXECUTED) == 0 ? ACCESS_EXECUTE : 0;
    return read | write | execute;
}
