/* Generated from model/placement.py, model/placement/advice.py, model/placement/component.py,
   model/placement/cut.py, model/placement/graph.py, model/placement/promises.py, spec/placement.py,
   spec/placement/cut.py, spec/placement/graph.py, spec/placement/integrity.py, spec/placement/limits.py,
   spec/placement/outcome.py, spec/placement/prediction.py, spec/placement/state.py, spec/placement/theorems.py,
   spec/placement/vocabulary.py
   with codegen/templates/types.h.j2: edit those, not this.
   Content: sha256 87709075dbd392bf */

/* How large is everything, which names do all parts share, and what is the state? */

#ifndef PLACEMENT_TYPES_H
#define PLACEMENT_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits. */

/* Positions in tables, counters of a few bits, handles. */
typedef uint8_t node_id_t;              /* 0 .. 63 */
typedef uint8_t home_id_t;              /* 0 .. 63 */
typedef uint8_t other_id_t;             /* 0 .. 63 */
typedef uint8_t place_t;                /* 0 .. 63 */
typedef uint64_t traffic_t;             /* 0 .. 17592186044415 */

/* What an operation answers. */
typedef uint8_t status_t;
enum {
    STATUS_OK = 0,
    STATUS_BUSY = 1,                    /* a cut is under way: the graph may not change */
    STATUS_NODE_UNKNOWN = 2,
    STATUS_NODE_KNOWN = 3,              /* it is in the graph already */
    STATUS_CONNECTED = 4,               /* it still has traffic */
    STATUS_SAME_HOME = 5,
    STATUS_TOO_FEW_NODES = 6,           /* fewer than two cannot be cut */
    STATUS_TOO_LATE = 7,                /* the clock is about to end */
    STATUS_WRONG_STAGE = 8,             /* the cut needs another step */
    STATUS_OVER_BUDGET = 9,             /* the cut has used up its steps or its time */
    STATUS_NO_CUT = 10,                 /* none is under way, or none is complete and of the graph as it is */
    STATUS_LAST_EPOCH = 11,
    STATUS_NOT_SURVEYED = 12,           /* sums of traffic are missing, or older than the graph */
    STATUS_DEGRADED = 13,               /* the last cut was given up */
    STATUS_RECOVERING = 14,
    STATUS_OUTSTANDING = 15,            /* a recommendation is being carried out */
    STATUS_NOT_OUTSTANDING = 16,
    STATUS_RESTING = 17,                /* a partition was changed lately */
    STATUS_TOO_LITTLE = 18,             /* less would be gained than a tenth */
    STATUS_WORSE = 19,                  /* a partition would score worse, or none better */
    STATUS_NOT_BETTER = 20,             /* this epoch has a better candidate */
    STATUS_NOT_HELD = 21,               /* no change was the best for long enough */
};

/* What the cut under way needs next. */
typedef uint8_t stage_t;
enum {
    STAGE_IDLE = 0,                     /* no cut is under way */
    STAGE_LOADING = 1,                  /* the traffic of a node */
    STAGE_TAKING = 2,                   /* the vertex that has most traffic with those taken */
    STAGE_JOINING = 3,                  /* the traffic of one vertex with the last two taken, added up */
    STAGE_CLOSING = 4,                  /* the last two taken made one */
};

/* What is recommended. */
typedef uint8_t change_t;
enum {
    CHANGE_NOTHING = 0,
    CHANGE_MIGRATE = 1,                 /* a node to another partition */
    CHANGE_MERGE = 2,                   /* a partition into another one */
    CHANGE_SPLIT = 3,                   /* some nodes of a partition into one of their own */
};

/* A partition: its nodes, and how much of their traffic stays in it. */
struct home {
    uint64_t members;                   /* nodes */
    traffic_t internal;                 /* traffic between them */
    traffic_t external;                 /* traffic with nodes elsewhere */
    uint32_t score;                     /* ppm */
    uint32_t pressure;                  /* ppm */
    uint64_t rests_until;               /* epoch */
};

/* The traffic of a node with each node. */
struct row {
    uint32_t to[64];
};

/* The traffic of a vertex of a cut with each vertex. */
struct merged_row {
    traffic_t to[64];
};

/* What communicates: an agent, or a partition without agents. */
struct node {
    home_id_t home;
    uint8_t padding_1[7];
    traffic_t inside;                   /* traffic with itself and with later nodes of its home, so that each pair counts once */
    traffic_t outside;                  /* traffic with nodes of other homes */
};

/* One vertex in the list of a cut. It stands for all nodes that were made one with it. */
struct vertex {
    node_id_t node;
    uint8_t padding_1[7];
    traffic_t key;                      /* its traffic with the vertices taken in this phase */
};

/* The cut under way. */
struct cut {
    stage_t stage;
    uint8_t padding_1[7];
    uint64_t asked;                     /* nodes */
    uint64_t loading;                   /* those whose traffic is still to be loaded */
    uint8_t count;                      /* vertices in the list */
    uint8_t left;                       /* of these, not taken in this phase: they come first */
    uint8_t turn;                       /* place of the next vertex whose traffic is added up */
    uint8_t padding_27[1];
    uint32_t steps;                     /* that it may still take */
    uint64_t deadline;                  /* ns */
    uint64_t value;                     /* least traffic across a phase so far */
    uint64_t side;                      /* nodes on one side of it; none before the first phase has ended */
};

/* The last complete cut; without nodes, there was none. */
struct result {
    uint64_t asked;
    traffic_t value;
    uint64_t side;
    bool current;                       /* is the graph still the same? */
    uint8_t padding_25[7];
};

/* Two partitions whose traffic with each other is added up, node by node. */
struct couple {
    home_id_t first;
    home_id_t second;
    uint8_t padding_2[6];
    uint64_t left;                      /* nodes of the first, still to be added */
    traffic_t between;
    bool current;                       /* is the graph still the same? */
    uint8_t padding_25[7];
};

/* A change of placement. */
struct advice {
    change_t kind;
    node_id_t node;
    home_id_t source;
    home_id_t target;
    uint8_t padding_4[4];
    traffic_t gain;                     /* traffic that it brings into a partition, less what it takes out */
    uint64_t side;                      /* nodes that a split takes away */
    uint32_t rank;                      /* a number for kind, node and partitions: among equal gains, the least is preferred */
    uint8_t padding_28[4];
};

/* The whole state. */
struct placement {
    struct row weight[64];              /* traffic of each pair, both ways round */
    struct merged_row merged[64];       /* the same between vertices of the cut under way */
    struct node node[64];
    struct home home[64];
    struct vertex vertex[64];
    place_t place[64];                  /* where a vertex is in the list */
    uint64_t group[64];                 /* nodes that a vertex stands for */
    node_id_t leader[64];               /* the vertex that stands for a node */
    struct cut cut;
    struct result result;
    struct couple couple;
    struct advice best;                 /* the best candidate of this epoch */
    struct advice advice;               /* the best candidate of the epochs before */
    uint8_t held;                       /* for how many of them, at most `DWELL` */
    bool outstanding;                   /* is the advice being carried out? */
    bool degraded;
    bool recovering;
    uint8_t padding_55100[4];
    uint64_t epoch;
    uint64_t nodes;                     /* those in the graph */
    uint64_t surveyed;                  /* nodes whose sums are of the graph as it is */
    uint64_t scored;                    /* partitions whose score is of the graph as it is */
};

/* The layout that the proofs, the decoder and the assembly rely on. */
#define PIN(record, field, offset) \
    _Static_assert(offsetof(struct record, field) == (offset), #record "." #field " has moved")
#define PIN_SIZE(record, size) _Static_assert(sizeof(struct record) == (size), #record " has another size")
PIN_SIZE(home, 40);
PIN(home, members, 0);
PIN(home, internal, 8);
PIN(home, external, 16);
PIN(home, score, 24);
PIN(home, pressure, 28);
PIN(home, rests_until, 32);
PIN_SIZE(row, 256);
PIN(row, to, 0);
PIN_SIZE(merged_row, 512);
PIN(merged_row, to, 0);
PIN_SIZE(node, 24);
PIN(node, home, 0);
PIN(node, inside, 8);
PIN(node, outside, 16);
PIN_SIZE(vertex, 16);
PIN(vertex, node, 0);
PIN(vertex, key, 8);
PIN_SIZE(cut, 56);
PIN(cut, stage, 0);
PIN(cut, asked, 8);
PIN(cut, loading, 16);
PIN(cut, count, 24);
PIN(cut, left, 25);
PIN(cut, turn, 26);
PIN(cut, steps, 28);
PIN(cut, deadline, 32);
PIN(cut, value, 40);
PIN(cut, side, 48);
PIN_SIZE(result, 32);
PIN(result, asked, 0);
PIN(result, value, 8);
PIN(result, side, 16);
PIN(result, current, 24);
PIN_SIZE(couple, 32);
PIN(couple, first, 0);
PIN(couple, second, 1);
PIN(couple, left, 8);
PIN(couple, between, 16);
PIN(couple, current, 24);
PIN_SIZE(advice, 32);
PIN(advice, kind, 0);
PIN(advice, node, 1);
PIN(advice, source, 2);
PIN(advice, target, 3);
PIN(advice, gain, 8);
PIN(advice, side, 16);
PIN(advice, rank, 24);
PIN_SIZE(placement, 55136);
PIN(placement, weight, 0);
PIN(placement, merged, 16384);
PIN(placement, node, 49152);
PIN(placement, home, 50688);
PIN(placement, vertex, 53248);
PIN(placement, place, 54272);
PIN(placement, group, 54336);
PIN(placement, leader, 54848);
PIN(placement, cut, 54912);
PIN(placement, result, 54968);
PIN(placement, couple, 55000);
PIN(placement, best, 55032);
PIN(placement, advice, 55064);
PIN(placement, held, 55096);
PIN(placement, outstanding, 55097);
PIN(placement, degraded, 55098);
PIN(placement, recovering, 55099);
PIN(placement, epoch, 55104);
PIN(placement, nodes, 55112);
PIN(placement, surveyed, 55120);
PIN(placement, scored, 55128);

#endif
