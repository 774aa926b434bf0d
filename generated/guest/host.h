/* Generated from spec/host.py
   with codegen/templates/host.h.j2: edit those, not this.
   Content: sha256 83179889c0ba0a51 */

/* What may an agent ask of its host? Each function is checked by the kernel when it is called, and returns a status. */

#ifndef HOST_H
#define HOST_H

#include <stdint.h>

#define IMPORT(name) __attribute__((import_module("corollary"), import_name(#name)))

struct about {
    uint64_t length, badge, sequence;
};

/* Send a message of `count` words through an edge. */
IMPORT(send) uint32_t send(uint64_t edge, const uint64_t *words, uint32_t count, uint64_t schema);

/* Receive the oldest message of an edge, as many words as there is room for. */
IMPORT(recv) uint32_t recv(uint64_t edge, uint64_t *words, uint32_t room, struct about *about);

/* Set bits of a notification. */
IMPORT(notify) uint32_t notify(uint64_t notification, uint64_t bits);

/* Get the bits of a notification that were set, and clear them. */
IMPORT(wait) uint32_t wait(uint64_t notification, uint64_t *bits);

/* Give up the rest of the quantum. */
IMPORT(yield_now) uint32_t yield_now(void);

/* Print lines on the console, for demonstrations. */
IMPORT(print) uint32_t print(const char *text, uint32_t size);

#endif
