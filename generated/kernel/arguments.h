/* Generated from spec/kernel/arguments.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 d2e660c8b4d34d50 */

#ifndef KERNEL_ARGUMENTS_H
#define KERNEL_ARGUMENTS_H

#include "types.h"

uint64_t arguments_packed_object(const struct call *call);
uint64_t arguments_packed_payload(const struct call *call);

#endif
