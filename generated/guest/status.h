/* Generated from spec/kernel/vocabulary.py, spec/kernel/state.py, spec/kernel/hypercalls.py,
   model/kernel/capability.py, model/kernel/memory.py, model/kernel/partition.py, model/kernel/ring.py,
   model/kernel/witness.py, model/kernel/proof.py, model/kernel/schedule.py, model/kernel/console.py,
   model/kernel/edge.py, model/kernel/traffic.py, model/kernel/device.py, model/kernel/agent.py,
   model/kernel/block.py, model/kernel/unit.py, model/kernel/halves.py
   with codegen/templates/status.h.j2: edit those, not this.
   Content: sha256 7d62fe41074b2b3e */

/* What does the kernel answer, and which rights are there? Agents see the same numbers as guests. */

#ifndef STATUS_H
#define STATUS_H

#include <stdint.h>

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

#endif
