/* Generated from spec/kernel/memory_map.py, spec/kernel/platform.py
   with codegen/templates/platform/start.S.j2: edit those, not this.
   Content: sha256 dea6d2cd74b30135 */

/* How does the processor become an EL2 kernel with its MMU on?
 *
 * The translation tables are constants of the image and nothing is stored before SCTLR_EL2.{M,C} are set,
 * so no stale cache line can exist. Arm ARM D8, "The AArch64 Virtual Memory System Architecture".
 */
#include "assembly.h"

/* Each write takes effect before the next: ICH_HCR_EL2 does not exist before ICC_SRE_EL2.SRE does. */
.macro set register, value
    ldr     x0, =\value
    msr     \register, x0
    isb
.endm

/* Bounds are multiples of 16: link.ld. */
.macro zero first, last
    ldr     x0, =\first
    ldr     x1, =\last
0:  cmp     x0, x1
    b.hs    1f
    stp     xzr, xzr, [x0], #16
    b       0b
1:
.endm

    .section .text.start, "ax"

BEGIN start
    msr     daifset, #0xf
    mrs     x0, CurrentEL
    cmp     x0, #CURRENT_EL2
    b.ne    wrong_level
    set     HCR_EL2, HCR_EL2_BOOT
    set     SCTLR_EL1, SCTLR_EL1_BOOT
    set     TCR_EL1, TCR_EL1_BOOT
    set     TTBR0_EL1, TTBR0_EL1_BOOT
    set     TTBR1_EL1, TTBR1_EL1_BOOT
    set     MAIR_EL1, MAIR_EL1_BOOT
    set     AMAIR_EL1, AMAIR_EL1_BOOT
    set     AFSR0_EL1, AFSR0_EL1_BOOT
    set     AFSR1_EL1, AFSR1_EL1_BOOT
    set     CONTEXTIDR_EL1, CONTEXTIDR_EL1_BOOT
    set     CPTR_EL2, CPTR_EL2_BOOT
    set     HSTR_EL2, HSTR_EL2_BOOT
    set     MDCR_EL2, MDCR_EL2_BOOT
    set     ACTLR_EL2, ACTLR_EL2_BOOT
    set     MDSCR_EL1, MDSCR_EL1_BOOT
    set     CNTHCTL_EL2, CNTHCTL_EL2_BOOT
    set     CNTVOFF_EL2, CNTVOFF_EL2_BOOT
    set     CNTHP_CTL_EL2, CNTHP_CTL_EL2_BOOT
    set     VPIDR_EL2, VPIDR_EL2_BOOT
    set     VMPIDR_EL2, VMPIDR_EL2_BOOT
    set     VTCR_EL2, VTCR_EL2_BOOT
    set     VTTBR_EL2, VTTBR_EL2_BOOT
    set     MAIR_EL2, MAIR_EL2_BOOT
    set     TCR_EL2, TCR_EL2_BOOT
    set     TPIDR_EL2, TPIDR_EL2_BOOT
    set     ICC_SRE_EL2, ICC_SRE_EL2_BOOT
    set     ICH_HCR_EL2, ICH_HCR_EL2_BOOT
    set     VBAR_EL2, vectors
    set     TTBR0_EL2, translation_root
    tlbi    alle2
    tlbi    alle1
    ic      iallu
    dsb     nsh
    isb
    set     SCTLR_EL2, SCTLR_EL2_BOOT
    msr     spsel, #1
    ldr     x0, =STACK_END
    mov     sp, x0
    zero    bss_start, bss_end
    zero    KERNEL_START, KERNEL_END
    bl      power_on
    b       restore_context
END start

/* Most likely QEMU without virtualization=on. The MMU is off and SMC is undefined: say so and halt. */
BEGIN wrong_level
    ldr     x0, =LAST_STACK_END
    mov     sp, x0
    b       complain
END wrong_level
