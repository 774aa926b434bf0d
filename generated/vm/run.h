/* Generated from spec/wasm/internal.py, spec/wasm/opcodes.py, spec/wasm/integers.py, codegen/handlers.py
   with codegen/templates/run.h.j2: edit those, not this.
   Content: sha256 82ae83a44a93ca20 */

#ifndef VM_RUN_H
#define VM_RUN_H

#include "types.h"

outcome_t run(struct machine *vm);

#endif
