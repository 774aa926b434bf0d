/* Generated from spec/kernel/memory_map.py, spec/kernel/platform.py
   with codegen/templates/platform/sha256.S.j2: edit those, not this.
   Content: sha256 90b8d6da1b3587bc */

/* How does the processor fold a block into a SHA-256 state? With its own instructions for that.
 *
 * `compress` of spec/kernel/sha256.py says what the function does. The kernel keeps nothing in vector registers: those
 * of partitions are saved at each entry.
 */
#include "assembly.h"

/* Four rounds on four words of the schedule: v0 and v1 hold a to d and e to h. */
.macro four_rounds words, constants
    add     v20.4s, \words\().4s, \constants\().4s
    mov     v21.16b, v0.16b
    sha256h q0, q1, v20.4s
    sha256h2 q1, q21, v20.4s
.endm

/* The next four words of the schedule, in place of the oldest. */
.macro next_words oldest, old, new, newest
    sha256su0 \oldest\().4s, \old\().4s
    sha256su1 \oldest\().4s, \new\().4s, \newest\().4s
.endm

    .arch   armv8-a+crypto
    .section .text.sha256, "ax"

/* x0: state, x1: block */
BEGIN sha256_compress
    ldr     x2, =FRACTION_OF_CUBE_ROOTS
    ld1     {v0.4s, v1.4s}, [x0]
    ld1     {v4.4s - v7.4s}, [x1]
    mov     v2.16b, v0.16b
    mov     v3.16b, v1.16b
    ld1     {v16.4s - v19.4s}, [x2], #64
    four_rounds v4, v16
    next_words v4, v5, v6, v7
    four_rounds v5, v17
    next_words v5, v6, v7, v4
    four_rounds v6, v18
    next_words v6, v7, v4, v5
    four_rounds v7, v19
    next_words v7, v4, v5, v6
    ld1     {v16.4s - v19.4s}, [x2], #64
    four_rounds v4, v16
    next_words v4, v5, v6, v7
    four_rounds v5, v17
    next_words v5, v6, v7, v4
    four_rounds v6, v18
    next_words v6, v7, v4, v5
    four_rounds v7, v19
    next_words v7, v4, v5, v6
    ld1     {v16.4s - v19.4s}, [x2], #64
    four_rounds v4, v16
    next_words v4, v5, v6, v7
    four_rounds v5, v17
    next_words v5, v6, v7, v4
    four_rounds v6, v18
    next_words v6, v7, v4, v5
    four_rounds v7, v19
    next_words v7, v4, v5, v6
    ld1     {v16.4s - v19.4s}, [x2], #64
    four_rounds v4, v16
    four_rounds v5, v17
    four_rounds v6, v18
    four_rounds v7, v19
    add     v0.4s, v0.4s, v2.4s
    add     v1.4s, v1.4s, v3.4s
    st1     {v0.4s, v1.4s}, [x0]
    ret
END sha256_compress

    .section .rodata.sha256, "a"

BEGIN_DATA FRACTION_OF_CUBE_ROOTS, 16
    .word   0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5
    .word   0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5
    .word   0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3
    .word   0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174
    .word   0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc
    .word   0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da
    .word   0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7
    .word   0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967
    .word   0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13
    .word   0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85
    .word   0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3
    .word   0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070
    .word   0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5
    .word   0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3
    .word   0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208
    .word   0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
END_DATA FRACTION_OF_CUBE_ROOTS
