/* How are the hardware effects of the model carried out?
 *
 * These are leaf functions of the procedure call standard. None uses the stack. The upper bits of a register that
 * holds a narrow argument are undefined.
 */
#include "assembly.h"

    .section .text.hardware, "ax"

/* x0: partition */
BEGIN hardware_partition_flush_partition
    ubfiz   x1, x0, #VMID_SHIFT_EL2, #PARTITION_WIDTH
    b       flush
END hardware_partition_flush_partition

/* x0: mapping, x1: VTTBR_EL2 (with VMID) of the partition; its descriptor was just made invalid */
BEGIN hardware_memory_flush_translation
    b       flush
END hardware_memory_flush_translation

/* x0: unit, x1: VTTBR_EL2 (with VMID) of the partition; its descriptor was just made invalid */
BEGIN hardware_unit_flush_unit
    b       flush
END hardware_unit_flush_unit

/* x1: VTTBR_EL2. Break-before-make, Arm ARM D8 "TLB maintenance": the store becomes visible to walks, then every
 * stage 1 and stage 2 entry of that VMID is invalidated, then the new descriptor may be stored.
 */
BEGIN flush
    dsb     ishst
    mrs     x2, VTTBR_EL2
    msr     VTTBR_EL2, x1
    isb                             /* TLBI takes its VMID from VTTBR_EL2 */
    tlbi    vmalls12e1is
    dsb     ish
    msr     VTTBR_EL2, x2
    isb
    ret
END flush

/* x0: page whose new contents a partition may execute.
 * Arm ARM B2, "Concurrent modification and execution of instructions".
 */
BEGIN hardware_memory_synchronize_instructions
    ldr     x1, =KERNEL_START
    ubfiz   x0, x0, #PAGE_SHIFT, #PAGE_WIDTH
    add     x0, x1, x0
    add     x1, x0, #PAGE_SIZE
0:  dc      cvau, x0
    add     x0, x0, #CACHE_LINE
    cmp     x0, x1
    b.lo    0b
    dsb     ish
    ic      ialluis                 /* partitions map the page at their own addresses */
    dsb     ish
    isb
    ret
END hardware_memory_synchronize_instructions

/* x0: unit of large memory, x1: part of it that becomes zero. Arm ARM C5.3, "DC ZVA": a line at a time. */
BEGIN hardware_block_clear_part
    ubfiz   x0, x0, #UNIT_SHIFT, #UNIT_WIDTH
    ubfiz   x1, x1, #UNIT_PART_SHIFT, #UNIT_PART_WIDTH
    add     x0, x0, x1
    ldr     x1, =UNITS_START
    add     x0, x0, x1
    mov     x1, #(1 << UNIT_PART_SHIFT) / CACHE_LINE
0:  dc      zva, x0
    add     x0, x0, #CACHE_LINE
    subs    x1, x1, #1
    b.ne    0b
    dsb     ish
    ret
END hardware_block_clear_part

/* PSCI SYSTEM_OFF. At EL2 without EL3, QEMU answers SMC. */
BEGIN power_off
    ldr     w0, =PSCI_SYSTEM_OFF
    smc     #0
    b       halt
END power_off

/* PSCI SYSTEM_RESET: memory stays as it is, and the host puts kernel, package and secret where they were. */
BEGIN start_again
    dsb     sy
    ldr     w0, =PSCI_SYSTEM_RESET
    smc     #0
    b       halt
END start_again

BEGIN halt
    msr     daifset, #0xf
    wfi
    b       halt
END halt
