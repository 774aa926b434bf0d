/* What do guests borrow from the kernel's own C? The digest of a proof, and the layout of a record. */
#include "constants.h"
#include "mutation.h"
#include "sha256.h"

bool is_suspension_of_root(const volatile uint64_t *words);
void hash_words(uint32_t digest[8], const volatile uint64_t *word, uint64_t count);
uint64_t nanoseconds(void);

/* Write a proof of a mutation, valid for one second from now. */
void write_proof(volatile uint64_t *page, uint64_t tier, struct mutation meant)
{
    uint32_t digest[8];
    uint64_t now = nanoseconds();

    hash_words(digest, (const uint64_t *)&meant, sizeof(meant) / sizeof(uint64_t));
    for (uint32_t i = 0; i < 4; i++)
        page[i] = sha256_word_of(digest, i);
    page[PROOF_NONCE] = meant.nonce;
    page[PROOF_TIER] = tier;
    page[PROOF_FROM] = now;
    page[PROOF_UNTIL] = now + SECOND;
    page[PROOF_OBJECT] = (uint32_t)meant.object;
}

bool is_suspension_of_root(const volatile uint64_t *words)
{
    const volatile struct witness_record *record = (const volatile struct witness_record *)words;

    return record->actor == ROOT && record->kind == ACTION_PARTITION_SUSPEND && record->capability == SLOT_OWN
           && record->status == STATUS_OK;
}

/* SHA-256 of words of memory; the last block must have room for eight more bytes. */
void hash_words(uint32_t digest[8], const volatile uint64_t *word, uint64_t count)
{
    uint32_t block[16];

    sha256_begin(digest);
    for (uint64_t i = 0; i < count; i++) {
        sha256_put(block, i % 8, word[i]);
        if (i % 8 == 7)
            sha256_compress(digest, block);
    }
    for (uint32_t i = 2 * (count % 8); i < 16; i++)
        block[i] = 0;
    sha256_end(block, 2 * (count % 8), 64 * count);
    sha256_compress(digest, block);
}
