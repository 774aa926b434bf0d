/* Generated from spec/kernel/memory_map.py, spec/kernel/platform.py
   with codegen/templates/platform/translation.S.j2: edit those, not this.
   Content: sha256 0274b8e40e924aa6 */

/* What can the kernel itself reach at EL2?
 *
 * Constant, read-only, complete: what no line names is not mapped.
 *   gicd       0x08000000..0x08010000 device   GICv3 distributor
 *   gicr       0x080a0000..0x080c0000 device   GICv3 redistributor of processor 0
 *   uart       0x09000000..0x09001000 device   PL011
 *   transports 0x0a000000..0x0a004000 device   virtio transports in memory
 *   text       0x40100000..0x40180000 code     kernel instructions and vectors
 *   rodata     0x40180000..0x40200000 constant EL2 translation tables and constants
 *   data       0x40200000..0x40400000 data     contexts and what else the platform keeps
 *   package    0x43e00000..0x43e61000 constant boot package, put there by the host
 *   stack      0x43f01000..0x43f05000 data     EL2 stack; the page below is not mapped
 *   last_stack 0x43f06000..0x43f07000 data     stack of the fault that stops the kernel
 *   secret     0x43f08000..0x43f09000 data     boot key and first proof root, put there by the host, wiped at boot
 *   kept       0x43f10000..0x43f51000 data     the log of a kernel that could not go on, for the one that starts after it
 *   kernel     0x44000000..0x44600000 data     the state of the model; the page pool comes first
 *   units      0x60000000..0x70000000 data     large memory, of which the state says whose it is
 * Arm ARM D8, "VMSAv8-64 translation table format descriptors".
 */
#include "assembly.h"

.macro link table, index, next, attributes
    .org    \table + 8 * \index
    .quad   \next + \attributes
.endm

.macro map table, index, count, address, step, attributes
    .org    \table + 8 * \index
    .set    output, \address
    .rept   \count
    .quad   output + \attributes
    .set    output, output + \step
    .endr
.endm

    .section .rodata.translation, "a"

BEGIN_DATA translation_root, PAGE_SIZE
    link    translation_root, 0, translation_2_0, 0x3
    link    translation_root, 1, translation_2_40000000, 0x3
    .org    translation_root + PAGE_SIZE
END_DATA translation_root

BEGIN_DATA translation_3_a000000, PAGE_SIZE
    map     translation_3_a000000, 0, 4, 0xa000000, 0x1000, 0x40000000000443
    .org    translation_3_a000000 + PAGE_SIZE
END_DATA translation_3_a000000

BEGIN_DATA translation_3_9000000, PAGE_SIZE
    map     translation_3_9000000, 0, 1, 0x9000000, 0x1000, 0x40000000000443
    .org    translation_3_9000000 + PAGE_SIZE
END_DATA translation_3_9000000

BEGIN_DATA translation_3_8000000, PAGE_SIZE
    map     translation_3_8000000, 0, 16, 0x8000000, 0x1000, 0x40000000000443
    map     translation_3_8000000, 160, 32, 0x80a0000, 0x1000, 0x40000000000443
    .org    translation_3_8000000 + PAGE_SIZE
END_DATA translation_3_8000000

BEGIN_DATA translation_3_43e00000, PAGE_SIZE
    map     translation_3_43e00000, 0, 97, 0x43e00000, 0x1000, 0x400000000007c7
    map     translation_3_43e00000, 257, 4, 0x43f01000, 0x1000, 0x40000000000747
    map     translation_3_43e00000, 262, 1, 0x43f06000, 0x1000, 0x40000000000747
    map     translation_3_43e00000, 264, 1, 0x43f08000, 0x1000, 0x40000000000747
    map     translation_3_43e00000, 272, 65, 0x43f10000, 0x1000, 0x40000000000747
    .org    translation_3_43e00000 + PAGE_SIZE
END_DATA translation_3_43e00000

BEGIN_DATA translation_3_40000000, PAGE_SIZE
    map     translation_3_40000000, 256, 128, 0x40100000, 0x1000, 0x7c7
    map     translation_3_40000000, 384, 128, 0x40180000, 0x1000, 0x400000000007c7
    .org    translation_3_40000000 + PAGE_SIZE
END_DATA translation_3_40000000

BEGIN_DATA translation_2_40000000, PAGE_SIZE
    link    translation_2_40000000, 0, translation_3_40000000, 0x3
    map     translation_2_40000000, 1, 1, 0x40200000, 0x200000, 0x40000000000745
    link    translation_2_40000000, 31, translation_3_43e00000, 0x3
    map     translation_2_40000000, 32, 3, 0x44000000, 0x200000, 0x40000000000745
    map     translation_2_40000000, 256, 128, 0x60000000, 0x200000, 0x40000000000745
    .org    translation_2_40000000 + PAGE_SIZE
END_DATA translation_2_40000000

BEGIN_DATA translation_2_0, PAGE_SIZE
    link    translation_2_0, 64, translation_3_8000000, 0x3
    link    translation_2_0, 72, translation_3_9000000, 0x3
    link    translation_2_0, 80, translation_3_a000000, 0x3
    .org    translation_2_0 + PAGE_SIZE
END_DATA translation_2_0
