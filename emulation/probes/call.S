/* What does a function leave behind?
 *
 * The host puts an image and the objects of a call into shared memory, and here what the registers hold; the function
 * runs once. An exception ends it, too.
 */
    .equ COMMAND,   0x50000000      /* 1 to call; 0 when it is done */
    .equ GIVEN,     0x50001000      /* function, stack pointer, x0 .. x7, x19 .. x29 */
    .equ LEFT,      0x50002000      /* ESR_EL1 of an exception or 0, stack pointer, x0, x19 .. x29 */

    .section .text, "ax"
    .globl start
start:
    msr     daifset, #0xf
    ldr     x0, =vectors
    msr     VBAR_EL1, x0
wait:
    ldr     x0, =COMMAND
    ldr     x1, [x0]
    cbz     x1, wait
    ldr     x9, =GIVEN
    ldp     x16, x17, [x9], #16
    mov     sp, x17
    ldp     x0,  x1,  [x9], #16
    ldp     x2,  x3,  [x9], #16
    ldp     x4,  x5,  [x9], #16
    ldp     x6,  x7,  [x9], #16
    ldp     x19, x20, [x9], #16
    ldp     x21, x22, [x9], #16
    ldp     x23, x24, [x9], #16
    ldp     x25, x26, [x9], #16
    ldp     x27, x28, [x9], #16
    ldr     x29, [x9]
    blr     x16
    mov     x10, xzr
done:
    ldr     x9, =LEFT
    mov     x11, sp
    stp     x10, x11, [x9], #16
    stp     x0,  x19, [x9], #16
    stp     x20, x21, [x9], #16
    stp     x22, x23, [x9], #16
    stp     x24, x25, [x9], #16
    stp     x26, x27, [x9], #16
    stp     x28, x29, [x9]
    dsb     sy
    ldr     x9, =COMMAND
    str     xzr, [x9]
    b       wait
    .ltorg

    .balign 2048
vectors:
    .rept   16
    .balign 128
    mrs     x10, ESR_EL1
    b       done
    .endr
