/* Where does the processor find an address?
 *
 * The host leaves tables, VTTBR_EL2, VTCR_EL2, HCR_EL2 and addresses in shared memory; for each address EL2 asks
 * AT S12E1R and AT S12E1W, and keeps PAR_EL1.
 */
    .equ COMMAND,   0x50000000      /* the number of addresses; 0 when they are done */
    .equ REGISTERS, 0x50000008      /* VTTBR_EL2, VTCR_EL2, HCR_EL2 */
    .equ CASES,     0x50001000      /* address, answer for reading, answer for writing */

    .section .text, "ax"
    .globl start
start:
    msr     daifset, #0xf
    msr     SCTLR_EL1, xzr
wait:
    ldr     x0, =COMMAND
    ldr     x1, [x0]
    cbz     x1, wait
    ldr     x2, =REGISTERS
    ldp     x3, x4, [x2]
    ldr     x5, [x2, #16]
    msr     VTTBR_EL2, x3
    msr     VTCR_EL2, x4
    msr     HCR_EL2, x5
    isb
    tlbi    alle1
    dsb     sy
    isb
    ldr     x2, =CASES
0:  ldr     x3, [x2]
    at      s12e1r, x3
    isb
    mrs     x4, PAR_EL1
    at      s12e1w, x3
    isb
    mrs     x5, PAR_EL1
    stp     x4, x5, [x2, #8]
    add     x2, x2, #24
    subs    x1, x1, #1
    b.ne    0b
    str     xzr, [x0]
    b       wait
    .ltorg
