/* How are assembly functions and data declared? */
#ifndef ASSEMBLY_H
#define ASSEMBLY_H

#include "constants.h"

.macro BEGIN name
    .global \name
    .type   \name, %function
    .balign 4
\name:
.endm

.macro END name
    .ltorg
    .size   \name, . - \name
.endm

.macro BEGIN_DATA name, align
    .balign \align
    .global \name
    .type   \name, %object
\name:
.endm

.macro END_DATA name
    .size   \name, . - \name
.endm

#endif
