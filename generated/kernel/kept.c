/* Generated from model/kernel/kept.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 ea82dfab8708a482 */

#include "kept.h"
#include "builtins.h"
#include "measure.h"
#include "sha256.h"
#include "witness.h"

#define KEPT_MAGIC 5138409401590236491ull
#define CHECKPOINT_HASH 8               /* SHA-256 of the log, four words */
#define CHECKPOINT_TAG 12               /* which vouches for all before it, four words */
#define DAMAGED 4                       /* as a number of restarts: nobody vouches for what was kept */

/* The code of what the header has copied to its callers. */
extern inline uint64_t kept_undrained(const uint64_t *checkpoint);

/* How is the log of a kernel that cannot go on kept, and what does the next one believe of it? */

/* Compute the tag of a checkpoint, as a seal does. */
void kept_seal_of(uint32_t *tag, const uint32_t *key, const uint64_t *checkpoint)
{
    uint32_t message[16];
    clear_halves(message, 16);
    uint32_t digest[8] = {0};
    for (uint32_t i = 0; i < 8; i++) {
        sha256_put(message, i, checkpoint[i]);
    }
    for (uint32_t i = 0; i < 4; i++) {
        digest[2 * i] = byte_swap((uint32_t)checkpoint[CHECKPOINT_HASH + i]);
        digest[2 * i + 1] = byte_swap((uint32_t)(checkpoint[CHECKPOINT_HASH + i] >> HALVES_HIGH_SHIFT));
    }
    sha256_authenticate(tag, key, message, digest);
}

/* Fold a record into a digest, if so many are kept. */
void kept_add_record(uint32_t *digest, const struct kept *kept, record_id_t number)
{
    if (number < kept_undrained(kept->checkpoint)) {
        measure_add_line(digest, kept->log[number].word);
    }
}

/* Fold some records into a digest. */
void kept_add_batch(uint32_t *digest, const struct kept *kept, batch_id_t batch)
{
    for (uint32_t i = 0; i < BATCH; i++) {
        kept_add_record(digest, kept, BATCH * (uint32_t)batch + i);
    }
}

/* Compute the tag of all that is kept: the number of restarts, the checkpoint by its tag, and the records. */
void kept_vouch(uint32_t *tag, const uint32_t *key, const struct kept *kept)
{
    uint32_t digest[8] = {0};
    sha256_begin(digest);
    for (uint32_t i = 0; i < BATCH_ID_BOUND; i++) {
        kept_add_batch(digest, kept, i);
    }
    uint32_t message[16];
    clear_halves(message, 16);
    sha256_put(message, 0, KEPT_MAGIC);
    sha256_put(message, 1, kept->restarts);
    for (uint32_t i = 0; i < 4; i++) {
        sha256_put(message, 2 + i, kept->checkpoint[CHECKPOINT_TAG + i]);
    }
    sha256_authenticate(tag, key, message, digest);
}

/* Copy a record, word by word. */
void kept_copy_record(struct kept_record *target, const struct witness_record *entry)
{
    target->word[0] = entry->sequence;
    target->word[1] = entry->time;
    target->word[2] = (uint64_t)entry->kind | ((uint64_t)entry->tier << 8) | ((uint64_t)entry->status << 16) |
                      ((uint64_t)entry->operation << 24) | ((uint64_t)entry->actor << 32) |
                      ((uint64_t)entry->refused << 48);
    target->word[3] = entry->object;
    target->word[4] = entry->capability;
    target->word[5] = entry->payload;
    target->word[6] = entry->link[0];
    target->word[7] = entry->link[1];
}

/* Copy a record that was not drained, if there are so many. */
void kept_keep_record(const struct kernel *s, struct kept *kept, record_id_t number)
{
    if (number < kept_undrained(kept->checkpoint)) {
        kept_copy_record(&kept->log[number], &s->log[witness_record_id(s->drained + (uint64_t)number)]);
    }
}

/* Copy some records. */
void kept_keep_batch(const struct kernel *s, struct kept *kept, batch_id_t batch)
{
    for (uint32_t i = 0; i < BATCH; i++) {
        kept_keep_record(s, kept, BATCH * (uint32_t)batch + i);
    }
}

/* Seal the end of the log, as `witness_seal` does. */
void kept_keep_checkpoint(const struct kernel *s, uint64_t now, uint64_t *checkpoint)
{
    uint32_t digest[8] = {0};
    witness_finish(digest, s->head, minimum(s->sequence, SEQUENCE_LIMIT));
    checkpoint[CHECKPOINT_SEQUENCE] = s->sequence;
    checkpoint[1] = now;
    checkpoint[CHECKPOINT_DRAINED] = s->drained;
    checkpoint[7] = s->epoch;
    for (uint32_t i = 0; i < 4; i++) {
        checkpoint[2 + i] = sha256_word_of(s->head, i);
        checkpoint[CHECKPOINT_HASH + i] = sha256_word_of(digest, i);
    }
    uint32_t tag[8] = {0};
    kept_seal_of(tag, s->key, checkpoint);
    for (uint32_t i = 0; i < 4; i++) {
        checkpoint[CHECKPOINT_TAG + i] = sha256_word_of(tag, i);
    }
}

/* Leave the log to the next kernel. Nothing is relied on: the state may be broken. */
void kept_keep(const struct kernel *s, uint64_t now, uint16_t restarts, struct kept *kept)
{
    kept_keep_checkpoint(s, now, kept->checkpoint);
    for (uint32_t i = 0; i < BATCH_ID_BOUND; i++) {
        kept_keep_batch(s, kept, i);
    }
    kept->restarts = (uint64_t)restarts + 1;
    uint32_t tag[8] = {0};
    kept_vouch(tag, s->key, kept);
    for (uint32_t i = 0; i < 4; i++) {
        kept->tag[i] = sha256_word_of(tag, i);
    }
    kept->magic = KEPT_MAGIC;
}

/* Did a kernel with this key leave this? The tags are compared to their ends, whatever they are. */
bool kept_is_whole(const uint32_t *key, const struct kept *kept)
{
    uint32_t seal[8] = {0};
    uint32_t tag[8] = {0};
    kept_seal_of(seal, key, kept->checkpoint);
    kept_vouch(tag, key, kept);
    uint64_t wrong = 0;
    for (uint32_t i = 0; i < 4; i++) {
        wrong |= sha256_word_of(seal, i) ^ kept->checkpoint[CHECKPOINT_TAG + i];
        wrong |= sha256_word_of(tag, i) ^ kept->tag[i];
    }
    return wrong == 0;
}

/* Return how the kernel starts after what was kept. */
standing_t kept_standing_of(const uint32_t *key, const struct kept *kept)
{
    if (kept->magic != KEPT_MAGIC) {
        return STANDING_COLD;
    }
    if (!kept_is_whole(key, kept)) {
        return STANDING_DAMAGED;
    }
    return kept->restarts <= RESTARTS ? STANDING_WARM : STANDING_EXHAUSTED;
}

/* Tell boot how often the kernel has started again, and see to it that nobody looks at what was kept once more. */
standing_t kept_take(struct boot_information *information, struct kept *kept)
{
    standing_t standing = kept_standing_of(information->key, kept);
    if (standing == STANDING_WARM) {
        information->restarts = minimum(kept->restarts, RESTARTS);
    }
    if (standing == STANDING_DAMAGED) {
        information->restarts = DAMAGED;
    }
    kept->magic = 0;
    return standing;
}

/* Measure how the kernel starts: whether it has a key, after how many restarts, and after which log. */
void kept_measure_start(struct boot_information *information, phase_id_t phase, uint64_t keyed, const struct kept *kept)
{
    uint32_t state[8] = {0};
    sha256_begin(state);
    uint64_t line[8];
    clear_words(line, 8);
    line[0] = keyed;
    line[1] = information->restarts;
    if (1 <= information->restarts && information->restarts <= RESTARTS) {
        for (uint32_t i = 0; i < 4; i++) {
            line[2 + i] = kept->checkpoint[CHECKPOINT_HASH + i];
        }
    }
    measure_add_line(state, line);
    measure_finalize(information, phase, state, 1);
}
