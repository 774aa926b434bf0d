/* What does a guest that runs modules give them, and how does it save them? */
#ifndef SERVICE_H
#define SERVICE_H

#include "vm/instance.h"

/* What a guest has room for: a module that needs more is refused. */
static const struct capacity CAPACITY = {.blocks = 256, .operands = 1024, .words = 8192};
static const struct bounds BOUNDS = {.slots = 4096, .growth = 64, .pages = MEMORY_PAGES};

/* saving.c */
uint64_t keep(const struct instance *i);
uint8_t restore(struct instance *i, const uint8_t *bytes, uint64_t size);

/* service.c, or another file that serves host calls */
bool link(struct instance *i, uint32_t *missing);
bool serve(struct instance *i);
bool wake(struct instance *i);

#endif
