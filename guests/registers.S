/* Does every register keep its value while other partitions run?
 *
 * uint64_t hold(uint64_t spins, uint64_t seed): x, q, sp and the flags hold a pattern while it spins.
 * Returns 0 if all kept it.
 */
#include "assembly.h"
    .altmacro

.macro fill i
    add     x\i, x1, #\i
.endm

.macro fill_vector i
    dup     v\i\().2d, x1
    mov     v\i\().d[1], x30
    add     x1, x1, #7              /* another pattern for each */
.endm

.macro check i
    sub     x0, x\i, x1
    cmp     x0, #\i
    b.ne    general_lost
.endm

.macro check_vector i
    umov    x0, v\i\().d[0]
    cmp     x0, x1
    b.ne    vector_lost
    umov    x0, v\i\().d[1]
    cmp     x0, x30
    b.ne    vector_lost
    add     x1, x1, #7
.endm

.macro each name, from, to
    .set    n, \from
    .rept   \to - \from + 1
    \name   %n
    .set    n, n + 1
    .endr
.endm

    .section .text.hold, "ax"

BEGIN hold
    stp     x19, x20, [sp, #-16]!
    stp     x21, x22, [sp, #-16]!
    stp     x23, x24, [sp, #-16]!
    stp     x25, x26, [sp, #-16]!
    stp     x27, x28, [sp, #-16]!
    stp     x29, x30, [sp, #-16]!
    adrp    x2, saved_stack
    mov     x3, sp
    str     x3, [x2, :lo12:saved_stack]
    add     x30, x1, #30
    mov     x2, x1
    each    fill_vector, 0, 31
    mov     x1, x2
    each    fill, 2, 30
    and     sp, x1, #~15
    cmp     x0, x0
0:  sub     x0, x0, #1
    b.ne    flags_lost              /* Z must survive every switch */
    cbnz    x0, 0b
    each    check, 2, 30
    mov     x0, sp
    and     x2, x1, #~15
    cmp     x0, x2
    b.ne    general_lost
    each    check_vector, 0, 31
    mov     x0, #0
    b       out
general_lost:
    mov     x0, #1
    b       out
vector_lost:
    mov     x0, #2
    b       out
flags_lost:
    mov     x0, #3
out:
    adrp    x2, saved_stack
    ldr     x3, [x2, :lo12:saved_stack]
    mov     sp, x3
    ldp     x29, x30, [sp], #16
    ldp     x27, x28, [sp], #16
    ldp     x25, x26, [sp], #16
    ldp     x23, x24, [sp], #16
    ldp     x21, x22, [sp], #16
    ldp     x19, x20, [sp], #16
    ret
END hold

    .section .bss.saved_stack, "aw", %nobits
BEGIN_DATA saved_stack, 8
    .quad   0
END_DATA saved_stack
