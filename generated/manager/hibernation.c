/* Generated from model/manager/hibernation.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 1959d8b53b1d0bda */

#include "hibernation.h"
#include "recent.h"
#include "source.h"
#include "step.h"
#include "task.h"

/* How is a suspended agent written to a disk, and how does it come back? By the receipt that says what was written. */

/* Begin to hibernate an agent that is suspended. */
status_t hibernation_hibernate(struct manager *s, agent_id_t a)
{
    struct agent *g = &s->agent[a];
    if (g->state != LIFE_SUSPENDED) {
        return STATUS_WRONG_STATE;
    }
    if (g->step != STEP_NONE) {
        return STATUS_BUSY;
    }
    source_enter(g, STEP_FREEZING);
    return STATUS_OK;
}

/* Return why an outcome is not one of a step, or OK. */
status_t hibernation_unexpected(const struct manager *s, agent_id_t a, uint64_t number, step_t step)
{
    if (!task_is_out(s, a, number)) {
        return STATUS_OUTDATED;
    }
    return s->agent[a].step == step ? STATUS_OK : STATUS_WRONG_STEP;
}

/* The kernel has taken the snapshot of an agent that is hibernated: so many bytes, with this hash. */
status_t hibernation_frozen(struct manager *s, agent_id_t a, uint64_t number, uint64_t plain, uint64_t first,
                            uint64_t second, uint64_t third, uint64_t fourth)
{
    status_t status = hibernation_unexpected(s, a, number, STEP_FREEZING);
    if (status != STATUS_OK) {
        return status;
    }
    struct agent *g = &s->agent[a];
    source_put_hash(&g->hash, first, second, third, fourth);
    g->receipt.plain = plain;
    source_enter(g, STEP_PACKING);
    return STATUS_OK;
}

/* The snapshot is compressed, to so many bytes. */
status_t hibernation_packed(struct manager *s, agent_id_t a, uint64_t number, uint64_t size)
{
    status_t status = hibernation_unexpected(s, a, number, STEP_PACKING);
    if (status != STATUS_OK) {
        return status;
    }
    s->agent[a].receipt.packed = size;
    source_enter(&s->agent[a], STEP_WRITING);
    return STATUS_OK;
}

/* The snapshot is on the disk, at a place. */
status_t hibernation_written(struct manager *s, agent_id_t a, uint64_t number, uint64_t at)
{
    status_t status = hibernation_unexpected(s, a, number, STEP_WRITING);
    if (status != STATUS_OK) {
        return status;
    }
    s->agent[a].receipt.at = at;
    source_enter(&s->agent[a], STEP_RECORDING);
    return STATUS_OK;
}

/* The receipt is in the log: only now may the pages be freed. */
status_t hibernation_recorded(struct manager *s, agent_id_t a, uint64_t number)
{
    status_t status = hibernation_unexpected(s, a, number, STEP_RECORDING);
    if (status != STATUS_OK) {
        return status;
    }
    s->agent[a].state = LIFE_HIBERNATED;
    source_enter(&s->agent[a], STEP_FREEING);
    return STATUS_OK;
}

/* The pages are free. */
status_t hibernation_freed(struct manager *s, agent_id_t a, uint64_t number)
{
    status_t status = hibernation_unexpected(s, a, number, STEP_FREEING);
    if (status != STATUS_OK) {
        return status;
    }
    source_settle(&s->agent[a], LIFE_HIBERNATED);
    return STATUS_OK;
}

/* Begin to bring a hibernated agent back; three times in the last epochs, no more. */
status_t hibernation_reconstruct(struct manager *s, agent_id_t a)
{
    struct agent *g = &s->agent[a];
    if (g->state != LIFE_HIBERNATED) {
        return STATUS_WRONG_STATE;
    }
    if (g->step != STEP_NONE) {
        return STATUS_BUSY;
    }
    if (recent_is_full(&g->readings, s->epoch)) {
        return STATUS_TOO_OFTEN;
    }
    recent_note(&g->readings, s->epoch);
    source_enter(g, STEP_READING);
    return STATUS_OK;
}

/* So many bytes were read from a place. If they are not those of the receipt, the task has `failed`. */
status_t hibernation_read(struct manager *s, agent_id_t a, uint64_t number, uint64_t at, uint64_t size)
{
    status_t status = hibernation_unexpected(s, a, number, STEP_READING);
    if (status != STATUS_OK) {
        return status;
    }
    struct agent *g = &s->agent[a];
    if (at != g->receipt.at) {
        return STATUS_WRONG_PLACE;
    }
    if (size != g->receipt.packed) {
        return STATUS_WRONG_SIZE;
    }
    source_enter(g, STEP_UNPACKING);
    return STATUS_OK;
}

/* They are decompressed, to so many bytes with this hash. If the receipt has others, the task has `failed`. */
status_t hibernation_unpacked(struct manager *s, agent_id_t a, uint64_t number, uint64_t plain, uint64_t first,
                              uint64_t second, uint64_t third, uint64_t fourth)
{
    status_t status = hibernation_unexpected(s, a, number, STEP_UNPACKING);
    if (status != STATUS_OK) {
        return status;
    }
    struct agent *g = &s->agent[a];
    if (plain != g->receipt.plain) {
        return STATUS_WRONG_SIZE;
    }
    if (!step_is_hash(&g->hash, first, second, third, fourth)) {
        return STATUS_WRONG_HASH;
    }
    g->state = LIFE_RECONSTRUCTING;
    source_enter(g, STEP_RESTORING);
    return STATUS_OK;
}
