/* Generated from spec/kernel/vocabulary.py, spec/kernel/state.py, spec/kernel/hypercalls.py,
   model/kernel/capability.py, model/kernel/memory.py, model/kernel/partition.py, model/kernel/ring.py,
   model/kernel/witness.py, model/kernel/proof.py, model/kernel/schedule.py, model/kernel/console.py,
   model/kernel/edge.py, model/kernel/traffic.py, model/kernel/device.py, model/kernel/agent.py,
   model/kernel/block.py, model/kernel/unit.py, model/kernel/halves.py
   with codegen/templates/hypercall.h.j2: edit those, not this.
   Content: sha256 e6df762c2af45346 */

/* How does a guest at EL1 call the kernel? HVC #0: x0 the operation, x1 .. x6 the arguments; back come the status
   in x0 and the results in x1 .. x3. */

#ifndef HYPERCALL_H
#define HYPERCALL_H

#include <stdbool.h>
#include <stdint.h>

/* The caller's own partition, where an argument is a handle. */
#define SELF 0x3fffffffffull
/* The most records that one read copies, or one discard drops. */
#define DRAIN_LIMIT 8
#define CONSOLE_WORDS 128
#define CONSOLE_TEXT_WORDS 64
/* The living children of an agent, and the bits of a badge that hold its row, below how many agents had that row. */
#define CHILDREN 4
#define BADGE_ROW_BITS 8

typedef uint8_t partition_id_t;         /* 0 .. 63 */
typedef uint8_t slot_id_t;              /* 0 .. 63 */
typedef uint16_t page_id_t;             /* 0 .. 1023 */
typedef uint16_t entry_id_t;            /* 0 .. 511 */
typedef uint8_t ordinal_t;              /* 0 .. 3 */
typedef uint8_t edge_id_t;              /* 0 .. 255 */
typedef uint8_t edge_group_t;           /* 0 .. 31 */
typedef uint8_t notification_id_t;      /* 0 .. 255 */
typedef uint8_t agent_id_t;             /* 0 .. 255 */
typedef uint64_t agent_badge_t;         /* 0 .. 1099511627775 */
typedef uint8_t child_id_t;             /* 0 .. 3 */
typedef uint8_t part_id_t;              /* 0 .. 15 */
typedef uint8_t unit_id_t;              /* 0 .. 127 */
typedef uint8_t order_t;                /* 0 .. 5 */
typedef uint16_t use_t;                 /* 0 .. 10000 */
typedef uint64_t handle_t;              /* 0 .. 274877906943 */
typedef uint32_t pressure_t;            /* 0 .. 1048575 */

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

/* What a stage-2 mapping permits. */
typedef uint8_t access_t;
enum {
    ACCESS_READ = 0x1,
    ACCESS_WRITE = 0x2,
    ACCESS_EXECUTE = 0x4,
};

/* What a tool may reach outside its partition. */
typedef uint8_t resource_t;
enum {
    RESOURCE_TOOL = 0,
    RESOURCE_NETWORK = 1,
    RESOURCE_FILESYSTEM = 2,
    RESOURCE_SUBPROCESS = 3,
};

/* Who may run, and by which lanes. */
typedef uint8_t mode_t;
enum {
    MODE_FLOW = 0,                      /* the priority lane goes to whoever has a deadline or is under pressure */
    MODE_REFLEX = 1,                    /* it goes to those with deadlines alone */
    MODE_RECOVERY = 2,                  /* only wardens run */
    MODE_HALTED = 3,                    /* nobody runs; no hypercall leads there */
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

/* How close a block of large memory is to who uses it. Only what is hot or warm may be linked. */
typedef uint8_t heat_t;
enum {
    HEAT_HOT = 0,                       /* as every block begins */
    HEAT_WARM = 1,
    HEAT_DORMANT = 2,
    HEAT_COLD = 3,
};

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

/* How words appear on the console. */
typedef uint8_t format_t;
enum {
    FORMAT_TEXT = 0,
    FORMAT_HEX = 1,
};

/* Execution rings; the smaller, the more privileged. */
typedef uint8_t ring_t;
enum {
    RING_ROOT = 0,
    RING_PRIVILEGED = 1,
    RING_STANDARD = 2,
    RING_SANDBOX = 3,
};

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

/* What the kernel answers. */
struct answer {
    uint64_t status;
    uint64_t result[3];
};

/* Any call at all. */
static inline struct answer hypercall(uint64_t operation, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
                                      uint64_t a5, uint64_t a6)
{
    register uint64_t x0 __asm__("x0") = operation;
    register uint64_t x1 __asm__("x1") = a1;
    register uint64_t x2 __asm__("x2") = a2;
    register uint64_t x3 __asm__("x3") = a3;
    register uint64_t x4 __asm__("x4") = a4;
    register uint64_t x5 __asm__("x5") = a5;
    register uint64_t x6 __asm__("x6") = a6;
    __asm__ volatile("hvc #0" : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3) : "r"(x4), "r"(x5), "r"(x6) : "memory");
    return (struct answer){x0, {x1, x2, x3}};
}

/* Derive a weaker capability into the free `slot` of the caller or of the partition `into`. The `badge` is chosen
   once, by the holder of the first capability. */
static inline struct answer capability_grant(handle_t handle, slot_id_t slot, right_t rights, handle_t into,
                                             uint64_t badge)
{
    return hypercall(OPERATION_CAPABILITY_GRANT, handle, slot, rights, into, badge, 0);
}

/* Invalidate every descendant at once; the capability itself stays. */
static inline struct answer capability_revoke(handle_t handle)
{
    return hypercall(OPERATION_CAPABILITY_REVOKE, handle, 0, 0, 0, 0, 0);
}

/* Free a slot of the caller, whether its capability is live or not; what was derived from it dies with it. */
static inline struct answer capability_delete(handle_t handle)
{
    return hypercall(OPERATION_CAPABILITY_DELETE, handle, 0, 0, 0, 0, 0);
}

/* Tell the caller what one of its capabilities names and permits. */
static inline struct answer capability_inspect(handle_t handle)
{
    return hypercall(OPERATION_CAPABILITY_INSPECT, handle, 0, 0, 0, 0, 0);
}

/* Empty a slot of a partition, no matter what it holds and who put that there. What was derived from it dies with
   it. */
static inline struct answer capability_withdraw(handle_t handle, slot_id_t slot)
{
    return hypercall(OPERATION_CAPABILITY_WITHDRAW, handle, slot, 0, 0, 0, 0);
}

/* Take a free page of the region for the partition `into`, as data or as a table. */
static inline struct answer page_create(handle_t handle, page_id_t page, page_kind_t kind, handle_t into)
{
    return hypercall(OPERATION_PAGE_CREATE, handle, page, kind, into, 0, 0);
}

/* Zero a page of the partition and return it to the pool; nothing may refer to it any more. */
static inline struct answer page_release(handle_t handle, page_id_t page)
{
    return hypercall(OPERATION_PAGE_RELEASE, handle, page, 0, 0, 0, 0);
}

/* Hand a data page and its contents to the partition `into`. */
static inline struct answer page_transfer(handle_t handle, page_id_t page, handle_t into)
{
    return hypercall(OPERATION_PAGE_TRANSFER, handle, page, into, 0, 0, 0);
}

/* Make a level-1 table the stage-2 root of a partition that has not started. */
static inline struct answer table_root(handle_t handle, page_id_t page)
{
    return hypercall(OPERATION_TABLE_ROOT, handle, page, 0, 0, 0, 0);
}

/* Enter a table into an empty entry of a table one level above. */
static inline struct answer table_link(handle_t handle, page_id_t table, entry_id_t entry, page_id_t child)
{
    return hypercall(OPERATION_TABLE_LINK, handle, table, entry, child, 0, 0);
}

/* Map a partition's data page at an empty entry of its own level-3 table; never both writable and executable. */
static inline struct answer page_map(handle_t handle, page_id_t page, page_id_t table, entry_id_t entry,
                                     access_t access)
{
    return hypercall(OPERATION_PAGE_MAP, handle, page, table, entry, access, 0);
}

/* Take a partition's own page, data or table, out of the table it is linked in. */
static inline struct answer page_unmap(handle_t handle, page_id_t page)
{
    return hypercall(OPERATION_PAGE_UNMAP, handle, page, 0, 0, 0, 0);
}

/* Let the partition `reader` map a data page of the named partition, to read; `ordinal` 1 to 3 names the share. */
static inline struct answer page_share(handle_t handle, page_id_t page, ordinal_t ordinal, handle_t reader)
{
    return hypercall(OPERATION_PAGE_SHARE, handle, page, ordinal, reader, 0, 0);
}

/* Map a page that a living partition shares with this one, read-only. The place is an empty entry of a level-3 table
   of this one's own. */
static inline struct answer share_map(handle_t handle, page_id_t page, ordinal_t ordinal, page_id_t table,
                                      entry_id_t entry)
{
    return hypercall(OPERATION_SHARE_MAP, handle, page, ordinal, table, entry, 0);
}

/* End a share of a partition's own page; the reader's mapping goes at once. */
static inline struct answer page_unshare(handle_t handle, page_id_t page, ordinal_t ordinal)
{
    return hypercall(OPERATION_PAGE_UNSHARE, handle, page, ordinal, 0, 0, 0);
}

/* Write the next word of an append-only page, which nobody can write in any other way. */
static inline struct answer page_append(handle_t handle, page_id_t page, uint64_t value)
{
    return hypercall(OPERATION_PAGE_APPEND, handle, page, value, 0, 0, 0);
}

/* Bring a vacant partition to life, sandboxed, with all rights over it in the caller's free `slot`. */
static inline struct answer partition_create(handle_t handle, partition_id_t p, slot_id_t slot, uint16_t quota)
{
    return hypercall(OPERATION_PARTITION_CREATE, handle, p, slot, quota, 0, 0);
}

/* Take charge of a partition that the caller created, or that fell to the caller. All rights over it go into the
   caller's free `slot`. */
static inline struct answer partition_adopt(handle_t handle, partition_id_t p, slot_id_t slot)
{
    return hypercall(OPERATION_PARTITION_ADOPT, handle, p, slot, 0, 0, 0);
}

/* Let a created partition run from `entry`. */
static inline struct answer partition_start(handle_t handle, uint64_t entry)
{
    return hypercall(OPERATION_PARTITION_START, handle, entry, 0, 0, 0, 0);
}

/* Stop a running partition where it is. */
static inline struct answer partition_suspend(handle_t handle)
{
    return hypercall(OPERATION_PARTITION_SUSPEND, handle, 0, 0, 0, 0, 0);
}

/* Let a suspended partition go on. */
static inline struct answer partition_resume(handle_t handle)
{
    return hypercall(OPERATION_PARTITION_RESUME, handle, 0, 0, 0, 0, 0);
}

/* Put a running or suspended partition into a long rest. */
static inline struct answer partition_hibernate(handle_t handle, page_id_t proof)
{
    return hypercall(OPERATION_PARTITION_HIBERNATE, handle, 0, 0, 0, 0, proof);
}

/* Bring a hibernated partition back, ready to get another root and to start. */
static inline struct answer partition_reconstruct(handle_t handle, page_id_t proof)
{
    return hypercall(OPERATION_PARTITION_RECONSTRUCT, handle, 0, 0, 0, 0, proof);
}

/* End a partition for good; one that is merged, only when it holds nothing more. Its slots become empty, what hangs
   on them dies, and the partitions that it created fall to its own creator. `partition_release` then frees its
   pages, one by one, and `block_release` its blocks. */
static inline struct answer partition_destroy(handle_t handle, page_id_t proof)
{
    return hypercall(OPERATION_PARTITION_DESTROY, handle, 0, 0, 0, 0, proof);
}

/* Free a page of a destroyed partition, if there is one. Return how many are left, and the first block that is to be
   released, or the number of units if there is none. */
static inline struct answer partition_release(handle_t handle)
{
    return hypercall(OPERATION_PARTITION_RELEASE, handle, 0, 0, 0, 0, 0);
}

/* Make the number of an emptied partition free for another incarnation; capabilities on the old one die. */
static inline struct answer partition_reclaim(handle_t handle)
{
    return hypercall(OPERATION_PARTITION_RECLAIM, handle, 0, 0, 0, 0, 0);
}

/* Record that a partition failed worse than before. */
static inline struct answer partition_fail(handle_t handle, failure_class_t failure)
{
    return hypercall(OPERATION_PARTITION_FAIL, handle, failure, 0, 0, 0, 0);
}

/* Stop every partition at once; ring 0, so out of reach without a witness from outside. */
static inline struct answer system_halt(handle_t handle)
{
    return hypercall(OPERATION_SYSTEM_HALT, handle, 0, 0, 0, 0, 0);
}

/* Let a partition that the caller created use up more, out of the caller's own. It gets more records, partitions
   with the least share of the processor for each, edges, notifications, agents or units of large memory, or more of
   the processor. */
static inline struct answer partition_endow(handle_t handle, allowance_t what, uint16_t amount)
{
    return hypercall(OPERATION_PARTITION_ENDOW, handle, what, amount, 0, 0, 0);
}

/* Take a page of the region back from its owner, zeroed, with every reference to it. */
static inline struct answer region_reclaim(handle_t handle, page_id_t page)
{
    return hypercall(OPERATION_REGION_RECLAIM, handle, page, 0, 0, 0, 0);
}

/* Set the trust score and consensus of another partition, and the ring that follows. They stay within what the
   caller has of its own. */
static inline struct answer ring_assign(handle_t handle, handle_t of, uint32_t score, bool consensus)
{
    return hypercall(OPERATION_RING_ASSIGN, handle, of, score, consensus, 0, 0);
}

/* Lower the score of a partition, recompute its ring with the consensus it had, and end any elevation. */
static inline struct answer ring_demote(handle_t handle, uint32_t score)
{
    return hypercall(OPERATION_RING_DEMOTE, handle, score, 0, 0, 0, 0);
}

/* Hold a better ring for a while (default 300 s, at most 3600 s). Ring 1 asks for an attestation, and lasts only as
   long as the attestation is live. */
static inline struct answer ring_elevate(ring_t target, uint32_t seconds, handle_t attestation)
{
    return hypercall(OPERATION_RING_ELEVATE, 0, target, seconds, attestation, 0, 0);
}

/* End the elevation of a partition before its time. */
static inline struct answer ring_restore(handle_t handle)
{
    return hypercall(OPERATION_RING_RESTORE, handle, 0, 0, 0, 0, 0);
}

/* Count one more concurrent tool, as far as the ring allows; return how many there are. */
static inline struct answer tool_acquire(resource_t resource)
{
    return hypercall(OPERATION_TOOL_ACQUIRE, 0, resource, 0, 0, 0, 0);
}

/* Count one concurrent tool of a resource less, among those that the ring allows. */
static inline struct answer tool_release(resource_t resource)
{
    return hypercall(OPERATION_TOOL_RELEASE, 0, resource, 0, 0, 0, 0);
}

/* Copy records into the caller's page, from number `first` on, eight if there are so many; they stay in the log. */
static inline struct answer witness_read(handle_t handle, page_id_t page, uint64_t first)
{
    return hypercall(OPERATION_WITNESS_READ, handle, page, first, 0, 0, 0);
}

/* Write a checkpoint, sealed with HMAC-SHA256 under the boot key, to the start of the caller's page. */
static inline struct answer witness_seal(handle_t handle, page_id_t page)
{
    return hypercall(OPERATION_WITNESS_SEAL, handle, page, 0, 0, 0, 0);
}

/* Drop the oldest records, eight at most, up to number `last`, which a reader has copied. A caller that may not read
   learns nothing from it. */
static inline struct answer witness_discard(handle_t handle, uint64_t last)
{
    return hypercall(OPERATION_WITNESS_DISCARD, handle, last, 0, 0, 0, 0);
}

/* Tell the caller the nonce that its next proof must carry, and which proof root binds it. */
static inline struct answer proof_inspect(void)
{
    return hypercall(OPERATION_PROOF_INSPECT, 0, 0, 0, 0, 0, 0);
}

/* Write one of the four words of the root that `proof_root_commit` will put in force. */
static inline struct answer proof_root_propose(handle_t handle, uint8_t position, uint64_t value)
{
    return hypercall(OPERATION_PROOF_ROOT_PROPOSE, handle, position, value, 0, 0, 0);
}

/* Let the P3 proofs of a partition lead to this root from now on. */
static inline struct answer proof_root_bind(handle_t handle, handle_t into, page_id_t proof)
{
    return hypercall(OPERATION_PROOF_ROOT_BIND, handle, into, 0, 0, 0, proof);
}

/* Put the proposed root in force, on a proof of all its words against the very root that it replaces. */
static inline struct answer proof_root_commit(handle_t handle, page_id_t proof)
{
    return hypercall(OPERATION_PROOF_ROOT_COMMIT, handle, 0, 0, 0, 0, proof);
}

/* Give the rest of the quantum away, once the call is recorded. */
static inline struct answer yield_now(void)
{
    return hypercall(OPERATION_YIELD_NOW, 0, 0, 0, 0, 0, 0);
}

/* Write `words` words of the caller's page to the console, from word `first` on; more output takes more calls. */
static inline struct answer console_write(handle_t handle, page_id_t page, entry_id_t first, uint16_t words,
                                          format_t format)
{
    return hypercall(OPERATION_CONSOLE_WRITE, handle, page, first, words, format, 0);
}

/* Make an edge for messages of one schema, with all rights on it in the caller's free `slot`. It ends when that slot
   is emptied. */
static inline struct answer edge_create(handle_t handle, edge_id_t e, slot_id_t slot, uint64_t schema)
{
    return hypercall(OPERATION_EDGE_CREATE, handle, e, slot, schema, 0, 0);
}

/* End an edge, through the capability that was made with it. All other capabilities on it die, and what was not
   received is lost. */
static inline struct answer edge_destroy(handle_t handle)
{
    return hypercall(OPERATION_EDGE_DESTROY, handle, 0, 0, 0, 0, 0);
}

/* Append a message to an edge, as the one that sends. The message is `length` words of the caller's page, under the
   badges of the caller's slot and of the agent that speaks. */
static inline struct answer edge_send(handle_t handle, page_id_t page, uint16_t length, uint64_t schema)
{
    return hypercall(OPERATION_EDGE_SEND, handle, page, length, schema, 0, 0);
}

/* Move the oldest message of an edge to the start of the caller's page; return its length, badge and number. */
static inline struct answer edge_receive(handle_t handle, page_id_t page)
{
    return hypercall(OPERATION_EDGE_RECEIVE, handle, page, 0, 0, 0, 0);
}

/* Make a notification, with all rights on it in the caller's free `slot`; it ends when that slot is emptied. */
static inline struct answer notification_create(handle_t handle, notification_id_t n, slot_id_t slot)
{
    return hypercall(OPERATION_NOTIFICATION_CREATE, handle, n, slot, 0, 0, 0);
}

/* Set bits of a notification: those of the caller's badge, or any through the capability that was made with it. */
static inline struct answer notification_signal(handle_t handle, uint64_t bits)
{
    return hypercall(OPERATION_NOTIFICATION_SIGNAL, handle, bits, 0, 0, 0, 0);
}

/* Take all bits that are set; if none is set, the caller may give way and ask again. */
static inline struct answer notification_wait(handle_t handle)
{
    return hypercall(OPERATION_NOTIFICATION_WAIT, handle, 0, 0, 0, 0, 0);
}

/* Write what eight edges have carried to the start of the caller's page, two words for each. */
static inline struct answer graph_read(handle_t handle, page_id_t page, edge_group_t group)
{
    return hypercall(OPERATION_GRAPH_READ, handle, page, group, 0, 0, 0);
}

/* Rest until a message waits in the edge, for `patience` ns at most; return 1 at once if one waits already. */
static inline struct answer edge_await(handle_t handle, uint64_t patience)
{
    return hypercall(OPERATION_EDGE_AWAIT, handle, patience, 0, 0, 0, 0);
}

/* Rest until a bit is set, for `patience` ns at most; return 1 at once if one is set already. */
static inline struct answer notification_await(handle_t handle, uint64_t patience)
{
    return hypercall(OPERATION_NOTIFICATION_AWAIT, handle, patience, 0, 0, 0, 0);
}

/* Say how urgent a partition is: its deadline `within` so many ns, or 0 for none, and how much its edges are cut. A
   warden runs in recovery, too. */
static inline struct answer schedule_prioritize(handle_t handle, handle_t of, pressure_t pressure, bool warden,
                                                uint64_t within)
{
    return hypercall(OPERATION_SCHEDULE_PRIORITIZE, handle, of, pressure, warden, within, 0);
}

/* Change who may run, and by which lanes; only a warden may let nobody but wardens run. */
static inline struct answer schedule_mode(handle_t handle, mode_t mode)
{
    return hypercall(OPERATION_SCHEDULE_MODE, handle, mode, 0, 0, 0, 0);
}

/* Lease a device for so many nanoseconds and bytes, at most the limits, or renew the caller's own lease. A lease
   that has ended is taken over: the device is reset first. */
static inline struct answer device_lease(handle_t handle, uint64_t duration, uint64_t budget)
{
    return hypercall(OPERATION_DEVICE_LEASE, handle, duration, budget, 0, 0, 0);
}

/* End a lease, as its holder or with REVOKE; the device is reset, and what was in flight is not. */
static inline struct answer device_return(handle_t handle)
{
    return hypercall(OPERATION_DEVICE_RETURN, handle, 0, 0, 0, 0, 0);
}

/* Let a leased device read or write whole sectors of the caller's page; the page is pinned until that is over. */
static inline struct answer device_submit(handle_t handle, page_id_t page, uint16_t offset, uint16_t length,
                                          bool incoming, uint64_t sector)
{
    return hypercall(OPERATION_DEVICE_SUBMIT, handle, page, offset, length, incoming, sector);
}

/* Take in that a device is done with a request, and unpin the page. Returns the status that a block device gave, or
   how many bytes a receiver says that it wrote, at most all. */
static inline struct answer device_complete(handle_t handle)
{
    return hypercall(OPERATION_DEVICE_COMPLETE, handle, 0, 0, 0, 0, 0);
}

/* Begin an agent in a partition, in a row where none lives; return its badge. If an agent speaks for the caller, it
   is the parent, and the child has the `place` that is named among its children. */
static inline struct answer agent_create(handle_t handle, agent_id_t agent, child_id_t place)
{
    return hypercall(OPERATION_AGENT_CREATE, handle, agent, place, 0, 0, 0);
}

/* Measure the next 256 bytes of the module of an agent that begins: a part of a page of its partition. */
static inline struct answer agent_measure(handle_t handle, agent_badge_t badge, page_id_t page, part_id_t part)
{
    return hypercall(OPERATION_AGENT_MEASURE, handle, badge, page, part, 0, 0);
}

/* Let an agent run whose module was measured, on a path from the hash of that to the root in force. The hash begins
   with the eight bytes `module`, so the record tells what the agent is. */
static inline struct answer agent_spawn(handle_t handle, agent_badge_t badge, uint64_t module, page_id_t proof)
{
    return hypercall(OPERATION_AGENT_SPAWN, handle, badge, module, 0, 0, proof);
}

/* Move an agent from its `old` state along an edge of its life; out of its beginning, only to its end. */
static inline struct answer agent_change(handle_t handle, agent_badge_t badge, life_t life, life_t old)
{
    return hypercall(OPERATION_AGENT_CHANGE, handle, badge, life, old, 0, 0);
}

/* Say which of the caller's agents speaks: it signs what the caller sends, and is the parent of whom it makes. */
static inline struct answer agent_speak(agent_badge_t badge)
{
    return hypercall(OPERATION_AGENT_SPEAK, 0, badge, 0, 0, 0, 0);
}

/* Give the partition 2^order units of large memory, all zero; return the first of them. */
static inline struct answer block_create(handle_t handle, order_t order)
{
    return hypercall(OPERATION_BLOCK_CREATE, handle, order, 0, 0, 0, 0);
}

/* Take a block of the partition back, of which no unit is linked; it is dirty until it is cleaned. */
static inline struct answer block_release(handle_t handle, unit_id_t unit)
{
    return hypercall(OPERATION_BLOCK_RELEASE, handle, unit, 0, 0, 0, 0);
}

/* Clear 64 KiB of a dirty unit; return how much of it is left. When all of it is zero, it is clean. */
static inline struct answer block_clean(void)
{
    return hypercall(OPERATION_BLOCK_CLEAN, 0, 0, 0, 0, 0, 0);
}

/* Map a unit of the block of a partition that begins with `head`, to read or to write, never to execute. The place
   is an empty entry of a table of units of the partition's own. */
static inline struct answer block_map(handle_t handle, unit_id_t head, unit_id_t unit, page_id_t table,
                                      entry_id_t entry, access_t access)
{
    return hypercall(OPERATION_BLOCK_MAP, handle, head, unit, table, entry, access);
}

/* Take a unit of a block out of the table it is linked in, though its holder was destroyed. */
static inline struct answer block_unmap(handle_t handle, unit_id_t head, unit_id_t unit)
{
    return hypercall(OPERATION_BLOCK_UNMAP, handle, head, unit, 0, 0, 0);
}

/* Hand a block, with all that its units hold, to the partition `into`; none of its units may be linked. */
static inline struct answer block_transfer(handle_t handle, unit_id_t unit, handle_t into)
{
    return hypercall(OPERATION_BLOCK_TRANSFER, handle, unit, into, 0, 0, 0);
}

/* Move a block from its `old` tier to the next hotter or colder one, as it is of so much use, of 10000. None of its
   units may be linked when it becomes dormant. */
static inline struct answer block_retier(handle_t handle, unit_id_t unit, heat_t old, heat_t new, use_t use)
{
    return hypercall(OPERATION_BLOCK_RETIER, handle, unit, old, new, use, 0);
}

/* Begin to split a partition. The other half is the partition `into`, which the caller created and which has no
   stage-2 root yet. */
static inline struct answer partition_split(handle_t handle, handle_t into, page_id_t proof)
{
    return hypercall(OPERATION_PARTITION_SPLIT, handle, into, 0, 0, 0, proof);
}

/* Begin to merge a partition into the partition `into`. The `edge` leads from one of them to the other, which
   receives by what is in its `slot`. What the edge `back` carried between them counts, too. */
static inline struct answer partition_merge(handle_t handle, handle_t into, edge_id_t edge, slot_id_t slot,
                                            edge_id_t back, page_id_t proof)
{
    return hypercall(OPERATION_PARTITION_MERGE, handle, into, edge, slot, back, proof);
}

/* Let a half be a whole: one that has a stage-2 root is suspended, any other one can be given one and start. Who
   settles it needs the right that made halves of it. */
static inline struct answer partition_settle(handle_t handle)
{
    return hypercall(OPERATION_PARTITION_SETTLE, handle, 0, 0, 0, 0, 0);
}

#endif
