/* Generated from spec/kernel/memory_map.py, spec/kernel/platform.py
   with codegen/templates/platform/vectors.S.j2: edit those, not this.
   Content: sha256 e840f200a743b123 */

/* What happens between a partition and trap()?
 *
 * While a partition runs, SP_EL2 points at its context: an exception needs no scratch register.
 * Arm ARM D1, "Exception vectors" and "Exception return".
 */
#include "assembly.h"

/* What is left of a vector is zero: no instruction. */
.macro end_vector
    .zero   VECTOR_SIZE - (. - vectors) % VECTOR_SIZE
.endm

.macro guest_vector cause
    stp     x0, x1, [sp, #CONTEXT_X0]
    mov     x1, #\cause
    b       save_context
    end_vector
.endm

.macro kernel_vector index
    mov     x0, #\index
    b       kernel_fault
    end_vector
.endm

/* Only AArch64 EL1 or EL0, whatever the context says: M becomes 0b0000, 0b0100 or 0b0101. */
.macro permitted spsr, scratch
    ldr     \scratch, =SPSR_KEPT
    and     \spsr, \spsr, \scratch
    lsr     \scratch, \spsr, #2
    orr     \scratch, \scratch, #~1
    and     \spsr, \spsr, \scratch
.endm

    .section .text.vectors, "ax"

    .balign VECTORS_SIZE, 0
BEGIN vectors
    kernel_vector 0                 /* EL2 on SP_EL0: synchronous, IRQ, FIQ, SError; never selected */
    kernel_vector 1
    kernel_vector 2
    kernel_vector 3
    kernel_vector 4                 /* EL2 on SP_EL2: a fault of the kernel, as the rest is masked */
    kernel_vector 5
    kernel_vector 6
    kernel_vector 7
    guest_vector CAUSE_SYNCHRONOUS  /* EL1 or EL0; EL0 may even be AArch32, as EL1 is AArch64 */
    guest_vector CAUSE_IRQ
    guest_vector CAUSE_FIQ
    guest_vector CAUSE_SERROR
    kernel_vector 12                /* AArch32 EL1: impossible, HCR_EL2.RW is set */
    kernel_vector 13
    kernel_vector 14
    kernel_vector 15
END vectors

/* sp: context, x1: cause, x0 and x1 of the partition already saved */
BEGIN save_context
    stp     x2,  x3,  [sp, #CONTEXT_X2]
    stp     x4,  x5,  [sp, #CONTEXT_X4]
    stp     x6,  x7,  [sp, #CONTEXT_X6]
    stp     x8,  x9,  [sp, #CONTEXT_X8]
    stp     x10, x11, [sp, #CONTEXT_X10]
    stp     x12, x13, [sp, #CONTEXT_X12]
    stp     x14, x15, [sp, #CONTEXT_X14]
    stp     x16, x17, [sp, #CONTEXT_X16]
    stp     x18, x19, [sp, #CONTEXT_X18]
    stp     x20, x21, [sp, #CONTEXT_X20]
    stp     x22, x23, [sp, #CONTEXT_X22]
    stp     x24, x25, [sp, #CONTEXT_X24]
    stp     x26, x27, [sp, #CONTEXT_X26]
    stp     x28, x29, [sp, #CONTEXT_X28]
    str     x30, [sp, #CONTEXT_X30]
    mrs     x2, SP_EL0
    mrs     x3, SP_EL1
    stp     x2,  x3,  [sp, #CONTEXT_SP_EL0]
    mrs     x2, ELR_EL2
    mrs     x3, SPSR_EL2
    stp     x2,  x3,  [sp, #CONTEXT_ELR_EL2]
    mrs     x2, CPACR_EL1
    mrs     x3, VBAR_EL1
    stp     x2,  x3,  [sp, #CONTEXT_CPACR_EL1]
    mrs     x2, ESR_EL1
    mrs     x3, FAR_EL1
    stp     x2,  x3,  [sp, #CONTEXT_ESR_EL1]
    mrs     x2, ELR_EL1
    mrs     x3, SPSR_EL1
    stp     x2,  x3,  [sp, #CONTEXT_ELR_EL1]
    mrs     x2, TPIDR_EL0
    mrs     x3, TPIDR_EL1
    stp     x2,  x3,  [sp, #CONTEXT_TPIDR_EL0]
    mrs     x2, TPIDRRO_EL0
    mrs     x3, PAR_EL1
    stp     x2,  x3,  [sp, #CONTEXT_TPIDRRO_EL0]
    mrs     x2, CSSELR_EL1
    mrs     x3, CNTKCTL_EL1
    stp     x2,  x3,  [sp, #CONTEXT_CSSELR_EL1]
    mrs     x2, CNTV_CTL_EL0
    mrs     x3, CNTV_CVAL_EL0
    stp     x2,  x3,  [sp, #CONTEXT_CNTV_CTL_EL0]
    mrs     x2, FPCR
    mrs     x3, FPSR
    stp     x2,  x3,  [sp, #CONTEXT_FPCR]
    stp     q0,  q1,  [sp, #CONTEXT_Q0]
    stp     q2,  q3,  [sp, #CONTEXT_Q2]
    stp     q4,  q5,  [sp, #CONTEXT_Q4]
    stp     q6,  q7,  [sp, #CONTEXT_Q6]
    stp     q8,  q9,  [sp, #CONTEXT_Q8]
    stp     q10, q11, [sp, #CONTEXT_Q10]
    stp     q12, q13, [sp, #CONTEXT_Q12]
    stp     q14, q15, [sp, #CONTEXT_Q14]
    stp     q16, q17, [sp, #CONTEXT_Q16]
    stp     q18, q19, [sp, #CONTEXT_Q18]
    stp     q20, q21, [sp, #CONTEXT_Q20]
    stp     q22, q23, [sp, #CONTEXT_Q22]
    stp     q24, q25, [sp, #CONTEXT_Q24]
    stp     q26, q27, [sp, #CONTEXT_Q26]
    stp     q28, q29, [sp, #CONTEXT_Q28]
    stp     q30, q31, [sp, #CONTEXT_Q30]
    mov     x0, sp
    ldr     x2, =STACK_END
    mov     sp, x2
    bl      trap
    b       restore_context
END save_context

/* x0: context of the partition to run */
BEGIN restore_context
    mov     sp, x0
    ldp     q0,  q1,  [sp, #CONTEXT_Q0]
    ldp     q2,  q3,  [sp, #CONTEXT_Q2]
    ldp     q4,  q5,  [sp, #CONTEXT_Q4]
    ldp     q6,  q7,  [sp, #CONTEXT_Q6]
    ldp     q8,  q9,  [sp, #CONTEXT_Q8]
    ldp     q10, q11, [sp, #CONTEXT_Q10]
    ldp     q12, q13, [sp, #CONTEXT_Q12]
    ldp     q14, q15, [sp, #CONTEXT_Q14]
    ldp     q16, q17, [sp, #CONTEXT_Q16]
    ldp     q18, q19, [sp, #CONTEXT_Q18]
    ldp     q20, q21, [sp, #CONTEXT_Q20]
    ldp     q22, q23, [sp, #CONTEXT_Q22]
    ldp     q24, q25, [sp, #CONTEXT_Q24]
    ldp     q26, q27, [sp, #CONTEXT_Q26]
    ldp     q28, q29, [sp, #CONTEXT_Q28]
    ldp     q30, q31, [sp, #CONTEXT_Q30]
    ldp     x2,  x3,  [sp, #CONTEXT_SP_EL0]
    msr     SP_EL0, x2
    msr     SP_EL1, x3
    ldp     x2,  x3,  [sp, #CONTEXT_ELR_EL2]
    permitted x3, x4
    msr     ELR_EL2, x2
    msr     SPSR_EL2, x3
    ldp     x2,  x3,  [sp, #CONTEXT_CPACR_EL1]
    msr     CPACR_EL1, x2
    msr     VBAR_EL1, x3
    ldp     x2,  x3,  [sp, #CONTEXT_ESR_EL1]
    msr     ESR_EL1, x2
    msr     FAR_EL1, x3
    ldp     x2,  x3,  [sp, #CONTEXT_ELR_EL1]
    msr     ELR_EL1, x2
    msr     SPSR_EL1, x3
    ldp     x2,  x3,  [sp, #CONTEXT_TPIDR_EL0]
    msr     TPIDR_EL0, x2
    msr     TPIDR_EL1, x3
    ldp     x2,  x3,  [sp, #CONTEXT_TPIDRRO_EL0]
    msr     TPIDRRO_EL0, x2
    msr     PAR_EL1, x3
    ldp     x2,  x3,  [sp, #CONTEXT_CSSELR_EL1]
    msr     CSSELR_EL1, x2
    msr     CNTKCTL_EL1, x3
    ldp     x2,  x3,  [sp, #CONTEXT_CNTV_CTL_EL0]
    msr     CNTV_CTL_EL0, x2
    msr     CNTV_CVAL_EL0, x3
    ldp     x2,  x3,  [sp, #CONTEXT_FPCR]
    msr     FPCR, x2
    msr     FPSR, x3
    ldp     x30, x2,  [sp, #CONTEXT_X30]
    msr     VTTBR_EL2, x2
    dsb     ishst                   /* walks of the partition see the descriptors the kernel stored */
    ldp     x0,  x1,  [sp, #CONTEXT_X0]
    ldp     x2,  x3,  [sp, #CONTEXT_X2]
    ldp     x4,  x5,  [sp, #CONTEXT_X4]
    ldp     x6,  x7,  [sp, #CONTEXT_X6]
    ldp     x8,  x9,  [sp, #CONTEXT_X8]
    ldp     x10, x11, [sp, #CONTEXT_X10]
    ldp     x12, x13, [sp, #CONTEXT_X12]
    ldp     x14, x15, [sp, #CONTEXT_X14]
    ldp     x16, x17, [sp, #CONTEXT_X16]
    ldp     x18, x19, [sp, #CONTEXT_X18]
    ldp     x20, x21, [sp, #CONTEXT_X20]
    ldp     x22, x23, [sp, #CONTEXT_X22]
    ldp     x24, x25, [sp, #CONTEXT_X24]
    ldp     x26, x27, [sp, #CONTEXT_X26]
    ldp     x28, x29, [sp, #CONTEXT_X28]
    eret
END restore_context

/* x0: vector. TPIDR_EL2 counts: a fault while reporting a fault stops without a word. */
BEGIN kernel_fault
    mrs     x1, TPIDR_EL2
    cbnz    x1, halt
    mov     x1, #1
    msr     TPIDR_EL2, x1
    ldr     x1, =LAST_STACK_END
    msr     spsel, #1
    mov     sp, x1
    mrs     x1, ESR_EL2
    mrs     x2, FAR_EL2
    mrs     x3, ELR_EL2
    b       fault
END kernel_fault
