/* Generated from spec/host.py, spec/kernel/limits.py
   with codegen/templates/host.h.j2: edit those, not this.
   Content: sha256 2b27c40e7ccfc0b8 */

/* What may an agent ask of its host? Each function is checked by the kernel when it is called, and returns a status. */

#ifndef HOST_H
#define HOST_H

#include <stdint.h>

/* The most living children of an agent. */
#define CHILDREN 4
#define IMPORT(name) __attribute__((import_module("corollary"), import_name(#name)))

struct about {
    uint64_t length, badge, sequence;
};

struct grant {
    uint64_t handle, slot, rights;
};

/* Send a message of `count` words through an edge. */
IMPORT(send) uint32_t send(uint64_t edge, const uint64_t *words, uint32_t count, uint64_t schema);

/* Receive the oldest message of an edge, as many words as there is room for. */
IMPORT(recv) uint32_t recv(uint64_t edge, uint64_t *words, uint32_t room, struct about *about);

/* Set bits of a notification. */
IMPORT(notify) uint32_t notify(uint64_t notification, uint64_t bits);

/* Get the bits of a notification that were set, and clear them. */
IMPORT(wait) uint32_t wait(uint64_t notification, uint64_t *bits);

/* Share a page with the partition `reader`, as one of its three shares, and copy bytes into it. */
IMPORT(request_shared_region) uint32_t request_shared_region(uint64_t partition, uint64_t reader, uint32_t nth,
                                                             const void *bytes, uint32_t size, uint64_t *region);

/* Map a page that was shared, and copy bytes out of it; also if it was mapped before: ALREADY_LINKED. */
IMPORT(map_shared) uint32_t map_shared(uint64_t partition, uint64_t region, void *bytes, uint32_t size);

/* Get a vector of a store. */
IMPORT(vector_get) uint32_t vector_get(uint64_t store, uint32_t row, void *bytes, uint32_t size);

/* Put a vector into a store. */
IMPORT(vector_put) uint32_t vector_put(uint64_t store, uint32_t row, const void *bytes, uint32_t size);

/* Begin a child, in one of four places, of the module that root put there; pass on capabilities, and start it. */
IMPORT(spawn_agent) uint32_t spawn_agent(uint64_t partition, uint32_t place, const struct grant *grants,
                                         uint32_t count, uint64_t *badge);

/* Sleep until somebody resumes the snapshot; then return. */
IMPORT(hibernate) uint32_t hibernate(uint64_t partition);

/* Give up the rest of the quantum. */
IMPORT(yield_now) uint32_t yield_now(void);

/* Print lines on the console, for demonstrations. */
IMPORT(print) uint32_t print(const char *text, uint32_t size);

#endif
