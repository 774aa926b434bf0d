/* Generated from model/wasm/operand_types.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 0eda42fca5766187 */

#include "operand_types.h"
#include "builtins.h"
#include "instructions.h"
#include "reader.h"
#include "room.h"

/* Which types do the operands at a place in a body have, and may an instruction take them?

   WebAssembly core 2.0, its appendix. */

/* Return one of a list of value types from the module. Refuse the module if there is none. */
value_type_t operand_types_type_at(struct module *m, const struct types *types, uint32_t position)
{
    uint64_t at = (uint64_t)types->at + (uint64_t)position;
    if (at >= m->bytes.length) {
        reader_refuse(m, REFUSAL_UNEXPECTED_END, types->at);
        return VALUE_TYPE_UNKNOWN;
    }
    uint8_t code = m->bytes.at[at];
    if (IS_VALUE_TYPE[code] == 0) {
        reader_refuse(m, REFUSAL_VALUE_TYPE, types->at);
        return VALUE_TYPE_UNKNOWN;
    }
    return code;
}

/* Copy a list of types. */
void operand_types_copy_types(const struct types *source, struct types *target)
{
    target->at = source->at;
    target->count = source->count;
}

/* Are the types of two lists the same? */
bool operand_types_same_types(struct module *m, const struct types *one, const struct types *other)
{
    if (one->count != other->count) {
        return false;
    }
    reader_spend(m, one->count);
    uint32_t left = one->count;
    while (left > 0 && !reader_refused(m)) {
        left--;
        value_type_t first = operand_types_type_at(m, one, left);
        value_type_t second = operand_types_type_at(m, other, left);
        if (first != second) {
            return false;
        }
    }
    return true;
}

/* Refuse the module: the operands are not what the instruction takes. */
void operand_types_mismatch(struct module *m)
{
    reader_refuse(m, REFUSAL_TYPE_MISMATCH, m->at);
}

/* Push an operand.

   Ensures: stacked. */
void operand_types_push(struct module *m, struct validation *v, value_type_t type_)
{
    REQUIRES(room_stacked(v));
    if (v->height >= v->operands.length || v->height >= OPERANDS) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
        return;
    }
    v->operands.at[v->height] = type_;
    v->height++;
}

/* Pop the topmost operand and return its type. In unreachable code there is always one, of any type.

   Ensures: within_block. */
value_type_t operand_types_pop(struct module *m, struct validation *v)
{
    REQUIRES(room_within_block(v));
    const struct label *block = &v->labels.at[v->depth - 1];
    if (v->height <= block->height) {
        if (!block->unreachable) {
            operand_types_mismatch(m);
        }
        return VALUE_TYPE_UNKNOWN;
    }
    v->height--;
    return v->operands.at[v->height];
}

/* Pop the topmost operand, which must be of a given type.

   Ensures: within_block. */
void operand_types_expect(struct module *m, struct validation *v, value_type_t wanted)
{
    REQUIRES(room_within_block(v));
    value_type_t found = operand_types_pop(m, v);
    if (found != wanted && found != VALUE_TYPE_UNKNOWN && wanted != VALUE_TYPE_UNKNOWN) {
        operand_types_mismatch(m);
    }
}

/* Push operands of the given types.

   Ensures: stacked. */
void operand_types_push_all(struct module *m, struct validation *v, const struct types *types)
{
    REQUIRES(room_stacked(v));
    reader_spend(m, types->count);
    uint32_t position = 0;
    while (position < types->count && !reader_refused(m)) {
        value_type_t type_ = operand_types_type_at(m, types, position);
        operand_types_push(m, v, type_);
        position++;
    }
}

/* Pop the topmost operands, which must be of the given types.

   Ensures: within_block. */
void operand_types_expect_all(struct module *m, struct validation *v, const struct types *types)
{
    REQUIRES(room_within_block(v));
    reader_spend(m, types->count);
    uint32_t left = types->count;
    while (left > 0 && !reader_refused(m)) {
        left--;
        value_type_t wanted = operand_types_type_at(m, types, left);
        operand_types_expect(m, v, wanted);
    }
}

/* Are the topmost operands of the given types? They stay on the stack. */
bool operand_types_fits(struct module *m, const struct validation *v, const struct types *types)
{
    REQUIRES(room_within_block(v));
    const struct label *block = &v->labels.at[v->depth - 1];
    reader_spend(m, types->count);
    uint32_t height = v->height;
    uint32_t left = types->count;
    while (left > 0 && !reader_refused(m)) {
        left--;
        if (height <= block->height) {
            return block->unreachable;
        }
        height--;
        value_type_t wanted = operand_types_type_at(m, types, left);
        if (v->operands.at[height] != wanted && v->operands.at[height] != VALUE_TYPE_UNKNOWN) {
            return false;
        }
    }
    return true;
}

/* Mark the rest of the block as unreachable. Any operands may be taken there.

   Ensures: within_block. */
void operand_types_unreachable(struct module *m, struct validation *v)
{
    REQUIRES(room_within_block(v));
    struct label *block = &v->labels.at[v->depth - 1];
    if (block->height > v->height) {
        operand_types_mismatch(m);
        return;
    }
    v->height = block->height;
    block->unreachable = true;
}

/* Is it a reference type? */
bool operand_types_is_reference(value_type_t type_)
{
    return type_ == VALUE_TYPE_FUNCREF || type_ == VALUE_TYPE_EXTERNREF;
}
