/* Generated from model/wasm/snapshot.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 077a4d5ad58dc575 */

#ifndef VM_SNAPSHOT_H
#define VM_SNAPSHOT_H

#include "types.h"

fault_t snapshot_check(struct machine *vm, const struct translation *t);
bool snapshot_loaded(const struct machine *vm, const struct translation *t);
fault_t snapshot_check_memory(const struct machine *vm);
fault_t snapshot_check_tables(const struct machine *vm, const struct module *m);
fault_t snapshot_check_table(const struct machine *vm, const struct table *t, value_type_t type_);
fault_t snapshot_check_globals(const struct machine *vm, const struct module *m);
bool snapshot_may_have(const struct machine *vm, uint64_t reference, value_type_t type_);
fault_t snapshot_check_calls(struct machine *vm, const struct translation *t);
bool snapshot_is_marked(const struct translation *t, uint32_t word, uint8_t kind);
fault_t snapshot_check_frames(struct machine *vm, const struct translation *t);
uint32_t snapshot_distance_at(const struct machine *vm, const struct translation *t, uint32_t word);
bool snapshot_frame_fits(const struct machine *vm, uint32_t word, uint32_t frame);
uint32_t snapshot_slots_at(const struct machine *vm, uint32_t word);
uint32_t snapshot_first_after(const struct module *m, uint32_t word);
bool snapshot_is_host_call(const struct machine *vm, const struct translation *t);
void snapshot_complete(struct machine *vm);

#endif
