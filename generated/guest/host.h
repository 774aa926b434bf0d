/* Generated from spec/host.py, spec/kernel/limits.py, spec/vectors/vocabulary.py
   with codegen/templates/host.h.j2: edit those, not this.
   Content: sha256 a3a707f9a50c8b29 */

/* What may an agent ask of its host? Each function is checked by the kernel when it is called, and returns a status. */

#ifndef HOST_H
#define HOST_H

#include <stdint.h>

/* What a store of vectors answers besides OK, counted from 256 on. What is below is a status of the kernel. */
enum {
    STORE_OPEN = 257,            /* the store is open already */
    STORE_NOT_OPEN = 258,
    STORE_BAD_DIMENSION = 259,   /* a vector has 1 to `MOST_DIMENSION` elements */
    STORE_BAD_ELEMENT = 260,     /* no type of elements has this number */
    STORE_BAD_CAPACITY = 261,    /* a store has room for 1 to `MOST` vectors */
    STORE_BAD_VERSION = 262,     /* a vector that was stored has no version, or one that the store has not come to */
    STORE_NO_ROOM = 263,         /* the memory is smaller than the store needs */
    STORE_NO_STORE = 264,        /* the memory does not begin as a store does */
    STORE_DAMAGED = 265,         /* what is stored contradicts itself */
    STORE_ROW_TAKEN = 266,       /* the row is not one of the store, or holds a vector */
    STORE_WRONG_PLACE = 267,     /* the row is not that of the greatest key below this one */
    STORE_KEY_KNOWN = 268,       /* the store has a vector of this key already */
    STORE_ABSENT = 269,          /* the store has no vector of this key */
    STORE_STALE_VERSION = 270,   /* the vector has another version than the expected one */
    STORE_FULL = 271,
    STORE_EXHAUSTED = 272,       /* the store has come to its last version */
    STORE_NOT_FINITE = 273,      /* an element is a NaN or an infinity */
    STORE_NO_SEARCH = 274,
    STORE_STALE_SEARCH = 275,    /* the store has changed since the search began */
    STORE_SEARCHED = 276,        /* all rows were looked at */
    STORE_UNFINISHED = 277,      /* not all rows were looked at */
};

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

/* Get the vector of a key from a store, and its version. */
IMPORT(vector_get) uint32_t vector_get(uint64_t store, uint64_t key, void *bytes, uint32_t size, uint64_t *version);

/* Put the vector of a key into a store, if it has this version, 0 for none; get the new one. */
IMPORT(vector_put) uint32_t vector_put(uint64_t store, uint64_t key, const void *bytes, uint32_t size,
                                       uint64_t *version);

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
