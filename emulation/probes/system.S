/* What do the registers of the system hold after a few instructions at EL2?
 *
 * The host puts a program that ends in RET and what x0 .. x15 hold into shared memory; it is copied into the slot, as
 * only stores of the processor itself are sure to be seen when it fetches, and runs once. What x0 .. x15 hold then is
 * kept. An exception ends it, too.
 */
    .equ COMMAND,   0x50000000      /* 1 to run; 0 when it is done */
    .equ GIVEN,     0x50001000      /* x0 .. x15 */
    .equ LEFT,      0x50002000      /* ESR_EL2, ELR_EL2, SPSR_EL2, FAR_EL2 of an exception or 0, x0 .. x15 */
    .equ PROGRAM,   0x50003000      /* up to 1024 instructions */
    .equ SLOT,      0x41000000

    .section .text, "ax"
    .globl start
start:
    msr     daifset, #0xf
    ldr     x0, =vectors
    msr     VBAR_EL2, x0
    mov     x0, #1 << 31            /* EL1 is AArch64 */
    msr     HCR_EL2, x0
    isb
wait:
    ldr     x20, =COMMAND
    ldr     x21, [x20]
    cbz     x21, wait
    ldr     x20, =PROGRAM
    ldr     x16, =SLOT
    mov     x17, #1024
0:  ldr     w18, [x20], #4
    str     w18, [x16], #4
    subs    x17, x17, #1
    b.ne    0b
    dsb     sy
    ic      iallu
    dsb     sy
    isb
    ldr     x20, =GIVEN
    .irp    number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    ldr     x\number, [x20, #8 * \number]
    .endr
    ldr     x16, =SLOT
    blr     x16
    mov     x16, xzr
    mov     x17, xzr
    mov     x18, xzr
    mov     x19, xzr
done:
    ldr     x20, =LEFT
    .irp    number, 16, 17, 18, 19, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    str     x\number, [x20], #8
    .endr
    dsb     sy
    ldr     x20, =COMMAND
    str     xzr, [x20]
    b       wait
    .ltorg

    .balign 2048
vectors:
    .rept   16
    .balign 128
    mrs     x16, ESR_EL2
    mrs     x17, ELR_EL2
    mrs     x18, SPSR_EL2
    mrs     x19, FAR_EL2
    b       done
    .endr
