/* Generated from spec/governance/limits.py, spec/governance/state.py, spec/governance/vocabulary.py, spec/ring.py
   with codegen/templates/types.h.j2: edit those, not this.
   Content: sha256 d2886b50fd5f795a */

/* How large is everything, which names do all parts share, and what is the state? */

#ifndef GOVERNANCE_TYPES_H
#define GOVERNANCE_TYPES_H

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
#define STEPS 64                        /* of a saga, and bits of the word that says where its compensation failed */
#define ANCESTRY_LIMIT 8                /* parents between a seat and one without a parent */
#define SPAN_LIMIT 0x1000000000000000ull /* ns in which a bucket fills */
#define WINDOW 60000000000ull           /* ns in which calls are counted */
#define LOW 1200                        /* calls in as long that are a breach */
#define MEDIUM 3000
#define HIGH 6000
#define CRITICAL 12000
#define WEIGHT_LIMIT 1048576            /* more calls count for this */
#define CLOCK_LIMIT 0x8000000000000000ull /* ns; times beyond it are not accepted as the start of anything */
#define TIME_LIMIT 0x4000000000000000ull /* ns; the longest time that anything may last */
#define PPM 1000000
#define RING_1_SCORE 950000             /* to be exceeded, with consensus, for ring 1 */
#define RING_2_SCORE 600000             /* to be exceeded for ring 2 */
#define ELEVATE_1_SCORE 850000          /* to be reached, with an attestation, to elevate to ring 1 */
#define ELEVATE_2_SCORE 500000          /* to be reached to elevate to ring 2 */
#define ELEVATION_DEFAULT 300           /* s */
#define ELEVATION_LIMIT 3600            /* s */
#define SECOND 1000000000               /* ns */

/* Positions in tables, counters of a few bits, handles. */
typedef uint16_t agent_id_t;            /* 0 .. 65535 */
typedef uint32_t seat_id_t;             /* 0 .. 131071 */
typedef uint16_t session_id_t;          /* 0 .. 65535 */
typedef uint16_t saga_id_t;             /* 0 .. 4095 */

/* What an operation answers. */
typedef uint8_t status_t;
enum {
    STATUS_OK = 0,
    STATUS_NOT_SEATED = 1,              /* the agent is not in the session */
    STATUS_TAKEN = 2,                   /* the row is in use */
    STATUS_KILLED = 3,                  /* the agent was killed, or stood in for one that was; it never acts again */
    STATUS_QUARANTINED = 4,
    STATUS_BAD_SCORE = 5,               /* a score is from 0 to 1 */
    STATUS_BAD_LIMIT = 6,               /* a limit, a count or a time is 0 or too large */
    STATUS_TOO_DEEP = 7,                /* too many parents */
    STATUS_EXHAUSTED = 8,               /* a number has come to its end */
    STATUS_NEEDS_SRE_WITNESS = 9,       /* what needs ring 0 is refused to everybody */
    STATUS_RING_DENIED = 10,            /* the ring of the agent is less privileged than what it asks for needs */
    STATUS_RATE_LIMITED = 11,
    STATUS_INVALID_TARGET = 12,         /* the ring is not more privileged than that of the agent */
    STATUS_RING_0_FORBIDDEN = 13,
    STATUS_DUPLICATE_ELEVATION = 14,
    STATUS_INSUFFICIENT_TRUST = 15,
    STATUS_NO_SPONSORSHIP = 16,         /* ring 1 needs an attestation */
    STATUS_NOT_ELEVATED = 17,
    STATUS_NOT_KILLED = 18,
    STATUS_REPORTED = 19,               /* the result of the kill is final */
    STATUS_WRONG_STAGE = 20,
    STATUS_OUT_OF_ORDER = 21,           /* the delta is not the next one */
    STATUS_TRIPPED = 22,                /* the agent made so many calls beyond its ring that somebody must look at it first */
};

/* Can an action be undone? */
typedef uint8_t reversibility_t;
enum {
    REVERSIBILITY_FULL = 0,
    REVERSIBILITY_PARTIAL = 1,
    REVERSIBILITY_NONE = 2,
};

/* How bad is it what an agent calls? */
typedef uint8_t severity_t;
enum {
    SEVERITY_NONE = 0,
    SEVERITY_LOW = 1,
    SEVERITY_MEDIUM = 2,
    SEVERITY_HIGH = 3,                  /* from here on it is stopped */
    SEVERITY_CRITICAL = 4,
};

/* The stage of a session; each is followed by the next one only. */
typedef uint8_t stage_t;
enum {
    STAGE_VACANT = 0,
    STAGE_CREATED = 1,
    STAGE_HANDSHAKING = 2,
    STAGE_ACTIVE = 3,
    STAGE_TERMINATING = 4,
    STAGE_ARCHIVED = 5,
};

/* What a saga is doing. */
typedef uint8_t phase_t;
enum {
    PHASE_VACANT = 0,
    PHASE_READY = 1,                    /* the next step may begin */
    PHASE_EXECUTING = 2,
    PHASE_COMPENSATING = 3,
    PHASE_COMPLETED = 4,                /* every step */
    PHASE_COMPENSATED = 5,              /* every step that was completed */
    PHASE_ESCALATED = 6,                /* as far as that was possible: somebody must look at the rest */
};

/* Execution rings; the smaller, the more privileged. */
typedef uint8_t ring_t;
enum {
    RING_ROOT = 0,
    RING_PRIVILEGED = 1,
    RING_STANDARD = 2,
    RING_SANDBOX = 3,
};

/* A better ring for a while. */
struct elevation {
    bool active;
    ring_t ring;
    uint8_t padding_2[6];
    uint64_t expires;
};

/* What a seat has called of late; calls beyond its ring count more. */
struct breach {
    uint64_t since;
    uint32_t weight;
    severity_t severity;                /* after the last call */
    bool tripped;                       /* until somebody has looked at it */
    uint8_t padding_14[2];
};

/* An agent in a session. */
struct seat {
    bool taken;
    uint8_t padding_1[1];
    agent_id_t agent;
    uint8_t padding_4[4];
    uint64_t generation;                /* counts who sat here */
    uint32_t score;                     /* ppm */
    bool consensus;
    ring_t ring;
    uint8_t ancestry;                   /* parents above it; 0 for none */
    uint8_t padding_23[1];
    seat_id_t parent;
    uint8_t padding_28[4];
    uint64_t born;                      /* generation of the parent */
    struct elevation elevation;
    uint64_t due;                       /* when everything that was spent is paid: until then the bucket is not full */
    uint64_t quarantined;               /* until then */
    struct breach breach;
};

/* An agent, wherever it is. */
struct agent {
    bool killed;
    bool asked;                         /* was it killed by name, and not as the substitute of another one? */
    bool terminated;                    /* was it told that the agent ended? Until then it is taken to run */
    bool reported;                      /* is that final? */
};

/* A session, and the chain of its deltas: how many there are, and the hash of the last one. */
struct session {
    stage_t stage;
    uint8_t padding_1[7];
    uint64_t deltas;
    uint64_t first;
    uint64_t second;
    uint64_t third;
    uint64_t fourth;
};

/* Steps that are all taken, or undone. Those below `done` are completed, and not undone. */
struct saga {
    phase_t phase;
    uint8_t steps;
    uint8_t done;
    uint8_t retries;                    /* for each step */
    uint8_t failures;                   /* of the present step */
    uint8_t padding_5[3];
    uint64_t lost;                      /* bit i: step i could not be undone */
};

/* The whole state. */
struct governance {
    struct agent agent[65536];
    struct seat seat[131072];
    struct session session[65536];
    struct saga saga[4096];
};

/* The layout that the proofs, the decoder and the assembly rely on. */
#define PIN(record, field, offset) \
    _Static_assert(offsetof(struct record, field) == (offset), #record "." #field " has moved")
#define PIN_SIZE(record, size) _Static_assert(sizeof(struct record) == (size), #record " has another size")
PIN_SIZE(elevation, 16);
PIN(elevation, active, 0);
PIN(elevation, ring, 1);
PIN(elevation, expires, 8);
PIN_SIZE(breach, 16);
PIN(breach, since, 0);
PIN(breach, weight, 8);
PIN(breach, severity, 12);
PIN(breach, tripped, 13);
PIN_SIZE(seat, 88);
PIN(seat, taken, 0);
PIN(seat, agent, 2);
PIN(seat, generation, 8);
PIN(seat, score, 16);
PIN(seat, consensus, 20);
PIN(seat, ring, 21);
PIN(seat, ancestry, 22);
PIN(seat, parent, 24);
PIN(seat, born, 32);
PIN(seat, elevation, 40);
PIN(seat, due, 56);
PIN(seat, quarantined, 64);
PIN(seat, breach, 72);
PIN_SIZE(agent, 4);
PIN(agent, killed, 0);
PIN(agent, asked, 1);
PIN(agent, terminated, 2);
PIN(agent, reported, 3);
PIN_SIZE(session, 48);
PIN(session, stage, 0);
PIN(session, deltas, 8);
PIN(session, first, 16);
PIN(session, second, 24);
PIN(session, third, 32);
PIN(session, fourth, 40);
PIN_SIZE(saga, 16);
PIN(saga, phase, 0);
PIN(saga, steps, 1);
PIN(saga, done, 2);
PIN(saga, retries, 3);
PIN(saga, failures, 4);
PIN(saga, lost, 8);
PIN_SIZE(governance, 15007744);
PIN(governance, agent, 0);
PIN(governance, seat, 262144);
PIN(governance, session, 11796480);
PIN(governance, saga, 14942208);

#endif
