/* Generated from spec/kernel/witness.py, model/kernel/witness.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 e9af5d55bd784616 */

#ifndef KERNEL_WITNESS_H
#define KERNEL_WITNESS_H

#include "types.h"
#include "builtins.h"

#define KERNEL_OPERATION 0xff
#define SEQUENCE_LIMIT 0x40000000000000ull /* the SHA-256 of a longer log is not defined: its bits do not fit 64 bits */
#define REFUSED_LIMIT 0xffffffffffffffffull /* highest count of what found no room */

/* The place in the log of the record with this sequence number. */
inline record_id_t witness_record_id(uint64_t sequence)
{
    return sequence & (RECORD_ID_BOUND - 1);
}

/* Return how many records have not been drained. */
inline uint64_t witness_used_records(const struct kernel *s)
{
    return s->sequence - s->drained;
}

/* Is the record with this sequence number still in the log? */
inline bool witness_in_log(const struct kernel *s, uint64_t sequence)
{
    return s->drained <= sequence && sequence < s->sequence;
}

/* Add `more` to a count of what found no room; the count stops at its limit. */
inline uint64_t witness_counted_on(uint64_t count, uint64_t more)
{
    return count + minimum(more, REFUSED_LIMIT - count);
}

bool witness_log_room(const struct kernel *s);
bool witness_own_room(const struct kernel *s, partition_id_t p);
bool witness_kernel_room(const struct kernel *s);
void witness_chain(uint32_t *head, const struct witness_record *entry);
void witness_finish(uint32_t *digest, const uint32_t *head, uint64_t records);
void witness_append(struct kernel *s, uint64_t now, action_t kind, tier_t tier, status_t status, uint8_t operation,
                    uint16_t actor, uint16_t refused, uint64_t object, uint64_t capability, uint64_t payload);
void witness_append_for_kernel(struct kernel *s, uint64_t now, action_t kind, uint64_t object, uint64_t payload);
void witness_append_for_partition(struct kernel *s, uint64_t now, partition_id_t p, action_t kind, tier_t tier,
                                  status_t status, uint8_t operation, uint64_t object, uint64_t capability,
                                  uint64_t payload);
void witness_count_refusal(struct kernel *s, partition_id_t p);
void witness_copy_record(struct kernel *s, page_id_t page, uint32_t position, record_id_t r);
void witness_return_record(struct kernel *s, record_id_t r);
uint16_t witness_kernels_among(const struct kernel *s, uint64_t count);
status_t witness_read(struct kernel *s, struct call *call, page_id_t page, uint64_t first);
status_t witness_seal(struct kernel *s, struct call *call, page_id_t page);
status_t witness_discard(struct kernel *s, struct call *call, uint64_t last);

#endif
