/* What does the processor make of one instruction?
 *
 * The host leaves cases in shared memory: registers, those of vectors too, flags, a window of memory and an
 * instruction. Each is run in a slot that is otherwise full of BRK, so wherever the instruction goes, an exception
 * follows, and everything is saved.
 */
    .equ COMMAND, 0x50000000        /* the number of cases to run; 0 when they are done */
    .equ CURRENT, 0x50000008        /* the case that runs */
    .equ LEFT,    0x50000010
    .equ CASES,   0x50001000
    .equ SLOT,    0x41000000        /* 64 words; the instruction stands in the middle */
    .equ MIDDLE,  SLOT + 128
    .equ WINDOW,  0x41001000        /* 256 bytes */
    .equ INSTRUCTION, 0             /* of a case: one word, and from here on in units of 8 bytes */
    .equ FLAGS,   8
    .equ STACK,   16
    .equ GENERAL, 24                /* x0 .. x30 */
    .equ MEMORY,  272
    .equ GIVEN,   528               /* q0 .. q31 */
    .equ OUT,     1040              /* flags, stack pointer, registers and memory again, then where it went and why */
    .equ WENT,    1560
    .equ WHY,     1568
    .equ FOUND,   1584              /* q0 .. q31 again */
    .equ CASE,    2096
    .equ FPEN,    3 << 20           /* of CPACR_EL1: floating point does not trap */

    .macro  lanes instruction, at
    .irp    number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, \
                    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    \instruction q\number, [x0, #\at + 16 * \number]
    .endr
    .endm

    .section .text, "ax"
    .globl start
start:
    msr     daifset, #0xf
    msr     spsel, #1
    ldr     x0, =vectors
    msr     VBAR_EL1, x0
    mov     x0, #FPEN
    msr     CPACR_EL1, x0
    isb
    msr     FPCR, xzr
    ldr     x0, =SLOT
    ldr     w1, =0xd4200000         /* BRK #0 */
    mov     x2, #64
0:  str     w1, [x0], #4
    subs    x2, x2, #1
    b.ne    0b
wait:
    ldr     x0, =COMMAND
    ldr     x1, [x0]
    cbz     x1, wait
    ldr     x0, =LEFT
    str     x1, [x0]
    ldr     x20, =CASES
    ldr     x0, =CURRENT
    str     x20, [x0]
next:
    ldr     x0, =CURRENT
    ldr     x20, [x0]
    ldr     x0, =MIDDLE
    ldr     w1, [x20, #INSTRUCTION]
    str     w1, [x0]
    dc      cvau, x0
    dsb     ish
    ic      ivau, x0
    dsb     ish
    isb
    ldr     x0, =WINDOW
    add     x1, x20, #MEMORY
    mov     x2, #32
0:  ldr     x3, [x1], #8
    str     x3, [x0], #8
    subs    x2, x2, #1
    b.ne    0b
    ldr     x0, [x20, #FLAGS]
    msr     nzcv, x0
    ldr     x0, [x20, #STACK]
    mov     sp, x0
    mov     x0, x20
    lanes   ldr, GIVEN
    .irp    number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, \
                    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
    ldr     x\number, [x0, #GENERAL + 8 * \number]
    .endr
    ldr     x0, [x0, #GENERAL]
    b       middle                  /* MIDDLE, to the linker */

    .balign 2048
vectors:
    .rept   4
    .balign 128
    b       .
    .endr
    .balign 128
    msr     TPIDR_EL1, x0
    ldr     x0, =CURRENT
    ldr     x0, [x0]
    .irp    number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, \
                    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
    str     x\number, [x0, #OUT + 16 + 8 * \number]
    .endr
    b       save
    .balign 2048
save:
    .irp    number, 28, 29, 30
    str     x\number, [x0, #OUT + 16 + 8 * \number]
    .endr
    mrs     x1, TPIDR_EL1
    str     x1, [x0, #OUT + 16]
    lanes   str, FOUND
    mrs     x1, SPSR_EL1
    and     x1, x1, #0xf0000000
    str     x1, [x0, #OUT]
    mov     x1, sp
    str     x1, [x0, #OUT + 8]
    mrs     x1, ELR_EL1
    str     x1, [x0, #WENT]
    mrs     x1, ESR_EL1
    str     x1, [x0, #WHY]
    ldr     x1, =WINDOW
    add     x2, x0, #OUT + 264
    mov     x3, #32
0:  ldr     x4, [x1], #8
    str     x4, [x2], #8
    subs    x3, x3, #1
    b.ne    0b
    add     x0, x0, #CASE
    ldr     x1, =CURRENT
    str     x0, [x1]
    ldr     x1, =LEFT
    ldr     x2, [x1]
    subs    x2, x2, #1
    str     x2, [x1]
    b.ne    next
    ldr     x0, =COMMAND
    str     xzr, [x0]
    b       wait
    .ltorg
