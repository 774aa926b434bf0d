/* Generated from model/wasm/content.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 e0b6c5376e43bab7 */

#ifndef VM_CONTENT_H
#define VM_CONTENT_H

#include "types.h"

EXPORTED fault_t content_restore(struct machine *vm, const struct translation *t, struct content *c);
bool content_has_stacks(const struct machine *vm, uint32_t depth, uint32_t slots);
void content_restore_stacks(struct machine *vm, struct content *c, uint32_t slots);
fault_t content_restore_globals(struct machine *vm, struct content *c);
fault_t content_restore_tables(struct machine *vm, struct content *c);
fault_t content_restore_table(const struct machine *vm, struct table *table, struct content *c);
void content_restore_dropped(struct machine *vm, struct content *c);
fault_t content_restore_memory(struct machine *vm, const struct content *c, uint32_t pages);
uint64_t content_shared(const struct machine *vm, uint64_t reference);
EXPORTED uint64_t content_own(const struct machine *vm, uint64_t reference);
uint8_t content_flag(struct content *c);
uint32_t content_number(struct content *c);
uint64_t content_word(struct content *c);

#endif
