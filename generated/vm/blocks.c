/* Generated from model/wasm/blocks.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 45c9532477803001 */

#include "blocks.h"
#include "builtins.h"
#include "branching.h"
#include "emission.h"
#include "operands.h"
#include "reader.h"
#include "room.h"
#include "spilling.h"

/* What happens to operands and branches where blocks begin and end?

   Basic blocks begin and end there. All operands are spilled to the slots of their heights, so that all paths into a
   place agree. */

/* Open a block. Its parameters are operands of its own.

   Ensures: t.depth >= old_t.depth.

   Ensures: in_room. */
void blocks_open_target(struct module *m, struct translation *t, opcode_t opcode, uint32_t parameters, uint32_t results)
{
    REQUIRES(room_in_room(t));
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

/* Translate `block`, `loop` and `if`.

   Ensures: in_room. */
void blocks_block(struct module *m, struct translation *t, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_in_block(t));
    struct target types = {0};
    blocks_count_types(m, d, &types);
    if (d->opcode == OPCODE_IF) {
        branching_take_condition(m, t);
    }
    spilling_spill_locals(m, t, NONE);
    if (d->opcode != OPCODE_BLOCK) {
        spilling_spill_from(m, t, saturating_sub(t->height, types.parameters));
    }
    uint32_t otherwise = 0;
    if (d->opcode == OPCODE_IF) {
        otherwise = branching_jump(m, t, UNLESS_OF[t->condition], 0);
    }
    t->last = NONE;
    blocks_open_target(m, t, d->opcode, types.parameters, types.results);
    t->targets.at[t->depth - 1].otherwise = otherwise;
    t->targets.at[t->depth - 1].before = t->straight;
}

/* Count the operands that a block takes and leaves. */
void blocks_count_types(struct module *m, const struct decoded *d, struct target *types)
{
    REQUIRES(room_counted(m));
    types->results = d->block == BLOCK_TYPE_RESULT ? 1 : 0;
    if (d->block == BLOCK_TYPE_INDEX) {
        if (d->value >= m->counts.types) {
            reader_refuse(m, REFUSAL_UNKNOWN_TYPE, d->at);
            return;
        }
        types->parameters = m->types.at[d->value].parameters.count;
        types->results = m->types.at[d->value].results.count;
    }
}

/* Translate `else`: the first branch of the `if` jumps to the end, and the operands are as they were before it.

   Ensures: in_room. */
void blocks_other_branch(struct module *m, struct translation *t)
{
    REQUIRES(room_in_block(t));
    struct target *target = &t->targets.at[t->depth - 1];
    if (t->reachable) {
        spilling_spill_from(m, t, target->height);
        uint32_t at = t->at;
        emission_far_operation(m, t, HANDLER_BR, 0, target->pending);
        branching_lead_to_end(t, target, at + 1);
    }
    emission_resolve(m, t, target->otherwise, t->at);
    target->otherwise = 0;
    t->straight = target->before;
    target->opcode = OPCODE_ELSE;
    operands_restore(m, t, target->height, target->parameters);
    t->reachable = true;
}

/* End a block: all branches to its end meet here.

   Ensures: in_room. */
void blocks_end(struct module *m, struct translation *t)
{
    REQUIRES(room_in_block(t));
    uint32_t position = t->depth - 1;
    const struct target *target = &t->targets.at[position];
    if (position == 0) {
        blocks_finish(m, t, target);
        return;
    }
    bool joined = target->pending != 0 || target->otherwise != 0;
    if (t->reachable && joined) {
        spilling_spill_from(m, t, target->height);
    }
    emission_resolve(m, t, target->pending, t->at);
    emission_resolve(m, t, target->otherwise, t->at);
    emission_join(t, maximum(target->straight, target->otherwise != 0 ? target->before : 0));
    if (joined || !t->reachable) {
        operands_restore(m, t, target->height, target->results);
    }
    t->depth = position;
    t->reachable = t->reachable || joined;
}

/* End a body: all branches to its end return.

   Ensures: in_room. */
void blocks_finish(struct module *m, struct translation *t, const struct target *target)
{
    (void)target;
    REQUIRES(room_in_block(t));
    if (t->reachable) {
        branching_return_(m, t);
    }
    t->depth = 0;
}
