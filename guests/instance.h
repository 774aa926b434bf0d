/* What is an instance to the guest that runs it? */
#ifndef INSTANCE_H
#define INSTANCE_H

#include "vm/types.h"
#include "vm/decoder.h"
#include "vm/validator.h"
#include "vm/translator.h"
#include "vm/machine.h"
#include "vm/run.h"
#include "room.h"

/* A text and its size. */
#define TEXT(text) (text), sizeof(text) - 1

struct instance {
    struct module module;
    struct translation translation;
    struct machine machine;
    struct memory memory;
    uint8_t *services;                  /* for each imported function, the number of its service */
};

/* load.c */
refusal_t load(struct instance *i, const uint8_t *bytes, uint64_t size);

/* instance.c */
bool make(struct instance *i);
trap_t begin(struct instance *i);
bool is_text(const struct module *m, const struct name *name, const char *text, uint64_t size);
trap_t enter(struct instance *i, uint32_t index, const uint64_t *arguments, uint32_t count);
outcome_t go_on(struct instance *i);

/* keep.c */
uint64_t keep(const struct instance *i);
uint8_t restore(struct instance *i, const uint8_t *bytes, uint64_t size);

/* service.c, or another file that serves host calls */
bool link(struct instance *i, uint32_t *missing);
trap_t serve(struct instance *i);

#endif
