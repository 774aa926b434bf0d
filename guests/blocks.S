/* How are words of SHA-256 taken from bytes that lie anywhere? By vectors of bytes, which need no alignment. */
#include "assembly.h"

    .text

/* Take the 16 words of a block, whose first bytes are the highest. x0: words, x1: bytes */
BEGIN take_block
    ld1     {v0.16b - v3.16b}, [x1]
    rev32   v0.16b, v0.16b
    rev32   v1.16b, v1.16b
    rev32   v2.16b, v2.16b
    rev32   v3.16b, v3.16b
    st1     {v0.4s - v3.4s}, [x0]
    ret
END take_block
