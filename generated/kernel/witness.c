/* Generated from spec/kernel/witness.py, model/kernel/witness.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 218136a161cff205 */

#include "witness.h"
#include "builtins.h"
#include "memory.h"
#include "sha256.h"

#define KERNEL_ACTOR 0xffff             /* the kernel itself, in the actor field of a record */
#define TOLD_LIMIT 0xffff               /* how much of such a count one record tells */

/* The code of what the header has copied to its callers. */
extern inline record_id_t witness_record_id(uint64_t sequence);
extern inline uint64_t witness_used_records(const struct kernel *s);
extern inline bool witness_in_log(const struct kernel *s, uint64_t sequence);
extern inline uint64_t witness_counted_on(uint64_t count, uint64_t more);

/* What does the witness log promise? */

/* Is there a place in the log for one more record? There is, as long as any share or reserve is not used up. */
bool witness_log_room(const struct kernel *s)
{
    return s->sequence < SEQUENCE_LIMIT && witness_used_records(s) < RECORDS;
}

/* May the partition leave a record within its share of the log? */
bool witness_own_room(const struct kernel *s, partition_id_t p)
{
    return witness_log_room(s) && s->partition[p].records < s->partition[p].quota;
}

/* May the kernel leave a record of its own action within its reserve? */
bool witness_kernel_room(const struct kernel *s)
{
    return witness_log_room(s) && s->kernel_records < KERNEL_RESERVE;
}

/* How does the kernel keep its log: append, read, discard, seal? */

/* Go on with the SHA-256 of the log: a record is the next block, with zeros in place of its link. */
void witness_chain(uint32_t *head, const struct witness_record *entry)
{
    uint32_t block[16];
    clear_halves(block, 16);
    sha256_put(block, 0, entry->sequence);
    sha256_put(block, 1, entry->time);
    sha256_put(block, 2,
               (uint64_t)entry->kind | ((uint64_t)entry->tier << 8) | ((uint64_t)entry->status << 16) |
               ((uint64_t)entry->operation << 24) | ((uint64_t)entry->actor << 32) | ((uint64_t)entry->refused << 48));
    sha256_put(block, 3, entry->object);
    sha256_put(block, 4, entry->capability);
    sha256_put(block, 5, entry->payload);
    sha256_compress(head, block);
}

/* Compute the SHA-256 of a log of so many records from its chain value: one more block, which closes it. */
void witness_finish(uint32_t *digest, const uint32_t *head, uint64_t records)
{
    REQUIRES(records <= SEQUENCE_LIMIT);
    for (uint32_t i = 0; i < 8; i++) {
        digest[i] = head[i];
    }
    uint32_t block[16];
    clear_halves(block, 16);
    uint64_t bits = records << 9;
    sha256_end(block, 0, (uint32_t)bits);
    block[14] = (uint32_t)(bits >> 32);
    sha256_compress(digest, block);
}

/* Add one record to the log; the caller has made sure that there is room. */
void witness_append(struct kernel *s, uint64_t now, action_t kind, tier_t tier, status_t status, uint8_t operation,
                    uint16_t actor, uint16_t refused, uint64_t object, uint64_t capability, uint64_t payload)
{
    struct witness_record *entry = &s->log[witness_record_id(s->sequence)];
    entry->sequence = s->sequence;
    entry->time = now;
    entry->kind = kind;
    entry->tier = tier;
    entry->status = status;
    entry->operation = operation;
    entry->actor = actor;
    entry->refused = refused;
    entry->object = object;
    entry->capability = capability;
    entry->payload = payload;
    witness_chain(s->head, entry);
    entry->link[0] = sha256_word_of(s->head, 0);
    entry->link[1] = sha256_word_of(s->head, 1);
    s->sequence++;
}

/* Record an action of the kernel itself; the caller has made sure that its reserve has room. */
void witness_append_for_kernel(struct kernel *s, uint64_t now, action_t kind, uint64_t object, uint64_t payload)
{
    witness_append(s, now, kind, TIER_NONE, STATUS_OK, KERNEL_OPERATION, KERNEL_ACTOR, 0, object, 0, payload);
    s->kernel_records++;
}

/* Record what a partition did, and how much found no room before.

   The caller has made sure that there is room now. */
void witness_append_for_partition(struct kernel *s, uint64_t now, partition_id_t p, action_t kind, tier_t tier,
                                  status_t status, uint8_t operation, uint64_t object, uint64_t capability,
                                  uint64_t payload)
{
    uint16_t told = minimum(s->partition[p].refused, TOLD_LIMIT);
    witness_append(s, now, kind, tier, status, operation, p, told, object, capability, payload);
    s->partition[p].refused -= told;
    if (s->partition[p].records < RECORDS) {
        s->partition[p].records++;
    }
}

/* Remember that a call of the partition was refused, or a fault not recorded, for want of room. */
void witness_count_refusal(struct kernel *s, partition_id_t p)
{
    s->partition[p].refused = witness_counted_on(s->partition[p].refused, 1);
}

/* Copy a record of the log to word `position` of a page. */
void witness_copy_record(struct kernel *s, page_id_t page, uint32_t position, record_id_t r)
{
    const struct witness_record *entry = &s->log[r];
    struct frame *target = &s->memory[page];
    target->word[position] = entry->sequence;
    target->word[position + 1] = entry->time;
    target->word[position + 2] = (uint64_t)entry->kind | ((uint64_t)entry->tier << 8) |
                                 ((uint64_t)entry->status << 16) | ((uint64_t)entry->operation << 24) |
                                 ((uint64_t)entry->actor << 32) | ((uint64_t)entry->refused << 48);
    target->word[position + 3] = entry->object;
    target->word[position + 4] = entry->capability;
    target->word[position + 5] = entry->payload;
    target->word[position + 6] = entry->link[0];
    target->word[position + 7] = entry->link[1];
}

/* Give the partition that left a record its room back, once the record is dropped. */
void witness_return_record(struct kernel *s, record_id_t r)
{
    uint16_t actor = s->log[r].actor;
    if (actor < PARTITIONS) {
        partition_id_t p = actor;
        if (s->partition[p].records > 0) {
            s->partition[p].records--;
        }
    }
}

/* Return how many of the `count` oldest records, eight at most, the kernel itself left. */
uint16_t witness_kernels_among(const struct kernel *s, uint64_t count)
{
    uint16_t found = 0;
    for (uint32_t i = 0; i < DRAIN_LIMIT; i++) {
        if (i < count && s->log[witness_record_id(s->drained + (uint64_t)i)].actor >= PARTITIONS) {
            found++;
        }
    }
    return found;
}

/* Copy records into the caller's page, from number `first` on, eight if there are so many; they stay in the log. */
status_t witness_read(struct kernel *s, struct call *call, page_id_t page, uint64_t first)
{
    if (!memory_owns_data(s, s->current, page)) {
        return STATUS_NOT_OWNER;
    }
    if (!memory_lets(s, s->current, page, ACCESS_WRITE)) {
        return STATUS_NOT_MAPPED;
    }
    if (!witness_in_log(s, first)) {
        return STATUS_BAD_ARGUMENT;
    }
    uint64_t count = minimum(DRAIN_LIMIT, s->sequence - first);
    for (uint32_t i = 0; i < DRAIN_LIMIT; i++) {
        if (i < count) {
            witness_copy_record(s, page, 8 * i, witness_record_id(first + (uint64_t)i));
        }
    }
    if (first <= s->copied) {
        s->copied = maximum(s->copied, first + count);
    }
    call->result[0] = count;
    return STATUS_OK;
}

/* Write a checkpoint, sealed with HMAC-SHA256 under the boot key, to the start of the caller's page. */
status_t witness_seal(struct kernel *s, struct call *call, page_id_t page)
{
    if (!memory_owns_data(s, s->current, page)) {
        return STATUS_NOT_OWNER;
    }
    if (!memory_lets(s, s->current, page, ACCESS_WRITE)) {
        return STATUS_NOT_MAPPED;
    }
    uint32_t message[16];
    clear_halves(message, 16);
    sha256_put(message, 0, s->sequence);
    sha256_put(message, 1, call->now);
    sha256_put_digest(message, 4, s->head);
    sha256_put(message, 6, s->drained);
    sha256_put(message, 7, s->epoch);
    uint32_t digest[8] = {0};
    witness_finish(digest, s->head, s->sequence);
    uint32_t tag[8] = {0};
    sha256_authenticate(tag, s->key, message, digest);
    struct frame *target = &s->memory[page];
    target->word[0] = s->sequence;
    target->word[1] = call->now;
    target->word[6] = s->drained;
    target->word[7] = s->epoch;
    for (uint32_t i = 0; i < 4; i++) {
        target->word[i + 2] = sha256_word_of(s->head, i);
        target->word[i + 8] = sha256_word_of(digest, i);
        target->word[i + 12] = sha256_word_of(tag, i);
    }
    call->result[0] = s->sequence;
    return STATUS_OK;
}

/* Drop the oldest records, eight at most, up to number `last`, which a reader has copied.

   A caller that may not read learns nothing from it. */
status_t witness_discard(struct kernel *s, struct call *call, uint64_t last)
{
    if (last < s->drained || last - s->drained >= DRAIN_LIMIT) {
        return STATUS_BAD_ARGUMENT;
    }
    if (last >= s->copied) {
        return STATUS_NOT_COPIED;
    }
    uint64_t dropped = last - s->drained + 1;
    for (uint32_t i = 0; i < DRAIN_LIMIT; i++) {
        if (i < dropped) {
            witness_return_record(s, witness_record_id(s->drained + (uint64_t)i));
        }
    }
    s->kernel_records = saturating_sub(s->kernel_records, witness_kernels_among(s, dropped));
    s->drained = last + 1;
    call->result[0] = dropped;
    return STATUS_OK;
}
