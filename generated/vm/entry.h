/* Generated from model/wasm/entry.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 21e3716071993778 */

#ifndef VM_ENTRY_H
#define VM_ENTRY_H

#include "types.h"

EXPORTED trap_t entry_enter(struct machine *vm, uint32_t index);
EXPORTED void entry_leave(struct machine *vm);
EXPORTED uint32_t entry_result_slot(const struct machine *vm, uint32_t count);
EXPORTED uint32_t entry_live(const struct machine *vm);

#endif
