/* Generated from model/wasm/machine.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 723cd39f10c32a96 */

#ifndef VM_MACHINE_H
#define VM_MACHINE_H

#include "types.h"

uint32_t machine_grow_memory(struct memory *m, uint32_t pages);
trap_t machine_copy_memory(struct memory *m, uint32_t target, uint32_t source, uint32_t count);
trap_t machine_fill_memory(struct memory *m, uint32_t target, uint32_t value, uint32_t count);
trap_t machine_init_memory(const struct machine *vm, struct memory *m, uint32_t segment, uint32_t target,
                           uint32_t source, uint32_t count);
uint32_t machine_grow_table(struct table *t, uint32_t count);
trap_t machine_fill_table(struct table *t, uint32_t target, uint64_t value, uint32_t count);
trap_t machine_copy_table(struct table *to, const struct table *source, uint32_t target, uint32_t first,
                          uint32_t count);
trap_t machine_init_table(const struct machine *vm, struct table *t, uint32_t segment, uint32_t target,
                          uint32_t source, uint32_t count);

#endif
