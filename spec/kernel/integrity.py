"""Who owns each field of the state, and what authority lets a step change it?

Every theorem here is about one table, at arbitrary indices. If a field of the table differs after a step, it was the
actor's own, or a handle of the call named a live capability, of the right kind, on its owner.
"""

from corollary.language.builtins import implies, without
from corollary.language.property import by_itself, theorem
from corollary.language.types import u32
from corollary.spec.kernel.capability import capability_id, current_object, handle_generation, handle_slot, holder, live
from corollary.spec.kernel.edge import edge_exists, edge_of, notification_exists, same_message
from corollary.spec.kernel.gate import HANDLES, known
from corollary.spec.kernel.limits import EDGES, NOTIFICATIONS, PARTITIONS, PROOF_ROOTS, REGISTERS
from corollary.spec.kernel.memory import in_use, is_table, mapped_page, ordinal_of, refers_to, valid
from corollary.spec.kernel.packed import OwnedPlace, PagePlace
from corollary.spec.kernel.partition import eligible
from corollary.spec.kernel.proof import same_root
from corollary.spec.kernel.ring import RESOURCES, more_privileged
from corollary.spec.kernel.state import (
    Call,
    CapabilityId,
    EdgeId,
    EntryId,
    Handle,
    Kernel,
    MappingId,
    MessageId,
    NotificationId,
    OwnedId,
    PageId,
    PartitionId,
    PayloadId,
    ProofRootId,
    RecordId,
    ResourceId,
    SlotId,
)
from corollary.spec.kernel.vocabulary import Awaited, ObjectKind, PageKind, PartitionState, Right, Status
from corollary.spec.kernel.witness import record_id, same_record

WHOLE = 0xFFFFFFFF  # as a mask: compare the whole object number
ANY = 0  # as a mask: accept any object number
LIFE = Right.WRITE | Right.EXECUTE | Right.HIBERNATE


def reaches(s: Kernel, p: PartitionId, slot: SlotId, kind: ObjectKind, rights: Right) -> bool:
    """Does this slot of `p` hold a live capability on a present object of this kind, with one of these rights?"""
    c = capability_id(p, slot)
    return s.capability[c].kind == kind and s.capability[c].rights & rights != 0 and current_object(s, c) and live(s, c)


def presents(s: Kernel, call: Call, kind: ObjectKind, number: u32, mask: u32, rights: Right) -> bool:
    """Does a handle of the call reach the object of this number from the caller's own space?"""
    found = False
    if known(call):
        for i in range(REGISTERS):
            if (u32(HANDLES[call.operation]) >> i) & 1 != 0 and call.argument[i] < Handle.bound:
                handle = Handle(call.argument[i])
                slot = handle_slot(handle)
                c = capability_id(s.current, slot)
                named = (
                    s.capability[c].generation == handle_generation(handle) and s.capability[c].object & mask == number
                )
                found = found or (named and reaches(s, s.current, slot, kind, rights))
    return found


def acts_on(s: Kernel, call: Call, p: PartitionId, rights: Right) -> bool:
    """Does a handle of the call give one of these rights over the partition?"""
    return presents(s, call, ObjectKind.PARTITION, u32(p), PARTITIONS - 1, rights)


def creates(s: Kernel, call: Call, p: PartitionId) -> bool:
    """Is the place of the partition vacant, and does a handle on the scheduler let the caller fill it?"""
    return s.partition[p].state == PartitionState.VACANT and presents(
        s, call, ObjectKind.SCHEDULER, 0, ANY, Right.WRITE
    )


def loses_page(s: Kernel, call: Call, p: PartitionId) -> bool:
    """Does the page that x2 names belong to the partition, and does a handle give REVOKE on the page's region?"""
    page = PageId.truncate(call.argument[1])
    return (
        in_use(s, page)
        and s.page[page].owner == p
        and presents(s, call, ObjectKind.REGION, u32(PagePlace(page).region), WHOLE, Right.REVOKE)
    )


# ---- what stays the same


def same_capability(before: Kernel, after: Kernel, c: CapabilityId) -> bool:
    """Is a slot unchanged?"""
    old = before.capability[c]
    new = after.capability[c]
    return (
        old.kind == new.kind
        and old.depth == new.depth
        and old.rights == new.rights
        and old.object == new.object
        and old.incarnation == new.incarnation
        and old.generation == new.generation
        and old.lineage == new.lineage
        and old.parent == new.parent
        and old.parent_lineage == new.parent_lineage
        and old.badge == new.badge
    )


def same_standing(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    """Is what others decide about a partition unchanged: its trust, its place in memory, its incarnation?"""
    old = before.partition[p]
    new = after.partition[p]
    return (
        old.score == new.score
        and old.consensus == new.consensus
        and old.ring == new.ring
        and old.failure == new.failure
        and old.rooted == new.rooted
        and old.root == new.root
        and old.generation == new.generation
    )


def same_life(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    """Are a partition's state, and whether a TLB may hold what was walked for it, unchanged?"""
    old = before.partition[p]
    new = after.partition[p]
    return old.state == new.state and old.walked == new.walked


def same_start(before: Kernel, after: Kernel, p: PartitionId, actor: PartitionId) -> bool:
    """Would a partition start as before? Only the one that ran may have stopped being fresh."""
    old = before.partition[p]
    new = after.partition[p]
    return old.entry == new.entry and (old.fresh == new.fresh or (p == actor and not new.fresh))


def same_origin(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    """Does a partition still have the same creator?"""
    old = before.partition[p]
    new = after.partition[p]
    return old.ancestry == new.ancestry and old.parent == new.parent


def same_account(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    """Is everything that a partition uses up, and holds for a while, unchanged?"""
    old = before.partition[p]
    new = after.partition[p]
    return (
        old.nonce == new.nonce
        and old.pages == new.pages
        and old.proof_root == new.proof_root
        and old.bucket.credit == new.bucket.credit
        and old.bucket.refilled == new.bucket.refilled
        and old.messages.used == new.messages.used
        and old.messages.began == new.messages.began
        and old.edges_made == new.edges_made
        and old.notifications_made == new.notifications_made
        and old.units_made == new.units_made
        and old.speaker == new.speaker
        and old.other == new.other
        and old.carried == new.carried
    )


def same_allowances(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    """Are the allowances of a partition unchanged?"""
    old = before.partition[p]
    new = after.partition[p]
    return (
        old.quota == new.quota
        and old.share == new.share
        and old.numbers == new.numbers
        and old.edges == new.edges
        and old.notifications == new.notifications
        and old.agents == new.agents
        and old.units == new.units
    )


def same_log_account(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    """Are the counts of a partition's records in the log, and of what found no room there, unchanged?"""
    old = before.partition[p]
    new = after.partition[p]
    return old.records == new.records and old.refused == new.refused


def same_elevation(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    """Is the elevation of a partition unchanged?"""
    old = before.partition[p].elevation
    new = after.partition[p].elevation
    return (
        old.active == new.active
        and old.ring == new.ring
        and old.expires == new.expires
        and old.attestation == new.attestation
    )


def same_tools(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    """Does a partition hold the same tools as before?"""
    same = True
    for i in range(RESOURCES):
        same = same and before.partition[p].tools[ResourceId(i)] == after.partition[p].tools[ResourceId(i)]
    return same


def same_page(before: Kernel, after: Kernel, page: PageId) -> bool:
    """Is the record of a page unchanged?"""
    old = before.page[page]
    new = after.page[page]
    return (
        old.kind == new.kind
        and old.owner == new.owner
        and old.ordinal == new.ordinal
        and old.filled == new.filled
        and old.fetched == new.fetched
    )


def same_mapping(before: Kernel, after: Kernel, m: MappingId) -> bool:
    """Is a mapping unchanged?"""
    old = before.mapping[m]
    new = after.mapping[m]
    return (
        old.used == new.used
        and old.linked == new.linked
        and old.cached == new.cached
        and old.partition == new.partition
        and old.table == new.table
        and old.entry == new.entry
        and old.incarnation == new.incarnation
    )


def same_roots(before: Kernel, after: Kernel, r: ProofRootId) -> bool:
    """Is a proof root unchanged, both in force and proposed?"""
    old = before.proof_root[r]
    new = after.proof_root[r]
    return (
        same_root(before, after, r)
        and old.pending[0] == new.pending[0]
        and old.pending[1] == new.pending[1]
        and old.pending[2] == new.pending[2]
        and old.pending[3] == new.pending[3]
    )


def same_chain(one: Kernel, other: Kernel) -> bool:
    """Is the chain value unchanged?"""
    same = True
    for i in range(8):
        same = same and one.head[i] == other.head[i]
    return same


def same_key(one: Kernel, other: Kernel) -> bool:
    """Is the key unchanged?"""
    same = True
    for i in range(8):
        same = same and one.key[i] == other.key[i]
    return same


# ---- what a call may change


@theorem("INT-1", "a capability slot of another changes only through a handle with WRITE on its holder")
def slots_obey_their_holder(before: Kernel, call: Call, after: Kernel, c: CapabilityId) -> bool:
    p = holder(c)
    return implies(not same_capability(before, after, c) and p != before.current, acts_on(before, call, p, Right.WRITE))


@theorem(
    "INT-2",
    "a partition starts, stops and ends only through a handle with a right over its life, at its creation, "
    "or when a page is taken back",
)
def lives_obey_their_handles(before: Kernel, call: Call, after: Kernel, p: PartitionId) -> bool:
    return implies(
        not same_life(before, after, p) or not same_start(before, after, p, before.current),
        acts_on(before, call, p, LIFE) or creates(before, call, p) or loses_page(before, call, p),
    )


@theorem(
    "INT-3",
    "the trust, failures, root table and incarnation of a partition change only through a handle with WRITE "
    "on it, at its creation, or when a page is taken back",
)
def standing_obeys_its_handles(before: Kernel, call: Call, after: Kernel, p: PartitionId) -> bool:
    return implies(
        not same_standing(before, after, p),
        acts_on(before, call, p, Right.WRITE) or creates(before, call, p) or loses_page(before, call, p),
    )


def falls(before: Kernel, call: Call, after: Kernel, p: PartitionId) -> bool:
    """Does the call destroy the partition's creator, and does the partition fall to that creator's own creator?"""
    creator = before.partition[p].parent
    ended = after.partition[creator].state == PartitionState.DESTROYED and acts_on(before, call, creator, Right.WRITE)
    return (
        ended
        and after.partition[p].parent == before.partition[creator].parent
        and after.partition[p].ancestry == before.partition[p].ancestry
    )


@theorem(
    "INT-4",
    "who created a partition is fixed at its creation, until its creator is destroyed and it falls "
    "to the creator of that",
)
def origins_are_fixed(before: Kernel, call: Call, after: Kernel, p: PartitionId) -> bool:
    return implies(not same_origin(before, after, p), creates(before, call, p) or falls(before, call, after, p))


@theorem(
    "INT-5",
    "tokens, tools, proofs, pages and elevations of another change only through a handle with WRITE on it, "
    "at its creation, or when a page is taken back",
)
def accounts_obey_their_holder(before: Kernel, call: Call, after: Kernel, p: PartitionId) -> bool:
    told = before.partition[p].refused == after.partition[p].refused
    changed = (
        not same_account(before, after, p)
        or not same_elevation(before, after, p)
        or not same_tools(before, after, p)
        or not told
    )
    return implies(
        changed and p != before.current,
        acts_on(before, call, p, Right.WRITE) or creates(before, call, p) or loses_page(before, call, p),
    )


def grows(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    """Is every allowance of a partition at least as large as before?"""
    old = before.partition[p]
    new = after.partition[p]
    return (
        new.quota >= old.quota
        and new.share >= old.share
        and new.numbers >= old.numbers
        and new.edges >= old.edges
        and new.notifications >= old.notifications
        and new.agents >= old.agents
        and new.units >= old.units
    )


@theorem(
    "INT-6",
    "an allowance comes from the caller's own, or returns to the creator of a partition that is named with WRITE",
)
def allowances_obey_their_holder(before: Kernel, call: Call, after: Kernel, p: PartitionId) -> bool:
    left = PartitionId.truncate(before.capability[call.capability].object)
    inherited = (
        grows(before, after, p) and p == before.partition[left].parent and acts_on(before, call, left, Right.WRITE)
    )
    return implies(
        not same_allowances(before, after, p) and p != before.current,
        acts_on(before, call, p, Right.WRITE) or creates(before, call, p) or inherited,
    )


@theorem(
    "INT-7",
    "the records of another are counted less only through a handle with WRITE on the log, and never counted more",
)
def records_obey_the_log(before: Kernel, call: Call, after: Kernel, p: PartitionId) -> bool:
    old = before.partition[p].records
    new = after.partition[p].records
    return implies(
        old != new and p != before.current,
        new < old and presents(before, call, ObjectKind.WITNESS_LOG, 0, ANY, Right.WRITE),
    )


@theorem(
    "INT-8",
    "a page changes its use, owner and place only through a handle with WRITE on its owner, or on its region "
    "while it is free, or when a page is taken back",
)
def pages_obey_their_handles(before: Kernel, call: Call, after: Kernel, page: PageId) -> bool:
    owned = in_use(before, page) and acts_on(before, call, before.page[page].owner, Right.WRITE)
    region = presents(before, call, ObjectKind.REGION, u32(PagePlace(page).region), WHOLE, Right.WRITE)
    taken = in_use(before, page) and loses_page(before, call, before.page[page].owner)
    return implies(
        not same_page(before, after, page), owned or taken or (before.page[page].kind == PageKind.FREE and region)
    )


@theorem("INT-9", "a page goes to the caller, or to whom a handle with WRITE names")
def owners_obey_their_handles(before: Kernel, call: Call, after: Kernel, page: PageId) -> bool:
    p = after.page[page].owner
    received = in_use(after, page) and (not in_use(before, page) or before.page[page].owner != p)
    return implies(received and p != before.current, acts_on(before, call, p, Right.WRITE))


def ends_a_share(before: Kernel, call: Call, after: Kernel, page: PageId, entry: EntryId) -> bool:
    """Was the word a reader's descriptor, gone now, for a page whose owner is named with WRITE or loses a page?"""
    descriptor = before.memory[page].word[entry]
    m = refers_to(descriptor)
    owner = before.page[mapped_page(m)].owner
    return (
        is_table(before.page[page].kind)
        and valid(descriptor)
        and ordinal_of(m) != 0
        and after.memory[page].word[entry] == 0
        and (acts_on(before, call, owner, Right.WRITE) or loses_page(before, call, owner))
    )


@theorem(
    "INT-10",
    "contents change only by a handle with WRITE on their owner, by what a reader of the log, of an edge or of the "
    "traffic asks for, when a share ends, or when a page is taken back",
)
def contents_obey_their_handles(before: Kernel, call: Call, after: Kernel, page: PageId, entry: EntryId) -> bool:
    p = before.page[page].owner
    reads = (
        presents(before, call, ObjectKind.WITNESS_LOG, 0, ANY, Right.READ)
        or presents(before, call, ObjectKind.EDGE, 0, ANY, Right.READ)
        or presents(before, call, ObjectKind.COHERENCE, 0, ANY, Right.READ)
    )
    asked = p == before.current and before.page[page].kind == PageKind.DATA and reads
    return implies(
        before.memory[page].word[entry] != after.memory[page].word[entry],
        in_use(before, page)
        and (acts_on(before, call, p, Right.WRITE) or asked or loses_page(before, call, p))
        or ends_a_share(before, call, after, page, entry),
    )


@theorem(
    "INT-11",
    "a mapping changes only through a handle with WRITE on the owner of its page, or on the reader that it "
    "is shared with, or when a page is taken back",
)
def mappings_obey_their_handles(before: Kernel, call: Call, after: Kernel, m: MappingId) -> bool:
    page = mapped_page(m)
    old = before.mapping[m]
    shared = (
        old.used and after.mapping[m].used and ordinal_of(m) != 0 and acts_on(before, call, old.partition, Right.WRITE)
    )
    return implies(
        not same_mapping(before, after, m),
        in_use(before, page)
        and (
            acts_on(before, call, before.page[page].owner, Right.WRITE)
            or shared
            or loses_page(before, call, before.page[page].owner)
        ),
    )


@theorem(
    "INT-12", "the list of another's pages changes only through a handle with WRITE on it, or when a page is taken back"
)
def lists_obey_their_holder(before: Kernel, call: Call, after: Kernel, o: OwnedId) -> bool:
    p = OwnedPlace(o).partition
    return implies(
        before.owned[o] != after.owned[o] and p != before.current,
        acts_on(before, call, p, Right.WRITE) or loses_page(before, call, p),
    )


@theorem("INT-13", "a proof root, in force or proposed, changes only through a handle with WRITE on it")
def roots_obey_their_handles(before: Kernel, call: Call, after: Kernel, r: ProofRootId) -> bool:
    return implies(
        not same_roots(before, after, r),
        presents(before, call, ObjectKind.PROOF_ROOT, u32(r), PROOF_ROOTS - 1, Right.WRITE),
    )


@theorem(
    "INT-14",
    (
        "records leave the log only through a handle with WRITE on it, are copied through one with READ, "
        "and the chain goes on only with a record"
    ),
)
def log_obeys_its_handles(before: Kernel, call: Call, after: Kernel) -> bool:
    return (
        implies(before.drained != after.drained, presents(before, call, ObjectKind.WITNESS_LOG, 0, ANY, Right.WRITE))
        and implies(before.copied != after.copied, presents(before, call, ObjectKind.WITNESS_LOG, 0, ANY, Right.READ))
        and implies(not same_chain(before, after), after.sequence != before.sequence)
    )


@theorem(
    "INT-15",
    (
        "the processor changes hands only when the caller gives it away or can no longer run; "
        "no call touches what is the kernel's alone"
    ),
)
def scheduling_is_the_kernels(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    freed = implies(after.idle, call.yields or not eligible(after, before.current))
    return (
        freed
        and before.current == after.current
        and before.switches == after.switches
        and before.turn == after.turn
        and before.urges == after.urges
        and before.epoch == after.epoch
        and before.epoch_began == after.epoch_began
        and same_key(before, after)
    )


def same_urgency(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    """Is it unchanged how urgent a partition is, and whether it runs in recovery?"""
    old = before.partition[p]
    new = after.partition[p]
    return old.deadline == new.deadline and old.pressure == new.pressure and old.warden == new.warden


def same_rest(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    """Does a partition rest as before?"""
    old = before.partition[p].rest
    new = after.partition[p].rest
    return (
        before.partition[p].awaited == after.partition[p].awaited
        and old.edge == new.edge
        and old.notification == new.notification
        and old.until == new.until
    )


@theorem(
    "INT-28",
    (
        "the mode, and how urgent a partition is, change only through a handle with EXECUTE on the scheduler, "
        "and another's urgency through one with WRITE on it besides, or at its creation"
    ),
)
def urgency_obeys_its_handles(before: Kernel, call: Call, after: Kernel, p: PartitionId) -> bool:
    schedules = presents(before, call, ObjectKind.SCHEDULER, 0, ANY, Right.EXECUTE)
    named = p == before.current or acts_on(before, call, p, Right.WRITE)
    return implies(before.mode != after.mode, schedules) and implies(
        not same_urgency(before, after, p), schedules and named or creates(before, call, p)
    )


@theorem("INT-29", "the rest of another ends only through a handle with EXECUTE on it, and begins never")
def rests_obey_their_handles(before: Kernel, call: Call, after: Kernel, p: PartitionId) -> bool:
    ended = after.partition[p].awaited == Awaited.NOTHING and acts_on(before, call, p, Right.EXECUTE)
    return implies(not same_rest(before, after, p) and p != before.current, ended)


def makes(s: Kernel, call: Call, exists: bool) -> bool:
    """Does something not exist yet, and does a handle on the scheduler let the caller make it?"""
    return not exists and presents(s, call, ObjectKind.SCHEDULER, 0, ANY, Right.WRITE)


@theorem(
    "INT-16",
    "an edge counts a message more only through a handle with WRITE on it, one less with READ; "
    "all else is fixed when it is made",
)
def edges_obey_their_handles(before: Kernel, call: Call, after: Kernel, e: EdgeId) -> bool:
    old = before.edge[e]
    new = after.edge[e]
    made = makes(before, call, edge_exists(before, e))
    return (
        implies(
            old.sent != new.sent or new.waiting > old.waiting,
            made or presents(before, call, ObjectKind.EDGE, u32(e), EDGES - 1, Right.WRITE),
        )
        and implies(
            new.waiting < old.waiting, made or presents(before, call, ObjectKind.EDGE, u32(e), EDGES - 1, Right.READ)
        )
        and implies(
            old.sender != new.sender or old.sender_generation != new.sender_generation,
            made or presents(before, call, ObjectKind.EDGE, u32(e), EDGES - 1, Right.WRITE),
        )
        and implies(old.origin != new.origin or old.schema != new.schema, made)
    )


@theorem("INT-17", "a message is put into an edge only through a handle with WRITE on it")
def messages_obey_their_edge(before: Kernel, call: Call, after: Kernel, m: MessageId, i: PayloadId) -> bool:
    return implies(
        not same_message(before, after, m, i),
        presents(before, call, ObjectKind.EDGE, u32(edge_of(m)), EDGES - 1, Right.WRITE),
    )


@theorem(
    "INT-18",
    (
        "the bits of a notification are set only through a handle with WRITE on it, and taken with READ, "
        "or when it is made"
    ),
)
def notifications_obey_their_handles(before: Kernel, call: Call, after: Kernel, n: NotificationId) -> bool:
    old = before.notification[n]
    new = after.notification[n]
    made = makes(before, call, notification_exists(before, n))
    return (
        implies(
            without(new.bits, old.bits) != 0,
            presents(before, call, ObjectKind.NOTIFICATION, u32(n), NOTIFICATIONS - 1, Right.WRITE),
        )
        and implies(
            without(old.bits, new.bits) != 0,
            made or presents(before, call, ObjectKind.NOTIFICATION, u32(n), NOTIFICATIONS - 1, Right.READ),
        )
        and implies(old.origin != new.origin, made)
    )


@theorem(
    "INT-19",
    (
        "a score rises, and consensus is found, only through a handle with WRITE on trust, "
        "and up to the score and ring of whoever has it"
    ),
)
def trust_obeys_its_handles(before: Kernel, call: Call, after: Kernel, p: PartitionId) -> bool:
    old = before.partition[p]
    new = after.partition[p]
    trustee = before.partition[before.current]
    raised = new.score > old.score or (new.consensus and not old.consensus) or more_privileged(new.ring, old.ring)
    return implies(
        raised and old.state != PartitionState.VACANT,
        p != before.current
        and presents(before, call, ObjectKind.TRUST, 0, ANY, Right.WRITE)
        and acts_on(before, call, p, Right.WRITE)
        and new.score <= trustee.score
        and not more_privileged(new.ring, trustee.ring),
    )


# ---- what happens without a call


@theorem(
    "INT-20",
    "what happens without a call changes the record of nobody but of who runs, and of that only its life, "
    "its elevation, "
    "tools that it loses and its part of the log",
    about=by_itself,
)
def others_are_left_alone(before: Kernel, after: Kernel, actor: PartitionId, p: PartitionId) -> bool:
    old = before.partition[p]
    new = after.partition[p]
    failed = old.state != new.state or old.failure != new.failure
    fixed = (
        old.score == new.score
        and old.consensus == new.consensus
        and old.ring == new.ring
        and old.rooted == new.rooted
        and old.root == new.root
        and old.walked == new.walked
        and old.generation == new.generation
        and same_allowances(before, after, p)
    )
    moved = (
        failed
        or not same_elevation(before, after, p)
        or not same_tools(before, after, p)
        or not same_log_account(before, after, p)
    )
    return (
        implies(moved, p == actor)
        and fixed
        and same_account(before, after, p)
        and same_origin(before, after, p)
        and same_start(before, after, p, actor)
    )


@theorem(
    "INT-21",
    "what happens without a call changes no capability, no proof root and no key, and takes no record out of the log",
    about=by_itself,
)
def authority_is_left_alone(before: Kernel, after: Kernel, c: CapabilityId, r: ProofRootId) -> bool:
    return (
        same_capability(before, after, c)
        and same_roots(before, after, r)
        and same_key(before, after)
        and before.drained == after.drained
        and before.copied == after.copied
    )


@theorem(
    "INT-30",
    "what happens without a call changes neither the mode nor how urgent anybody is, nor the rest of another",
    about=by_itself,
)
def urgency_is_left_alone(before: Kernel, after: Kernel, actor: PartitionId, p: PartitionId) -> bool:
    return (
        before.mode == after.mode
        and same_urgency(before, after, p)
        and implies(p != actor, same_rest(before, after, p))
    )


@theorem("INT-22", "what happens without a call changes no owner, no use and no mapping of a page", about=by_itself)
def pages_are_left_alone(before: Kernel, after: Kernel, page: PageId, m: MappingId, o: OwnedId) -> bool:
    return same_page(before, after, page) and same_mapping(before, after, m) and before.owned[o] == after.owned[o]


@theorem("INT-23", "who stores to memory by itself changes only data of its own", about=by_itself)
def stores_are_own(before: Kernel, after: Kernel, actor: PartitionId, page: PageId, entry: EntryId) -> bool:
    return implies(
        before.memory[page].word[entry] != after.memory[page].word[entry],
        before.page[page].kind == PageKind.DATA and before.page[page].owner == actor,
    )


@theorem(
    "INT-24",
    "what happens without a call adds at most one record to the end of the log, with its link",
    about=by_itself,
)
def log_only_grows_at_its_end(before: Kernel, after: Kernel, r: RecordId) -> bool:
    joined = after.sequence == before.sequence + 1
    return (
        implies(before.sequence != after.sequence, joined)
        and implies(not same_record(before, after, r), joined and r == record_id(before.sequence))
        and implies(not same_chain(before, after), joined)
    )


@theorem("INT-25", "what happens without a call changes no edge, no message and no notification", about=by_itself)
def channels_are_left_alone(
    before: Kernel, after: Kernel, e: EdgeId, m: MessageId, i: PayloadId, n: NotificationId
) -> bool:
    edge = before.edge[e]
    left = after.edge[e]
    return (
        edge.origin == left.origin
        and edge.sender == left.sender
        and edge.sender_generation == left.sender_generation
        and edge.schema == left.schema
        and edge.sent == left.sent
        and edge.waiting == left.waiting
        and same_message(before, after, m, i)
        and before.notification[n].origin == after.notification[n].origin
        and before.notification[n].bits == after.notification[n].bits
    )
