/* Generated from model/vectors/distance.py, spec/vectors/limits.py, spec/vectors/state.py, spec/vectors/store.py,
   spec/vectors/vocabulary.py
   with codegen/templates/types.h.j2: edit those, not this.
   Content: sha256 5dc309a3a42516f7 */

/* How large is everything, which names do all parts share, and what is the state? */

#ifndef VECTORS_TYPES_H
#define VECTORS_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A program that links this has functions of its own. A guest has no others than those of its maker. */
#if __STDC_HOSTED__
#include "names.h"
#endif

/* What a host calls is visible outside of a shared library that hides the rest. */
#define EXPORTED __attribute__((visibility("default")))

/* Limits. */
#define ROWS 8192                       /* of the index: row 0 holds the query of a search, the others a vector each */
#define MOST 8190                       /* vectors of a store: besides the query's, one row is spare, so that a full store takes new elements */
#define MOST_DIMENSION 1024             /* elements of a vector */
#define RANKS 16                        /* vectors that a search finds, if there are as many */
#define ANY 0xffffffffffffffffull       /* instead of an expected version: whatever it is */
#define LAST 18446744073709551614ull    /* the last version of a store */
#define MAGIC 0x3130535443455643ull     /* "CVECTS01", the first character in the lowest byte */
#define HEADER 8                        /* words */
#define AT_DIMENSION 1
#define AT_ELEMENT 2
#define AT_CAPACITY 3
#define AT_LATEST 4
#define AT_ZEROS 5
#define ENTRY 2                         /* words of a row: its key and its version */

/* Positions in tables, counters of a few bits, handles. */
typedef uint16_t row_id_t;              /* 0 .. 8191 */
typedef uint8_t rank_t;                 /* 0 .. 15 */

/* What an operation answers. */
typedef uint8_t status_t;
enum {
    STATUS_OK = 0,
    STATUS_OPEN = 1,                    /* the store is open already */
    STATUS_NOT_OPEN = 2,
    STATUS_BAD_DIMENSION = 3,           /* a vector has 1 to `MOST_DIMENSION` elements */
    STATUS_BAD_ELEMENT = 4,             /* no type of elements has this number */
    STATUS_BAD_CAPACITY = 5,            /* a store has room for 1 to `MOST` vectors */
    STATUS_BAD_VERSION = 6,             /* a vector that was stored has no version, or one that the store has not come to */
    STATUS_NO_ROOM = 7,                 /* the memory is smaller than the store needs */
    STATUS_NO_STORE = 8,                /* the memory does not begin as a store does */
    STATUS_DAMAGED = 9,                 /* what is stored contradicts itself */
    STATUS_ROW_TAKEN = 10,              /* the row is not one of the store, or holds a vector */
    STATUS_WRONG_PLACE = 11,            /* the row is not that of the greatest key below this one */
    STATUS_KEY_KNOWN = 12,              /* the store has a vector of this key already */
    STATUS_ABSENT = 13,                 /* the store has no vector of this key */
    STATUS_STALE_VERSION = 14,          /* the vector has another version than the expected one */
    STATUS_FULL = 15,
    STATUS_EXHAUSTED = 16,              /* the store has come to its last version */
    STATUS_NOT_FINITE = 17,             /* an element is a NaN or an infinity */
    STATUS_NO_SEARCH = 18,
    STATUS_STALE_SEARCH = 19,           /* the store has changed since the search began */
    STATUS_SEARCHED = 20,               /* all rows were looked at */
    STATUS_UNFINISHED = 21,             /* not all rows were looked at */
};

/* The type of the elements of a store. */
typedef uint8_t element_t;
enum {
    ELEMENT_I8 = 0,                     /* in two's complement */
    ELEMENT_F32 = 1,                    /* binary32 of IEEE 754, finite */
};

/* What makes two vectors near. */
typedef uint8_t metric_t;
enum {
    METRIC_SQUARED = 0,                 /* a small sum of squared differences */
    METRIC_DOT = 1,                     /* a large dot product */
};

struct u8_slice {
    uint8_t *at;
    uint64_t length;
};

struct u64_slice {
    uint64_t *at;
    uint64_t length;
};

struct u32_slice {
    uint32_t *at;
    uint64_t length;
};

/* A vector, or none. Row 0 counts: its key is the number of vectors that could still be added to `MOST`. */
struct row {
    uint64_t key;
    uint64_t version;                   /* of the vector; 0 if there is none */
    row_id_t next;                      /* the vector with the next greater key; 0 if there is none */
    uint8_t padding_18[6];
};

/* The search under way, or the last one. */
struct search {
    bool running;
    metric_t metric;
    uint8_t found;                      /* vectors that were found */
    uint8_t padding_3[1];
    uint32_t at;                        /* row that is looked at next */
    uint64_t latest;                    /* version of the store whose vectors are searched */
};

/* What a search has seen in a row. */
struct seen {
    uint64_t key;
    uint32_t far;                       /* how far the vector is from the query: less is nearer */
    bool here;                          /* was there a vector? */
    uint8_t padding_13[3];
};

/* One of the nearest vectors. */
struct found {
    row_id_t row;
    uint8_t padding_2[6];
    uint64_t key;
    uint32_t far;
    uint8_t padding_20[4];
};

/* The whole state. */
struct vectors {
    bool is_open;
    element_t kind;
    uint8_t padding_2[2];
    uint32_t dimension;                 /* elements of a vector */
    uint32_t capacity;                  /* vectors */
    uint8_t padding_12[4];
    uint64_t latest;                    /* version that the last change has made */
    row_id_t first;                     /* the vector with the least key; 0 if there is none */
    uint8_t padding_26[6];
    struct row row[8192];
    struct search search;
    struct seen seen[8192];
    struct found best[16];              /* nearest first */
};

/* A store in memory that somebody lends. Its index is kept beside it. */
struct store {
    struct vectors index;
    struct u64_slice table;
    struct u8_slice bytes;              /* elements, if they are bytes */
    struct u32_slice words;             /* elements, if they are words */
};

/* The layout that the proofs, the decoder and the assembly rely on. */
#define PIN(record, field, offset) \
    _Static_assert(offsetof(struct record, field) == (offset), #record "." #field " has moved")
#define PIN_SIZE(record, size) _Static_assert(sizeof(struct record) == (size), #record " has another size")
PIN_SIZE(row, 24);
PIN(row, key, 0);
PIN(row, version, 8);
PIN(row, next, 16);
PIN_SIZE(search, 16);
PIN(search, running, 0);
PIN(search, metric, 1);
PIN(search, found, 2);
PIN(search, at, 4);
PIN(search, latest, 8);
PIN_SIZE(seen, 16);
PIN(seen, key, 0);
PIN(seen, far, 8);
PIN(seen, here, 12);
PIN_SIZE(found, 24);
PIN(found, row, 0);
PIN(found, key, 8);
PIN(found, far, 16);
PIN_SIZE(vectors, 328112);
PIN(vectors, is_open, 0);
PIN(vectors, kind, 1);
PIN(vectors, dimension, 4);
PIN(vectors, capacity, 8);
PIN(vectors, latest, 16);
PIN(vectors, first, 24);
PIN(vectors, row, 32);
PIN(vectors, search, 196640);
PIN(vectors, seen, 196656);
PIN(vectors, best, 327728);
PIN_SIZE(store, 328160);
PIN(store, index, 0);
PIN(store, table, 328112);
PIN(store, bytes, 328128);
PIN(store, words, 328144);

#endif
