/* Generated from spec/agent.py, spec/kernel/hardware.py, spec/kernel/kept.py, spec/kernel/limits.py,
   spec/kernel/memory_map.py, spec/kernel/message.py, spec/kernel/package.py, spec/kernel/packed.py,
   spec/kernel/schedule.py, spec/kernel/sha256.py, spec/kernel/state.py, spec/kernel/vocabulary.py, spec/ring.py
   with codegen/templates/types.h.j2: edit those, not this.
   Content: sha256 13085c1cd5e297f5 */

/* How large is everything, which names do all parts share, and what is the state? */

#ifndef KERNEL_TYPES_H
#define KERNEL_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits. */
#define PARTITION_BITS 6
#define PARTITIONS 64
#define LANE_ROW 8                      /* partitions of a lane that are looked at together */
#define LANE_ROWS 8
#define ROOT 0                          /* the partition that boot creates */
#define SLOTS 64                        /* capability slots of one partition */
#define DEPTH_LIMIT 8                   /* derivations between a capability and its root */
#define COUNTER_LIMIT 0xffffffffu       /* a generation or lineage that reaches it retires its slot */
#define ANCESTRY_LIMIT 8                /* creators between a partition and the root partition */
#define PAGES 1024
#define PAGE_BITS 12
#define PAGE_WORDS 512
#define CONSOLE_WORDS 128               /* words that one call may write to the console as bytes */
#define CONSOLE_TEXT_WORDS 64           /* and as text, where every character may begin a line */
#define REGIONS 16                      /* a region capability covers 64 pages */
#define PAGES_PER_PARTITION 128
#define PACKAGE_LIMIT 96                /* pages of a boot package, without its header */
#define RESTARTS 3                      /* of the kernel by itself, before it stops for good */
#define MAPPINGS_PER_PAGE 4             /* ordinal 0 is the owner's, 1 .. 3 are readers' */
#define EDGES 256
#define MESSAGES_PER_EDGE 8
#define HEADER_RESERVED 2               /* words that fill the header of a message to 64 bytes */
#define PAYLOAD_WORDS 32                /* of one message, 256 bytes */
#define NOTIFICATIONS 256
#define AGENTS 256
#define CHILDREN 4                      /* living ones that an agent has made */
#define LINE_WORDS 8                    /* what SHA-256 takes at a time */
#define PART_LINES 4                    /* of a module, measured at a time */
#define MODULE_LINES 65536              /* the longest module, 4 MiB */
#define BANK_UNITS 64
#define UNITS 128
#define ORDERS 6                        /* a block of order k is 2^k units, at most half a bank */
#define UNIT_PARTS 32                   /* of a unit, cleared one at a time: 64 KiB */
#define WARM_BELOW 7000                 /* of that, a hot block becomes warm */
#define DORMANT_BELOW 4000              /* and a warm one dormant */
#define COLD_BELOW 1000                 /* and a dormant one cold */
#define HOT_FROM 8000                   /* a warm block becomes hot */
#define WARM_FROM 5000                  /* and a dormant one warm */
#define DORMANT_FROM 1000               /* and a cold one dormant */
#define GRAPH_ROWS 8                    /* edges that one call tells of */
#define RECORDS 4096
#define DRAIN_LIMIT 8                   /* records that one read copies, and one discard drops, at most */
#define KERNEL_RESERVE 256              /* undrained records of the kernel itself: about its boot, and about who ran */
#define ROOT_QUOTA 2816                 /* undrained records of the root partition, which it shares out */
#define PROOF_ROOTS 4
#define MERKLE_LEVELS 16
#define PROOF_WINDOW 60000000000ull     /* longest validity of a proof, ns */
#define SELF 0x3fffffffffull            /* as a handle: the caller's own partition */
#define QUANTUM 10000000                /* ns, also the scheduler epoch */
#define SHARES 1000                     /* of the processor, in all */
#define LEAST_SHARE 5                   /* that comes with the number of a partition */
#define PATIENCE_LIMIT 0x1000000000ull  /* ns; longest rest without asking again, about 68 s */
#define URGENCY_BITS 10                 /* a deadline is urgent within 2^20 steps of 2^10 ns, about 1.07 s */
#define DEADLINE_LIMIT 0x10000000000ull /* ns from now */
#define CLAIM_BITS 17                   /* urgency and pressure that a step of the claim stands for */
#define MESSAGES_PER_EPOCH 1000         /* messages that one partition sends and receives */
#define DEVICES 32                      /* virtio-mmio transports of the machine */
#define ROOT_TRANSPORTS 4               /* the first of them: what stands behind these root may use and hand on */
#define QUEUE_SIZE 4                    /* descriptors of a queue, a power of two; a request has three at most */
#define LEASE_LIMIT 0x1000000000ull     /* ns; longest lease without renewal, about 68 s */
#define BUDGET_LIMIT 0x40000000         /* bytes that may be moved on one lease without renewal */
#define MERGE_SCORE 7                   /* tenths of all that either carries, which go between two that are merged */
#define WEIGHT_LIMIT 0x10000000000ull   /* an edge that carried more counts for this */
#define CLOCK_LIMIT 0x8000000000000000ull /* ns; times beyond it are not accepted as the start of anything */
#define HANDLE_PARTS_GENERATION_SHIFT 6
#define CAPABILITY_PLACE_PARTITION_SHIFT 6
#define MAPPING_PLACE_PAGE_SHIFT 2
#define OWNED_PLACE_PARTITION_SHIFT 7
#define MESSAGE_PLACE_EDGE_SHIFT 3
#define BADGE_PARTS_GENERATION_SHIFT 8
#define TRAFFIC_ENDS_SOURCE_SHIFT 16
#define TRAFFIC_ENDS_TARGET_SHIFT 32
#define UNIT_PLACE_BANK_SHIFT 6
#define HEADS_PLACE_PARTITION_SHIFT 1
#define PAGE_PLACE_REGION_SHIFT 6
#define OBJECT_NAME_INCARNATION_SHIFT 32
#define INSPECTED_KIND_SHIFT 8
#define INSPECTED_RIGHTS_SHIFT 16
#define INSPECTED_OBJECT_SHIFT 32
#define DESCENT_LINEAGE_SHIFT 32
#define HALVES_HIGH_SHIFT 32
#define ALL_RIGHTS 0xfff
#define PPM 1000000
#define RING_1_SCORE 950000             /* to be exceeded, with consensus, for ring 1 */
#define RING_2_SCORE 600000             /* to be exceeded for ring 2 */
#define ELEVATE_1_SCORE 850000          /* to be reached, with an attestation, to elevate to ring 1 */
#define ELEVATE_2_SCORE 500000          /* to be reached to elevate to ring 2 */
#define ELEVATION_DEFAULT 300           /* s */
#define ELEVATION_LIMIT 3600            /* s */
#define SECOND 1000000000               /* ns */
#define BURST 2000000000                /* every bucket is full after this long, whatever its ring */

/* The number of each operation. */
enum {
    OPERATION_CAPABILITY_GRANT = 0,
    OPERATION_CAPABILITY_REVOKE = 1,
    OPERATION_CAPABILITY_DELETE = 2,
    OPERATION_CAPABILITY_INSPECT = 3,
    OPERATION_CAPABILITY_WITHDRAW = 4,
    OPERATION_PAGE_CREATE = 5,
    OPERATION_PAGE_RELEASE = 6,
    OPERATION_PAGE_TRANSFER = 7,
    OPERATION_TABLE_ROOT = 8,
    OPERATION_TABLE_LINK = 9,
    OPERATION_PAGE_MAP = 10,
    OPERATION_PAGE_UNMAP = 11,
    OPERATION_PAGE_SHARE = 12,
    OPERATION_SHARE_MAP = 13,
    OPERATION_PAGE_UNSHARE = 14,
    OPERATION_PAGE_APPEND = 15,
    OPERATION_PARTITION_CREATE = 16,
    OPERATION_PARTITION_ADOPT = 17,
    OPERATION_PARTITION_START = 18,
    OPERATION_PARTITION_SUSPEND = 19,
    OPERATION_PARTITION_RESUME = 20,
    OPERATION_PARTITION_HIBERNATE = 21,
    OPERATION_PARTITION_RECONSTRUCT = 22,
    OPERATION_PARTITION_DESTROY = 23,
    OPERATION_PARTITION_RELEASE = 24,
    OPERATION_PARTITION_RECLAIM = 25,
    OPERATION_PARTITION_FAIL = 26,
    OPERATION_SYSTEM_HALT = 27,
    OPERATION_PARTITION_ENDOW = 28,
    OPERATION_REGION_RECLAIM = 29,
    OPERATION_RING_ASSIGN = 30,
    OPERATION_RING_DEMOTE = 31,
    OPERATION_RING_ELEVATE = 32,
    OPERATION_RING_RESTORE = 33,
    OPERATION_TOOL_ACQUIRE = 34,
    OPERATION_TOOL_RELEASE = 35,
    OPERATION_WITNESS_READ = 36,
    OPERATION_WITNESS_SEAL = 37,
    OPERATION_WITNESS_DISCARD = 38,
    OPERATION_PROOF_INSPECT = 39,
    OPERATION_PROOF_ROOT_PROPOSE = 40,
    OPERATION_PROOF_ROOT_BIND = 41,
    OPERATION_PROOF_ROOT_COMMIT = 42,
    OPERATION_YIELD_NOW = 43,
    OPERATION_CONSOLE_WRITE = 44,
    OPERATION_EDGE_CREATE = 45,
    OPERATION_EDGE_DESTROY = 46,
    OPERATION_EDGE_SEND = 47,
    OPERATION_EDGE_RECEIVE = 48,
    OPERATION_NOTIFICATION_CREATE = 49,
    OPERATION_NOTIFICATION_SIGNAL = 50,
    OPERATION_NOTIFICATION_WAIT = 51,
    OPERATION_GRAPH_READ = 52,
    OPERATION_EDGE_AWAIT = 53,
    OPERATION_NOTIFICATION_AWAIT = 54,
    OPERATION_SCHEDULE_PRIORITIZE = 55,
    OPERATION_SCHEDULE_MODE = 56,
    OPERATION_DEVICE_LEASE = 57,
    OPERATION_DEVICE_RETURN = 58,
    OPERATION_DEVICE_SUBMIT = 59,
    OPERATION_DEVICE_COMPLETE = 60,
    OPERATION_AGENT_CREATE = 61,
    OPERATION_AGENT_MEASURE = 62,
    OPERATION_AGENT_SPAWN = 63,
    OPERATION_AGENT_CHANGE = 64,
    OPERATION_AGENT_SPEAK = 65,
    OPERATION_BLOCK_CREATE = 66,
    OPERATION_BLOCK_RELEASE = 67,
    OPERATION_BLOCK_CLEAN = 68,
    OPERATION_BLOCK_MAP = 69,
    OPERATION_BLOCK_UNMAP = 70,
    OPERATION_BLOCK_TRANSFER = 71,
    OPERATION_BLOCK_RETIER = 72,
    OPERATION_PARTITION_SPLIT = 73,
    OPERATION_PARTITION_MERGE = 74,
    OPERATION_PARTITION_SETTLE = 75,
};

/* Positions in tables, counters of a few bits, handles. */
typedef uint8_t batch_id_t;             /* 0 .. 63 */
#define BATCH_ID_BOUND 64
typedef uint8_t phase_id_t;             /* 0 .. 6 */
typedef uint8_t line_id_t;              /* 0 .. 63 */
typedef uint8_t package_page_id_t;      /* 0 .. 95 */
typedef uint8_t page_count_t;           /* 0 .. 97 */
typedef uint16_t line_count_t;          /* 0 .. 6209 */
typedef uint64_t epoch_number_t;        /* 0 .. 281474976710655 */
typedef uint8_t word_id_t;              /* 0 .. 15 */
typedef uint8_t pair_id_t;              /* 0 .. 7 */
typedef uint8_t digest_place_t;         /* 0 .. 8 */
typedef uint8_t digest_pair_t;          /* 0 .. 3 */
typedef uint8_t partition_id_t;         /* 0 .. 63 */
#define PARTITION_ID_BOUND 64
typedef uint8_t slot_id_t;              /* 0 .. 63 */
#define SLOT_ID_BOUND 64
typedef uint16_t capability_id_t;       /* 0 .. 4095 */
typedef uint16_t page_id_t;             /* 0 .. 1023 */
#define PAGE_ID_BOUND 1024
typedef uint8_t region_id_t;            /* 0 .. 15 */
typedef uint16_t entry_id_t;            /* 0 .. 511 */
#define ENTRY_ID_BOUND 512
typedef uint8_t ordinal_t;              /* 0 .. 3 */
#define ORDINAL_BOUND 4
typedef uint16_t mapping_id_t;          /* 0 .. 4095 */
typedef uint16_t owned_id_t;            /* 0 .. 8191 */
typedef uint8_t page_position_t;        /* 0 .. 127 */
#define PAGE_POSITION_BOUND 128
typedef uint8_t edge_id_t;              /* 0 .. 255 */
#define EDGE_ID_BOUND 256
typedef uint16_t message_id_t;          /* 0 .. 2047 */
typedef uint8_t message_turn_t;         /* 0 .. 7 */
#define MESSAGE_TURN_BOUND 8
typedef uint8_t edge_group_t;           /* 0 .. 31 */
#define EDGE_GROUP_BOUND 32
typedef uint8_t notification_id_t;      /* 0 .. 255 */
#define NOTIFICATION_ID_BOUND 256
typedef uint8_t device_id_t;            /* 0 .. 31 */
#define DEVICE_ID_BOUND 32
typedef uint8_t used_word_t;            /* 0 .. 7 */
typedef uint8_t agent_id_t;             /* 0 .. 255 */
#define AGENT_ID_BOUND 256
typedef uint64_t agent_badge_t;         /* 0 .. 1099511627775 */
#define AGENT_BADGE_BOUND 0x10000000000ull
typedef uint8_t child_id_t;             /* 0 .. 3 */
#define CHILD_ID_BOUND 4
typedef uint8_t part_id_t;              /* 0 .. 15 */
#define PART_ID_BOUND 16
typedef uint8_t unit_id_t;              /* 0 .. 127 */
#define UNIT_ID_BOUND 128
typedef uint8_t bank_id_t;              /* 0 .. 1 */
typedef uint8_t unit_position_t;        /* 0 .. 63 */
#define UNIT_POSITION_BOUND 64
typedef uint8_t unit_part_id_t;         /* 0 .. 31 */
typedef uint8_t order_t;                /* 0 .. 5 */
#define ORDER_BOUND 6
typedef uint16_t use_t;                 /* 0 .. 10000 */
#define USE_BOUND 10001
typedef uint8_t heads_id_t;             /* 0 .. 127 */
typedef uint16_t record_id_t;           /* 0 .. 4095 */
#define RECORD_ID_BOUND 4096
typedef uint8_t proof_root_id_t;        /* 0 .. 3 */
#define PROOF_ROOT_ID_BOUND 4
typedef uint8_t resource_id_t;          /* 0 .. 3 */
typedef uint8_t depth_t;                /* 0 .. 15 */
typedef uint64_t handle_t;              /* 0 .. 274877906943 */
#define HANDLE_BOUND 0x4000000000ull
typedef uint8_t lane_row_t;             /* 0 .. 7 */
typedef uint8_t claim_t;                /* 0 .. 15 */
typedef uint32_t pressure_t;            /* 0 .. 1048575 */
#define PRESSURE_BOUND 0x100000

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
#define LIFE_BOUND 7

/* How does the kernel start? */
typedef uint8_t standing_t;
enum {
    STANDING_COLD = 0,                  /* nothing was kept */
    STANDING_WARM = 1,                  /* after a kernel that could not go on */
    STANDING_EXHAUSTED = 2,             /* not at all: it was started again too often */
    STANDING_DAMAGED = 3,               /* as a cold one, because what was kept is not what a kernel leaves */
};

/* A sentence of the kernel, or the beginning of one that continues with numbers. */
typedef uint8_t message_t;
enum {
    MESSAGE_MEASUREMENT = 0,
    MESSAGE_KEY_GIVEN = 1,
    MESSAGE_NO_KEY = 2,
    MESSAGE_INVARIANTS_HOLD = 3,
    MESSAGE_VIOLATED = 4,
    MESSAGE_TICKS = 5,
    MESSAGE_RECORDS = 6,
    MESSAGE_DRAINED = 7,
    MESSAGE_FAULT = 8,
    MESSAGE_WRONG_LEVEL = 9,
    MESSAGE_BROKEN_STATE = 10,
    MESSAGE_WRONG_FREQUENCY = 11,
    MESSAGE_STRANGE_INTERRUPT = 12,
    MESSAGE_STRANGE_FIQ = 13,
    MESSAGE_STRANGE_ERROR = 14,
    MESSAGE_NOBODY = 15,
    MESSAGE_FAULTED = 16,
    MESSAGE_NO_PACKAGE = 17,
    MESSAGE_OTHER_PACKAGE = 18,
    MESSAGE_PACKAGE_SIZE = 19,
    MESSAGE_PACKAGE_PARTS = 20,
    MESSAGE_AWAKE = 21,
    MESSAGE_NOT_RESET = 22,
    MESSAGE_ROOT_FAULTED = 23,
    MESSAGE_WARM = 24,
    MESSAGE_KEPT_RECORD = 25,
    MESSAGE_KEPT_SEAL = 26,
    MESSAGE_DAMAGED = 27,
    MESSAGE_EXHAUSTED = 28,
};

/* What is wrong with a boot package. */
typedef uint8_t package_fault_t;
enum {
    PACKAGE_FAULT_NONE = 0,
    PACKAGE_FAULT_MISSING = 1,          /* nothing there begins like one */
    PACKAGE_FAULT_VERSION = 2,          /* it is of another version */
    PACKAGE_FAULT_SIZE = 3,             /* no pages, or more than are taken */
    PACKAGE_FAULT_PARTS = 4,            /* root's parts are not within it */
};

/* The exact outcome of a hypercall. */
typedef uint8_t status_t;
enum {
    STATUS_OK = 0,
    STATUS_WITNESS_FULL = 1,            /* no room for the record, so nothing was tried */
    STATUS_UNKNOWN_OPERATION = 2,
    STATUS_RATE_LIMITED = 3,
    STATUS_NEEDS_SRE_WITNESS = 4,       /* ring 0 is out of reach of every hypercall */
    STATUS_RING_DENIED = 5,
    STATUS_RESOURCE_DENIED = 6,
    STATUS_INVALID_HANDLE = 7,          /* not a slot of the caller, or empty */
    STATUS_STALE_HANDLE = 8,            /* the slot holds a later capability */
    STATUS_REVOKED = 9,                 /* an ancestor was revoked or deleted */
    STATUS_WRONG_OBJECT = 10,
    STATUS_INSUFFICIENT_RIGHTS = 11,
    STATUS_POLICY_VIOLATION = 12,       /* a P2 check or the P3 path failed; which one is not revealed */
    STATUS_BAD_ARGUMENT = 13,
    STATUS_RIGHTS_ESCALATION = 14,
    STATUS_DEPTH_EXCEEDED = 15,
    STATUS_SLOT_IN_USE = 16,
    STATUS_SLOT_RETIRED = 17,
    STATUS_WRONG_STATE = 18,
    STATUS_PARTITION_IN_USE = 19,
    STATUS_LIMIT_REACHED = 20,
    STATUS_STILL_HOLDING = 21,
    STATUS_INVALID_TARGET = 22,
    STATUS_RING_0_FORBIDDEN = 23,
    STATUS_DUPLICATE_ELEVATION = 24,
    STATUS_INSUFFICIENT_TRUST = 25,
    STATUS_NO_SPONSORSHIP = 26,
    STATUS_PAGE_IN_USE = 27,
    STATUS_NOT_OWNER = 28,
    STATUS_WRONG_PAGE_KIND = 29,
    STATUS_ENTRY_IN_USE = 30,
    STATUS_ALREADY_LINKED = 31,
    STATUS_NOT_LINKED = 32,
    STATUS_WRITE_XOR_EXECUTE = 33,
    STATUS_NOT_SHARED = 34,
    STATUS_STILL_SHARED = 35,
    STATUS_NOT_ESCALATING = 37,
    STATUS_WOULD_BLOCK = 38,            /* the edge is full or empty, or no bit is set: ask again later */
    STATUS_SCHEMA_MISMATCH = 39,
    STATUS_OBJECT_IN_USE = 40,
    STATUS_NOT_SENDER = 41,             /* another capability is the one that sends through the edge */
    STATUS_NOT_COPIED = 42,             /* a record that no reader has copied stays in the log */
    STATUS_NOT_MAPPED = 43,             /* the caller's own tables do not let it use the page this way */
    STATUS_NOT_LEASED = 44,             /* the caller has no lease on the device, or it has ended */
    STATUS_PAGE_PINNED = 45,            /* a device may read or write the page */
    STATUS_SPAWN_LIMIT = 46,            /* a living child has this place of its parent */
    STATUS_NO_SPEAKER = 47,             /* a partition that has agents makes others as one of them */
    STATUS_MODULE_MISMATCH = 48,        /* what was measured is not the module that is named */
    STATUS_NO_BLOCK = 49,               /* no clean units lie together for a block of this order */
    STATUS_NOT_HELD = 50,               /* no block of the partition begins here: it was released, or never made */
    STATUS_NOT_DUE = 51,                /* a block is of more, or less, use than the tier that is named is for */
    STATUS_WRONG_MODE = 52,             /* the mode of the scheduler does not allow it */
    STATUS_NOT_CONNECTED = 53,          /* no edge leads from one of the two partitions to the other */
    STATUS_NOT_COHERENT = 54,           /* too much of what the two partitions carry goes to others */
    STATUS_STILL_LEASED = 55,           /* a device is leased to the partition */
};

/* The kind of a witness record; the high nibble names the subsystem. */
typedef uint8_t action_t;
enum {
    ACTION_NONE = 0x00,
    ACTION_PARTITION_CREATE = 0x01,
    ACTION_PARTITION_DESTROY = 0x02,
    ACTION_PARTITION_SUSPEND = 0x03,
    ACTION_PARTITION_RESUME = 0x04,
    ACTION_PARTITION_SPLIT = 0x05,
    ACTION_PARTITION_MERGE = 0x06,
    ACTION_PARTITION_HIBERNATE = 0x07,
    ACTION_PARTITION_RECONSTRUCT = 0x08,
    ACTION_PARTITION_MIGRATE = 0x09,    /* reserved */
    ACTION_CAPABILITY_GRANT = 0x10,
    ACTION_CAPABILITY_REVOKE = 0x11,
    ACTION_CAPABILITY_DELEGATE = 0x12,
    ACTION_CAPABILITY_ESCALATE = 0x13,  /* reserved */
    ACTION_CAPABILITY_ATTENUATED = 0x14,
    ACTION_REGION_CREATE = 0x20,
    ACTION_REGION_DESTROY = 0x21,
    ACTION_REGION_TRANSFER = 0x22,
    ACTION_REGION_SHARE = 0x23,
    ACTION_REGION_UNSHARE = 0x24,
    ACTION_REGION_PROMOTE = 0x25,       /* reserved */
    ACTION_REGION_DEMOTE = 0x26,        /* reserved */
    ACTION_REGION_MAP = 0x27,
    ACTION_REGION_UNMAP = 0x28,
    ACTION_EDGE_CREATE = 0x30,
    ACTION_EDGE_DESTROY = 0x31,
    ACTION_IPC_SEND = 0x32,
    ACTION_IPC_RECEIVE = 0x33,
    ACTION_ZERO_COPY_SHARE = 0x34,
    ACTION_NOTIFICATION_SIGNAL = 0x35,
    ACTION_LEASE_GRANT = 0x40,
    ACTION_LEASE_REVOKE = 0x41,
    ACTION_LEASE_EXPIRE = 0x42,         /* reserved */
    ACTION_LEASE_RENEW = 0x43,          /* reserved */
    ACTION_PROOF_VERIFIED_P1 = 0x50,
    ACTION_PROOF_VERIFIED_P2 = 0x51,    /* reserved */
    ACTION_PROOF_VERIFIED_P3 = 0x52,    /* reserved */
    ACTION_PROOF_REJECTED = 0x53,
    ACTION_PROOF_ESCALATED = 0x54,
    ACTION_SCHEDULER_EPOCH = 0x60,
    ACTION_SCHEDULER_MODE = 0x61,
    ACTION_TASK_SPAWN = 0x62,
    ACTION_TASK_TERMINATE = 0x63,
    ACTION_STRUCTURAL_SPLIT = 0x64,     /* reserved */
    ACTION_STRUCTURAL_MERGE = 0x65,     /* reserved */
    ACTION_RECOVERY_ENTER = 0x70,
    ACTION_RECOVERY_EXIT = 0x71,        /* reserved */
    ACTION_CHECKPOINT_CREATED = 0x72,
    ACTION_CHECKPOINT_RESTORED = 0x73,  /* reserved */
    ACTION_MIN_CUT_BUDGET_EXCEEDED = 0x74, /* reserved */
    ACTION_DEGRADED_ENTER = 0x75,       /* reserved */
    ACTION_DEGRADED_EXIT = 0x76,        /* reserved */
    ACTION_BOOT_ATTESTATION = 0x80,
    ACTION_BOOT_COMPLETE = 0x81,
    ACTION_TEE_ATTESTATION = 0x82,
    ACTION_VECTOR_PUT = 0x90,           /* reserved */
    ACTION_VECTOR_DELETE = 0x91,        /* reserved */
    ACTION_GRAPH_MUTATION = 0x92,       /* reserved */
    ACTION_COHERENCE_RECOMPUTED = 0x93,
    ACTION_VMID_RECLAIM = 0xa0,
    ACTION_MIGRATION_TIMEOUT = 0xa1,    /* reserved */
    ACTION_REGION_CLEAN = 0xa2,
    ACTION_REGION_RETIER = 0xa3,
    ACTION_AGENT_CREATE = 0xb0,
    ACTION_AGENT_MEASURE = 0xb1,
    ACTION_AGENT_SPAWN = 0xb2,
    ACTION_AGENT_CHANGE = 0xb3,
    ACTION_AGENT_SPEAK = 0xb4,
    ACTION_DEVICE_FIND = 0xc0,
};

/* What a capability names; NONE marks a free slot. */
typedef uint8_t object_kind_t;
enum {
    OBJECT_KIND_NONE = 0,
    OBJECT_KIND_PARTITION = 1,
    OBJECT_KIND_PAGE = 2,               /* reserved */
    OBJECT_KIND_EDGE = 3,
    OBJECT_KIND_NOTIFICATION = 4,
    OBJECT_KIND_REGION = 5,
    OBJECT_KIND_DEVICE = 6,             /* the console */
    OBJECT_KIND_SCHEDULER = 7,
    OBJECT_KIND_WITNESS_LOG = 8,
    OBJECT_KIND_PROOF_ROOT = 9,
    OBJECT_KIND_VECTOR_STORE = 10,      /* reserved */
    OBJECT_KIND_TRUST = 11,
    OBJECT_KIND_COHERENCE = 12,         /* what all edges have carried */
    OBJECT_KIND_TRANSPORT = 13,         /* a place for a device that moves memory, which is leased */
};

/* What the holder of a capability may do with its object. */
typedef uint16_t right_t;
enum {
    RIGHT_READ = 0x001,
    RIGHT_WRITE = 0x002,
    RIGHT_GRANT = 0x004,
    RIGHT_REVOKE = 0x008,
    RIGHT_EXECUTE = 0x010,
    RIGHT_PROVE = 0x020,
    RIGHT_GRANT_ONCE = 0x040,
    RIGHT_HIBERNATE = 0x080,
    RIGHT_MIGRATE = 0x100,              /* reserved */
    RIGHT_SPLIT = 0x200,
    RIGHT_MERGE = 0x400,
    RIGHT_LEASE = 0x800,
};
#define RIGHT_BOUND 65536

/* What a stage-2 mapping permits. */
typedef uint8_t access_t;
enum {
    ACCESS_READ = 0x1,
    ACCESS_WRITE = 0x2,
    ACCESS_EXECUTE = 0x4,
};
#define ACCESS_BOUND 256

/* How much proof an operation asks for. */
typedef uint8_t tier_t;
enum {
    TIER_NONE = 0,
    TIER_P1 = 1,                        /* capability */
    TIER_P2 = 2,                        /* capability and eight policy checks */
    TIER_P3 = 3,                        /* P2 and a Merkle path to an attested root */
};

/* What a call is paid from. */
typedef uint8_t meter_t;
enum {
    METER_CALLS = 0,                    /* the token bucket of the caller's ring */
    METER_MESSAGES = 1,                 /* a fixed number per epoch, whatever the ring */
};

/* What a tool may reach outside its partition. */
typedef uint8_t resource_t;
enum {
    RESOURCE_TOOL = 0,
    RESOURCE_NETWORK = 1,
    RESOURCE_FILESYSTEM = 2,
    RESOURCE_SUBPROCESS = 3,
};
#define RESOURCE_BOUND 4

/* The life of a partition; VACANT is a slot that awaits its next incarnation. */
typedef uint8_t partition_state_t;
enum {
    PARTITION_STATE_VACANT = 0,
    PARTITION_STATE_CREATED = 1,
    PARTITION_STATE_RUNNING = 2,
    PARTITION_STATE_SUSPENDED = 3,
    PARTITION_STATE_HIBERNATED = 4,
    PARTITION_STATE_DESTROYED = 5,
    PARTITION_STATE_SPLITTING = 6,      /* one of two halves, which stand still until each is settled */
    PARTITION_STATE_MERGING = 7,        /* one of two that become one; likewise */
};

/* Who may run, and by which lanes. */
typedef uint8_t mode_t;
enum {
    MODE_FLOW = 0,                      /* the priority lane goes to whoever has a deadline or is under pressure */
    MODE_REFLEX = 1,                    /* it goes to those with deadlines alone */
    MODE_RECOVERY = 2,                  /* only wardens run */
    MODE_HALTED = 3,                    /* nobody runs; no hypercall leads there */
};
#define MODE_BOUND 4

/* What a partition rests for. */
typedef uint8_t awaited_t;
enum {
    AWAITED_NOTHING = 0,                /* it does not rest */
    AWAITED_MESSAGE = 1,                /* in an edge */
    AWAITED_BITS = 2,                   /* of a notification */
};

/* How bad the worst failure of a partition was. */
typedef uint8_t failure_class_t;
enum {
    FAILURE_CLASS_NONE = 0,
    FAILURE_CLASS_TRANSIENT = 1,
    FAILURE_CLASS_RECOVERABLE = 2,
    FAILURE_CLASS_PERMANENT = 3,
    FAILURE_CLASS_CATASTROPHIC = 4,
};
#define FAILURE_CLASS_BOUND 5

/* What a page of the pool is used for. */
typedef uint8_t page_kind_t;
enum {
    PAGE_KIND_FREE = 0,
    PAGE_KIND_TABLE_1 = 1,
    PAGE_KIND_TABLE_2 = 2,
    PAGE_KIND_TABLE_3 = 3,
    PAGE_KIND_DATA = 4,
    PAGE_KIND_APPEND = 5,               /* data that only grows, through `page_append` */
    PAGE_KIND_KERNEL = 6,
    PAGE_KIND_TABLE_UNITS = 7,          /* of level 2, which leads to units of large memory */
};
#define PAGE_KIND_BOUND 8

/* How close a block of large memory is to who uses it. Only what is hot or warm may be linked. */
typedef uint8_t heat_t;
enum {
    HEAT_HOT = 0,                       /* as every block begins */
    HEAT_WARM = 1,
    HEAT_DORMANT = 2,
    HEAT_COLD = 3,
};
#define HEAT_BOUND 4

/* What a partition may use up, or hand to those that it created. */
typedef uint8_t allowance_t;
enum {
    ALLOWANCE_RECORDS = 0,              /* undrained records of the log */
    ALLOWANCE_PARTITIONS = 1,           /* including itself */
    ALLOWANCE_EDGES = 2,
    ALLOWANCE_NOTIFICATIONS = 3,
    ALLOWANCE_SHARES = 4,               /* of the processor */
    ALLOWANCE_AGENTS = 5,
    ALLOWANCE_UNITS = 6,                /* of large memory */
};
#define ALLOWANCE_BOUND 7

/* What stands behind a transport. Of a console, the kernel uses one queue: it sends, or it receives. */
typedef uint8_t device_kind_t;
enum {
    DEVICE_KIND_ABSENT = 0,
    DEVICE_KIND_BLOCK = 1,
    DEVICE_KIND_TRANSMITTER = 2,        /* a console behind an even transport */
    DEVICE_KIND_RECEIVER = 3,           /* a console behind an odd one */
};

/* What a virtio descriptor says besides place and length (virtio 1.2, 2.7.5). */
typedef uint16_t descriptor_flags_t;
enum {
    DESCRIPTOR_FLAGS_NEXT = 0x1,        /* another one follows */
    DESCRIPTOR_FLAGS_WRITE = 0x2,       /* the device writes there, else it reads */
};

/* How words appear on the console. */
typedef uint8_t format_t;
enum {
    FORMAT_TEXT = 0,
    FORMAT_HEX = 1,
};
#define FORMAT_BOUND 2

/* Execution rings; the smaller, the more privileged. */
typedef uint8_t ring_t;
enum {
    RING_ROOT = 0,
    RING_PRIVILEGED = 1,
    RING_STANDARD = 2,
    RING_SANDBOX = 3,
};
#define RING_BOUND 4

/* How much of the file system a ring may see. */
typedef uint8_t scope_t;
enum {
    SCOPE_NONE = 0,
    SCOPE_SESSION = 1,                  /* reserved */
    SCOPE_SCOPED = 2,
    SCOPE_FULL = 3,
};

/* What happened: 64 bytes, little-endian, chained. */
struct witness_record {
    uint64_t sequence;
    uint64_t time;                      /* ns */
    action_t kind;
    tier_t tier;
    status_t status;
    uint8_t operation;                  /* number in the operation table, 255 for none: the kernel itself, and faults */
    uint16_t actor;                     /* partition, or 65535 for the kernel itself */
    uint16_t refused;                   /* earlier calls and faults of the actor that found no room, at most 65535 */
    uint64_t object;                    /* arguments, packed in order; of a refused call x2, of a fault its syndrome */
    uint64_t capability;                /* handle: x1 */
    uint64_t payload;                   /* further arguments; for a refused call x3; for a fault its address */
    uint64_t link[2];                   /* first half of the chain value after this record */
};

/* The contents of one page. */
struct frame {
    uint64_t word[512];
};

/* What a device may read or write (virtio 1.2, 2.7.5). */
struct descriptor {
    uint64_t address;                   /* physical */
    uint32_t length;                    /* bytes */
    descriptor_flags_t flags;
    uint16_t next;
};

/* What a device reads of its queue: descriptors, the ring of available ones, and the header of a request. */
struct queue {
    struct descriptor header;
    struct descriptor data;
    struct descriptor status;
    struct descriptor spare;            /* zero */
    uint16_t flags;                     /* of the available ring (virtio 1.2, 2.7.6) */
    uint16_t available;                 /* requests made since the device was reset, modulo 2^16 */
    uint16_t ring[4];                   /* zero: each request begins at the first descriptor */
    uint16_t event;
    uint16_t reserved;
    uint32_t type;                      /* of a request to a block device (virtio 1.2, 5.2.6): 0 to read, 1 to write */
    uint32_t priority;
    uint64_t sector;
};

/* What a device writes: the ring of used descriptors (virtio 1.2, 2.7.8), and the status of a request. */
struct answer {
    uint16_t flags;
    uint16_t used;                      /* requests that it says are done, modulo 2^16 */
    uint32_t element[8];
    uint16_t event;
    uint8_t status;
    uint8_t padding_39[1];
};

/* One place of an edge for a message: five lines of 64 bytes; the payload begins on the second line. */
struct message {
    uint64_t length;                    /* words of the payload; those beyond are zero */
    uint64_t badge;                     /* of the capability it was sent through */
    uint64_t schema;
    uint64_t sequence;                  /* how many were sent through the edge before */
    uint64_t agent;                     /* badge of the agent that spoke, 0 for none */
    uint64_t source;                    /* the partition that sent it */
    uint64_t reserved[2];               /* zero */
    uint64_t word[32];
};

/* Authority: `rights` over one object, held in one slot of one partition. */
struct capability {
    object_kind_t kind;                 /* NONE: the slot is free */
    depth_t depth;                      /* derivations from the root capability */
    right_t rights;
    uint32_t object;
    uint32_t incarnation;               /* generation of a partition object; 0 for all other kinds */
    uint32_t generation;                /* advances when the slot is freed; part of every handle */
    uint32_t lineage;                   /* advances when this capability's descendants are revoked */
    capability_id_t parent;
    uint8_t padding_22[2];
    uint32_t parent_lineage;            /* linked only while equal to the parent's lineage */
    uint8_t padding_28[4];
    uint64_t badge;
};

/* A token bucket, kept as the time that its tokens took to arrive: the same measure for every ring's rate. */
struct bucket {
    uint64_t credit;                    /* ns of refill in hand, at most the burst time */
    uint64_t refilled;                  /* ns */
};

/* How many messages a partition sent and received in an epoch of its own. */
struct epoch {
    uint16_t used;
    uint8_t padding_2[6];
    uint64_t began;                     /* ns; the epoch lasts a quantum */
};

/* A ring held until `expires`; ring 1 as long as its attestation is live. */
struct elevation {
    bool active;
    ring_t ring;
    uint8_t padding_2[6];
    uint64_t expires;                   /* ns */
    handle_t attestation;               /* of the partition itself, on a proof root */
};

/* Where what a partition rests for will come, and until when it rests at most. */
struct rest {
    edge_id_t edge;                     /* when it waits for a message */
    notification_id_t notification;     /* when it waits for bits */
    uint8_t padding_2[6];
    uint64_t until;                     /* ns */
};

/* A protection domain: its life, its ring, its memory root and what it has used up. */
struct partition {
    partition_state_t state;
    failure_class_t failure;
    ring_t ring;                        /* from score and consensus */
    bool consensus;
    bool rooted;                        /* has a stage-2 root table */
    bool walked;                        /* a TLB may hold what was walked from its root */
    bool fresh;                         /* its saved registers are zero, but for the program counter */
    uint8_t tools[4];                   /* concurrent tools in use */
    depth_t ancestry;                   /* creators between this partition and the root partition */
    partition_id_t parent;              /* its creator, or the one that it fell to */
    proof_root_id_t proof_root;         /* the root that its P3 proofs lead to */
    uint16_t pages;                     /* pages it owns */
    page_id_t root;                     /* stage-2 root table, when rooted */
    uint16_t records;                   /* its undrained witness records */
    uint16_t quota;                     /* how many it may have, taken from its creator's */
    uint16_t share;                     /* of the processor, taken from its creator's */
    uint8_t numbers;                    /* of partitions: its own, and those that it may still create */
    uint8_t padding_25[1];
    uint16_t edges;                     /* that it may have made and that exist at a time */
    uint16_t edges_made;                /* and how many of those that it made exist */
    uint16_t notifications;
    uint16_t notifications_made;
    uint16_t agents;
    uint16_t agents_made;
    uint16_t units;                     /* of large memory */
    uint16_t units_made;                /* and how many of them its blocks have */
    uint8_t padding_42[6];
    uint64_t refused;                   /* calls refused, and faults, for lack of record space, not yet reported */
    uint32_t generation;                /* advances when the slot is reclaimed */
    uint32_t score;                     /* ppm */
    bool warden;                        /* runs in recovery, too */
    uint8_t padding_65[3];
    pressure_t pressure;                /* how much its edges are cut, in millionths */
    uint64_t deadline;                  /* ns; 0 for none */
    uint64_t nonce;                     /* of the last proof accepted */
    uint64_t entry;                     /* program counter that it was started with */
    struct bucket bucket;
    struct epoch messages;
    struct elevation elevation;
    awaited_t awaited;                  /* what it rests for */
    uint8_t padding_153[7];
    agent_badge_t speaker;              /* the agent that it said speaks; 0 for none */
    struct rest rest;
    partition_id_t other;               /* the other half, while it is one */
    uint8_t padding_185[7];
    uint64_t carried;                   /* what it has sent and received, counted like what an edge carries */
};

/* One page of the pool: what it is used for and who owns it. */
struct page {
    page_kind_t kind;
    partition_id_t owner;
    uint16_t ordinal;                   /* its place among the pages of its owner */
    uint16_t filled;                    /* words appended, for APPEND pages */
    bool fetched;                       /* instruction fetches see what it holds */
    uint8_t padding_7[1];
};

/* One of the places that may refer to a page: the owner's (ordinal 0) or a reader's share. */
struct mapping {
    bool used;                          /* a reader's share exists; always false for the owner's */
    bool linked;                        /* a descriptor was written */
    bool cached;                        /* a TLB may hold the translation */
    partition_id_t partition;           /* whose table holds the descriptor, or the reader */
    page_id_t table;
    entry_id_t entry;
    uint32_t incarnation;               /* of the reader that the page is shared with */
};

/* A Merkle root that P3 proofs lead to, and the one that may replace it. */
struct proof_root {
    uint64_t root[4];                   /* bytes in memory order */
    uint64_t pending[4];
};

/* A channel for messages from one holder of WRITE on it to the holders of READ, first in, first out. */
struct edge {
    capability_id_t origin;             /* made with the edge, and lasts as long; all others descend from it */
    capability_id_t sender;             /* the one that sends, passed on with WRITE; then the origin */
    uint32_t sender_generation;         /* of its slot */
    uint64_t schema;                    /* hash of what its messages look like; set once */
    uint64_t sent;                      /* messages so far, modulo 2^64 */
    uint8_t waiting;                    /* how many of them are not received yet */
    uint8_t padding_25[7];
};

/* Bits that holders of WRITE set and holders of READ take away. */
struct notification {
    capability_id_t origin;             /* made with it, like the origin of an edge */
    uint8_t padding_2[6];
    uint64_t bits;
};

/* What an edge has carried since it was made, and between whom last. */
struct traffic {
    uint64_t carried;                   /* one for each message, and one for each whole 64 bytes of it, modulo 2^64 */
    partition_id_t source;              /* who sent last */
    partition_id_t target;              /* who received last */
    uint8_t padding_10[6];
};

/* A virtio transport: what is behind it, who leased it, and the one request that may be in flight. */
struct device {
    device_kind_t kind;
    bool leased;
    partition_id_t holder;              /* of the lease */
    uint8_t padding_3[1];
    uint32_t incarnation;               /* of the holder */
    uint64_t until;                     /* ns; when the lease ends */
    uint64_t budget;                    /* bytes that may still be moved on the lease */
    bool busy;                          /* a request is in flight */
    bool incoming;                      /* and the device writes into its page */
    page_id_t page;
    bool active;                        /* the device may use what its request names: told, not done, not reset */
    uint8_t padding_29[3];
};

/* Whether a device may read or write a page, and which. */
struct pin {
    bool held;
    device_id_t device;
};

/* An agent: where it lives, what it was made of, who made it, and whom it made. */
struct agent {
    life_t life;
    partition_id_t partition;           /* that it lives in, and ends with */
    uint8_t padding_2[2];
    uint32_t incarnation;               /* of that partition */
    uint32_t generation;                /* how many agents had this row; part of every badge */
    depth_t depth;                      /* agents between it and the one that no agent made */
    uint8_t padding_13[3];
    agent_badge_t parent;               /* who spoke for the partition that made it; 0 for nobody */
    child_id_t place;                   /* its own among its parent's children */
    uint8_t padding_25[7];
    agent_badge_t child[4];             /* the last that it made in each place */
    uint64_t spawned;                   /* ns; when it was found to be attested */
    uint32_t lines;                     /* of 64 bytes, of its module, measured so far */
    uint32_t module[8];                 /* SHA-256 of its module; not finished before it was spawned */
    uint8_t padding_108[4];
};

/* A block of large memory, in the row of its first unit. */
struct block {
    bool used;
    order_t order;                      /* it has 2^order units */
    partition_id_t holder;
    uint8_t padding_3[5];
    uint64_t linked;                    /* of the units of its bank, those of this block that are linked */
    heat_t heat;
    uint8_t padding_17[7];
};

/* Where a unit of large memory was last linked. */
struct unit {
    bool cached;                        /* a TLB may hold the translation */
    unit_id_t head;                     /* the first unit of its block */
    page_id_t table;
    entry_id_t entry;
};

/* The units of a bank, one bit for each. Those in neither mask are dirty: they may hold anything. */
struct bank {
    uint64_t clean;                     /* those in no block that hold zeros */
    uint64_t taken;                     /* those in blocks */
};

/* The whole state. The page pool comes first, so that it lies where the platform puts the kernel. Then comes what
   devices read and write, at known addresses. Then come messages, on whole lines. */
struct kernel {
    struct frame memory[1024];
    struct queue queue[32];
    struct answer answer[32];
    struct message message[2048];
    struct capability capability[4096];
    struct partition partition[64];
    struct page page[1024];
    struct mapping mapping[4096];
    page_id_t owned[8192];
    struct proof_root proof_root[4];
    struct edge edge[256];
    struct notification notification[256];
    struct traffic traffic[256];
    struct device device[32];
    struct pin pin[1024];
    struct agent agent[256];
    struct block block[128];
    uint64_t heads[128];                /* of each partition and bank, the first units of its blocks */
    struct unit unit[128];
    struct bank bank[2];
    unit_id_t cleaning;                 /* the unit that is being cleared, if any of its parts is */
    uint8_t cleaned;                    /* how many of its parts are zero */
    uint8_t padding_5157666[6];
    struct witness_record log[4096];
    uint32_t head[8];                   /* the chain value: SHA-256 of the log so far, not finished */
    uint32_t key[8];                    /* seals checkpoints; set once at boot */
    uint64_t sequence;                  /* of the next record */
    uint64_t drained;                   /* records that have left the log */
    uint64_t copied;                    /* records that readers have copied, without a gap */
    uint16_t kernel_records;            /* undrained records of the kernel itself */
    uint8_t padding_5419906[6];
    uint64_t epoch;
    uint64_t epoch_began;               /* ns */
    uint64_t time;                      /* ns; the last time used */
    uint64_t switches;                  /* since the last epoch record */
    mode_t mode;
    partition_id_t turn;                /* whose turn it was last in the fair lane */
    bool urges;                         /* the next turn is one of the priority lane, if anybody is urgent */
    claim_t claim[64];                  /* how much each partition claimed the processor when it was last given on */
    partition_id_t current;             /* who runs, or ran last; while nobody can, one that rests, if any does */
    bool idle;                          /* nobody runs until the processor is given on */
    uint8_t padding_5420013[3];
};

/* What the platform measured and was given before the kernel's first record. */
struct boot_information {
    uint32_t key[8];
    uint64_t attested[4];               /* the root in force in every proof root at first */
    uint32_t measurement[56];           /* SHA-256 of what each of the seven boot phases relies on, eight words each */
    uint64_t now;                       /* ns */
    uint16_t package;                   /* pages of the boot package, root's own first */
    uint16_t text;                      /* of these, root's code */
    uint16_t data;                      /* of these, root's data */
    uint16_t restarts;                  /* since the last cold start, or DAMAGED */
};

/* One hypercall: what was asked, and the answer. */
struct call {
    uint64_t now;                       /* ns; what the clock says, then the time that the call uses */
    uint64_t operation;
    uint64_t argument[6];               /* x1 .. x6: the handle first */
    capability_id_t capability;         /* the slot that the handle led to, set by the gate */
    bool yields;                        /* give way to the next partition afterwards */
    uint8_t padding_67[5];
    uint64_t result[3];                 /* x1 .. x3 */
};

/* The beginning of a boot package; the rest of its page is measured, but not read otherwise. */
struct package_header {
    uint64_t magic;                     /* PACKAGE_MAGIC */
    uint64_t version;                   /* PACKAGE_VERSION */
    uint64_t pages;                     /* after the page of the header */
    uint64_t text;                      /* of these, root's code, which comes first */
    uint64_t data;                      /* of these, root's data, which comes next */
};

/* What the host puts into the region `secret` before the processor starts. */
struct secret {
    uint64_t key[4];                    /* as it lies in memory */
    uint64_t attested[4];               /* first proof root */
    uint64_t rest[504];
};

/* A record of the log, as it lies in memory. */
struct kept_record {
    uint64_t word[8];
};

/* The log of a kernel that could not go on, as far as it was not drained, and what vouches for it. */
struct kept {
    uint64_t magic;                     /* KEPT_MAGIC, until somebody has looked at it */
    uint64_t restarts;                  /* how often the kernel has started again, with the start to come */
    uint64_t checkpoint[16];            /* a sealed one, of the end of the log */
    uint64_t tag[4];                    /* vouches for the number of restarts and the records */
    struct kept_record log[4096];       /* the oldest first */
};

/* The layout that the proofs, the decoder and the assembly rely on. */
#define PIN(record, field, offset) \
    _Static_assert(offsetof(struct record, field) == (offset), #record "." #field " has moved")
#define PIN_SIZE(record, size) _Static_assert(sizeof(struct record) == (size), #record " has another size")
PIN_SIZE(witness_record, 64);
PIN(witness_record, sequence, 0);
PIN(witness_record, time, 8);
PIN(witness_record, kind, 16);
PIN(witness_record, tier, 17);
PIN(witness_record, status, 18);
PIN(witness_record, operation, 19);
PIN(witness_record, actor, 20);
PIN(witness_record, refused, 22);
PIN(witness_record, object, 24);
PIN(witness_record, capability, 32);
PIN(witness_record, payload, 40);
PIN(witness_record, link, 48);
PIN_SIZE(frame, 4096);
PIN(frame, word, 0);
PIN_SIZE(descriptor, 16);
PIN(descriptor, address, 0);
PIN(descriptor, length, 8);
PIN(descriptor, flags, 12);
PIN(descriptor, next, 14);
PIN_SIZE(queue, 96);
PIN(queue, header, 0);
PIN(queue, data, 16);
PIN(queue, status, 32);
PIN(queue, spare, 48);
PIN(queue, flags, 64);
PIN(queue, available, 66);
PIN(queue, ring, 68);
PIN(queue, event, 76);
PIN(queue, reserved, 78);
PIN(queue, type, 80);
PIN(queue, priority, 84);
PIN(queue, sector, 88);
PIN_SIZE(answer, 40);
PIN(answer, flags, 0);
PIN(answer, used, 2);
PIN(answer, element, 4);
PIN(answer, event, 36);
PIN(answer, status, 38);
PIN_SIZE(message, 320);
PIN(message, length, 0);
PIN(message, badge, 8);
PIN(message, schema, 16);
PIN(message, sequence, 24);
PIN(message, agent, 32);
PIN(message, source, 40);
PIN(message, reserved, 48);
PIN(message, word, 64);
PIN_SIZE(capability, 40);
PIN(capability, kind, 0);
PIN(capability, depth, 1);
PIN(capability, rights, 2);
PIN(capability, object, 4);
PIN(capability, incarnation, 8);
PIN(capability, generation, 12);
PIN(capability, lineage, 16);
PIN(capability, parent, 20);
PIN(capability, parent_lineage, 24);
PIN(capability, badge, 32);
PIN_SIZE(bucket, 16);
PIN(bucket, credit, 0);
PIN(bucket, refilled, 8);
PIN_SIZE(epoch, 16);
PIN(epoch, used, 0);
PIN(epoch, began, 8);
PIN_SIZE(elevation, 24);
PIN(elevation, active, 0);
PIN(elevation, ring, 1);
PIN(elevation, expires, 8);
PIN(elevation, attestation, 16);
PIN_SIZE(rest, 16);
PIN(rest, edge, 0);
PIN(rest, notification, 1);
PIN(rest, until, 8);
PIN_SIZE(partition, 200);
PIN(partition, state, 0);
PIN(partition, failure, 1);
PIN(partition, ring, 2);
PIN(partition, consensus, 3);
PIN(partition, rooted, 4);
PIN(partition, walked, 5);
PIN(partition, fresh, 6);
PIN(partition, tools, 7);
PIN(partition, ancestry, 11);
PIN(partition, parent, 12);
PIN(partition, proof_root, 13);
PIN(partition, pages, 14);
PIN(partition, root, 16);
PIN(partition, records, 18);
PIN(partition, quota, 20);
PIN(partition, share, 22);
PIN(partition, numbers, 24);
PIN(partition, edges, 26);
PIN(partition, edges_made, 28);
PIN(partition, notifications, 30);
PIN(partition, notifications_made, 32);
PIN(partition, agents, 34);
PIN(partition, agents_made, 36);
PIN(partition, units, 38);
PIN(partition, units_made, 40);
PIN(partition, refused, 48);
PIN(partition, generation, 56);
PIN(partition, score, 60);
PIN(partition, warden, 64);
PIN(partition, pressure, 68);
PIN(partition, deadline, 72);
PIN(partition, nonce, 80);
PIN(partition, entry, 88);
PIN(partition, bucket, 96);
PIN(partition, messages, 112);
PIN(partition, elevation, 128);
PIN(partition, awaited, 152);
PIN(partition, speaker, 160);
PIN(partition, rest, 168);
PIN(partition, other, 184);
PIN(partition, carried, 192);
PIN_SIZE(page, 8);
PIN(page, kind, 0);
PIN(page, owner, 1);
PIN(page, ordinal, 2);
PIN(page, filled, 4);
PIN(page, fetched, 6);
PIN_SIZE(mapping, 12);
PIN(mapping, used, 0);
PIN(mapping, linked, 1);
PIN(mapping, cached, 2);
PIN(mapping, partition, 3);
PIN(mapping, table, 4);
PIN(mapping, entry, 6);
PIN(mapping, incarnation, 8);
PIN_SIZE(proof_root, 64);
PIN(proof_root, root, 0);
PIN(proof_root, pending, 32);
PIN_SIZE(edge, 32);
PIN(edge, origin, 0);
PIN(edge, sender, 2);
PIN(edge, sender_generation, 4);
PIN(edge, schema, 8);
PIN(edge, sent, 16);
PIN(edge, waiting, 24);
PIN_SIZE(notification, 16);
PIN(notification, origin, 0);
PIN(notification, bits, 8);
PIN_SIZE(traffic, 16);
PIN(traffic, carried, 0);
PIN(traffic, source, 8);
PIN(traffic, target, 9);
PIN_SIZE(device, 32);
PIN(device, kind, 0);
PIN(device, leased, 1);
PIN(device, holder, 2);
PIN(device, incarnation, 4);
PIN(device, until, 8);
PIN(device, budget, 16);
PIN(device, busy, 24);
PIN(device, incoming, 25);
PIN(device, page, 26);
PIN(device, active, 28);
PIN_SIZE(pin, 2);
PIN(pin, held, 0);
PIN(pin, device, 1);
PIN_SIZE(agent, 112);
PIN(agent, life, 0);
PIN(agent, partition, 1);
PIN(agent, incarnation, 4);
PIN(agent, generation, 8);
PIN(agent, depth, 12);
PIN(agent, parent, 16);
PIN(agent, place, 24);
PIN(agent, child, 32);
PIN(agent, spawned, 64);
PIN(agent, lines, 72);
PIN(agent, module, 76);
PIN_SIZE(block, 24);
PIN(block, used, 0);
PIN(block, order, 1);
PIN(block, holder, 2);
PIN(block, linked, 8);
PIN(block, heat, 16);
PIN_SIZE(unit, 6);
PIN(unit, cached, 0);
PIN(unit, head, 1);
PIN(unit, table, 2);
PIN(unit, entry, 4);
PIN_SIZE(bank, 16);
PIN(bank, clean, 0);
PIN(bank, taken, 8);
PIN_SIZE(kernel, 5420016);
PIN(kernel, memory, 0);
PIN(kernel, queue, 4194304);
PIN(kernel, answer, 4197376);
PIN(kernel, message, 4198656);
PIN(kernel, capability, 4854016);
PIN(kernel, partition, 5017856);
PIN(kernel, page, 5030656);
PIN(kernel, mapping, 5038848);
PIN(kernel, owned, 5088000);
PIN(kernel, proof_root, 5104384);
PIN(kernel, edge, 5104640);
PIN(kernel, notification, 5112832);
PIN(kernel, traffic, 5116928);
PIN(kernel, device, 5121024);
PIN(kernel, pin, 5122048);
PIN(kernel, agent, 5124096);
PIN(kernel, block, 5152768);
PIN(kernel, heads, 5155840);
PIN(kernel, unit, 5156864);
PIN(kernel, bank, 5157632);
PIN(kernel, cleaning, 5157664);
PIN(kernel, cleaned, 5157665);
PIN(kernel, log, 5157672);
PIN(kernel, head, 5419816);
PIN(kernel, key, 5419848);
PIN(kernel, sequence, 5419880);
PIN(kernel, drained, 5419888);
PIN(kernel, copied, 5419896);
PIN(kernel, kernel_records, 5419904);
PIN(kernel, epoch, 5419912);
PIN(kernel, epoch_began, 5419920);
PIN(kernel, time, 5419928);
PIN(kernel, switches, 5419936);
PIN(kernel, mode, 5419944);
PIN(kernel, turn, 5419945);
PIN(kernel, urges, 5419946);
PIN(kernel, claim, 5419947);
PIN(kernel, current, 5420011);
PIN(kernel, idle, 5420012);
PIN_SIZE(boot_information, 304);
PIN(boot_information, key, 0);
PIN(boot_information, attested, 32);
PIN(boot_information, measurement, 64);
PIN(boot_information, now, 288);
PIN(boot_information, package, 296);
PIN(boot_information, text, 298);
PIN(boot_information, data, 300);
PIN(boot_information, restarts, 302);
PIN_SIZE(call, 96);
PIN(call, now, 0);
PIN(call, operation, 8);
PIN(call, argument, 16);
PIN(call, capability, 64);
PIN(call, yields, 66);
PIN(call, result, 72);
PIN_SIZE(package_header, 40);
PIN(package_header, magic, 0);
PIN(package_header, version, 8);
PIN(package_header, pages, 16);
PIN(package_header, text, 24);
PIN(package_header, data, 32);
PIN_SIZE(secret, 4096);
PIN(secret, key, 0);
PIN(secret, attested, 32);
PIN(secret, rest, 64);
PIN_SIZE(kept_record, 64);
PIN(kept_record, word, 0);
PIN_SIZE(kept, 262320);
PIN(kept, magic, 0);
PIN(kept, restarts, 8);
PIN(kept, checkpoint, 16);
PIN(kept, tag, 144);
PIN(kept, log, 176);

#endif
