/* Where does the processor find an address of its own at EL2?
 *
 * Lies among the kernel's instructions, where its tables let it run. The host leaves registers and addresses in shared
 * memory; for each address, with the MMU on, EL2 asks AT S1E2R and AT S1E2W, keeps PAR_EL1, and calls it where told to.
 */
    .equ COMMAND,   0x50000000      /* the number of addresses; 0 when they are done */
    .equ REGISTERS, 0x50000008      /* TTBR0_EL2, TCR_EL2, MAIR_EL2, SCTLR_EL2 */
    .equ CASES,     0x50001000      /* address, whether to call it, answers to reads and writes, ESR_EL2 of the call */

    .section .text, "ax"
    .globl start
start:
    msr     daifset, #0xf
    adr     x0, vectors
    msr     VBAR_EL2, x0
    msr     spsel, #1
    mrs     x7, SCTLR_EL2
wait:
    ldr     x0, =COMMAND
    ldr     x1, [x0]
    cbz     x1, wait
    ldr     x2, =REGISTERS
    ldp     x3, x4, [x2]
    ldp     x5, x6, [x2, #16]
    msr     TTBR0_EL2, x3
    msr     TCR_EL2, x4
    msr     MAIR_EL2, x5
    ldr     x2, =CASES
next:
    ldp     x3, x10, [x2]
    mov     x8, #0
    tlbi    alle2
    ic      iallu
    dsb     sy
    msr     SCTLR_EL2, x6
    isb
    at      s1e2r, x3
    isb
    mrs     x4, PAR_EL1
    at      s1e2w, x3
    isb
    mrs     x5, PAR_EL1
    cbz     x10, called
    blr     x3
called:
    msr     SCTLR_EL2, x7
    isb
    stp     x4, x5, [x2, #16]
    str     x8, [x2, #32]
    add     x2, x2, #40
    subs    x1, x1, #1
    b.ne    next
    str     xzr, [x0]
    b       wait
    .ltorg

    .balign 2048
vectors:
    .org    vectors + 0x200         /* synchronous, on SP_EL2 */
    mrs     x8, ESR_EL2
    adr     x9, called
    msr     ELR_EL2, x9
    eret
