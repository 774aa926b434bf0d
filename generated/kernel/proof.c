/* Generated from model/kernel/proof.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 935edc672bf8b126 */

#include "proof.h"
#include "builtins.h"
#include "capability.h"
#include "memory.h"
#include "sha256.h"

#define LEAF_TAG 0
#define NODE_TAG 1
#define PROOF_NONCE 4
#define PROOF_TIER 5
#define PROOF_FROM 6                    /* ns */
#define PROOF_UNTIL 7                   /* ns */
#define PROOF_OBJECT 8
#define PROOF_POSITION 9                /* of the leaf */
#define PROOF_LEVELS 10
#define PROOF_PATH 16                   /* siblings, four words a level from the leaf upwards */

/* The code of what the header has copied to its callers. */
extern inline page_id_t proof_page(const struct call *call);
extern inline proof_root_id_t proof_named_root(const struct kernel *s, const struct call *call);

/* When does a proof convince the kernel? P2 and P3, read from a page of the caller.

   P2 is a commitment: a holder of PROVE meant exactly this, once, now. It is no authority of its own: the caller
   writes the page itself. A P3 proof adds that the root in force vouches for the call.

   Every check is evaluated; none decides alone what is looked at next. */

/* Return what a handle of the caller means to anybody.

   That is the number that it leads to, below its incarnation; zero for an empty slot. */
uint64_t proof_receiver(const struct kernel *s, handle_t handle)
{
    if (handle == SELF) {
        return (uint64_t)(uint32_t)s->current |
               ((uint64_t)s->partition[s->current].generation << OBJECT_NAME_INCARNATION_SHIFT);
    }
    capability_id_t c = capability_id(s->current, capability_handle_slot(handle));
    if (capability_free(s, c)) {
        return 0;
    }
    return (uint64_t)s->capability[c].object |
           ((uint64_t)s->capability[c].incarnation << OBJECT_NAME_INCARNATION_SHIFT);
}

/* Spell out what the caller means to do, without a handle or a page.

   Operation; actor, its incarnation; kind of the object, its number below its incarnation; nonce; what x2 .. x5
   mean; the four words of the pending root where the call replaces one, else zeros. */
void proof_spell_out(const struct kernel *s, const struct call *call, uint32_t handles, bool replaces_root,
                     uint64_t *mutation)
{
    const struct capability *source = &s->capability[call->capability];
    const struct proof_root *renewed = &s->proof_root[proof_named_root(s, call)];
    mutation[0] = call->operation;
    mutation[1] = s->current;
    mutation[2] = s->partition[s->current].generation;
    mutation[3] = source->kind;
    mutation[4] = (uint64_t)source->object | ((uint64_t)source->incarnation << OBJECT_NAME_INCARNATION_SHIFT);
    mutation[5] = s->partition[s->current].nonce + 1;
    for (uint32_t i = 0; i < 4; i++) {
        uint64_t argument = call->argument[1 + i];
        mutation[6 + i] = ((handles >> (1 + i)) & 1) != 0 ? proof_receiver(s, argument & (HANDLE_BOUND - 1)) : argument;
        mutation[10 + i] = replaces_root ? renewed->pending[i] : 0;
    }
}

/* Compute SHA-256 of the mutation's 14 words, each as eight bytes. */
void proof_hash_mutation(const uint64_t *mutation, uint32_t *digest)
{
    uint32_t state[8] = {0};
    uint32_t block[16];
    clear_halves(block, 16);
    sha256_begin(state);
    for (uint32_t i = 0; i < 8; i++) {
        sha256_put(block, i, mutation[i]);
    }
    sha256_compress(state, block);
    uint32_t rest[16];
    clear_halves(rest, 16);
    for (uint32_t i = 0; i < 6; i++) {
        sha256_put(rest, i, mutation[8 + i]);
    }
    sha256_end(rest, 12, 896);
    sha256_compress(state, rest);
    for (uint32_t i = 0; i < 8; i++) {
        digest[i] = state[i];
    }
}

/* Compute the digest that a proof of this call has to carry. */
void proof_mutation_digest(const struct kernel *s, const struct call *call, uint32_t handles, bool replaces_root,
                           uint32_t *digest)
{
    uint64_t mutation[14];
    clear_words(mutation, 14);
    proof_spell_out(s, call, handles, replaces_root, mutation);
    proof_hash_mutation(mutation, digest);
}

/* Does the proof carry this digest? The comparison has no early exit. */
bool proof_same_digest(const struct kernel *s, page_id_t page, const uint32_t *digest)
{
    const struct frame *target = &s->memory[page];
    uint64_t wrong = (target->word[0] ^ sha256_word_of(digest, 0)) | (target->word[1] ^ sha256_word_of(digest, 1)) |
                     (target->word[2] ^ sha256_word_of(digest, 2)) | (target->word[3] ^ sha256_word_of(digest, 3));
    return wrong == 0;
}

/* Does a mutation pass all eight P2 checks?

   The proof must also lie in a page that the caller's own tables let it read. */
bool proof_policy_holds(const struct kernel *s, const struct call *call, tier_t tier, const uint32_t *digest)
{
    page_id_t page = proof_page(call);
    const struct frame *target = &s->memory[page];
    const struct partition *actor = &s->partition[s->current];
    const struct capability *source = &s->capability[call->capability];
    bool named = call->argument[5] < PAGES;
    bool readable = memory_lets(s, s->current, page, ACCESS_READ);
    bool may_prove = (source->rights & RIGHT_PROVE) != 0;
    bool same_mutation = proof_same_digest(s, page, digest);
    bool tier_reached = target->word[PROOF_TIER] >= tier;
    bool not_expired = call->now <= target->word[PROOF_UNTIL];
    uint64_t window = target->word[PROOF_UNTIL] - target->word[PROOF_FROM];
    bool bounded = (target->word[PROOF_FROM] <= call->now) & (window <= PROOF_WINDOW);
    bool fresh = (target->word[PROOF_NONCE] == actor->nonce + 1) & (target->word[PROOF_NONCE] != 0);
    bool shallow = source->depth <= DEPTH_LIMIT;
    bool same_object = target->word[PROOF_OBJECT] == source->object;
    return named & readable & may_prove & same_mutation & tier_reached & not_expired & bounded & fresh & shallow &
           same_object;
}

/* Compute the leaf of a mutation: SHA-256(0 || digest), the tag as four bytes. */
void proof_hash_leaf(const uint32_t *digest, uint32_t *node)
{
    uint32_t block[16];
    clear_halves(block, 16);
    block[0] = LEAF_TAG;
    sha256_put_digest(block, 1, digest);
    sha256_end(block, 9, 288);
    sha256_begin(node);
    sha256_compress(node, block);
}

/* Compute an inner node: SHA-256(1 || left || right), the tag as four bytes. */
void proof_hash_pair(const uint32_t *left, const uint32_t *right, uint32_t *node)
{
    uint32_t block[16];
    clear_halves(block, 16);
    block[0] = NODE_TAG;
    sha256_put_digest(block, 1, left);
    for (uint32_t i = 0; i < 7; i++) {
        block[i + 9] = right[i];
    }
    sha256_begin(node);
    sha256_compress(node, block);
    uint32_t rest[16];
    clear_halves(rest, 16);
    rest[0] = right[7];
    sha256_end(rest, 1, 544);
    sha256_compress(node, rest);
}

/* Replace a node by its parent, with the sibling that the proof gives for this level. */
void proof_climb(uint32_t *node, const struct kernel *s, page_id_t page, uint32_t level)
{
    const struct frame *target = &s->memory[page];
    uint32_t sibling[16];
    clear_halves(sibling, 16);
    for (uint32_t i = 0; i < 4; i++) {
        sha256_put(sibling, i, target->word[PROOF_PATH + 4 * level + i]);
    }
    bool right = ((target->word[PROOF_POSITION] >> (uint64_t)level) & 1) != 0;
    uint32_t one[8] = {0};
    uint32_t other[8] = {0};
    for (uint32_t i = 0; i < 8; i++) {
        one[i] = right ? sibling[i] : node[i];
        other[i] = right ? node[i] : sibling[i];
    }
    proof_hash_pair(one, other, node);
}

/* Does the Merkle path of the proof lead from the mutation to this attested root? */
bool proof_path_holds(const struct kernel *s, const struct call *call, proof_root_id_t root, const uint32_t *digest)
{
    uint32_t node[8] = {0};
    proof_hash_leaf(digest, node);
    page_id_t page = proof_page(call);
    uint64_t levels = s->memory[page].word[PROOF_LEVELS];
    for (uint32_t level = 0; level < MERKLE_LEVELS; level++) {
        if (level < levels) {
            proof_climb(node, s, page, level);
        }
    }
    const struct proof_root *held = &s->proof_root[root];
    uint64_t wrong = (held->root[0] ^ sha256_word_of(node, 0)) | (held->root[1] ^ sha256_word_of(node, 1)) |
                     (held->root[2] ^ sha256_word_of(node, 2)) | (held->root[3] ^ sha256_word_of(node, 3));
    return (levels <= MERKLE_LEVELS) & (wrong == 0);
}

/* Tell the caller the nonce that its next proof must carry, and which proof root binds it. */
status_t proof_inspect(const struct kernel *s, struct call *call)
{
    call->result[0] = s->partition[s->current].nonce + 1;
    call->result[1] = s->partition[s->current].proof_root;
    return STATUS_OK;
}

/* Write one of the four words of the root that `proof_root_commit` will put in force. */
status_t proof_root_propose(struct kernel *s, const struct call *call, uint8_t position, uint64_t value)
{
    if (position >= 4) {
        return STATUS_BAD_ARGUMENT;
    }
    s->proof_root[proof_named_root(s, call)].pending[position] = value;
    return STATUS_OK;
}

/* Let the P3 proofs of a partition lead to this root from now on. */
status_t proof_root_bind(struct kernel *s, const struct call *call, handle_t into)
{
    if (!capability_may_act_on(s, s->current, into, RIGHT_WRITE)) {
        return STATUS_INSUFFICIENT_RIGHTS;
    }
    partition_id_t p = capability_partition_of_handle(s, s->current, into);
    s->partition[p].proof_root = proof_named_root(s, call);
    return STATUS_OK;
}

/* Put the proposed root in force, on a proof of all its words against the very root that it replaces. */
status_t proof_root_commit(struct kernel *s, const struct call *call)
{
    struct proof_root *held = &s->proof_root[proof_named_root(s, call)];
    for (uint32_t i = 0; i < 4; i++) {
        held->root[i] = held->pending[i];
    }
    return STATUS_OK;
}
