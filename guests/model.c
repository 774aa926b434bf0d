/* What do guests borrow from the kernel's own C? The digest of a proof, and how a record reads. */
#include "constants.h"
#include "proof.h"
#include "sha256.h"

void write_proof(volatile uint64_t *page, uint64_t tier, uint64_t nonce, uint64_t object, uint64_t operation,
                 uint64_t handle, uint64_t second, uint64_t third, uint64_t number);
bool is_suspension_of_root(const volatile uint64_t *words);
void hash_words(uint32_t digest[8], const volatile uint64_t *word, uint64_t count);
uint64_t nanoseconds(void);

/* A proof for `operation` with the arguments in x1, x2, x3 and the number of the proof's own page in x6. */
void write_proof(volatile uint64_t *page, uint64_t tier, uint64_t nonce, uint64_t object, uint64_t operation,
                 uint64_t handle, uint64_t second, uint64_t third, uint64_t number)
{
    struct call call;
    uint32_t digest[8] = {0};
    uint64_t now = nanoseconds();

    call.operation = operation;
    call.argument[0] = handle;
    call.argument[1] = second;
    call.argument[2] = third;
    call.argument[3] = 0;
    call.argument[4] = 0;
    call.argument[5] = number;
    proof_mutation_digest(&call, digest);
    for (uint32_t i = 0; i < 4; i++)
        page[i] = sha256_word_of(digest, i);
    page[PROOF_NONCE] = nonce;
    page[PROOF_TIER] = tier;
    page[PROOF_FROM] = now;
    page[PROOF_UNTIL] = now + SECOND;
    page[PROOF_OBJECT] = object;
}

bool is_suspension_of_root(const volatile uint64_t *words)
{
    const volatile struct witness_record *record = (const volatile struct witness_record *)words;

    return record->actor == ROOT && record->kind == ACTION_PARTITION_SUSPEND && record->capability == SLOT_OWN && record->status == STATUS_OK;
}

/* SHA-256 of whole blocks of memory. */
void hash_words(uint32_t digest[8], const volatile uint64_t *word, uint64_t count)
{
    uint32_t block[16];

    sha256_begin(digest);
    for (uint64_t i = 0; i < count; i++) {
        sha256_put(block, i % 8, word[i]);
        if (i % 8 == 7)
            sha256_compress(digest, block);
    }
    for (uint32_t i = 0; i < 16; i++)
        block[i] = 0;
    sha256_end(block, 0, 64 * count);
    sha256_compress(digest, block);
}
