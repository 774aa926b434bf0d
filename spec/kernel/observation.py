"""What can a partition see of the state, and what else may it learn about others?

`OBSERVATIONS` says for each scalar which partition sees it, by itself or through one of its capability slots. `PRIVATE`
lists the scalars that nobody sees. Two states are alike to a partition when they agree wherever it sees either of them.
`RELEASED` lists what it may learn besides, and `INTERFERENCES` what others may change of its own without a handle on
it. There are no other exceptions.
"""

from corollary.language.observation import (
    Disclosure,
    Implication,
    Interference,
    Known,
    Novelty,
    Observation,
    Private,
    Released,
    Sealed,
    View,
)
from corollary.language.types import u8, u32, u64
from corollary.spec.kernel.agent import lives, names_living, row_of, speaker_of
from corollary.spec.kernel.block import NOWHERE, any_dirty, first_fit
from corollary.spec.kernel.capability import (
    capability_id,
    current_object,
    first_partition,
    free,
    handle_slot,
    holder,
    live,
    second_partition,
)
from corollary.spec.kernel.clock import later
from corollary.spec.kernel.device import holds_lease
from corollary.spec.kernel.edge import edge_exists, edge_of, is_full, notification_exists, sender_of, waits
from corollary.spec.kernel.halves import are_coherent, connects, leases
from corollary.spec.kernel.integrity import (
    ANY,
    acts_on,
    ends_a_share,
    falls,
    grows,
    loses_page,
    makes,
    presents,
    reaches,
)
from corollary.spec.kernel.limits import DEVICES, ORDERS, PROOF_ROOTS, SLOTS
from corollary.spec.kernel.memory import (
    in_use,
    is_root,
    is_table,
    last_of,
    lets,
    mapped_page,
    mapping_id,
    ordinal_of,
    own_only,
)
from corollary.spec.kernel.packed import HeadsPlace, OwnedPlace, PagePlace
from corollary.spec.kernel.partition import has_creator
from corollary.spec.kernel.ring import attested, base_ring, effective_ring
from corollary.spec.kernel.state import (
    Agent,
    AgentId,
    Answer,
    Call,
    CapabilityId,
    ChildId,
    DeviceId,
    EdgeId,
    EntryId,
    Handle,
    HeadsId,
    Kernel,
    MappingId,
    MessageId,
    NotificationId,
    Order,
    Ordinal,
    OwnedId,
    PageId,
    Partition,
    PartitionId,
    ProofRootId,
    RecordId,
    ResourceId,
    SlotId,
    UnitId,
    UsedWord,
)
from corollary.spec.kernel.unit import is_linked
from corollary.spec.kernel.vocabulary import ALL_RIGHTS, Mode, ObjectKind, PageKind, PartitionState, Right
from corollary.spec.kernel.witness import log_room

ALONE = SLOTS  # in place of a slot: what a partition sees by itself
KNOWING = Right.READ | Right.WRITE | Right.EXECUTE | Right.HIBERNATE


# ---- what a slot leads to


def through(s: Kernel, p: PartitionId, slot: u8, kind: ObjectKind, rights: Right) -> bool:
    """Does the slot of `p` hold a live capability on a present object of this kind, with one of these rights?"""
    return slot < SLOTS and reaches(s, p, SlotId.truncate(slot), kind, rights)


def number_of(s: Kernel, p: PartitionId, slot: u8) -> u32:
    """The number of the object that a slot of `p` names."""
    return s.capability[capability_id(p, SlotId.truncate(slot))].object


def commands(s: Kernel, p: PartitionId, slot: u8, q: PartitionId) -> bool:
    """Does the slot give WRITE over the partition `q`?"""
    return through(s, p, slot, ObjectKind.PARTITION, Right.WRITE) and PartitionId.truncate(number_of(s, p, slot)) == q


def schedules(s: Kernel, p: PartitionId, slot: u8) -> bool:
    """Does the slot let `p` create partitions and adopt them?"""
    return through(s, p, slot, ObjectKind.SCHEDULER, Right.WRITE)


def is_vacant(s: Kernel, q: PartitionId) -> bool:
    """May a holder of the scheduler create this partition?"""
    return s.partition[q].state == PartitionState.VACANT


def created(s: Kernel, p: PartitionId, slot: u8, q: PartitionId) -> bool:
    """Did `p` create the partition, or did the partition fall to `p`? Then `p` sees it through any slot."""
    return slot < SLOTS and has_creator(s, q, p)


# ---- who sees what


def sees_partition(s: Kernel, p: PartitionId, slot: u8, q: PartitionId) -> bool:
    """A partition sees itself, those that it commands or created, and vacant ones through the scheduler."""
    return p == q or commands(s, p, slot, q) or created(s, p, slot, q) or (schedules(s, p, slot) and is_vacant(s, q))


def sees_tools(s: Kernel, p: PartitionId, slot: u8, q: PartitionId, r: ResourceId) -> bool:
    """Those who see a partition see its tools, whatever their resource."""
    return sees_partition(s, p, slot, q)


def sees_origin(s: Kernel, p: PartitionId, slot: u8, q: PartitionId) -> bool:
    """The scheduler shows who created whom."""
    return schedules(s, p, slot)


def sees_life(s: Kernel, p: PartitionId, slot: u8, q: PartitionId) -> bool:
    """A capability on a partition or on the scheduler shows whether the partition lives, and as which incarnation."""
    named = through(s, p, slot, ObjectKind.PARTITION, KNOWING) and PartitionId.truncate(number_of(s, p, slot)) == q
    return named or schedules(s, p, slot)


def sees_slot(s: Kernel, p: PartitionId, slot: u8, c: CapabilityId) -> bool:
    """Those who see a partition see its slots."""
    return sees_partition(s, p, slot, holder(c))


def sees_capability(s: Kernel, p: PartitionId, slot: u8, c: CapabilityId) -> bool:
    """Those who see a partition see what its slots hold; those who command it may empty the slots."""
    return not free(s, c) and sees_partition(s, p, slot, holder(c))


def may_take_back(s: Kernel, p: PartitionId, slot: u8, page: PageId) -> bool:
    """Does the slot let `p` take pages of this region back?"""
    return through(s, p, slot, ObjectKind.REGION, Right.REVOKE) and number_of(s, p, slot) == PagePlace(page).region


def sees_owned(s: Kernel, p: PartitionId, slot: u8, page: PageId) -> bool:
    """Those who see the owner of a page in use see the page."""
    return in_use(s, page) and sees_partition(s, p, slot, s.page[page].owner)


def sees_page(s: Kernel, p: PartitionId, slot: u8, page: PageId) -> bool:
    """Those who see the owner of a page in use, or may take the page back, see what it is and who owns it."""
    return sees_owned(s, p, slot, page) or (in_use(s, page) and may_take_back(s, p, slot, page))


def sees_pin(s: Kernel, p: PartitionId, slot: u8, page: PageId) -> bool:
    """Those who see a page see which device uses it, but not which one did before."""
    return s.pin[page].held and sees_page(s, p, slot, page)


def shared_with(s: Kernel, m: MappingId, q: PartitionId) -> bool:
    """Is the mapping a share for the present incarnation of `q`?"""
    share = s.mapping[m]
    return ordinal_of(m) != 0 and share.used and share.partition == q and share.incarnation == s.partition[q].generation


def sees_contents(s: Kernel, p: PartitionId, slot: u8, page: PageId, entry: EntryId) -> bool:
    """Those who see the owner of a page, and those that it is shared with, see its contents."""
    shared = (
        shared_with(s, mapping_id(page, Ordinal(1)), p)
        or shared_with(s, mapping_id(page, Ordinal(2)), p)
        or shared_with(s, mapping_id(page, Ordinal(3)), p)
    )
    return shared or sees_owned(s, p, slot, page)


def sees_mapping(s: Kernel, p: PartitionId, slot: u8, m: MappingId) -> bool:
    """Those who see a page see its mappings; those who see a reader see its shares."""
    reader = s.mapping[m].partition
    return sees_page(s, p, slot, mapped_page(m)) or (shared_with(s, m, reader) and sees_partition(s, p, slot, reader))


def sees_target(s: Kernel, p: PartitionId, slot: u8, m: MappingId) -> bool:
    """The partition of a mapping is visible once the mapping is linked, or used as a share."""
    return (s.mapping[m].used or s.mapping[m].linked) and sees_mapping(s, p, slot, m)


def sees_place(s: Kernel, p: PartitionId, slot: u8, m: MappingId) -> bool:
    """The place of a mapping is visible while the mapping is linked."""
    return s.mapping[m].linked and sees_mapping(s, p, slot, m)


def sees_incarnation(s: Kernel, p: PartitionId, slot: u8, m: MappingId) -> bool:
    """The incarnation that a share is for is visible while the share exists."""
    return s.mapping[m].used and sees_mapping(s, p, slot, m)


def is_listed(s: Kernel, o: OwnedId) -> bool:
    """Is the entry in the filled part of a partition's page list?"""
    return OwnedPlace(o).position < s.partition[OwnedPlace(o).partition].pages


def sees_entry(s: Kernel, p: PartitionId, slot: u8, o: OwnedId) -> bool:
    """Those who see a partition see its page list, as far as it is filled."""
    return is_listed(s, o) and sees_partition(s, p, slot, OwnedPlace(o).partition)


def sees_proposal(s: Kernel, p: PartitionId, slot: u8, r: ProofRootId) -> bool:
    """A proof root is visible through a capability that can change it or bind it."""
    return (
        through(s, p, slot, ObjectKind.PROOF_ROOT, Right.WRITE | Right.GRANT)
        and ProofRootId.truncate(number_of(s, p, slot)) == r
    )


def sees_root(s: Kernel, p: PartitionId, slot: u8, r: ProofRootId) -> bool:
    """The proof root in force is visible to those that it binds, too."""
    return s.partition[p].proof_root == r or sees_proposal(s, p, slot, r)


def sees_edge(s: Kernel, p: PartitionId, slot: u8, e: EdgeId) -> bool:
    """Those who may send or receive through an edge see what it is for, and how many messages were sent."""
    return (
        through(s, p, slot, ObjectKind.EDGE, Right.READ | Right.WRITE) and EdgeId.truncate(number_of(s, p, slot)) == e
    )


def sees_waiting(s: Kernel, p: PartitionId, slot: u8, e: EdgeId) -> bool:
    """Those who may receive from an edge see how many messages wait in it."""
    return through(s, p, slot, ObjectKind.EDGE, Right.READ) and EdgeId.truncate(number_of(s, p, slot)) == e


def sees_message(s: Kernel, p: PartitionId, slot: u8, m: MessageId) -> bool:
    """A waiting message is visible to those who may receive it."""
    return sees_waiting(s, p, slot, edge_of(m)) and waits(s, m)


def sees_bits(s: Kernel, p: PartitionId, slot: u8, n: NotificationId) -> bool:
    """The bits of a notification are visible to those who may take them."""
    return (
        through(s, p, slot, ObjectKind.NOTIFICATION, Right.READ) and NotificationId.truncate(number_of(s, p, slot)) == n
    )


def sees_traffic(s: Kernel, p: PartitionId, slot: u8, e: EdgeId) -> bool:
    """What all edges carry is visible to who may read the graph."""
    return through(s, p, slot, ObjectKind.COHERENCE, Right.READ)


def sees_device(s: Kernel, p: PartitionId, slot: u8, d: DeviceId) -> bool:
    """A lease and its request are visible to who holds it, and through a capability on the device."""
    named = through(s, p, slot, ObjectKind.TRANSPORT, ALL_RIGHTS) and DeviceId.truncate(number_of(s, p, slot)) == d
    return holds_lease(s, p, d) or named


def sees_element(s: Kernel, p: PartitionId, slot: u8, d: DeviceId, i: UsedWord) -> bool:
    """What a device answers is visible to those who see the device."""
    return sees_device(s, p, slot, d)


def sees_agent(s: Kernel, p: PartitionId, slot: u8, a: AgentId) -> bool:
    """Those who see the partition of an agent see the agent, as long as it lives."""
    return lives(s, a) and sees_partition(s, p, slot, s.agent[a].partition)


def sees_children(s: Kernel, p: PartitionId, slot: u8, a: AgentId, k: ChildId) -> bool:
    """Those who see an agent see its children."""
    return sees_agent(s, p, slot, a)


def sees_agent_life(s: Kernel, p: PartitionId, slot: u8, a: AgentId) -> bool:
    """Whoever has a capability on the partition of an agent sees whether the agent lives, and how."""
    named = through(s, p, slot, ObjectKind.PARTITION, KNOWING)
    return lives(s, a) and named and PartitionId.truncate(number_of(s, p, slot)) == s.agent[a].partition


def sees_block(s: Kernel, p: PartitionId, slot: u8, unit: UnitId) -> bool:
    """Those who see the holder of a block see the block."""
    return s.block[unit].used and sees_partition(s, p, slot, s.block[unit].holder)


def sees_unit(s: Kernel, p: PartitionId, slot: u8, unit: UnitId) -> bool:
    """Those who see a block see which of its units are linked, and where."""
    return is_linked(s, unit) and sees_partition(s, p, slot, s.block[s.unit[unit].head].holder)


def sees_heads(s: Kernel, p: PartitionId, slot: u8, h: HeadsId) -> bool:
    """Those who see a partition see which blocks it has."""
    return sees_partition(s, p, slot, HeadsPlace(h).partition)


def sees_record(s: Kernel, p: PartitionId, slot: u8, r: RecordId) -> bool:
    """The log is visible to its reader."""
    return sees_log(s, p, slot)


def sees_log(s: Kernel, p: PartitionId, slot: u8) -> bool:
    """The books of the kernel are visible to the reader of the log."""
    return through(s, p, slot, ObjectKind.WITNESS_LOG, Right.READ)


OBSERVATIONS = (
    Observation("memory", sees_contents),
    Observation("capability", sees_slot, ("kind", "generation", "lineage")),
    Observation(
        "capability", sees_capability, ("depth", "rights", "object", "incarnation", "parent", "parent_lineage", "badge")
    ),
    Observation("partition", sees_partition, tuple(name for name in Partition.fields if name != "tools")),
    Observation("partition", sees_tools, ("tools",)),
    Observation("partition", sees_origin, ("ancestry", "parent")),
    Observation("partition", sees_life, ("state", "generation", "rooted")),
    Observation("page", sees_page),
    Observation("mapping", sees_mapping, ("used", "linked", "cached")),
    Observation("mapping", sees_target, ("partition",)),
    Observation("mapping", sees_place, ("table", "entry")),
    Observation("mapping", sees_incarnation, ("incarnation",)),
    Observation("owned", sees_entry),
    Observation("proof_root", sees_proposal, ("pending",)),
    Observation("proof_root", sees_root, ("root",)),
    Observation("edge", sees_edge, ("origin", "sender", "sender_generation", "schema", "sent")),
    Observation("edge", sees_waiting, ("waiting",)),
    Observation("traffic", sees_traffic),
    Observation("message", sees_message),
    Observation("notification", sees_bits),
    Observation("device", sees_device),
    Observation("queue", sees_device),
    Observation("answer", sees_device, tuple(name for name in Answer.fields if name != "element")),
    Observation("answer", sees_element, ("element",)),
    Observation("pin", sees_page, ("held",)),
    Observation("pin", sees_pin, ("device",)),
    Observation("agent", sees_agent, tuple(name for name in Agent.fields if name != "child")),
    Observation("agent", sees_children, ("child",)),
    Observation("agent", sees_agent_life, ("life", "partition", "incarnation", "generation")),
    Observation("block", sees_block),
    Observation("heads", sees_heads),
    Observation("unit", sees_unit),
    Observation("log", sees_record),
    *(
        Observation(field, sees_log)
        for field in (
            "head",
            "sequence",
            "drained",
            "copied",
            "kernel_records",
            "epoch",
            "epoch_began",
            "time",
            "switches",
        )
    ),
)


def in_a_table(s: Kernel, page: PageId, entry: EntryId) -> bool:
    """Does the page hold a table?"""
    return is_table(s.page[page].kind)


IMPLIED = (Implication("memory", in_a_table),)


KNOWN = (Known(lets, own_only),)


def seal(before: Kernel, call: Call, page: PageId, entry: EntryId) -> bool:
    """The four words that seal a checkpoint, in the page that its reader named."""
    return page == PageId.truncate(call.argument[1]) and 12 <= entry < 16


SEALED = (
    Sealed("memory", ("witness_seal",), seal, "who has the key can tell by it that the kernel wrote the checkpoint"),
)
PRIVATE = (
    Private(
        "key",
        "no answer depends on it; a checkpoint in a page of the log's reader is sealed under it, "
        "which is what it is for, "
        "so states are compared of machines that have the same key",
    ),
    Private("current", "who runs is released"),
    Private("idle", "nobody is there to see it"),
    Private("mode", "it decides who runs, and that is released"),
    Private("turn", "likewise"),
    Private("urges", "likewise"),
    Private("claim", "likewise"),
    Private("bank", "what is in no block is nobody's; who asks for a block or cleans learns what is released of it"),
    Private("cleaning", "likewise"),
    Private("cleaned", "likewise"),
)


# ---- what is released anyway


def turn(s: Kernel) -> PartitionId:
    """The partition that runs."""
    return s.current


def free_processor(s: Kernel) -> bool:
    """Whether nobody runs."""
    return s.idle


def time(s: Kernel, call: Call) -> u64:
    """The time that a call uses."""
    return later(s.time, call.now)


def last_time(s: Kernel) -> u64:
    """The last time used; the kernel continues from it when it acts by itself."""
    return s.time


def room(s: Kernel) -> bool:
    """Whether the log has room for one more record."""
    return log_room(s)


def ring(s: Kernel, call: Call) -> u8:
    """The ring that the gate applies to the caller."""
    return u8(effective_ring(s, s.current, time(s, call)))


def score_ring(s: Kernel) -> u8:
    """The ring that follows from the scores of the caller and its creators."""
    return u8(base_ring(s, s.current))


def attestation(s: Kernel) -> bool:
    """Whether the attestation behind the running partition's elevation is there and live."""
    return attested(s, s.current)


def standing(s: Kernel, p: PartitionId, slot: u8) -> u8:
    """Whether one of the partition's own capabilities is revoked, or its object is gone."""
    c = capability_id(p, SlotId.truncate(slot))
    if slot >= SLOTS or free(s, c):
        return 0
    if not live(s, c):
        return 1
    return u8(3) if current_object(s, c) else u8(2)


def pool(s: Kernel, p: PartitionId, slot: u8, page: PageId) -> bool:
    """Whether a page is free, through a capability on its region."""
    return (
        through(s, p, slot, ObjectKind.REGION, Right.WRITE)
        and number_of(s, p, slot) == PagePlace(page).region
        and s.page[page].kind == PageKind.FREE
    )


def foothold(s: Kernel, call: Call) -> bool:
    """Whether a page is the stage-2 root of its owner, through a capability to take it back."""
    page = PageId.truncate(call.argument[1])
    return loses_page(s, call, s.page[page].owner) and is_root(s, page)


def last_of_owner(s: Kernel, call: Call) -> PageId:
    """Which page is last in the list of a page's owner, through a capability to take that page back."""
    owner = s.page[PageId.truncate(call.argument[1])].owner
    return s.owned[last_of(s, owner)] if loses_page(s, call, owner) else PageId(0)


def progress(s: Kernel, p: PartitionId, slot: u8) -> bool:
    """Whether an edge is full, through a capability to send through it."""
    return through(s, p, slot, ObjectKind.EDGE, Right.WRITE) and is_full(s, EdgeId.truncate(number_of(s, p, slot)))


def sends(s: Kernel, p: PartitionId, slot: u8) -> bool:
    """Whether one of the partition's own capabilities is the one that sends through an edge."""
    return through(s, p, slot, ObjectKind.EDGE, Right.WRITE) and capability_id(p, SlotId.truncate(slot)) == sender_of(
        s, EdgeId.truncate(number_of(s, p, slot))
    )


def edges(s: Kernel, call: Call) -> bool:
    """Whether an edge is there already, through a capability on the scheduler."""
    return makes(s, call, False) and edge_exists(s, EdgeId.truncate(call.argument[1]))


def notifications(s: Kernel, call: Call) -> bool:
    """Whether a notification is there already, through a capability on the scheduler."""
    return makes(s, call, False) and notification_exists(s, NotificationId.truncate(call.argument[1]))


def rows(s: Kernel, call: Call) -> u64:
    """Whether a row is free for another agent, and then how many had it, through a capability to make an agent."""
    a = AgentId.truncate(call.argument[1])
    makes_agents = presents(s, call, ObjectKind.PARTITION, 0, ANY, Right.WRITE)
    return u64(s.agent[a].generation) + 1 if makes_agents and not lives(s, a) else u64(0)


def births(s: Kernel, call: Call) -> bool:
    """Whether a child still lives that was made by the agent that speaks for the caller, in the place that is named."""
    return names_living(s, s.agent[row_of(speaker_of(s))].child[ChildId.truncate(call.argument[2])])


def fit(s: Kernel, call: Call) -> u8:
    """Where a block of the order that is named would begin."""
    order = call.argument[1]
    return first_fit(s, Order(order)) if order < ORDERS else u8(NOWHERE)


def dirt(s: Kernel) -> u8:
    """How many parts are cleared of the unit that is next, and whether there is one."""
    return s.cleaned + (u8(1) if any_dirty(s) else u8(0))


def merges(s: Kernel, call: Call) -> bool:
    """Do both handles of the call let the caller merge partitions?"""
    one = handle_slot(Handle.truncate(call.argument[0]))
    two = handle_slot(Handle.truncate(call.argument[1]))
    return reaches(s, s.current, one, ObjectKind.PARTITION, Right.MERGE) and reaches(
        s, s.current, two, ObjectKind.PARTITION, Right.MERGE
    )


def connection(s: Kernel, call: Call) -> bool:
    """Whether the edge that is named leads from one of two partitions to the other, through capabilities to merge."""
    e = EdgeId.truncate(call.argument[2])
    slot = SlotId.truncate(call.argument[3])
    return merges(s, call) and connects(s, e, slot, first_partition(s, call), second_partition(s, call))


def coherence(s: Kernel, call: Call) -> bool:
    """Whether two partitions carry enough between each other, through capabilities to merge them."""
    e = EdgeId.truncate(call.argument[2])
    back = EdgeId.truncate(call.argument[4])
    return merges(s, call) and are_coherent(s, e, back, first_partition(s, call), second_partition(s, call))


def leased(s: Kernel, call: Call) -> bool:
    """Whether a device is leased to a partition, through a capability to merge it."""
    return merges(s, call) and leases(s, first_partition(s, call))


def reflexes(s: Kernel) -> bool:
    """Whether the scheduler is in reflex mode."""
    return s.mode == Mode.REFLEX


def giver(s: Kernel, call: Call) -> bool:
    """Whether the owner of a page is gone, through a capability to map it for its reader."""
    page = PageId.truncate(call.argument[1])
    m = mapping_id(page, Ordinal.truncate(call.argument[2]))
    reader = s.mapping[m].partition
    return (
        shared_with(s, m, reader)
        and acts_on(s, call, reader, Right.WRITE)
        and s.partition[s.page[page].owner].state == PartitionState.DESTROYED
    )


def found(s: Kernel, p: PartitionId, slot: u8, d: DeviceId) -> u8:
    """What was found behind a transport before, to anybody."""
    return u8(s.device[d].kind)


RELEASED = (
    Released("turn", turn, "partitions take turns on one processor, and notice when they do not run", after=True),
    Released(
        "free",
        free_processor,
        "who does not run notices that, whether another one runs or nobody",
        ("preempt", "contain", "wait"),
    ),
    Released("time", time, "one clock is there for all; rates, elevations and proofs are measured by it"),
    Released(
        "last time", last_time, "no clock runs back for anybody, so all learn how far it ran", ("preempt", "contain")
    ),
    Released(
        "room",
        room,
        (
            "all partitions write to one log, and without room for the record nothing is done; "
            "there is room as long as a share is left"
        ),
    ),
    Released("ring", ring, "a partition never has a better ring than its creators, whatever theirs is by now"),
    Released(
        "score ring", score_ring, "follows from the ring and the caller's own record, and is said to shorten the proofs"
    ),
    Released(
        "attestation", attestation, "an elevation to ring 1 ends with its attestation, so who holds it learns of that"
    ),
    Released("standing", standing, "revocation takes effect at once, so a holder learns of it"),
    Released("pool", pool, "the pages of a region are one pool for all who hold a capability on it", ("page_create",)),
    Released("foothold", foothold, "a partition stops when its stage-2 root is taken back", ("region_reclaim",)),
    Released(
        "last page",
        last_of_owner,
        "the last page of its owner moves into the place of a page that is taken back",
        ("region_reclaim",),
    ),
    Released(
        "giver",
        giver,
        "a share that is not mapped ends with the owner of its page, so its reader learns of that",
        ("share_map",),
    ),
    Released("progress", progress, "a sender learns when nobody receives what it sent", ("edge_send",)),
    Released(
        "sender",
        sends,
        "who made an edge sends again when the one is gone to whom it passed that on",
        ("edge_send", "capability_grant"),
    ),
    Released("reflexes", reflexes, "in reflex mode nothing is split, whoever asks", ("partition_split",)),
    Released(
        "connection", connection, "only what is connected is merged, so who merges learns of that", ("partition_merge",)
    ),
    Released("coherence", coherence, "and only what belongs together", ("partition_merge",)),
    Released("leased", leased, "a lease cannot be merged, so who merges learns of it", ("partition_merge",)),
    Released("found", found, "the log tells all who read it which device is where", ("find",)),
    Released("edges", edges, "the edges are one pool for all who hold the scheduler", ("edge_create",)),
    Released("rows", rows, "the rows of agents are one pool for all who may make some", ("agent_create",)),
    Released(
        "births", births, "an agent learns when a child of its own has ended, wherever that lived", ("agent_create",)
    ),
    Released("fit", fit, "large memory is one pool for all who may have some of it", ("block_create",)),
    Released("dirt", dirt, "everybody may clean what is nobody's, and learns when all is clean", ("block_clean",)),
    Released(
        "notifications",
        notifications,
        "the notifications are one pool for all who hold the scheduler",
        ("notification_create",),
    ),
)


# ---- what nobody could see before


def page_created(before: Kernel, after: Kernel, page: PageId) -> bool:
    """The step took the page from the pool."""
    return not in_use(before, page) and in_use(after, page)


def page_pinned(before: Kernel, after: Kernel, page: PageId) -> bool:
    """The step let a device use the page."""
    return not before.pin[page].held and after.pin[page].held


def blank_contents(before: Kernel, after: Kernel, page: PageId, entry: EntryId) -> bool:
    """The contents of a page that the step took from the pool."""
    return page_created(before, after, page)


def blank_mapping(before: Kernel, after: Kernel, m: MappingId) -> bool:
    """A mapping of a page that the step took from the pool."""
    return page_created(before, after, mapped_page(m))


def mapping_linked(before: Kernel, after: Kernel, m: MappingId) -> bool:
    """The step linked the mapping."""
    return not before.mapping[m].linked and after.mapping[m].linked


def page_shared(before: Kernel, after: Kernel, m: MappingId) -> bool:
    """The step made the mapping a share."""
    return not before.mapping[m].used and after.mapping[m].used


def slot_filled(before: Kernel, after: Kernel, c: CapabilityId) -> bool:
    """The step put a capability into a free slot."""
    return free(before, c) and not free(after, c)


def page_listed(before: Kernel, after: Kernel, o: OwnedId) -> bool:
    """The step added the entry to the list of a partition's pages."""
    return not is_listed(before, o) and is_listed(after, o)


def edge_made(before: Kernel, after: Kernel, e: EdgeId) -> bool:
    """The step made the edge."""
    return not edge_exists(before, e) and edge_exists(after, e)


def message_sent(before: Kernel, after: Kernel, m: MessageId) -> bool:
    """The step put the message into its edge."""
    return not waits(before, m) and waits(after, m)


def agent_begun(before: Kernel, after: Kernel, a: AgentId) -> bool:
    """The step made the agent."""
    return not lives(before, a) and lives(after, a)


def child_begun(before: Kernel, after: Kernel, a: AgentId, k: ChildId) -> bool:
    """The step made the agent, which has no children yet."""
    return agent_begun(before, after, a)


def block_made(before: Kernel, after: Kernel, unit: UnitId) -> bool:
    """The step made the block."""
    return not before.block[unit].used and after.block[unit].used


def unit_linked(before: Kernel, after: Kernel, unit: UnitId) -> bool:
    """The step linked the unit."""
    return not is_linked(before, unit) and is_linked(after, unit)


def notification_made(before: Kernel, after: Kernel, n: NotificationId) -> bool:
    """The step made the notification."""
    return not notification_exists(before, n) and notification_exists(after, n)


NOVELTIES = (
    Novelty("page", (), page_created),
    Novelty("pin", ("held",), page_created),
    Novelty("pin", ("device",), page_pinned),
    Novelty("memory", (), blank_contents),
    Novelty("mapping", ("used", "linked", "cached"), blank_mapping),
    Novelty("mapping", ("partition", "table", "entry"), mapping_linked),
    Novelty("mapping", ("partition", "incarnation"), page_shared),
    Novelty(
        "capability", ("depth", "rights", "object", "incarnation", "parent", "parent_lineage", "badge"), slot_filled
    ),
    Novelty("owned", (), page_listed),
    Novelty("edge", (), edge_made),
    Novelty("message", (), message_sent),
    Novelty("notification", (), notification_made),
    Novelty("agent", tuple(name for name in Agent.fields if name != "child"), agent_begun),
    Novelty("agent", ("child",), child_begun),
    Novelty("block", (), block_made),
    Novelty("unit", (), unit_linked),
)


def heirs(before: Kernel, call: Call, p: PartitionId, slot: u8) -> bool:
    """The partitions that a partition created fall to its own creator when it ends."""
    return (
        slot < SLOTS and before.partition[PartitionId.truncate(before.capability[call.capability].object)].parent == p
    )


DISCLOSURES = (
    Disclosure("heirs", ("partition_destroy",), heirs, "a creator sees those whom it created, and who fell to it"),
)


# ---- what others may change of one's own anyway


def discards(before: Kernel, call: Call, after: Kernel, u: PartitionId, p: PartitionId) -> bool:
    """A caller that may empty the log took a partition's records out of it."""
    return (
        presents(before, call, ObjectKind.WITNESS_LOG, 0, ANY, Right.WRITE)
        and after.partition[p].records < before.partition[p].records
    )


def inherits(before: Kernel, call: Call, after: Kernel, u: PartitionId, p: PartitionId) -> bool:
    """The allowances of a partition that ended came back to its creator."""
    left = PartitionId.truncate(before.capability[call.capability].object)
    return p == before.partition[left].parent and acts_on(before, call, left, Right.WRITE) and grows(before, after, p)


def falls_to(before: Kernel, call: Call, after: Kernel, u: PartitionId, p: PartitionId) -> bool:
    """The creator of a partition was destroyed."""
    return falls(before, call, after, p)


def writes_shared(before: Kernel, call: Call, after: Kernel, u: PartitionId, page: PageId, entry: EntryId) -> bool:
    """A shared page was written by its owner, or on the owner's behalf."""
    p = before.page[page].owner
    return p != u and (p == before.current or acts_on(before, call, p, Right.WRITE))


def unmaps_shared(before: Kernel, call: Call, after: Kernel, u: PartitionId, page: PageId, entry: EntryId) -> bool:
    """The owner of a shared page ended the share, and the reader's mapping with it."""
    return ends_a_share(before, call, after, page, entry)


def changes_share(before: Kernel, call: Call, after: Kernel, u: PartitionId, m: MappingId) -> bool:
    """The other side of a share mapped it, or ended it."""
    owner = before.page[mapped_page(m)].owner
    return (
        ordinal_of(m) != 0
        and before.mapping[m].used
        and (
            (owner != u and acts_on(before, call, owner, Right.WRITE))
            or acts_on(before, call, before.mapping[m].partition, Right.WRITE)
        )
    )


def commits(before: Kernel, call: Call, after: Kernel, u: PartitionId, r: ProofRootId) -> bool:
    """A caller that may do so put another root in force."""
    return presents(before, call, ObjectKind.PROOF_ROOT, u32(r), PROOF_ROOTS - 1, Right.WRITE)


def stopped(before: Kernel, call: Call, after: Kernel, u: PartitionId, p: PartitionId) -> bool:
    """A page was taken back from the partition, maybe its root."""
    return loses_page(before, call, p)


def page_lost(before: Kernel, call: Call, after: Kernel, u: PartitionId, page: PageId) -> bool:
    """The page was taken back, or moved up in the list of an owner that lost one."""
    return loses_page(before, call, before.page[page].owner)


def contents_lost(before: Kernel, call: Call, after: Kernel, u: PartitionId, page: PageId, entry: EntryId) -> bool:
    """The contents went with the page, or a table entry with what it led to."""
    return loses_page(before, call, before.page[page].owner)


def mapping_lost(before: Kernel, call: Call, after: Kernel, u: PartitionId, m: MappingId) -> bool:
    """The mapping went with its page."""
    return loses_page(before, call, before.page[mapped_page(m)].owner)


def list_shortened(before: Kernel, call: Call, after: Kernel, u: PartitionId, o: OwnedId) -> bool:
    """The list of an owner that lost a page closed up."""
    return loses_page(before, call, OwnedPlace(o).partition)


def lease_ended(before: Kernel, call: Call, after: Kernel, u: PartitionId, d: DeviceId) -> bool:
    """Who may revoke a lease, take over one that has ended, or take its page back, ended it."""
    named = presents(before, call, ObjectKind.TRANSPORT, u32(d), DEVICES - 1, ALL_RIGHTS)
    return named or loses_page(before, call, before.device[d].holder)


def answer_ended(before: Kernel, call: Call, after: Kernel, u: PartitionId, d: DeviceId) -> bool:
    """The device was reset with the end of its lease."""
    return lease_ended(before, call, after, u, d)


def pin_ended(before: Kernel, call: Call, after: Kernel, u: PartitionId, page: PageId) -> bool:
    """The device that could use the page does not see it any more."""
    return lease_ended(before, call, after, u, before.pin[page].device) and not after.pin[page].held


LENT = "pages of a region are lent: who may revoke it takes them back, whoever has them, with all that leads to them"

LEASED = "a device is lent for a time: who has authority over it ends a lease, or takes it over when its time is up"


INTERFERENCES = (
    Interference("discard", "partition", ("records",), discards, "room in the log is given back to whoever filled it"),
    Interference(
        "inheritance",
        "partition",
        ("quota", "share", "numbers", "edges", "notifications", "agents", "units"),
        inherits,
        "an allowance is lent, and returns to the lender",
    ),
    Interference("inherited", "partition", ("parent",), falls_to, "whoever loses its creator has the creator of that"),
    Interference(
        "shared contents",
        "memory",
        ("word",),
        writes_shared,
        "a reader of a page is meant to see what its owner writes",
    ),
    Interference(
        "end of a share",
        "memory",
        ("word",),
        unmaps_shared,
        "a share ends when its owner wants, whatever its reader does",
    ),
    Interference(
        "share",
        "mapping",
        ("used", "linked", "cached", "partition", "table", "entry", "incarnation"),
        changes_share,
        "both sides of a share see whether it is there and mapped",
    ),
    Interference("page taken back: partition", "partition", ("state", "walked", "rooted", "pages"), stopped, LENT),
    Interference("page taken back: page", "page", ("kind", "ordinal", "filled", "fetched"), page_lost, LENT),
    Interference("page taken back: contents", "memory", ("word",), contents_lost, LENT),
    Interference("page taken back: mapping", "mapping", ("used", "linked", "cached"), mapping_lost, LENT),
    Interference("page taken back: list", "owned", (), list_shortened, LENT),
    Interference(
        "end of a lease: device",
        "device",
        ("leased", "holder", "incarnation", "until", "budget", "busy", "active"),
        lease_ended,
        LEASED,
    ),
    Interference("end of a lease: queue", "queue", ("header", "data", "status", "available"), lease_ended, LEASED),
    Interference("end of a lease: answer", "answer", ("used",), answer_ended, LEASED),
    Interference("end of a lease: pin", "pin", ("held",), pin_ended, LEASED),
    Interference(
        "proof root",
        "proof_root",
        ("root",),
        commits,
        "a proof root may bind many, and changes for all of them at once",
    ),
)


# ---- all of it


def exists(s: Kernel, p: PartitionId) -> bool:
    """Is there a partition of this number? Only such a one has something of its own."""
    return not is_vacant(s, p)


def is_named(s: Kernel, call: Call, p: PartitionId) -> bool:
    """Does a handle of the call name the partition?"""
    return acts_on(s, call, p, ALL_RIGHTS)


VIEW = View(
    OBSERVATIONS,
    implied=IMPLIED,
    known=KNOWN,
    sealed=SEALED,
    private=PRIVATE,
    released=RELEASED,
    novelties=NOVELTIES,
    disclosures=DISCLOSURES,
    interferences=INTERFERENCES,
    slots=SlotId,
    alone=ALONE,
    exists=exists,
    names=is_named,
    groups=(("books", (sees_record, sees_log)), ("channels", (sees_edge, sees_message, sees_bits))),
    joint=("books",),
)
"""All tables of this module."""
