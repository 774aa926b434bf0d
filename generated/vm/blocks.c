/* Generated from model/wasm/blocks.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 4b1569d995283e2f */

#include "blocks.h"
#include "builtins.h"
#include "branching.h"
#include "emission.h"
#include "operands.h"
#include "reader.h"
#include "settling.h"

static const uint16_t UNLESS_OF[750] = {
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 158, 161, 65535, 65535, 65535,
    65535, 65535, 65535, 166, 169, 65535, 65535, 65535, 65535, 65535, 65535, 175, 178, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 184, 187, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 193, 196, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 202, 205, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 211,
    214, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 220, 223, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 229, 232, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 238, 241, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 246, 249, 65535, 65535, 65535, 65535, 65535, 65535, 254, 257, 65535, 65535, 65535,
    65535, 65535, 65535, 263, 266, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 272, 275, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 281, 284, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 290, 293,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 299, 302, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    308, 311, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 317, 320, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 326, 329, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 334, 337, 65535, 65535, 65535,
    65535, 65535, 65535, 342, 345, 65535, 65535, 65535, 65535, 65535, 65535, 351, 354, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 360, 363, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 369, 372, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 378, 381, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 386,
    389, 65535, 65535, 65535, 65535, 65535, 65535, 394, 397, 65535, 65535, 65535, 65535, 65535, 65535, 403,
    406, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 412, 415, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 421, 424, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 430, 433, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
    65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
};

/* What becomes of operands and branches where blocks begin and end?

   There operands are in the slots of their heights, so that all ways into a place agree. */

/* A block begins; its parameters are operands of its own. */
void blocks_open_target(struct module *m, struct translation *t, opcode_t opcode, uint32_t parameters, uint32_t results)
{
    if (t->depth >= t->targets.length || t->depth >= DEPTH) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
        return;
    }
    struct target *target = &t->targets.at[t->depth];
    *target = (struct target){0};
    target->opcode = opcode;
    target->height = saturating_sub(t->height, parameters);
    target->parameters = parameters;
    target->results = results;
    target->start = t->at;
    t->border = t->at;
    t->depth++;
}

/* `block`, `loop` and `if`. */
void blocks_block(struct module *m, struct translation *t, const struct decoded *d)
{
    struct target types = {0};
    blocks_count_types(m, d, &types);
    if (d->opcode == OPCODE_IF) {
        branching_take_condition(m, t);
    }
    settling_settle_locals(m, t, NONE);
    if (d->opcode != OPCODE_BLOCK) {
        settling_settle_from(m, t, saturating_sub(t->height, types.parameters));
    }
    uint32_t otherwise = 0;
    if (d->opcode == OPCODE_IF) {
        otherwise = branching_jump(m, t, UNLESS_OF[t->condition], 0);
    }
    t->last = NONE;
    blocks_open_target(m, t, d->opcode, types.parameters, types.results);
    if (t->depth > 0 && t->depth <= t->targets.length) {
        t->targets.at[t->depth - 1].otherwise = otherwise;
    }
}

/* How many operands a block takes and leaves. */
void blocks_count_types(const struct module *m, const struct decoded *d, struct target *types)
{
    types->results = d->block == BLOCK_TYPE_RESULT ? 1 : 0;
    if (d->block == BLOCK_TYPE_INDEX && d->value < m->types.length) {
        types->parameters = m->types.at[d->value].parameters.count;
        types->results = m->types.at[d->value].results.count;
    }
}

/* The `else` of an `if`: the first branch goes to the end, and the operands are as before it. */
void blocks_other_branch(struct module *m, struct translation *t)
{
    if (t->depth == 0 || t->depth > t->targets.length) {
        return;
    }
    struct target *target = &t->targets.at[t->depth - 1];
    if (t->reachable) {
        settling_settle_from(m, t, target->height);
        uint32_t at = t->at;
        emission_far_operation(m, t, HANDLER_BR, 0, target->pending);
        target->pending = at + 1;
    }
    emission_resolve(t, target->otherwise, t->at);
    target->otherwise = 0;
    target->opcode = OPCODE_ELSE;
    operands_restore(m, t, target->height, target->parameters);
    t->reachable = true;
}

/* A block ends: all that branch here meet. */
void blocks_end(struct module *m, struct translation *t)
{
    if (t->depth == 0 || t->depth > t->targets.length) {
        return;
    }
    uint32_t position = t->depth - 1;
    const struct target *target = &t->targets.at[position];
    if (position == 0) {
        blocks_finish(m, t, target);
        return;
    }
    bool joined = target->pending != 0 || target->otherwise != 0;
    if (t->reachable && joined) {
        settling_settle_from(m, t, target->height);
    }
    emission_resolve(t, target->pending, t->at);
    emission_resolve(t, target->otherwise, t->at);
    if (joined || !t->reachable) {
        operands_restore(m, t, target->height, target->results);
    }
    t->depth = position;
    t->reachable = t->reachable || joined;
}

/* A body ends: all that branch to its end return. */
void blocks_finish(struct module *m, struct translation *t, const struct target *target)
{
    (void)target;
    if (t->reachable) {
        branching_return_(m, t);
    }
    t->depth = 0;
}
