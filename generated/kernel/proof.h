/* Generated from model/kernel/proof.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 402915d2ea3e4e3a */

#ifndef KERNEL_PROOF_H
#define KERNEL_PROOF_H

#include "types.h"

/* The page that the last argument register names. */
inline page_id_t proof_page(const struct call *call)
{
    return call->argument[5] & (PAGE_ID_BOUND - 1);
}

/* The proof root that the handle of the call names. */
inline proof_root_id_t proof_named_root(const struct kernel *s, const struct call *call)
{
    return s->capability[call->capability].object & (PROOF_ROOT_ID_BOUND - 1);
}

uint64_t proof_receiver(const struct kernel *s, handle_t handle);
void proof_spell_out(const struct kernel *s, const struct call *call, uint32_t handles, bool replaces_root,
                     uint64_t *mutation);
void proof_hash_mutation(const uint64_t *mutation, uint32_t *digest);
void proof_mutation_digest(const struct kernel *s, const struct call *call, uint32_t handles, bool replaces_root,
                           uint32_t *digest);
bool proof_same_digest(const struct kernel *s, page_id_t page, const uint32_t *digest);
bool proof_policy_holds(const struct kernel *s, const struct call *call, tier_t tier, const uint32_t *digest);
void proof_hash_leaf(const uint32_t *digest, uint32_t *node);
void proof_hash_pair(const uint32_t *left, const uint32_t *right, uint32_t *node);
void proof_climb(uint32_t *node, const struct kernel *s, page_id_t page, uint32_t level);
bool proof_path_holds(const struct kernel *s, const struct call *call, proof_root_id_t root, const uint32_t *digest);
status_t proof_inspect(const struct kernel *s, struct call *call);
status_t proof_root_propose(struct kernel *s, const struct call *call, uint8_t position, uint64_t value);
status_t proof_root_bind(struct kernel *s, const struct call *call, handle_t into);
status_t proof_root_commit(struct kernel *s, const struct call *call);

#endif
