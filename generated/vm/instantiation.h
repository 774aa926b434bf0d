/* Generated from model/wasm/instantiation.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 a841a2065b60bcbc */

#ifndef VM_INSTANTIATION_H
#define VM_INSTANTIATION_H

#include "types.h"

uint64_t instantiation_constant(const struct machine *vm, const struct constant *c);
EXPORTED void instantiation_fill_globals(struct machine *vm);
EXPORTED void instantiation_fill_items(struct machine *vm, uint64_t first);
EXPORTED trap_t instantiation_copy_elements(struct machine *vm, uint32_t segment, uint32_t done);
EXPORTED trap_t instantiation_copy_data(struct machine *vm, uint32_t segment, uint32_t done);

#endif
