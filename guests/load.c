/* How do bytes become a module that can run? They are surveyed, decoded, validated and translated, as on every machine.
 *
 * Room for the results is found here.
 */
#include "instance.h"

enum { OPEN_BLOCKS = 256, OPEN_OPERANDS = 1024, CODE_WORDS = 8192 };   /* a module that needs more is refused */

static void make_room_for(struct module *m)
{
    const struct counts *c = &m->counts;

    TAKE(m->types, c->types);
    TAKE(m->imports, c->imports);
    TAKE(m->functions, c->imports + c->functions);
    TAKE(m->entries, c->imports + c->functions);
    TAKE(m->tables, c->imports + c->tables);
    TAKE(m->memories, c->imports + c->memories);
    TAKE(m->globals, c->imports + c->globals);
    TAKE(m->exports, c->exports);
    TAKE(m->elements, c->elements);
    TAKE(m->items, c->items);
    TAKE(m->data, c->data);
}

/* Validate a module with at most `text` bytes of text. The tree that compares texts is not needed later. */
static void validate(struct module *m, uint64_t text)
{
    struct validation v = {0};

    BORROW(v.operands, OPEN_OPERANDS);
    BORROW(v.labels, OPEN_BLOCKS);
    BORROW(v.locals, LOCALS);
    BORROW(m->nodes, 1 + 2 * text);
    if (!room_is_short())
        validator_validate(m, &v);
    m->nodes.length = 0;
    give_back();
}

static void translate(struct module *m, struct translation *t)
{
    TAKE(t->code, CODE_WORDS);
    TAKE(t->marks, CODE_WORDS);
    BORROW(t->operands, OPEN_OPERANDS);
    BORROW(t->targets, OPEN_BLOCKS);
    if (!room_is_short())
        translator_translate(m, t);
    give_back();
}

/* Load a module; if it cannot run here, return why, with the position in `module.offset`. */
refusal_t load(struct instance *i, const uint8_t *bytes, uint64_t size)
{
    struct module *m = &i->module;
    uint64_t text;

    m->bytes.at = (uint8_t *)bytes;
    m->bytes.length = size;
    decoder_survey(m);
    text = m->counts.text;      /* the decoder counts anew, but not this */
    if (m->refusal == REFUSAL_NONE) {
        make_room_for(m);
        if (!room_is_short())
            decoder_decode(m);
    }
    if (m->refusal == REFUSAL_NONE)
        validate(m, text);
    if (m->refusal == REFUSAL_NONE)
        translate(m, &i->translation);
    return m->refusal == REFUSAL_NONE && room_is_short() ? REFUSAL_TOO_LARGE : m->refusal;
}
