/* Generated from spec/kernel/sha256.py, spec/link/envelope.py, spec/link/session.py
   with codegen/templates/types.h.j2: edit those, not this.
   Content: sha256 6bfa1435a3c1e432 */

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
#define LIMIT 0xffffffffffffffffull     /* no frame and no message has this number */
#define WINDOW 64                       /* frames that may overtake one another, and messages on the way */
#define VERSION 1
#define HEADER 20                       /* bytes */
#define AT_NUMBER 8                     /* positions in the header */
#define AT_KIND 16
#define AT_VERSION 17
#define AT_SIZE 18
#define PREFIX 16                       /* bytes of content before the message */
#define MOST_MESSAGE 1400               /* bytes */
#define LEAST_FRAME 52
#define MOST_FRAME 1452
#define MESSAGE 1                       /* kind of a frame with a message */
#define RECEIPT 2                       /* kind of a frame without one */
#define PATIENCE 50000000               /* nanoseconds until a message is sent again; each time twice as long */
#define MOST_DOUBLINGS 5
#define GIVE_UP 30000000000ull          /* nanoseconds without any genuine frame after which a link on which something waits is dead */

/* Positions in tables, counters of a few bits, handles. */
typedef uint8_t word_id_t;              /* 0 .. 15 */
typedef uint8_t state_word_t;           /* 0 .. 15 */

/* Why an envelope is not sealed, or not opened. */
typedef uint8_t fault_t;
enum {
    FAULT_NONE = 0,
    FAULT_NO_ROOM = 1,                  /* the bytes are too few for what they are said to hold, or the content is too large */
    FAULT_FORGED = 2,                   /* the tag is not that of these bytes */
};

/* What becomes of what is asked, or of a frame. */
typedef uint8_t answer_t;
enum {
    ANSWER_OK = 0,
    ANSWER_NOTHING = 1,                 /* nothing is to be sent now */
    ANSWER_WAITS = 2,                   /* the next message has not come yet */
    ANSWER_FULL = 3,                    /* too many messages are on the way */
    ANSWER_NO_ROOM = 4,                 /* a buffer is smaller than it must be */
    ANSWER_TOO_LARGE = 5,               /* a frame or a message is larger than any may be */
    ANSWER_TRUNCATED = 6,               /* a frame has fewer bytes than it says, or more */
    ANSWER_WRONG_SESSION = 7,           /* a frame is of another session or version */
    ANSWER_TOO_OLD = 8,                 /* so many later frames came that nobody knows whether this one did */
    ANSWER_REPLAYED = 9,                /* a frame with this number was accepted before */
    ANSWER_FORGED = 10,                 /* the tag is not right */
    ANSWER_DOUBLED = 11,                /* the frame is genuine; its message is here, or was given out */
    ANSWER_BEYOND = 12,                 /* no frame, message or count can have this number, or the kind of a genuine frame is unknown */
    ANSWER_EXHAUSTED = 13,              /* there are no more numbers: the session is over */
    ANSWER_DEAD = 14,                   /* nothing came for too long: the session is over */
    ANSWER_STRANGER = 15,               /* the other end knows the secret, but has booted something else */
    ANSWER_UNANSWERED = 16,             /* a hello is genuine, but whoever made it had not heard the nonce of this end */
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

/* What an end shows before a session begins, authenticated with the secret. */
struct hello {
    uint32_t measurement[8];            /* of what it has booted */
    uint32_t nonce[8];                  /* its own */
    uint32_t heard[8];                  /* the nonce that it has heard last of the other end; zeros for none */
    uint32_t tag[8];
};

/* What both ends know when a session begins. All are SHA-256 words, as they lie in digests. */
struct beginning {
    uint32_t secret[8];
    uint32_t measurement[16];           /* of what the first end has booted, then of the second end */
    uint32_t nonce[16];                 /* of the first end, then of the second end; new for each session */
    uint32_t direction;                 /* 0 if this is the first end, 1 if it is the second */
};

/* What both directions of a session have come to. There is nothing secret in it. */
struct link {
    uint64_t next;                      /* number of the next frame to be sealed */
    uint64_t after;                     /* number behind the last frame that was accepted */
    uint64_t seen;                      /* bit i: frame `after - 1 - i` was accepted */
    uint64_t taken;                     /* messages that were taken for sending */
    uint64_t settled;                   /* messages of these, from the first on, that the other end gave out */
    uint64_t given;                     /* messages that were given out here */
    uint64_t held;                      /* bit i: message `given + i` is here */
};

/* A link, its keys, and the messages on the way. */
struct session {
    struct link link;
    uint64_t id;
    uint32_t direction;                 /* in which this end sends: 0 for the first end, 1 for the second */
    answer_t ended;                     /* why the session is over; OK while it is not */
    bool owes;                          /* must the other end be told what was given out? */
    uint8_t padding_70[2];
    uint64_t heard;                     /* when the last genuine frame came, in nanoseconds */
    uint64_t size;                      /* bytes of the frame or message that is handed over */
    uint64_t forged;                    /* frames that were not genuine */
    uint64_t replayed;                  /* frames that came again, or too late */
    uint64_t refused;                   /* other frames that were refused */
    uint32_t sending[8];
    uint32_t receiving[8];
    struct envelope frame;              /* a frame that is handed over; of MOST_FRAME bytes */
    struct u8_slice message;            /* a message that is handed over; of MOST_MESSAGE bytes */
    struct u8_slice outgoing;           /* a place of MOST_MESSAGE bytes for each message on the way */
    struct u8_slice incoming;           /* likewise */
    uint16_t outgoing_size[64];
    uint16_t incoming_size[64];
    uint64_t due[64];                   /* when each is sent, or sent again */
    uint8_t tries[64];                  /* how often each was sent */
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
PIN_SIZE(hello, 128);
PIN(hello, measurement, 0);
PIN(hello, nonce, 32);
PIN(hello, heard, 64);
PIN(hello, tag, 96);
PIN_SIZE(beginning, 164);
PIN(beginning, secret, 0);
PIN(beginning, measurement, 32);
PIN(beginning, nonce, 96);
PIN(beginning, direction, 160);
PIN_SIZE(link, 56);
PIN(link, next, 0);
PIN(link, after, 8);
PIN(link, seen, 16);
PIN(link, taken, 24);
PIN(link, settled, 32);
PIN(link, given, 40);
PIN(link, held, 48);
PIN_SIZE(session, 1136);
PIN(session, link, 0);
PIN(session, id, 56);
PIN(session, direction, 64);
PIN(session, ended, 68);
PIN(session, owes, 69);
PIN(session, heard, 72);
PIN(session, size, 80);
PIN(session, forged, 88);
PIN(session, replayed, 96);
PIN(session, refused, 104);
PIN(session, sending, 112);
PIN(session, receiving, 144);
PIN(session, frame, 176);
PIN(session, message, 256);
PIN(session, outgoing, 272);
PIN(session, incoming, 288);
PIN(session, outgoing_size, 304);
PIN(session, incoming_size, 432);
PIN(session, due, 560);
PIN(session, tries, 1072);

#endif
