/* Where does the content of a snapshot go? */
#ifndef VM_SAVE_H
#define VM_SAVE_H

#include "vm/types.h"

/* Takes the next bytes. */
typedef void sink(void *context, const void *bytes, uint64_t count);

/* Give the content of a snapshot to a sink, in the order in which model/wasm/content.py reads it. */
void corollary_save(const struct machine *vm, sink *put, void *context);
/* How many bytes that is, and the same into a buffer of `size` bytes; false, and nothing beyond it is written, if they
 * are not just as many: somebody else changed the instance meanwhile.
 */
EXPORTED uint64_t corollary_saved_size(const struct machine *vm);
EXPORTED bool corollary_save_to(const struct machine *vm, uint8_t *buffer, uint64_t size);

#endif
