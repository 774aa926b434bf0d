/* Generated from spec/kernel/clock.py, model/kernel/clock.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 b57cce6b96129ce7 */

#ifndef KERNEL_CLOCK_H
#define KERNEL_CLOCK_H

#include "types.h"

uint64_t clock_later(uint64_t last, uint64_t now);
uint64_t clock_advance(struct kernel *s, uint64_t now);

#endif
