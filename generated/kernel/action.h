/* Generated from model/kernel/action.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 adb3af632c623a4d */

#ifndef KERNEL_ACTION_H
#define KERNEL_ACTION_H

#include "types.h"

void action_preempt(struct kernel *s, uint64_t now);
failure_class_t action_worse(failure_class_t failure);
void action_contain(struct kernel *s, uint64_t now, uint64_t syndrome, uint64_t address);

#endif
