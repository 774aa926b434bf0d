/* Generated from model/wasm/labels.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 fc82af39f5b51b16 */

#include "labels.h"
#include "builtins.h"
#include "operand_types.h"
#include "reader.h"
#include "room.h"

/* What do blocks take and leave, and what do branches to their labels take? WebAssembly core 2.0, its appendix. */

/* Find the types that a block takes and leaves. */
void labels_block_types(struct module *m, const struct decoded *d, struct label *block)
{
    REQUIRES(room_counted(m));
    *block = (struct label){0};
    if (d->block == BLOCK_TYPE_RESULT) {
        block->results.at = d->vector.at;
        block->results.count = 1;
    }
    if (d->block == BLOCK_TYPE_INDEX) {
        if (d->value >= m->counts.types) {
            reader_refuse(m, REFUSAL_UNKNOWN_TYPE, d->at);
            return;
        }
        operand_types_copy_types(&m->types.at[d->value].parameters, &block->parameters);
        operand_types_copy_types(&m->types.at[d->value].results, &block->results);
    }
}

/* Open a block, which takes its parameters.

   Ensures: within_block. */
void labels_open_block(struct module *m, struct validation *v, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_within_block(v));
    if (v->depth >= v->labels.length || v->depth >= DEPTH) {
        reader_refuse(m, REFUSAL_TOO_LARGE, d->at);
        return;
    }
    uint32_t position = v->depth;
    struct label *block = &v->labels.at[position];
    labels_block_types(m, d, block);
    operand_types_expect_all(m, v, &block->parameters);
    block->opcode = d->opcode;
    block->height = v->height;
    v->depth = position + 1;
    operand_types_push_all(m, v, &block->parameters);
}

/* Check that, at the end of a block, its results are the only operands left.

   Ensures: within_block. */
void labels_leave(struct module *m, struct validation *v, const struct label *block)
{
    REQUIRES(room_within_block(v));
    operand_types_expect_all(m, v, &block->results);
    if (v->height != block->height) {
        operand_types_mismatch(m);
    }
}

/* Begin the other branch of an `if` as the first one began.

   Ensures: within_block. */
void labels_other_branch(struct module *m, struct validation *v, const struct decoded *d)
{
    REQUIRES(room_within_block(v));
    struct label *block = &v->labels.at[v->depth - 1];
    if (block->opcode != OPCODE_IF) {
        reader_refuse(m, REFUSAL_ELSE_STRAY, d->at);
        return;
    }
    labels_leave(m, v, block);
    block->opcode = OPCODE_ELSE;
    block->unreachable = false;
    operand_types_push_all(m, v, &block->parameters);
}

/* End the block. An `if` without `else` leaves what it takes.

   Ensures: stacked. */
void labels_end(struct module *m, struct validation *v)
{
    REQUIRES(room_within_block(v));
    uint32_t position = v->depth - 1;
    const struct label *block = &v->labels.at[position];
    labels_leave(m, v, block);
    if (block->opcode == OPCODE_IF) {
        bool same = operand_types_same_types(m, &block->parameters, &block->results);
        if (!same) {
            operand_types_mismatch(m);
        }
    }
    v->depth = position;
    if (position > 0) {
        operand_types_push_all(m, v, &block->results);
    }
}

/* Check a branch, which takes the operands that its label expects. If it is not always taken, they stay.

   Ensures: within_block. */
void labels_branch(struct module *m, struct validation *v, const struct decoded *d, uint64_t label, bool keep)
{
    REQUIRES(room_within_block(v));
    if (label >= v->depth) {
        reader_refuse(m, REFUSAL_UNKNOWN_LABEL, d->at);
        return;
    }
    const struct label *block = &v->labels.at[(uint64_t)(v->depth - 1) - label];
    if (block->opcode == OPCODE_LOOP) {
        operand_types_expect_all(m, v, &block->parameters);
        if (keep) {
            operand_types_push_all(m, v, &block->parameters);
        }
    } else {
        operand_types_expect_all(m, v, &block->results);
        if (keep) {
            operand_types_push_all(m, v, &block->results);
        }
    }
}

/* Check a branch table: all labels expect the same number of operands, and the ones that are there.

   Ensures: within_block. */
void labels_branch_table(struct module *m, struct validation *v, const struct decoded *d)
{
    REQUIRES(room_within_block(v));
    operand_types_expect(m, v, VALUE_TYPE_I32);
    uint32_t after = m->at;
    m->at = d->vector.at;
    uint32_t left = d->vector.count;
    while (left > 0 && !reader_refused(m)) {
        left--;
        uint32_t label = reader_unsigned_32(m);
        labels_one_of_table(m, v, d, label);
    }
    if (!reader_refused(m)) {
        m->at = after;
    }
    labels_branch(m, v, d, d->value, false);
    operand_types_unreachable(m, v);
}

/* Check one label of a branch table. */
void labels_one_of_table(struct module *m, const struct validation *v, const struct decoded *d, uint32_t label)
{
    REQUIRES(room_within_block(v));
    if (label >= v->depth || d->value >= v->depth) {
        reader_refuse(m, REFUSAL_UNKNOWN_LABEL, d->at);
        return;
    }
    const struct label *block = &v->labels.at[v->depth - 1 - label];
    const struct label *last = &v->labels.at[(uint64_t)(v->depth - 1) - d->value];
    if (labels_expected(block) != labels_expected(last)) {
        operand_types_mismatch(m);
    }
    bool fitting = false;
    if (block->opcode == OPCODE_LOOP) {
        fitting = operand_types_fits(m, v, &block->parameters);
    } else {
        fitting = operand_types_fits(m, v, &block->results);
    }
    if (!fitting) {
        operand_types_mismatch(m);
    }
}

/* Return how many operands a branch to a label takes. */
uint32_t labels_expected(const struct label *block)
{
    return block->opcode == OPCODE_LOOP ? block->parameters.count : block->results.count;
}
