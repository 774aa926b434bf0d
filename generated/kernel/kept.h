/* Generated from model/kernel/kept.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 b2fba898a4f3c70f */

#ifndef KERNEL_KEPT_H
#define KERNEL_KEPT_H

#include "types.h"
#include "builtins.h"

#define CHECKPOINT_SEQUENCE 0           /* in it: the number of the next record */
#define CHECKPOINT_DRAINED 6            /* how many records had left the log */
#define BATCH 64                        /* records that are gone through together */

/* Return how many records had not left the log. */
inline uint64_t kept_undrained(const uint64_t *checkpoint)
{
    return saturating_sub(checkpoint[CHECKPOINT_SEQUENCE], checkpoint[CHECKPOINT_DRAINED]);
}

void kept_seal_of(uint32_t *tag, const uint32_t *key, const uint64_t *checkpoint);
void kept_add_record(uint32_t *digest, const struct kept *kept, record_id_t number);
void kept_add_batch(uint32_t *digest, const struct kept *kept, batch_id_t batch);
void kept_vouch(uint32_t *tag, const uint32_t *key, const struct kept *kept);
void kept_copy_record(struct kept_record *target, const struct witness_record *entry);
void kept_keep_record(const struct kernel *s, struct kept *kept, record_id_t number);
void kept_keep_batch(const struct kernel *s, struct kept *kept, batch_id_t batch);
void kept_keep_checkpoint(const struct kernel *s, uint64_t now, uint64_t *checkpoint);
void kept_keep(const struct kernel *s, uint64_t now, uint16_t restarts, struct kept *kept);
bool kept_is_whole(const uint32_t *key, const struct kept *kept);
standing_t kept_standing_of(const uint32_t *key, const struct kept *kept);
standing_t kept_take(struct boot_information *information, struct kept *kept);
void kept_measure_start(struct boot_information *information, phase_id_t phase, uint64_t keyed,
                        const struct kept *kept);

#endif
