/* How long does the machine run? Until it returns, traps, waits for the host, or is stopped. */
#ifndef VM_RUN_H
#define VM_RUN_H

#include "vm/types.h"

outcome_t run(struct machine *vm);

#endif
