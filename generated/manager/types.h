/* Generated from model/manager.py, model/manager/component.py, model/manager/failures.py,
   model/manager/hibernation.py, model/manager/life.py, model/manager/migration.py, model/manager/promises.py,
   model/manager/recent.py, model/manager/source.py, model/manager/target.py, model/manager/tasks.py, spec/agent.py,
   spec/manager.py, spec/manager/integrity.py, spec/manager/limits.py, spec/manager/outcome.py,
   spec/manager/outcome/failures.py, spec/manager/outcome/hibernation.py, spec/manager/outcome/life.py,
   spec/manager/outcome/migration.py, spec/manager/outcome/tasks.py, spec/manager/outcome/words.py,
   spec/manager/reasons.py, spec/manager/recent.py, spec/manager/remedy.py, spec/manager/state.py,
   spec/manager/step.py, spec/manager/task.py, spec/manager/theorems.py, spec/manager/vocabulary.py
   with codegen/templates/types.h.j2: edit those, not this.
   Content: sha256 f99b36d4040ea4a2 */

/* How large is everything, which names do all parts share, and what is the state? */

#ifndef MANAGER_TYPES_H
#define MANAGER_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits. */

/* Positions in tables, counters of a few bits, handles. */
typedef uint8_t agent_id_t;             /* 0 .. 255 */
typedef uint8_t partition_id_t;         /* 0 .. 63 */
typedef uint8_t lane_id_t;              /* 0 .. 7 */
typedef uint8_t peer_id_t;              /* 0 .. 15 */

/* The state of an agent. */
typedef uint8_t life_t;
enum {
    LIFE_TERMINATED = 0,                /* final; also where there never was an agent */
    LIFE_INITIALIZING = 1,
    LIFE_RUNNING = 2,
    LIFE_SUSPENDED = 3,
    LIFE_MIGRATING = 4,
    LIFE_HIBERNATED = 5,                /* its pages are free; what it was is on a disk */
    LIFE_RECONSTRUCTING = 6,
};

/* What an operation answers. */
typedef uint8_t status_t;
enum {
    STATUS_OK = 0,
    STATUS_OCCUPIED = 1,                /* the row has an agent */
    STATUS_BADGE_USED = 2,              /* badges grow */
    STATUS_WRONG_STATE = 3,             /* the agent is in a state in which this cannot be */
    STATUS_BUSY = 4,                    /* the agent is in the middle of something */
    STATUS_WRONG_STEP = 5,              /* the agent is not in the middle of that */
    STATUS_OUTDATED = 6,                /* the outcome is of no task that is out */
    STATUS_NOTHING_TO_DO = 7,
    STATUS_ASKED = 8,                   /* the task is out */
    STATUS_EXHAUSTED = 9,               /* there are no more numbers */
    STATUS_LAST_EPOCH = 10,
    STATUS_RESTING = 11,                /* the agent moved lately */
    STATUS_LANE_TAKEN = 12,
    STATUS_EMPTY = 13,                  /* a snapshot without chunks */
    STATUS_WRONG_TICKET = 14,           /* the message is about another move */
    STATUS_WRONG_ROW = 15,              /* the message is from another row */
    STATUS_WRONG_CHUNK = 16,
    STATUS_INCOMPLETE = 17,             /* chunks are missing */
    STATUS_WRONG_HASH = 18,
    STATUS_WRONG_SIZE = 19,
    STATUS_WRONG_PLACE = 20,
    STATUS_DOUBLED = 21,                /* the message came before */
    STATUS_DONE = 22,                   /* the agent has arrived: say so again */
    STATUS_VOID = 23,                   /* the move was given up: say so */
    STATUS_DECIDED = 24,                /* the agent is handed over: say so again */
    STATUS_UNKNOWN = 25,                /* there never was such a move */
    STATUS_TOO_OFTEN = 26,              /* three times in the last epochs */
    STATUS_NOT_AWAITED = 27,            /* nobody is to be spawned again here */
    STATUS_UNSTEADY = 28,               /* the agent failed lately, or took more than its quota: the target would not know */
};

/* What an agent is in the middle of. In each row of the list below, what comes next has a lower number. */
typedef uint8_t step_t;
enum {
    STEP_NONE = 0,
    STEP_RETURNING = 1,                 /* source: the move was given up, and the agent is to run again */
    STEP_LEFT = 2,                      /* source: the agent runs at the target */
    STEP_COMMITTED = 3,                 /* source: the agent is handed over; this is the record of the decision */
    STEP_MOVED = 4,                     /* source: the target has the whole snapshot */
    STEP_RESERVED = 5,                  /* source: the target has room */
    STEP_SNAPPED = 6,                   /* source: the snapshot is taken, and its hash */
    STEP_STOPPED = 7,                   /* source: the agent does not run */
    STEP_ADMITTED = 8,                  /* source: the agent may move */
    STEP_ACCEPTED = 9,                  /* target: the agent was handed over */
    STEP_FILLED = 10,                   /* target: the snapshot is whole, and has the right hash */
    STEP_PROMISED = 11,                 /* target: there is room */
    STEP_FREEING = 12,                  /* the receipt is in the log */
    STEP_RECORDING = 13,                /* the snapshot is on the disk */
    STEP_WRITING = 14,                  /* the snapshot is compressed */
    STEP_PACKING = 15,                  /* the snapshot is taken */
    STEP_FREEZING = 16,                 /* the agent does not run */
    STEP_STOPPING = 17,                 /* the agent must be hibernated */
    STEP_RESTORING = 18,                /* what was read is what was written */
    STEP_UNPACKING = 19,                /* it is read */
    STEP_READING = 20,                  /* the agent is wanted again */
    STEP_RESTARTING = 21,
    STEP_RELOADING = 22,
    STEP_REPLACING = 23,
    STEP_REBOOTING = 24,
};

/* What is to be done next for an agent. */
typedef uint8_t verb_t;
enum {
    VERB_NOTHING = 0,
    VERB_SUSPEND = 1,                   /* kernel */
    VERB_RESUME = 2,                    /* kernel; of an agent that runs, this is OK */
    VERB_SNAPSHOT = 3,                  /* kernel */
    VERB_RESTORE = 4,                   /* kernel: give the agent its edges, and let its snapshot run; where it runs already, this is OK */
    VERB_RELEASE = 5,                   /* kernel: free the pages of the agent, and after a move, all that it had here */
    VERB_RESTART = 6,                   /* kernel: begin the agent anew */
    VERB_RELOAD = 7,                    /* kernel: let the agent go on at its last checkpoint */
    VERB_REPLACE = 8,                   /* kernel: destroy the agent; its parent's policy spawns it again */
    VERB_REBOOT = 9,                    /* kernel: start again from the last checkpoint of all */
    VERB_SEND_RESERVE = 10,             /* link, to the target */
    VERB_SEND_CHUNK = 11,               /* link, to the target */
    VERB_SEND_COMMIT = 12,              /* link, to the target */
    VERB_ASK_CHUNK = 13,                /* link, to the source; when there are all, check the hash */
    VERB_SEND_FILLED = 14,              /* link, to the source */
    VERB_DECIDE = 15,                   /* nothing: ask this manager for the decision */
    VERB_COMPRESS = 16,
    VERB_WRITE = 17,                    /* disk */
    VERB_RECORD = 18,                   /* log */
    VERB_READ = 19,                     /* disk */
    VERB_DECOMPRESS = 20,
};

/* What is done about a failure, from the least on: the classes F1 to F4. */
typedef uint8_t remedy_t;
enum {
    REMEDY_NONE = 0,
    REMEDY_RESTART = 1,
    REMEDY_RELOAD = 2,
    REMEDY_REPLACE = 3,
    REMEDY_REBOOT = 4,
};

/* SHA-256 of a snapshot. */
struct hash {
    uint64_t first;
    uint64_t second;
    uint64_t third;
    uint64_t fourth;
};

/* Where the snapshot of a hibernated agent is, and its sizes in bytes. Its hash is that of the agent. */
struct receipt {
    uint64_t at;
    uint64_t packed;
    uint64_t plain;
};

/* The epochs of the last three events of a kind. */
struct recent {
    uint64_t last;
    uint64_t second;
    uint64_t third;
};

/* An agent, as far as its life is concerned. */
struct agent {
    uint64_t badge;                     /* 0 if there never was one */
    uint64_t parent;                    /* badge */
    partition_id_t place;
    life_t state;
    step_t step;
    bool woken;                         /* did it run when its move began? */
    bool awaited;                       /* is its parent's policy to spawn it again? */
    lane_id_t lane;
    peer_id_t peer;                     /* the manager at the other end of its move */
    agent_id_t there;                   /* its row there */
    uint64_t ticket;                    /* the number of its move; the source gives it */
    uint64_t asked;                     /* the number of the task that is out; 0 if none is */
    uint32_t chunk;                     /* source: what the target asked for; target: how many are here */
    uint32_t chunks;
    struct hash hash;                   /* of its last snapshot */
    struct receipt receipt;
    uint64_t moved_at;                  /* epoch */
    uint64_t failed_at;                 /* epoch */
    remedy_t remedy;                    /* what was done about its last failure */
    uint8_t padding_121[7];
    struct recent restarts;
    struct recent violations;
    struct recent readings;             /* reconstructions that began */
};

/* A place for one migration. */
struct lane {
    bool taken;
    agent_id_t agent;
};

/* What is known of another manager. */
struct peer {
    uint64_t heard;                     /* the greatest ticket of it for which there was a promise */
};

/* What is to be done now. Whatever it needs besides is in the agent's row. */
struct task {
    verb_t verb;
    agent_id_t agent;
    uint8_t padding_2[6];
    uint64_t number;
};

/* The whole state. */
struct manager {
    struct agent agent[256];
    struct lane lane[8];
    struct peer peer[16];
    struct task task;
    uint64_t epoch;
    uint64_t badge;                     /* the greatest so far */
    uint64_t ticket;                    /* of the next move from here */
    uint64_t number;                    /* of the next task */
    uint64_t since;                     /* the first number after the last restart */
};

/* The layout that the proofs, the decoder and the assembly rely on. */
#define PIN(record, field, offset) \
    _Static_assert(offsetof(struct record, field) == (offset), #record "." #field " has moved")
#define PIN_SIZE(record, size) _Static_assert(sizeof(struct record) == (size), #record " has another size")
PIN_SIZE(hash, 32);
PIN(hash, first, 0);
PIN(hash, second, 8);
PIN(hash, third, 16);
PIN(hash, fourth, 24);
PIN_SIZE(receipt, 24);
PIN(receipt, at, 0);
PIN(receipt, packed, 8);
PIN(receipt, plain, 16);
PIN_SIZE(recent, 24);
PIN(recent, last, 0);
PIN(recent, second, 8);
PIN(recent, third, 16);
PIN_SIZE(agent, 200);
PIN(agent, badge, 0);
PIN(agent, parent, 8);
PIN(agent, place, 16);
PIN(agent, state, 17);
PIN(agent, step, 18);
PIN(agent, woken, 19);
PIN(agent, awaited, 20);
PIN(agent, lane, 21);
PIN(agent, peer, 22);
PIN(agent, there, 23);
PIN(agent, ticket, 24);
PIN(agent, asked, 32);
PIN(agent, chunk, 40);
PIN(agent, chunks, 44);
PIN(agent, hash, 48);
PIN(agent, receipt, 80);
PIN(agent, moved_at, 104);
PIN(agent, failed_at, 112);
PIN(agent, remedy, 120);
PIN(agent, restarts, 128);
PIN(agent, violations, 152);
PIN(agent, readings, 176);
PIN_SIZE(lane, 2);
PIN(lane, taken, 0);
PIN(lane, agent, 1);
PIN_SIZE(peer, 8);
PIN(peer, heard, 0);
PIN_SIZE(task, 16);
PIN(task, verb, 0);
PIN(task, agent, 1);
PIN(task, number, 8);
PIN_SIZE(manager, 51400);
PIN(manager, agent, 0);
PIN(manager, lane, 51200);
PIN(manager, peer, 51216);
PIN(manager, task, 51344);
PIN(manager, epoch, 51360);
PIN(manager, badge, 51368);
PIN(manager, ticket, 51376);
PIN(manager, number, 51384);
PIN(manager, since, 51392);

#endif
