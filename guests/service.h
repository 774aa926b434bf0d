/* What does a guest that runs modules give them, and how does it save them? */
#ifndef SERVICE_H
#define SERVICE_H

#include "vm/instance.h"

/* What a guest has room for: a module that needs more is refused. */
static const struct capacity CAPACITY = {.blocks = 256, .operands = 1024, .words = 8192};
static const struct bounds BOUNDS = {.slots = 4096, .growth = 64, .pages = MEMORY_PAGES};

/* saving.c */
uint64_t keep(const struct instance *i);
uint64_t store(const struct instance *i, uint8_t *memory, uint64_t size);
uint8_t restore(struct instance *i, const uint8_t *bytes, uint64_t size);

/* orders.c */
struct start { const uint8_t *snapshot; uint64_t size; };
void begin_to_obey(void);
struct start start_of_life(void);
void begin_life(void);
void end_life(outcome_t outcome);
outcome_t go_on_by_order(struct instance *i, outcome_t outcome);
uint64_t fuel(void);
void end_slice(struct instance *i);

/* service.c, or another file that serves host calls */
bool link(struct instance *i, uint32_t *missing);
bool serve(struct instance *i);
bool wake(struct instance *i);

#endif
