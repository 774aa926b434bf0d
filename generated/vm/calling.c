/* Generated from model/wasm/calling.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 e276f38db5bbe4f3 */

#include "calling.h"
#include "builtins.h"
#include "emission.h"
#include "operands.h"
#include "reader.h"
#include "room.h"
#include "spilling.h"

/* Which bytecode does a call compile to? */

/* Translate a call. The arguments, and later the results, are where the frame of the callee begins.

   Ensures: in_room. */
void calling_call(struct module *m, struct translation *t, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_in_room(t));
    if (d->value >= m->counts.functions) {
        reader_refuse(m, REFUSAL_UNKNOWN_FUNCTION, d->at);
        return;
    }
    uint32_t type_ = m->functions.at[d->value].type;
    if (type_ >= m->counts.types) {
        reader_refuse(m, REFUSAL_UNKNOWN_TYPE, d->at);
        return;
    }
    uint32_t parameters = m->types.at[type_].parameters.count;
    spilling_spill_from(m, t, saturating_sub(t->height, parameters));
    uint32_t top = operands_own_slot(t, t->height);
    bool popped = operands_pop(m, t, parameters);
    if (!popped) {
        return;
    }
    uint32_t base = operands_own_slot(t, t->height);
    emission_safe_point(t);
    uint32_t at = t->at;
    if (d->value < m->imported_functions) {
        emission_far_operation(m, t, HANDLER_CALL_IMPORT, base, (uint32_t)d->value);
    } else if (m->functions.at[d->value].entry != 0) {
        emission_far_operation(m, t, HANDLER_CALL, base, m->functions.at[d->value].entry - at);
    } else {
        emission_far_operation(m, t, HANDLER_CALL, base, m->functions.at[d->value].calls);
        m->functions.at[d->value].calls = at + 1;
    }
    emission_operation(m, t, HANDLER_EXIT, top, base, base);
    calling_return_here(m, t, m->types.at[type_].results.count);
}

/* Translate a call to a function in a table.

   Ensures: in_room. */
void calling_call_indirect(struct module *m, struct translation *t, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_in_room(t));
    if (d->value >= m->counts.types) {
        reader_refuse(m, REFUSAL_UNKNOWN_TYPE, d->at);
        return;
    }
    bool chosen = operands_pop(m, t, 1);
    if (!chosen) {
        return;
    }
    uint32_t index = spilling_slot(m, t, t->height);
    uint32_t parameters = m->types.at[d->value].parameters.count;
    spilling_spill_from(m, t, saturating_sub(t->height, parameters));
    bool popped = operands_pop(m, t, parameters);
    if (!popped) {
        return;
    }
    uint32_t base = operands_own_slot(t, t->height);
    emission_field_sized(m, d->second);
    emission_field_sized(m, m->types.at[d->value].same);
    emission_safe_point(t);
    emission_operation(m, t, HANDLER_CALL_INDIRECT, base, index, (uint32_t)d->second);
    emission_operation(m, t, HANDLER_EXIT, m->types.at[d->value].same, base, base);
    calling_return_here(m, t, m->types.at[d->value].results.count);
}

/* Mark the return point of a call, and push its results.

   The results are where the arguments were. A single result is where the word before says.

   Ensures: in_room. */
void calling_return_here(struct module *m, struct translation *t, uint32_t results)
{
    REQUIRES(room_in_room(t));
    emission_mark(t, RETURN_POINT);
    t->straight = 0;
    t->calls = true;
    if (results == 1) {
        uint32_t at = t->at - 1;
        operands_push_made(m, t, at);
        return;
    }
    reader_spend(m, results);
    uint32_t left = results;
    while (left > 0 && !reader_refused(m)) {
        left--;
        operands_push_slot(m, t);
    }
}
