/* Generated from spec/link/envelope.py
   with codegen/templates/types.h.j2: edit those, not this.
   Content: sha256 c99ab9ac03862fa6 */

/* How large is everything, which names do all parts share, and what is the state? */

#ifndef LINK_TYPES_H
#define LINK_TYPES_H

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
#define BLOCK 64                        /* bytes of the key stream that are made at once */
#define PIECE 16                        /* bytes that the authenticator takes at once */
#define TAG 16                          /* bytes of a tag */
#define WORD 4                          /* bytes of a word */
#define LARGEST 0x3fffffffc0ull         /* bytes of content: the counter of blocks has 32 bits and begins at 1 (2.8) */

/* Positions in tables, counters of a few bits, handles. */
typedef uint8_t state_word_t;           /* 0 .. 15 */

/* Why an envelope is not sealed, or not opened. */
typedef uint8_t fault_t;
enum {
    FAULT_NONE = 0,
    FAULT_NO_ROOM = 1,                  /* the bytes are too few for what they are said to hold, or the content is too large */
    FAULT_FORGED = 2,                   /* the tag is not that of these bytes */
};

struct u8_slice {
    uint8_t *at;
    uint64_t length;
};

/* Bytes, and what they are sealed with: additional data, then the content, then the tag. */
struct envelope {
    struct u8_slice bytes;
    uint64_t additional;                /* bytes that are authenticated only */
    uint64_t content;                   /* bytes that are encrypted, too */
    uint32_t key[8];
    uint32_t nonce[3];
    uint8_t padding_76[4];
};

/* A tag in the making (2.5.1): numbers below 2 ** 130 in limbs of 26 bits, the low one first. */
struct authenticator {
    uint32_t sum[5];
    uint32_t factor[5];
    uint32_t pad[4];                    /* is added in the end */
};

/* The layout that the proofs, the decoder and the assembly rely on. */
#define PIN(record, field, offset) \
    _Static_assert(offsetof(struct record, field) == (offset), #record "." #field " has moved")
#define PIN_SIZE(record, size) _Static_assert(sizeof(struct record) == (size), #record " has another size")
PIN_SIZE(envelope, 80);
PIN(envelope, bytes, 0);
PIN(envelope, additional, 16);
PIN(envelope, content, 24);
PIN(envelope, key, 32);
PIN(envelope, nonce, 64);
PIN_SIZE(authenticator, 56);
PIN(authenticator, sum, 0);
PIN(authenticator, factor, 20);
PIN(authenticator, pad, 40);

#endif
