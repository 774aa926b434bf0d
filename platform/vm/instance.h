/* What is an instance to whoever runs it in C? */
#ifndef VM_INSTANCE_H
#define VM_INSTANCE_H

#include "vm/types.h"
#include "vm/decoder.h"
#include "vm/entry.h"
#include "vm/instantiation.h"
#include "vm/room.h"
#include "vm/translator.h"
#include "vm/validator.h"
#include "vm/arena.h"
#include "vm/run.h"

/* A text and its size. */
#define TEXT(text) (text), sizeof(text) - 1

/* A module that was taken in. It does not change any more: instances in several threads may share it. */
struct loaded {
    struct module module;
    struct translation translation;
};

/* How much there may be of what a module needs for a while; a module that needs more is refused. */
struct capacity {
    uint64_t blocks, operands, words;
};

/* How much an instance may have: slots of the stack, elements by which each table may grow, and pages of memory. */
struct bounds {
    uint64_t slots, growth, pages;
};

struct instance {
    const struct loaded *loaded;
    struct machine machine;
    struct memory memory;
    struct { struct table *at; uint64_t length; } tables;
    struct u64_slice cells, elements;                       /* of all globals, and of all tables */
    struct { uint32_t *at; uint64_t length; } services;     /* for each imported function, who performs it */
    bool (*serve)(struct instance *i);                      /* performs a host call; false if the run is not to go on */
};

/* load.c */
uint64_t corollary_room_to_load(const struct module *surveyed, const struct capacity *capacity);
refusal_t corollary_take_in(struct loaded *l, struct arena *arena, const struct capacity *capacity,
                            const uint8_t *bytes, uint64_t size);

/* instance.c */
bool corollary_make_room(struct instance *i, struct arena *arena, struct arena *memory, const struct bounds *bounds);
void corollary_make(struct instance *i, const struct bounds *bounds);
outcome_t corollary_begin(struct instance *i);
trap_t corollary_enter(struct instance *i, uint32_t index);
outcome_t corollary_perform(struct instance *i, uint32_t index, const uint64_t *arguments, uint32_t count);
outcome_t corollary_go_on(struct instance *i);
outcome_t corollary_trapped(struct instance *i, trap_t trap);
const struct function_type *corollary_type_of(const struct module *m, uint32_t function);
bool corollary_has_types(const struct module *m, const struct types *types, const uint8_t *wanted);
bool corollary_is_text(const struct module *m, const struct name *name, const char *text, uint64_t size);
const struct export *corollary_find(const struct module *m, external_t kind, const char *text, uint64_t size);
uint8_t *corollary_within(const struct instance *i, uint64_t at, uint64_t count);

#endif
