/* Generated from model/wasm/emission.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 5a9e3b4223991317 */

#include "emission.h"
#include "builtins.h"
#include "reader.h"
#include "room.h"

/* How is bytecode emitted and taken back, and how do branches get their targets? */

/* Add a word to the code.

   Ensures: in_room. */
void emission_emit(struct module *m, struct translation *t, uint64_t word)
{
    REQUIRES(room_in_room(t));
    if (t->at >= t->code.length || t->at >= t->marks.length || t->at >= NONE) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
        return;
    }
    t->code.at[t->at] = word;
    t->marks.at[t->at] = t->next_mark;
    t->next_mark = 0;
    t->at++;
    t->last = NONE;
}

/* Emit an operation with three fields.

   Ensures: in_room. */
void emission_operation(struct module *m, struct translation *t, handler_t handler, uint32_t a, uint32_t b, uint32_t c)
{
    REQUIRES(room_in_room(t));
    t->straight++;
    uint64_t word = (uint64_t)(uint16_t)handler | ((uint64_t)(uint16_t)a << BYTECODE_WORD_A_SHIFT) |
                    ((uint64_t)(uint16_t)b << BYTECODE_WORD_B_SHIFT) | ((uint64_t)(uint16_t)c << BYTECODE_WORD_C_SHIFT);
    emission_emit(m, t, word);
}

/* Emit an operation with one field and a number of 32 bits.

   Ensures: in_room. */
void emission_far_operation(struct module *m, struct translation *t, handler_t handler, uint32_t a, uint32_t far)
{
    REQUIRES(room_in_room(t));
    t->straight++;
    emission_emit(m, t,
                  (uint64_t)(uint16_t)handler | ((uint64_t)(uint16_t)a << FAR_BYTECODE_WORD_A_SHIFT) |
                  ((uint64_t)far << FAR_BYTECODE_WORD_FAR_SHIFT));
}

/* Mark the next word as a resume point of a kind. */
void emission_mark(struct translation *t, uint8_t kind)
{
    t->next_mark |= kind;
}

/* Mark the next operation as one that is always a safe point. */
void emission_safe_point(struct translation *t)
{
    emission_mark(t, SAFE_POINT);
    t->straight = 0;
}

/* Emit a safe point and nothing else.

   Ensures: in_room. */
void emission_poll(struct module *m, struct translation *t)
{
    REQUIRES(room_in_room(t));
    emission_safe_point(t);
    emission_operation(m, t, HANDLER_POLL, 0, 0, 0);
}

/* Join a path that has run through so many operations since a safe point. */
void emission_join(struct translation *t, uint32_t straight)
{
    if (straight > t->straight) {
        t->straight = straight;
    }
}

/* Take back the code from an operation on. Its resume point moves to the operation that replaces it.

   Ensures: in_room. */
void emission_take_back(struct translation *t, uint32_t at)
{
    REQUIRES(at < t->at);
    REQUIRES(room_in_room(t));
    emission_mark(t, t->marks.at[at]);
    t->at = at;
}

/* Is the operation at this position the last one, with no branch target after it? */
bool emission_is_latest(const struct translation *t, uint32_t at, uint32_t words)
{
    return at >= t->border && at < t->at && t->at - at == words;
}

/* Return a word of the code. */
uint64_t emission_word_at(const struct translation *t, uint32_t at)
{
    REQUIRES(at < t->code.length);
    return t->code.at[at];
}

/* Return the upper half of a word. */
uint32_t emission_far_of(const struct translation *t, uint32_t at)
{
    REQUIRES(at < t->code.length);
    return (uint32_t)(t->code.at[at] >> FAR_BYTECODE_WORD_FAR_SHIFT);
}

/* Replace the upper half of a word. */
void emission_set_far(struct translation *t, uint32_t at, uint32_t far)
{
    REQUIRES(at < t->code.length);
    t->code.at[at] = (t->code.at[at] & ~(uint64_t)FAR_BYTECODE_WORD_FAR_MASK) |
                     ((uint64_t)far << FAR_BYTECODE_WORD_FAR_SHIFT);
}

/* Make a chain of words lead to a target. Each word holds the position of the one before, counted from 1. */
void emission_resolve(struct module *m, struct translation *t, uint32_t last, uint32_t target)
{
    REQUIRES(room_in_room(t));
    uint32_t at = last;
    uint32_t left = t->at;
    if (last != 0) {
        t->border = t->at;
    }
    while (at != 0 && left > 0) {
        left--;
        uint32_t word = at - 1;
        if (word >= t->at) {
            reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
            return;
        }
        at = emission_far_of(t, word);
        emission_set_far(t, word, target - word);
    }
}

/* Make an operation leave its result in another slot. */
void emission_retarget(struct translation *t, uint32_t at, uint32_t target)
{
    REQUIRES(at < t->code.length);
    t->code.at[at] = (t->code.at[at] & ~(uint64_t)BYTECODE_WORD_C_MASK) |
                     ((uint64_t)(uint16_t)target << BYTECODE_WORD_C_SHIFT);
}

/* Refuse the module unless an index fits a field of an operation. */
void emission_field_sized(struct module *m, uint64_t index)
{
    if (index > FIELD) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
    }
}
