"""What is the state of the kernel? Every record, and the one `Kernel` that holds them all."""

from corollary.language.types import Array, Index, Table, u8, u16, u32, u64
from corollary.language.values import Record
from corollary.spec.agent import Life
from corollary.spec.kernel.limits import (
    AGENTS,
    ALL_USE,
    BANK_UNITS,
    BANKS,
    CAPABILITIES,
    CHILDREN,
    CLAIMS,
    DEVICES,
    EDGES,
    GRAPH_ROW_BITS,
    HEADER_RESERVED,
    LANE_ROWS,
    MAPPINGS_PER_PAGE,
    MESSAGES_PER_EDGE,
    NOTIFICATIONS,
    ORDERS,
    PAGE_WORDS,
    PAGES,
    PAGES_PER_PARTITION,
    PARTITIONS,
    PARTS,
    PAYLOAD_WORDS,
    PRESSURE_BITS,
    PROOF_ROOTS,
    QUEUE_SIZE,
    RECORDS,
    REGIONS,
    SLOTS,
    UNIT_PARTS,
    UNITS,
)
from corollary.spec.kernel.vocabulary import (
    Action,
    Awaited,
    DescriptorFlags,
    DeviceKind,
    FailureClass,
    Heat,
    Mode,
    ObjectKind,
    PageKind,
    PartitionState,
    Resource,
    Right,
    Ring,
    Status,
    Tier,
)

PartitionId = Index("PartitionId", PARTITIONS)
SlotId = Index("SlotId", SLOTS)
CapabilityId = Index("CapabilityId", CAPABILITIES)
PageId = Index("PageId", PAGES)
RegionId = Index("RegionId", REGIONS)
EntryId = Index("EntryId", PAGE_WORDS)
Ordinal = Index("Ordinal", MAPPINGS_PER_PAGE)
MappingId = Index("MappingId", PAGES * MAPPINGS_PER_PAGE)
OwnedId = Index("OwnedId", PARTITIONS * PAGES_PER_PARTITION)
PagePosition = Index("PagePosition", PAGES_PER_PARTITION)
EdgeId = Index("EdgeId", EDGES)
MessageId = Index("MessageId", EDGES * MESSAGES_PER_EDGE)
MessageTurn = Index("MessageTurn", MESSAGES_PER_EDGE)
EdgeGroup = Index("EdgeGroup", EDGES >> GRAPH_ROW_BITS)
PayloadId = Index("PayloadId", PAYLOAD_WORDS)
NotificationId = Index("NotificationId", NOTIFICATIONS)
DeviceId = Index("DeviceId", DEVICES)
UsedWord = Index("UsedWord", 2 * QUEUE_SIZE)
AgentId = Index("AgentId", AGENTS)
AgentBadge = Index("AgentBadge", AGENTS << 32)
ChildId = Index("ChildId", CHILDREN)
PartId = Index("PartId", PARTS)
UnitId = Index("UnitId", UNITS)
BankId = Index("BankId", BANKS)
UnitPosition = Index("UnitPosition", BANK_UNITS)
UnitPartId = Index("UnitPartId", UNIT_PARTS)
Order = Index("Order", ORDERS)
Use = Index("Use", ALL_USE + 1)
HeadsId = Index("HeadsId", PARTITIONS * BANKS)
RecordId = Index("RecordId", RECORDS)
ProofRootId = Index("ProofRootId", PROOF_ROOTS)
ResourceId = Index("ResourceId", Resource.bound)
Depth = Index("Depth", 16)
Handle = Index("Handle", SLOTS << 32)
LaneRow = Index("LaneRow", LANE_ROWS)
Claim = Index("Claim", CLAIMS)
Pressure = Index("Pressure", 1 << PRESSURE_BITS)


class Capability(Record):
    """Authority: `rights` over one object, held in one slot of one partition."""

    kind: ObjectKind  # NONE: the slot is free
    depth: Depth  # derivations from the root capability
    rights: Right
    object: u32
    incarnation: u32  # generation of a partition object; 0 for all other kinds
    generation: u32  # advances when the slot is freed; part of every handle
    lineage: u32  # advances when this capability's descendants are revoked
    parent: CapabilityId
    parent_lineage: u32  # linked only while equal to the parent's lineage
    badge: u64


class Bucket(Record):
    """A token bucket, kept as the time that its tokens took to arrive: the same measure for every ring's rate."""

    credit: u64  # ns of refill in hand, at most the burst time
    refilled: u64  # ns


class Epoch(Record):
    """How many messages a partition sent and received in an epoch of its own."""

    used: u16
    began: u64  # ns; the epoch lasts a quantum


class Elevation(Record):
    """A ring held until `expires`; ring 1 as long as its attestation is live."""

    active: bool
    ring: Ring
    expires: u64  # ns
    attestation: Handle  # of the partition itself, on a proof root


class Rest(Record):
    """Where what a partition rests for will come, and until when it rests at most."""

    edge: EdgeId  # when it waits for a message
    notification: NotificationId  # when it waits for bits
    until: u64  # ns


class Partition(Record):
    """A protection domain: its life, its ring, its memory root and what it has used up."""

    state: PartitionState
    failure: FailureClass
    ring: Ring  # from score and consensus
    consensus: bool
    rooted: bool  # has a stage-2 root table
    walked: bool  # a TLB may hold what was walked from its root
    fresh: bool  # its saved registers are zero, but for the program counter
    tools: Table[ResourceId, u8]  # concurrent tools in use
    ancestry: Depth  # creators between this partition and the root partition
    parent: PartitionId  # its creator, or the one that it fell to
    proof_root: ProofRootId  # the root that its P3 proofs lead to
    pages: u16  # pages it owns
    root: PageId  # stage-2 root table, when rooted
    records: u16  # its undrained witness records
    quota: u16  # how many it may have, taken from its creator's
    share: u16  # of the processor, taken from its creator's
    numbers: u8  # of partitions: its own, and those that it may still create
    edges: u16  # that it may have made and that exist at a time
    edges_made: u16  # and how many of those that it made exist
    notifications: u16
    notifications_made: u16
    agents: u16
    agents_made: u16
    units: u16  # of large memory
    units_made: u16  # and how many of them its blocks have
    refused: u64  # calls refused, and faults, for lack of record space, not yet reported
    generation: u32  # advances when the slot is reclaimed
    score: u32  # ppm
    warden: bool  # runs in recovery, too
    pressure: Pressure  # how much its edges are cut, in millionths
    deadline: u64  # ns; 0 for none
    nonce: u64  # of the last proof accepted
    entry: u64  # program counter that it was started with
    bucket: Bucket
    messages: Epoch
    elevation: Elevation
    awaited: Awaited  # what it rests for
    speaker: AgentBadge  # the agent that it said speaks; 0 for none
    rest: Rest
    other: PartitionId  # the other half, while it is one
    carried: u64  # what it has sent and received, counted like what an edge carries


class Page(Record):
    """One page of the pool: what it is used for and who owns it."""

    kind: PageKind
    owner: PartitionId
    ordinal: u16  # its place among the pages of its owner
    filled: u16  # words appended, for APPEND pages
    fetched: bool  # instruction fetches see what it holds


class Mapping(Record):
    """One of the places that may refer to a page: the owner's (ordinal 0) or a reader's share."""

    used: bool  # a reader's share exists; always false for the owner's
    linked: bool  # a descriptor was written
    cached: bool  # a TLB may hold the translation
    partition: PartitionId  # whose table holds the descriptor, or the reader
    table: PageId
    entry: EntryId
    incarnation: u32  # of the reader that the page is shared with


class Frame(Record):
    """The contents of one page."""

    word: Table[EntryId, u64]


class Message(Record):
    """One place of an edge for a message: five lines of 64 bytes; the payload begins on the second line."""

    length: u64  # words of the payload; those beyond are zero
    badge: u64  # of the capability it was sent through
    schema: u64
    sequence: u64  # how many were sent through the edge before
    agent: u64  # badge of the agent that spoke, 0 for none
    source: u64  # the partition that sent it
    reserved: Array[u64, HEADER_RESERVED]  # zero
    word: Array[u64, PAYLOAD_WORDS]


class Edge(Record):
    """A channel for messages from one holder of WRITE on it to the holders of READ, first in, first out."""

    origin: CapabilityId  # made with the edge, and lasts as long; all others descend from it
    sender: CapabilityId  # the one that sends, passed on with WRITE; then the origin
    sender_generation: u32  # of its slot
    schema: u64  # hash of what its messages look like; set once
    sent: u64  # messages so far, modulo 2^64
    waiting: u8  # how many of them are not received yet


class Traffic(Record):
    """What an edge has carried since it was made, and between whom last."""

    carried: u64  # one for each message, and one for each whole 64 bytes of it, modulo 2^64
    source: PartitionId  # who sent last
    target: PartitionId  # who received last


class Notification(Record):
    """Bits that holders of WRITE set and holders of READ take away."""

    origin: CapabilityId  # made with it, like the origin of an edge
    bits: u64


class Device(Record):
    """A virtio transport: what is behind it, who leased it, and the one request that may be in flight."""

    kind: DeviceKind
    leased: bool
    holder: PartitionId  # of the lease
    incarnation: u32  # of the holder
    until: u64  # ns; when the lease ends
    budget: u64  # bytes that may still be moved on the lease
    busy: bool  # a request is in flight
    incoming: bool  # and the device writes into its page
    page: PageId
    active: bool  # the device may use what its request names: told, not done, not reset


class Pin(Record):
    """Whether a device may read or write a page, and which."""

    held: bool
    device: DeviceId


class Descriptor(Record):
    """What a device may read or write (virtio 1.2, 2.7.5)."""

    address: u64  # physical
    length: u32  # bytes
    flags: DescriptorFlags
    next: u16


class Queue(Record):
    """What a device reads of its queue: descriptors, the ring of available ones, and the header of a request."""

    header: Descriptor
    data: Descriptor
    status: Descriptor
    spare: Descriptor  # zero
    flags: u16  # of the available ring (virtio 1.2, 2.7.6)
    available: u16  # requests made since the device was reset, modulo 2^16
    ring: Array[u16, QUEUE_SIZE]  # zero: each request begins at the first descriptor
    event: u16
    reserved: u16
    type: u32  # of a request to a block device (virtio 1.2, 5.2.6): 0 to read, 1 to write
    priority: u32
    sector: u64


class Answer(Record):
    """What a device writes: the ring of used descriptors (virtio 1.2, 2.7.8), and the status of a request."""

    flags: u16
    used: u16  # requests that it says are done, modulo 2^16
    element: Table[UsedWord, u32]
    event: u16
    status: u8


class Agent(Record):
    """An agent: where it lives, what it was made of, who made it, and whom it made."""

    life: Life
    partition: PartitionId  # that it lives in, and ends with
    incarnation: u32  # of that partition
    generation: u32  # how many agents had this row; part of every badge
    depth: Depth  # agents between it and the one that no agent made
    parent: AgentBadge  # who spoke for the partition that made it; 0 for nobody
    place: ChildId  # its own among its parent's children
    child: Table[ChildId, AgentBadge]  # the last that it made in each place
    spawned: u64  # ns; when it was found to be attested
    lines: u32  # of 64 bytes, of its module, measured so far
    module: Array[u32, 8]  # SHA-256 of its module; not finished before it was spawned


class Block(Record):
    """A block of large memory, in the row of its first unit."""

    used: bool
    order: Order  # it has 2^order units
    holder: PartitionId
    linked: u64  # of the units of its bank, those of this block that are linked
    heat: Heat


class Unit(Record):
    """Where a unit of large memory was last linked."""

    cached: bool  # a TLB may hold the translation
    head: UnitId  # the first unit of its block
    table: PageId
    entry: EntryId


class Bank(Record):
    """The units of a bank, one bit for each. Those in neither mask are dirty: they may hold anything."""

    clean: u64  # those in no block that hold zeros
    taken: u64  # those in blocks


class WitnessRecord(Record):
    """What happened: 64 bytes, little-endian, chained."""

    sequence: u64
    time: u64  # ns
    kind: Action
    tier: Tier
    status: Status
    operation: u8  # number in the operation table, 255 for none: the kernel itself, and faults
    actor: u16  # partition, or 65535 for the kernel itself
    refused: u16  # earlier calls and faults of the actor that found no room, at most 65535
    object: u64  # arguments, packed in order; of a refused call x2, of a fault its syndrome
    capability: u64  # handle: x1
    payload: u64  # further arguments; for a refused call x3; for a fault its address
    link: Array[u64, 2]  # first half of the chain value after this record


class ProofRoot(Record):
    """A Merkle root that P3 proofs lead to, and the one that may replace it."""

    root: Array[u64, 4]  # bytes in memory order
    pending: Array[u64, 4]


class Kernel(Record):
    """The whole state.

    The page pool comes first, so that it lies where the platform puts the kernel. Then comes what devices read and
    write, at known addresses. Then come messages, on whole lines.
    """

    memory: Table[PageId, Frame]
    queue: Table[DeviceId, Queue]
    answer: Table[DeviceId, Answer]
    message: Table[MessageId, Message]
    capability: Table[CapabilityId, Capability]
    partition: Table[PartitionId, Partition]
    page: Table[PageId, Page]
    mapping: Table[MappingId, Mapping]
    owned: Table[OwnedId, PageId]
    proof_root: Table[ProofRootId, ProofRoot]
    edge: Table[EdgeId, Edge]
    notification: Table[NotificationId, Notification]
    traffic: Table[EdgeId, Traffic]
    device: Table[DeviceId, Device]
    pin: Table[PageId, Pin]
    agent: Table[AgentId, Agent]
    block: Table[UnitId, Block]
    heads: Table[HeadsId, u64]  # of each partition and bank, the first units of its blocks
    unit: Table[UnitId, Unit]
    bank: Table[BankId, Bank]
    cleaning: UnitId  # the unit that is being cleared, if any of its parts is
    cleaned: u8  # how many of its parts are zero
    log: Table[RecordId, WitnessRecord]
    head: Array[u32, 8]  # the chain value: SHA-256 of the log so far, not finished
    key: Array[u32, 8]  # seals checkpoints; set once at boot
    sequence: u64  # of the next record
    drained: u64  # records that have left the log
    copied: u64  # records that readers have copied, without a gap
    kernel_records: u16  # undrained records of the kernel itself
    epoch: u64
    epoch_began: u64  # ns
    time: u64  # ns; the last time used
    switches: u64  # since the last epoch record
    mode: Mode
    turn: PartitionId  # whose turn it was last in the fair lane
    urges: bool  # the next turn is one of the priority lane, if anybody is urgent
    claim: Table[PartitionId, Claim]  # how much each partition claimed the processor when it was last given on
    current: PartitionId  # who runs, or ran last; while nobody can, one that rests, if any does
    idle: bool  # nobody runs until the processor is given on


class Call(Record):
    """One hypercall: what was asked, and the answer."""

    now: u64  # ns; what the clock says, then the time that the call uses
    operation: u64
    argument: Array[u64, 6]  # x1 .. x6: the handle first
    capability: CapabilityId  # the slot that the handle led to, set by the gate
    yields: bool  # give way to the next partition afterwards
    result: Array[u64, 3]  # x1 .. x3


class BootInformation(Record):
    """What the platform measured and was given before the kernel's first record."""

    key: Array[u32, 8]
    attested: Array[u64, 4]  # the root in force in every proof root at first
    measurement: Array[u32, 56]  # SHA-256 of what each of the seven boot phases relies on, eight words each
    now: u64  # ns
    package: u16  # pages of the boot package, root's own first
    text: u16  # of these, root's code
    data: u16  # of these, root's data
    restarts: u16  # since the last cold start, or DAMAGED
