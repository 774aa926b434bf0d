/* Generated from model/proof.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 019708a16fb232e6 */

#ifndef KERNEL_PROOF_H
#define KERNEL_PROOF_H

#include "types.h"

void proof_mutation_digest(const struct call *call, uint32_t *digest);
page_id_t proof_page(const struct call *call);
bool proof_same_digest(const struct kernel *s, page_id_t page, const uint32_t *digest);
bool proof_policy_holds(const struct kernel *s, const struct call *call, tier_t tier);
void proof_hash_leaf(const uint32_t *digest, uint32_t *node);
void proof_hash_pair(const uint32_t *left, const uint32_t *right, uint32_t *node);
void proof_climb(uint32_t *node, const struct kernel *s, page_id_t page, uint32_t level);
bool proof_path_holds(const struct kernel *s, const struct call *call, proof_root_id_t root);
proof_root_id_t proof_named_root(const struct kernel *s, const struct call *call);
status_t proof_inspect(const struct kernel *s, struct call *call);
status_t proof_root_propose(struct kernel *s, const struct call *call, uint8_t position, uint64_t value);
status_t proof_root_bind(struct kernel *s, const struct call *call, handle_t into);
status_t proof_root_commit(struct kernel *s, const struct call *call, uint64_t low, uint64_t high);

#endif
