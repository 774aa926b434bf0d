/* How does a guest start, and how does it survive an exception of its own?
 *
 * Root may restart a guest: data stays unchanged, registers and stack start afresh. Stage 1 is off.
 */
#include "assembly.h"

    .section .start, "ax"

BEGIN start
    adr     x1, guest_vectors
    msr     VBAR_EL1, x1
    isb
    msr     spsel, #1
    adrp    x1, guest_stack_end
    add     x1, x1, :lo12:guest_stack_end
    mov     sp, x1
    bl      main
0:  wfi
    b       0b
END start

    .section .text, "ax"

    .balign VECTORS_SIZE
BEGIN guest_vectors
    .rept   VECTORS_SIZE / VECTOR_SIZE
    .balign VECTOR_SIZE
    b       take_exception
    .endr
    .balign VECTOR_SIZE
END guest_vectors

/* Save caller-saved registers; exception(syndrome, address) returns where to continue, at EL1 and masked. */
BEGIN take_exception
    msr     spsel, #1
    sub     sp, sp, #160
    stp     x0, x1, [sp]
    stp     x2, x3, [sp, #16]
    stp     x4, x5, [sp, #32]
    stp     x6, x7, [sp, #48]
    stp     x8, x9, [sp, #64]
    stp     x10, x11, [sp, #80]
    stp     x12, x13, [sp, #96]
    stp     x14, x15, [sp, #112]
    stp     x16, x17, [sp, #128]
    stp     x18, x30, [sp, #144]
    mrs     x0, ESR_EL1
    mrs     x1, ELR_EL1
    bl      exception
    msr     ELR_EL1, x0
    mov     x0, #0x3c5              /* EL1h, masked */
    msr     SPSR_EL1, x0
    ldp     x0, x1, [sp]
    ldp     x2, x3, [sp, #16]
    ldp     x4, x5, [sp, #32]
    ldp     x6, x7, [sp, #48]
    ldp     x8, x9, [sp, #64]
    ldp     x10, x11, [sp, #80]
    ldp     x12, x13, [sp, #96]
    ldp     x14, x15, [sp, #112]
    ldp     x16, x17, [sp, #128]
    ldp     x18, x30, [sp, #144]
    add     sp, sp, #160
    eret
END take_exception
