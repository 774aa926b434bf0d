/* Generated from model/wasm/blocks.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 409afde1ae5eaa00 */

#ifndef VM_BLOCKS_H
#define VM_BLOCKS_H

#include "types.h"

void blocks_open_target(struct module *m, struct translation *t, opcode_t opcode, uint32_t parameters,
                        uint32_t results);
void blocks_block(struct module *m, struct translation *t, const struct decoded *d);
void blocks_count_types(struct module *m, const struct decoded *d, struct target *types);
void blocks_other_branch(struct module *m, struct translation *t);
void blocks_end(struct module *m, struct translation *t);
void blocks_finish(struct module *m, struct translation *t, const struct target *target);

#endif
