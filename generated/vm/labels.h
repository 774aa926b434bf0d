/* Generated from model/wasm/labels.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 28cea34750c2f086 */

#ifndef VM_LABELS_H
#define VM_LABELS_H

#include "types.h"

void labels_block_types(struct module *m, const struct decoded *d, struct label *block);
void labels_open_block(struct module *m, struct validation *v, const struct decoded *d);
void labels_leave(struct module *m, struct validation *v, const struct label *block);
void labels_other_branch(struct module *m, struct validation *v, const struct decoded *d);
void labels_end(struct module *m, struct validation *v);
void labels_branch(struct module *m, struct validation *v, const struct decoded *d, uint64_t label, bool keep);
void labels_branch_table(struct module *m, struct validation *v, const struct decoded *d);
void labels_one_of_table(struct module *m, const struct validation *v, const struct decoded *d, uint32_t label);
uint32_t labels_expected(const struct label *block);

#endif
