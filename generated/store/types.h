/* Generated from spec/store/block.py
   with codegen/templates/types.h.j2: edit those, not this.
   Content: sha256 55bd2e61c2f4d971 */

/* How large is everything, which names do all parts share, and what is the state? */

#ifndef STORE_TYPES_H
#define STORE_TYPES_H

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
#define FULL 15                         /* half of a token that is continued */
#define CONTINUED 255                   /* a byte of a length after which another one follows */
#define SHORTEST 4                      /* bytes of a match */
#define OFFSET 2                        /* bytes of an offset */
#define FARTHEST 65535                  /* bytes from a match back to what it repeats */
#define LAST_LITERALS 5                 /* bytes at the end of the content that no match may make */
#define LAST_MATCH 12                   /* bytes before the end of the content at which the last match may begin */
#define LARGEST 0x7e000000              /* bytes of content, as in the reference implementation */
#define LARGEST_BLOCK 2122219150        /* bytes of a block: content that has no matches */

/* Positions in tables, counters of a few bits, handles. */
typedef uint16_t bucket_t;              /* 0 .. 4095 */

/* Why bytes are not compressed, or a block is refused. */
typedef uint8_t block_fault_t;
enum {
    BLOCK_FAULT_NONE = 0,
    BLOCK_FAULT_TOO_LARGE = 1,          /* the block or its content is larger than the format allows */
    BLOCK_FAULT_NO_ROOM = 2,            /* the output is too small */
    BLOCK_FAULT_TRUNCATED = 3,          /* the block ends within a sequence, or behind a match */
    BLOCK_FAULT_ZERO_OFFSET = 4,        /* a match has the offset 0 */
    BLOCK_FAULT_BEFORE_START = 5,       /* a match repeats what lies before the beginning */
    BLOCK_FAULT_LATE_MATCH = 6,         /* a match begins or ends too close to the end of the content */
    BLOCK_FAULT_UNFILLED = 7,           /* the content is smaller than the room for it */
};

struct u8_slice {
    uint8_t *at;
    uint64_t length;
};

/* Bytes that become a block. */
struct compression {
    struct u8_slice content;
    struct u8_slice block;
    uint64_t made;                      /* bytes of the block */
    uint32_t latest[4096];              /* where a word with this hash began last in the content */
};

/* A block that becomes bytes again. */
struct decompression {
    struct u8_slice block;
    struct u8_slice content;            /* as many bytes as there must be */
    uint64_t at;                        /* how far the block was read, or where something is wrong */
    uint64_t made;                      /* bytes of the content that are there */
};

/* The layout that the proofs, the decoder and the assembly rely on. */
#define PIN(record, field, offset) \
    _Static_assert(offsetof(struct record, field) == (offset), #record "." #field " has moved")
#define PIN_SIZE(record, size) _Static_assert(sizeof(struct record) == (size), #record " has another size")
PIN_SIZE(compression, 16424);
PIN(compression, content, 0);
PIN(compression, block, 16);
PIN(compression, made, 32);
PIN(compression, latest, 40);
PIN_SIZE(decompression, 48);
PIN(decompression, block, 0);
PIN(decompression, content, 16);
PIN(decompression, at, 32);
PIN(decompression, made, 40);

#endif
