/* Generated from model/wasm/room.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 8d5c20ffb2579e59 */

#include "room.h"
#include "builtins.h"

/* Does everything that is counted fit the room that the host made for it?

   The functions of the VM require and preserve these conditions. */

/* Return how many words of code a host makes room for: the longest module has no more than `NONE` bytes. */
uint64_t room_code_words(const struct module *m)
{
    return CODE_RATE * minimum(m->bytes.length, NONE) + CODE_FREE;
}

/* Is there room for everything that is counted in a module? */
bool room_counted(const struct module *m)
{
    return m->counts.types <= m->types.length && m->counts.imports <= m->imports.length &&
           m->counts.functions <= m->functions.length && m->counts.tables <= m->tables.length &&
           m->counts.memories <= m->memories.length && m->counts.globals <= m->globals.length &&
           m->counts.exports <= m->exports.length && m->counts.elements <= m->elements.length &&
           m->counts.data <= m->data.length && m->imported_functions <= m->counts.functions &&
           m->imported_globals <= m->counts.globals;
}

/* Is there room for all operands and blocks of the body that is validated? */
bool room_stacked(const struct validation *v)
{
    return v->height <= v->operands.length && v->depth <= v->labels.length;
}

/* Is the place that is validated in a block, if only in the block of the body? */
bool room_within_block(const struct validation *v)
{
    return room_stacked(v) && v->depth > 0;
}

/* Is there room for the root of a trie of strings? */
bool room_planted(const struct module *m)
{
    return m->nodes.length > 0;
}

/* Is there room for all operands of the body that is translated? */
bool room_in_heights(const struct translation *t)
{
    return t->height <= t->operands.length && t->height <= OPERANDS;
}

/* Is there room for all operations, operands and blocks of the body that is translated? */
bool room_in_room(const struct translation *t)
{
    return t->at <= t->code.length && t->at <= t->marks.length && room_in_heights(t) && t->depth <= t->targets.length;
}

/* Is the place that is translated in a block, if only in the block of the body? */
bool room_in_block(const struct translation *t)
{
    return room_in_room(t) && t->depth > 0;
}

/* Is there an operand at a height, on the stack or just taken from it? */
bool room_is_operand(const struct translation *t, uint32_t height)
{
    return height < t->operands.length;
}

/* Was the operand above the stack just taken from it? */
bool room_one_taken(const struct translation *t)
{
    return t->height < t->operands.length && t->height < OPERANDS;
}

/* Were the two operands above the stack just taken from it? */
bool room_two_taken(const struct translation *t)
{
    return (uint64_t)t->height + 2 <= t->operands.length && t->height < OPERANDS;
}
