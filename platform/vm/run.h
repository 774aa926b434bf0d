/* How long does the machine run? Until it returns, traps, waits for the host, or is stopped. */
#ifndef VM_RUN_H
#define VM_RUN_H

#include "vm/types.h"

EXPORTED outcome_t corollary_run(struct machine *vm);

/* turn.c, where there is a clock */
EXPORTED outcome_t corollary_turn(struct machine *vm, uint32_t stride, uint64_t nanoseconds);
EXPORTED void corollary_stop_loading(struct module *m);

#endif
