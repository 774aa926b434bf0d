"""Which names do the kernel, its guests and its auditors share? Statuses, witness kinds, rights, states.

A name that is `reserved` has its number, and nothing uses it yet.
"""

from corollary.language.types import Enum, Flags
from corollary.spec.ring import Ring as Ring  # users of the kernel find all its names here
from corollary.spec.ring import Scope as Scope


class Status(Enum):
    """The exact outcome of a hypercall."""

    OK = 0
    WITNESS_FULL = 1  # no room for the record, so nothing was tried
    UNKNOWN_OPERATION = 2
    RATE_LIMITED = 3
    NEEDS_SRE_WITNESS = 4  # ring 0 is out of reach of every hypercall
    RING_DENIED = 5
    RESOURCE_DENIED = 6
    INVALID_HANDLE = 7  # not a slot of the caller, or empty
    STALE_HANDLE = 8  # the slot holds a later capability
    REVOKED = 9  # an ancestor was revoked or deleted
    WRONG_OBJECT = 10
    INSUFFICIENT_RIGHTS = 11
    POLICY_VIOLATION = 12  # a P2 check or the P3 path failed; which one is not revealed
    BAD_ARGUMENT = 13
    RIGHTS_ESCALATION = 14
    DEPTH_EXCEEDED = 15
    SLOT_IN_USE = 16
    SLOT_RETIRED = 17
    WRONG_STATE = 18
    PARTITION_IN_USE = 19
    LIMIT_REACHED = 20
    STILL_HOLDING = 21
    INVALID_TARGET = 22
    RING_0_FORBIDDEN = 23
    DUPLICATE_ELEVATION = 24
    INSUFFICIENT_TRUST = 25
    NO_SPONSORSHIP = 26
    PAGE_IN_USE = 27
    NOT_OWNER = 28
    WRONG_PAGE_KIND = 29
    ENTRY_IN_USE = 30
    ALREADY_LINKED = 31
    NOT_LINKED = 32
    WRITE_XOR_EXECUTE = 33
    NOT_SHARED = 34
    STILL_SHARED = 35
    NOT_ESCALATING = 37
    WOULD_BLOCK = 38  # the edge is full or empty, or no bit is set: ask again later
    SCHEMA_MISMATCH = 39
    OBJECT_IN_USE = 40
    NOT_SENDER = 41  # another capability is the one that sends through the edge
    NOT_COPIED = 42  # a record that no reader has copied stays in the log
    NOT_MAPPED = 43  # the caller's own tables do not let it use the page this way
    NOT_LEASED = 44  # the caller has no lease on the device, or it has ended
    PAGE_PINNED = 45  # a device may read or write the page
    SPAWN_LIMIT = 46  # a living child has this place of its parent
    NO_SPEAKER = 47  # a partition that has agents makes others as one of them
    MODULE_MISMATCH = 48  # what was measured is not the module that is named
    NO_BLOCK = 49  # no clean units lie together for a block of this order
    NOT_HELD = 50  # no block of the partition begins here: it was released, or never made
    NOT_DUE = 51  # a block is of more, or less, use than the tier that is named is for
    WRONG_MODE = 52  # the mode of the scheduler does not allow it
    NOT_CONNECTED = 53  # no edge leads from one of the two partitions to the other
    NOT_COHERENT = 54  # too much of what the two partitions carry goes to others
    STILL_LEASED = 55  # a device is leased to the partition


class Action(Enum):
    """The kind of a witness record; the high nibble names the subsystem."""

    NONE = 0x00
    PARTITION_CREATE = 0x01
    PARTITION_DESTROY = 0x02
    PARTITION_SUSPEND = 0x03
    PARTITION_RESUME = 0x04
    PARTITION_SPLIT = 0x05
    PARTITION_MERGE = 0x06
    PARTITION_HIBERNATE = 0x07
    PARTITION_RECONSTRUCT = 0x08
    PARTITION_MIGRATE = 0x09  # reserved
    CAPABILITY_GRANT = 0x10
    CAPABILITY_REVOKE = 0x11
    CAPABILITY_DELEGATE = 0x12
    CAPABILITY_ESCALATE = 0x13  # reserved
    CAPABILITY_ATTENUATED = 0x14
    REGION_CREATE = 0x20
    REGION_DESTROY = 0x21
    REGION_TRANSFER = 0x22
    REGION_SHARE = 0x23
    REGION_UNSHARE = 0x24
    REGION_PROMOTE = 0x25  # reserved
    REGION_DEMOTE = 0x26  # reserved
    REGION_MAP = 0x27
    REGION_UNMAP = 0x28
    EDGE_CREATE = 0x30
    EDGE_DESTROY = 0x31
    IPC_SEND = 0x32
    IPC_RECEIVE = 0x33
    ZERO_COPY_SHARE = 0x34
    NOTIFICATION_SIGNAL = 0x35
    LEASE_GRANT = 0x40
    LEASE_REVOKE = 0x41
    LEASE_EXPIRE = 0x42  # reserved
    LEASE_RENEW = 0x43  # reserved
    PROOF_VERIFIED_P1 = 0x50
    PROOF_VERIFIED_P2 = 0x51  # reserved
    PROOF_VERIFIED_P3 = 0x52  # reserved
    PROOF_REJECTED = 0x53
    PROOF_ESCALATED = 0x54
    SCHEDULER_EPOCH = 0x60
    SCHEDULER_MODE = 0x61
    TASK_SPAWN = 0x62
    TASK_TERMINATE = 0x63
    STRUCTURAL_SPLIT = 0x64  # reserved
    STRUCTURAL_MERGE = 0x65  # reserved
    RECOVERY_ENTER = 0x70
    RECOVERY_EXIT = 0x71  # reserved
    CHECKPOINT_CREATED = 0x72
    CHECKPOINT_RESTORED = 0x73  # reserved
    MIN_CUT_BUDGET_EXCEEDED = 0x74  # reserved
    DEGRADED_ENTER = 0x75  # reserved
    DEGRADED_EXIT = 0x76  # reserved
    BOOT_ATTESTATION = 0x80
    BOOT_COMPLETE = 0x81
    TEE_ATTESTATION = 0x82
    VECTOR_PUT = 0x90  # reserved
    VECTOR_DELETE = 0x91  # reserved
    GRAPH_MUTATION = 0x92  # reserved
    COHERENCE_RECOMPUTED = 0x93
    VMID_RECLAIM = 0xA0
    MIGRATION_TIMEOUT = 0xA1  # reserved
    REGION_CLEAN = 0xA2
    REGION_RETIER = 0xA3
    AGENT_CREATE = 0xB0
    AGENT_MEASURE = 0xB1
    AGENT_SPAWN = 0xB2
    AGENT_CHANGE = 0xB3
    AGENT_SPEAK = 0xB4
    DEVICE_FIND = 0xC0


class ObjectKind(Enum):
    """What a capability names; NONE marks a free slot."""

    NONE = 0
    PARTITION = 1
    PAGE = 2  # reserved
    EDGE = 3
    NOTIFICATION = 4
    REGION = 5
    DEVICE = 6  # the console
    SCHEDULER = 7
    WITNESS_LOG = 8
    PROOF_ROOT = 9
    VECTOR_STORE = 10  # reserved
    TRUST = 11
    COHERENCE = 12  # what all edges have carried
    TRANSPORT = 13  # a place for a device that moves memory, which is leased


class Right(Flags):
    """What the holder of a capability may do with its object."""

    READ = 0x001
    WRITE = 0x002
    GRANT = 0x004
    REVOKE = 0x008
    EXECUTE = 0x010
    PROVE = 0x020
    GRANT_ONCE = 0x040
    HIBERNATE = 0x080
    MIGRATE = 0x100  # reserved
    SPLIT = 0x200
    MERGE = 0x400
    LEASE = 0x800


ALL_RIGHTS = Right.mask


class Access(Flags):
    """What a stage-2 mapping permits."""

    storage = 1
    READ = 1
    WRITE = 2
    EXECUTE = 4


class Tier(Enum):
    """How much proof an operation asks for."""

    NONE = 0
    P1 = 1  # capability
    P2 = 2  # capability and eight policy checks
    P3 = 3  # P2 and a Merkle path to an attested root


class Reversibility(Enum):
    """How far the effect of an operation can be undone."""

    FULL = 0
    PARTIAL = 1
    NONE = 2


class Meter(Enum):
    """What a call is paid from."""

    CALLS = 0  # the token bucket of the caller's ring
    MESSAGES = 1  # a fixed number per epoch, whatever the ring


class Resource(Enum):
    """What a tool may reach outside its partition."""

    TOOL = 0
    NETWORK = 1
    FILESYSTEM = 2
    SUBPROCESS = 3


class PartitionState(Enum):
    """The life of a partition; VACANT is a slot that awaits its next incarnation."""

    VACANT = 0
    CREATED = 1
    RUNNING = 2
    SUSPENDED = 3
    HIBERNATED = 4
    DESTROYED = 5
    SPLITTING = 6  # one of two halves, which stand still until each is settled
    MERGING = 7  # one of two that become one; likewise


class Mode(Enum):
    """Who may run, and by which lanes."""

    FLOW = 0  # the priority lane goes to whoever has a deadline or is under pressure
    REFLEX = 1  # it goes to those with deadlines alone
    RECOVERY = 2  # only wardens run
    HALTED = 3  # nobody runs; no hypercall leads there


class Awaited(Enum):
    """What a partition rests for."""

    NOTHING = 0  # it does not rest
    MESSAGE = 1  # in an edge
    BITS = 2  # of a notification


class FailureClass(Enum):
    """How bad the worst failure of a partition was."""

    NONE = 0
    TRANSIENT = 1
    RECOVERABLE = 2
    PERMANENT = 3
    CATASTROPHIC = 4


class PageKind(Enum):
    """What a page of the pool is used for."""

    FREE = 0
    TABLE_1 = 1
    TABLE_2 = 2
    TABLE_3 = 3
    DATA = 4
    APPEND = 5  # data that only grows, through `page_append`
    KERNEL = 6
    TABLE_UNITS = 7  # of level 2, which leads to units of large memory


class Heat(Enum):
    """How close a block of large memory is to who uses it. Only what is hot or warm may be linked."""

    HOT = 0  # as every block begins
    WARM = 1
    DORMANT = 2
    COLD = 3


class Allowance(Enum):
    """What a partition may use up, or hand to those that it created."""

    RECORDS = 0  # undrained records of the log
    PARTITIONS = 1  # including itself
    EDGES = 2
    NOTIFICATIONS = 3
    SHARES = 4  # of the processor
    AGENTS = 5
    UNITS = 6  # of large memory


class DeviceKind(Enum):
    """What stands behind a transport. Of a console, the kernel uses one queue: it sends, or it receives."""

    ABSENT = 0
    BLOCK = 1
    TRANSMITTER = 2  # a console behind an even transport
    RECEIVER = 3  # a console behind an odd one


class DescriptorFlags(Flags):
    """What a virtio descriptor says besides place and length (virtio 1.2, 2.7.5)."""

    storage = 2
    NEXT = 1  # another one follows
    WRITE = 2  # the device writes there, else it reads


class Format(Enum):
    """How words appear on the console."""

    TEXT = 0
    HEX = 1
