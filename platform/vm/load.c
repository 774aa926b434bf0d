/* How do bytes become a module that can run? They are surveyed, decoded, validated and translated. */
#include "instance.h"

/* ---- room, which is also only counted */

static void make_room_to_decode(struct module *m, const struct counts *c, struct arena *arena)
{
    TAKE(arena, m->types, c->types);
    TAKE(arena, m->imports, c->imports);
    TAKE(arena, m->functions, (uint64_t)c->imports + c->functions);
    TAKE(arena, m->entries, (uint64_t)c->imports + c->functions);
    TAKE(arena, m->tables, (uint64_t)c->imports + c->tables);
    TAKE(arena, m->memories, (uint64_t)c->imports + c->memories);
    TAKE(arena, m->globals, (uint64_t)c->imports + c->globals);
    TAKE(arena, m->exports, c->exports);
    TAKE(arena, m->elements, c->elements);
    TAKE(arena, m->items, c->items);
    TAKE(arena, m->data, c->data);
}

/* A module with at most `text` bytes of text needs a tree to compare texts, but only now. */
static void make_room_to_validate(struct module *m, struct validation *v, uint64_t text, const struct capacity *c,
                                  struct arena *arena)
{
    BORROW(arena, v->operands, c->operands);
    BORROW(arena, v->labels, c->blocks);
    BORROW(arena, v->locals, LOCALS);
    BORROW(arena, m->nodes, 1 + 2 * text);
}

static void make_room_to_translate(struct translation *t, const struct capacity *c, struct arena *arena)
{
    TAKE(arena, t->code, c->words);
    TAKE(arena, t->marks, c->words);
    BORROW(arena, t->operands, c->operands);
    BORROW(arena, t->targets, c->blocks);
}

/* The bytes that it takes to load a module that was surveyed. */
uint64_t corollary_room_to_load(const struct module *surveyed, const struct capacity *capacity)
{
    struct arena arena = corollary_counting();
    struct validation v = {0};
    struct loaded l = {0};

    make_room_to_decode(&l.module, &surveyed->counts, &arena);
    make_room_to_validate(&l.module, &v, surveyed->counts.text, capacity, &arena);
    corollary_give_back(&arena);
    make_room_to_translate(&l.translation, capacity, &arena);
    return arena.most;
}

/* ---- the steps */

static void decode(struct module *m, struct arena *arena)
{
    struct counts counts = m->counts;       /* a copy: the decoder counts anew */

    make_room_to_decode(m, &counts, arena);
    if (!arena->is_short)
        decoder_decode(m);
}

static void validate(struct module *m, uint64_t text, const struct capacity *capacity, struct arena *arena)
{
    struct validation v = {0};

    make_room_to_validate(m, &v, text, capacity, arena);
    if (!arena->is_short)
        validator_validate(m, &v);
    m->nodes.length = 0;
    corollary_give_back(arena);
}

static void translate(struct loaded *l, const struct capacity *capacity, struct arena *arena)
{
    make_room_to_translate(&l->translation, capacity, arena);
    if (!arena->is_short)
        translator_translate(&l->module, &l->translation);
    corollary_give_back(arena);
}

/* Load a module; if it cannot run here, return why, with the position in `module.offset`. */
refusal_t corollary_take_in(struct loaded *l, struct arena *arena, const struct capacity *capacity,
                            const uint8_t *bytes, uint64_t size)
{
    struct module *m = &l->module;
    uint64_t text;

    m->bytes.at = (uint8_t *)(uintptr_t)bytes;
    m->bytes.length = size;
    decoder_survey(m);
    text = m->counts.text;      /* the decoder does not count this */
    if (m->refusal == REFUSAL_NONE)
        decode(m, arena);
    if (m->refusal == REFUSAL_NONE)
        validate(m, text, capacity, arena);
    if (m->refusal == REFUSAL_NONE)
        translate(l, capacity, arena);
    return m->refusal == REFUSAL_NONE && arena->is_short ? REFUSAL_TOO_LARGE : m->refusal;
}
