"""Why is a call refused? Each reason that a caller gets is one that its operation has, and it is true."""

from corollary.language.builtins import minimum, subset
from corollary.language.property import theorem
from corollary.language.types import u8, u16, u32, u64
from corollary.language.values import local
from corollary.spec.agent import Life, may_follow
from corollary.spec.kernel.agent import whole
from corollary.spec.kernel.arguments import arguments_fit
from corollary.spec.kernel.block import NOWHERE, first_fit, holds_blocks
from corollary.spec.kernel.capability import current_object, first_partition, free, live, retired, second_partition
from corollary.spec.kernel.gate import (
    ANY_OBJECT,
    ELEVATION_ADMITS,
    FOR_CREATORS,
    OBJECT_OF,
    REQUIRED_RING,
    RIGHTS_OF,
    TAKES_HANDLE,
    TIER_OF,
    USES_RESOURCE,
)
from corollary.spec.kernel.halves import are_coherent, connects, fits, holds_nothing, leases
from corollary.spec.kernel.limits import (
    ALL_USE,
    ANCESTRY_LIMIT,
    CLOCK_LIMIT,
    CONSOLE_TEXT_WORDS,
    CONSOLE_WORDS,
    COUNTER_LIMIT,
    DEADLINE_LIMIT,
    DEPTH_LIMIT,
    DRAIN_LIMIT,
    ELEVATE_1_SCORE,
    ELEVATE_2_SCORE,
    MESSAGES_PER_EDGE,
    MODULE_LINES,
    PAGE_WORDS,
    PATIENCE_LIMIT,
    PAYLOAD_WORDS,
    PPM,
)
from corollary.spec.kernel.outcome.admission import (
    holds,
    leads,
    led_to,
    place_in,
    presented,
    scored,
    stands,
    subject,
    subject_partition,
)
from corollary.spec.kernel.outcome.agent import carries_badge, is_alive, lives_in, named_row, speaking
from corollary.spec.kernel.outcome.block import dirt_is_left, has_units, is_held
from corollary.spec.kernel.outcome.capability import edge_named, is_trust, only_once, passes_sending, sends, slot_of
from corollary.spec.kernel.outcome.device import are_sectors, can_do, device_named, has_lease
from corollary.spec.kernel.outcome.edge import lasts, notification_named
from corollary.spec.kernel.outcome.halves import also_commands, runs_or_waits
from corollary.spec.kernel.outcome.memory import has_room_for_page, is_loose, own_mapping, owns, share
from corollary.spec.kernel.outcome.partition import has_room, is_root, left_of, may_end
from corollary.spec.kernel.outcome.ring import has_elevation, kept, may_use, ring_of, usable
from corollary.spec.kernel.outcome.unit import is_at_work, is_due, is_part
from corollary.spec.kernel.outcome.words import gives_words, handle_on, is_data, is_there, own_slot, takes_words
from corollary.spec.kernel.packed import PagePlace
from corollary.spec.kernel.ring import TOOLS, effective_ring
from corollary.spec.kernel.sha256 import Digest, word_of
from corollary.spec.kernel.state import (
    AgentId,
    Call,
    CapabilityId,
    ChildId,
    EdgeId,
    EntryId,
    Handle,
    Kernel,
    NotificationId,
    Order,
    Ordinal,
    PageId,
    PartitionId,
    SlotId,
    UnitId,
    Use,
)
from corollary.spec.kernel.vocabulary import (
    Access,
    Allowance,
    DeviceKind,
    Format,
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

# ---- the gate


def stands_too_low(s: Kernel, call: Call) -> bool:
    """Is the caller's ring not good enough, or does the partition that it would end belong to another?"""
    required = Ring(REQUIRED_RING[call.operation])
    low = not stands(s, call, required) if ELEVATION_ADMITS[call.operation] != 0 else not scored(s, required)
    return low or FOR_CREATORS[call.operation] != 0 and not may_end(s, call)


def may_not_use(s: Kernel, call: Call) -> bool:
    """Does the call name a resource that the caller's ring denies?"""
    ring = effective_ring(s, s.current, call.now)
    named = call.argument[1]
    return USES_RESOURCE[call.operation] != 0 and (named >= Resource.bound or not may_use(ring, u32.truncate(named)))


def of_handle(s: Kernel, call: Call, status: Status) -> bool:
    """Is this status true of the handle in x1?"""
    c = subject(s, call)
    held = s.capability[c]
    if status == Status.INVALID_HANDLE:
        return call.argument[0] >= Handle.bound or held.kind == ObjectKind.NONE
    if status == Status.STALE_HANDLE:
        return held.kind != ObjectKind.NONE and call.argument[0] != handle_on(s, c)
    if status == Status.REVOKED:
        return not live(s, c)
    if status == Status.WRONG_OBJECT:
        other = ANY_OBJECT[call.operation] == 0 and u8(held.kind) != OBJECT_OF[call.operation]
        return other or not current_object(s, c)
    return status == Status.INSUFFICIENT_RIGHTS and not subset(Right(RIGHTS_OF[call.operation]), held.rights)


def by_gate(s: Kernel, call: Call, status: Status) -> bool:
    """Is a call not refused, or refused for a true reason of the gate? Other promises cover room and tokens."""
    if status == Status.OK or status == Status.WITNESS_FULL or status == Status.RATE_LIMITED:
        return True
    if status == Status.RING_DENIED:
        return stands_too_low(s, call)
    if status == Status.RESOURCE_DENIED:
        return may_not_use(s, call)
    if status == Status.POLICY_VIOLATION:
        return TIER_OF[call.operation] >= u8(Tier.P2)
    if status == Status.BAD_ARGUMENT:
        return not arguments_fit(call)
    return TAKES_HANDLE[call.operation] != 0 and of_handle(s, call, status)


@theorem(
    "WHY-1",
    "who is refused an operation without reasons of its own is told one of the gate's, which is true",
    about=("capability_delete", "capability_inspect", "proof_inspect", "proof_root_commit", "yield_now"),
)
def only_the_gate_refuses(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return by_gate(before, call, status)


@theorem("WHY-2", "a call that names no operation is told so", about=lambda operation: False, unknown=True)
def unknown_is_told(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = status == Status.UNKNOWN_OPERATION or status == Status.WITNESS_FULL or status == Status.RATE_LIMITED
    return told


# ---- arguments by their registers


def slot_in(call: Call, number: u32) -> SlotId:
    """The register with this number, as a slot."""
    return SlotId.truncate(call.argument[number])


def page_in(call: Call, number: u32) -> PageId:
    """The register with this number, as a page."""
    return PageId.truncate(call.argument[number])


def handle_in(call: Call, number: u32) -> Handle:
    """The register with this number, as a handle."""
    return Handle.truncate(call.argument[number])


def target_refused(s: Kernel, target: CapabilityId, status: Status) -> bool:
    """Is this status true of the slot that is to be filled?"""
    if status == Status.SLOT_IN_USE:
        return not free(s, target)
    return status == Status.SLOT_RETIRED and retired(s, target)


# ---- capabilities


def grant_refused(s: Kernel, call: Call, status: Status) -> bool:
    """Is this a true reason to refuse a grant?"""
    source = s.capability[subject(s, call)]
    rights = Right.truncate(call.argument[2])
    into = handle_in(call, 3)
    passes = rights & (Right.GRANT | Right.GRANT_ONCE) != 0
    if status == Status.INSUFFICIENT_RIGHTS:
        return source.rights & (Right.GRANT | Right.GRANT_ONCE) == 0 or not leads(s, into, Right.WRITE)
    if status == Status.RING_DENIED:
        return is_trust(source.kind) and not scored(s, Ring.STANDARD)
    if status == Status.RIGHTS_ESCALATION:
        return not subset(rights, source.rights) or only_once(s, call) and passes
    if status == Status.NOT_SENDER:
        return passes_sending(source.kind, rights) and not sends(s, call)
    if status == Status.BAD_ARGUMENT:
        return source.depth != 0 and call.argument[4] != source.badge
    if status == Status.DEPTH_EXCEEDED:
        return source.depth >= DEPTH_LIMIT
    if status == Status.SLOT_RETIRED and source.lineage == COUNTER_LIMIT:
        return True
    return target_refused(s, place_in(s, into, slot_in(call, 1)), status)


@theorem("WHY-3", "who is refused a grant is told a reason that is true", about=("capability_grant",))
def grant_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or grant_refused(before, call, status)
    return told


@theorem("WHY-4", "a revoke is refused for a lineage at its end alone, or by the gate", about=("capability_revoke",))
def revoke_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    ended = before.capability[subject(before, call)].lineage == COUNTER_LIMIT
    told = by_gate(before, call, status) or status == Status.SLOT_RETIRED and ended
    return told


@theorem(
    "WHY-5", "a withdrawal is refused for a slot that is empty alone, or by the gate", about=("capability_withdraw",)
)
def withdrawal_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    empty = before.capability[slot_of(subject_partition(before, call), slot_in(call, 1))].kind == ObjectKind.NONE
    told = by_gate(before, call, status) or status == Status.INVALID_HANDLE and empty
    return told


# ---- partitions


def create_refused(s: Kernel, call: Call, status: Status) -> bool:
    """Is this a true reason to refuse the creation of a partition?"""
    p = PartitionId.truncate(call.argument[1])
    own = s.partition[s.current]
    if status == Status.PARTITION_IN_USE:
        return s.partition[p].state != PartitionState.VACANT
    if status == Status.DEPTH_EXCEEDED:
        return own.ancestry >= ANCESTRY_LIMIT
    if status == Status.LIMIT_REACHED:
        return u32(own.records) + u16.truncate(call.argument[3]) >= own.quota or own.numbers <= 1
    if status == Status.SLOT_RETIRED and s.partition[p].generation == COUNTER_LIMIT:
        return True
    return target_refused(s, own_slot(s, slot_in(call, 2)), status)


@theorem("WHY-6", "who is refused to create a partition is told a reason that is true", about=("partition_create",))
def creation_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or create_refused(before, call, status)
    return told


def adopt_refused(s: Kernel, call: Call, status: Status) -> bool:
    """Is this a true reason to refuse an adoption?"""
    p = PartitionId.truncate(call.argument[1])
    if status == Status.WRONG_STATE:
        return s.partition[p].state == PartitionState.VACANT or is_root(s, p)
    if status == Status.INVALID_TARGET:
        return s.partition[p].parent != s.current
    return target_refused(s, own_slot(s, slot_in(call, 2)), status)


@theorem("WHY-7", "who is refused to adopt a partition is told a reason that is true", about=("partition_adopt",))
def adoption_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or adopt_refused(before, call, status)
    return told


@theorem(
    "WHY-8",
    "a partition is said to be in the wrong state to start only if it has started, or has no root",
    about=("partition_start",),
)
def start_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    named = before.partition[subject_partition(before, call)]
    wrong = named.state != PartitionState.CREATED or not named.rooted
    told = by_gate(before, call, status) or status == Status.WRONG_STATE and wrong
    return told


@theorem(
    "WHY-9",
    "a partition is said to be in the wrong state to come to rest only if it stands still",
    about=("partition_suspend", "partition_hibernate"),
)
def rest_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    state = before.partition[subject_partition(before, call)].state
    told = by_gate(before, call, status) or status == Status.WRONG_STATE and state != PartitionState.RUNNING
    return told


@theorem(
    "WHY-10",
    "a partition is said to be in the wrong state to come back only if it does not rest so",
    about=("partition_resume", "partition_reconstruct"),
)
def return_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    state = before.partition[subject_partition(before, call)].state
    rests = PartitionState.SUSPENDED if TIER_OF[call.operation] < u8(Tier.P2) else PartitionState.HIBERNATED
    told = by_gate(before, call, status) or status == Status.WRONG_STATE and state != rests
    return told


@theorem(
    "WHY-11",
    "a partition is said to be in the wrong state to be destroyed only if it is at its end, or root, and to hold "
    "something only while it is merged",
    about=("partition_destroy",),
)
def destruction_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = subject_partition(before, call)
    wrong = not is_there(before, p) or is_root(before, p)
    full = before.partition[p].state == PartitionState.MERGING and not holds_nothing(before, p)
    told = (
        by_gate(before, call, status)
        or status == Status.WRONG_STATE
        and wrong
        or status == Status.STILL_HOLDING
        and full
    )
    return told


def split_refused(s: Kernel, call: Call, status: Status) -> bool:
    """Is this a true reason not to split a partition?"""
    into = handle_in(call, 1)
    second = s.partition[second_partition(s, call)]
    if status == Status.INSUFFICIENT_RIGHTS:
        return not also_commands(s, into, Right.WRITE | Right.SPLIT)
    if status == Status.WRONG_MODE:
        return s.mode == Mode.REFLEX
    if status == Status.INVALID_TARGET:
        either_root = is_root(s, first_partition(s, call)) or is_root(s, second_partition(s, call))
        return either_root or second.parent != s.current
    begun = second.state != PartitionState.CREATED or second.rooted
    return status == Status.WRONG_STATE and (not runs_or_waits(s, first_partition(s, call)) or begun)


@theorem("WHY-75", "who is refused to split a partition is told a reason that is true", about=("partition_split",))
def splitting_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or split_refused(before, call, status)
    return told


def merge_refused(s: Kernel, call: Call, status: Status) -> bool:
    """Is this a true reason not to merge two partitions?"""
    one = first_partition(s, call)
    two = second_partition(s, call)
    if status == Status.INSUFFICIENT_RIGHTS:
        return not also_commands(s, handle_in(call, 1), Right.WRITE | Right.MERGE)
    if status == Status.INVALID_TARGET:
        return one == two or is_root(s, one) or is_root(s, two)
    if status == Status.WRONG_STATE:
        return not runs_or_waits(s, one) or not runs_or_waits(s, two)
    if status == Status.NOT_CONNECTED:
        return not connects(s, EdgeId.truncate(call.argument[2]), slot_in(call, 3), one, two)
    if status == Status.NOT_COHERENT:
        e = EdgeId.truncate(call.argument[2])
        return not are_coherent(s, e, EdgeId.truncate(call.argument[4]), one, two)
    if status == Status.STILL_LEASED:
        return leases(s, one)
    return status == Status.LIMIT_REACHED and not fits(s, one, two)


@theorem("WHY-76", "who is refused to merge two partitions is told a reason that is true", about=("partition_merge",))
def merging_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or merge_refused(before, call, status)
    return told


@theorem(
    "WHY-77",
    "a partition is said to be in the wrong state to be settled only if it is no half, and who settles it to lack "
    "rights only without the one that made it a half",
    about=("partition_settle",),
)
def settling_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    state = before.partition[subject_partition(before, call)].state
    made = Right.SPLIT if state == PartitionState.SPLITTING else Right.MERGE
    half = state == PartitionState.SPLITTING or state == PartitionState.MERGING
    lacking = half and not subset(made, before.capability[subject(before, call)].rights)
    told = (
        by_gate(before, call, status)
        or status == Status.WRONG_STATE
        and not half
        or status == Status.INSUFFICIENT_RIGHTS
        and lacking
    )
    return told


def clearing_refused(s: Kernel, call: Call, status: Status) -> bool:
    """Is this a true reason not to clear away what is left of a partition?"""
    left = s.partition[subject_partition(s, call)]
    if status == Status.WRONG_STATE:
        return left.state != PartitionState.DESTROYED
    if status == Status.STILL_HOLDING:
        return left.pages != 0 or left.records != 0 or holds_blocks(s, subject_partition(s, call))
    return status == Status.SLOT_RETIRED and left.generation == COUNTER_LIMIT


@theorem(
    "WHY-12",
    "who is refused to release or reclaim a partition is told a reason that is true",
    about=("partition_release", "partition_reclaim"),
)
def clearing_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or clearing_refused(before, call, status)
    return told


@theorem(
    "WHY-13", "a failure is refused only of who is not there, or failed as badly before", about=("partition_fail",)
)
def failure_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = subject_partition(before, call)
    told = (
        by_gate(before, call, status)
        or status == Status.WRONG_STATE
        and not is_there(before, p)
        or status == Status.NOT_ESCALATING
        and call.argument[1] <= u64(u8(before.partition[p].failure))
    )
    return told


@theorem("WHY-14", "who is refused to endow a partition is told a reason that is true", about=("partition_endow",))
def endowment_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = subject_partition(before, call)
    what = Allowance(u8.truncate(minimum(call.argument[1], u64(Allowance.bound - 1))))
    amount = u16.truncate(call.argument[2])
    told = (
        by_gate(before, call, status)
        or status == Status.INVALID_TARGET
        and (before.partition[p].parent != before.current or p == before.current)
        or status == Status.WRONG_STATE
        and not is_there(before, p)
        or status == Status.LIMIT_REACHED
        and (left_of(before, before.current, what) < amount or not has_room(before, p, what, amount))
    )
    return told


# ---- pages


def is_elsewhere(s: Kernel, call: Call, page: PageId) -> bool:
    """Is the page in another region than the one presented?"""
    return PagePlace(page).region != s.capability[subject(s, call)].object


def taking_refused(s: Kernel, call: Call, status: Status) -> bool:
    """Is this a true reason not to take a page from its region?"""
    page = page_in(call, 1)
    kind = call.argument[2]
    into = handle_in(call, 3)
    if status == Status.BAD_ARGUMENT:
        return kind == u64(u8(PageKind.FREE)) or kind == u64(u8(PageKind.KERNEL))
    if status == Status.WRONG_OBJECT:
        return is_elsewhere(s, call, page)
    if status == Status.PAGE_IN_USE:
        return s.page[page].kind != PageKind.FREE
    if status == Status.INSUFFICIENT_RIGHTS:
        return not leads(s, into, Right.WRITE)
    return status == Status.LIMIT_REACHED and not has_room_for_page(s, led_to(s, into))


@theorem("WHY-15", "who is refused a page of a region is told a reason that is true", about=("page_create",))
def taking_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or taking_refused(before, call, status)
    return told


@theorem("WHY-16", "who is refused to take a page back is told a reason that is true", about=("region_reclaim",))
def taking_back_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    page = page_in(call, 1)
    kind = before.page[page].kind
    told = (
        by_gate(before, call, status)
        or status == Status.WRONG_STATE
        and (kind == PageKind.FREE or kind == PageKind.KERNEL)
        or status == Status.WRONG_OBJECT
        and is_elsewhere(before, call, page)
    )
    return told


def leaving_refused(s: Kernel, call: Call, status: Status, into: Handle, moves: bool) -> bool:
    """Is this a true reason why a page does not leave its owner?"""
    p = subject_partition(s, call)
    page = page_in(call, 1)
    if status == Status.NOT_OWNER:
        return not owns(s, p, page)
    if status == Status.PAGE_PINNED:
        return s.pin[page].held
    if status == Status.STILL_SHARED:
        return not is_loose(s, page)
    if status == Status.STILL_HOLDING:
        return not moves and s.partition[p].rooted and s.partition[p].root == page
    if status == Status.WRONG_PAGE_KIND:
        return moves and not is_data(s, page)
    if status == Status.INSUFFICIENT_RIGHTS:
        return moves and not leads(s, into, Right.WRITE)
    return moves and status == Status.LIMIT_REACHED and not has_room_for_page(s, led_to(s, into))


@theorem("WHY-17", "who is refused to release a page is told a reason that is true", about=("page_release",))
def release_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or leaving_refused(before, call, status, Handle(0), False)
    return told


@theorem("WHY-18", "who is refused to hand a page on is told a reason that is true", about=("page_transfer",))
def transfer_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or leaving_refused(before, call, status, handle_in(call, 2), True)
    return told


@theorem("WHY-19", "who is refused a stage-2 root is told a reason that is true", about=("table_root",))
def root_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = subject_partition(before, call)
    page = page_in(call, 1)
    told = (
        by_gate(before, call, status)
        or status == Status.WRONG_STATE
        and before.partition[p].state != PartitionState.CREATED
        or status == Status.NOT_OWNER
        and not owns(before, p, page)
        or status == Status.WRONG_PAGE_KIND
        and before.page[page].kind != PageKind.TABLE_1
    )
    return told


def entry_refused(s: Kernel, table: PageId, entry: EntryId, linked: bool, status: Status) -> bool:
    """Is it true that an entry is in use, or that what it would lead to is linked already?"""
    if status == Status.ENTRY_IN_USE:
        return s.memory[table].word[entry] != 0
    return status == Status.ALREADY_LINKED and linked


@theorem("WHY-20", "who is refused to link a table is told a reason that is true", about=("table_link",))
def link_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = subject_partition(before, call)
    table = page_in(call, 1)
    child = page_in(call, 3)
    upper = before.page[table].kind
    lower = before.page[child].kind
    first = upper == PageKind.TABLE_1 and (lower == PageKind.TABLE_2 or lower == PageKind.TABLE_UNITS)
    below = first or upper == PageKind.TABLE_2 and lower == PageKind.TABLE_3
    told = (
        by_gate(before, call, status)
        or status == Status.NOT_OWNER
        and (not owns(before, p, table) or not owns(before, p, child))
        or status == Status.WRONG_PAGE_KIND
        and not below
        or entry_refused(
            before, table, EntryId.truncate(call.argument[2]), before.mapping[own_mapping(child)].linked, status
        )
    )
    return told


def map_refused(s: Kernel, call: Call, status: Status) -> bool:
    """Is this a true reason not to map a page?"""
    p = subject_partition(s, call)
    page = page_in(call, 1)
    table = page_in(call, 2)
    access = Access.truncate(call.argument[4])
    if status == Status.NOT_OWNER:
        return not owns(s, p, table) or not owns(s, p, page)
    if status == Status.WRONG_PAGE_KIND:
        return (
            s.page[table].kind != PageKind.TABLE_3
            or not is_data(s, page)
            or s.page[page].kind == PageKind.APPEND
            and access != Access.READ
        )
    if status == Status.WRITE_XOR_EXECUTE:
        some = access != 0 and subset(access, Access.READ | Access.WRITE | Access.EXECUTE)
        return not some or access & Access.WRITE != 0 and access & Access.EXECUTE != 0
    return entry_refused(s, table, EntryId.truncate(call.argument[3]), s.mapping[own_mapping(page)].linked, status)


@theorem("WHY-21", "who is refused to map a page is told a reason that is true", about=("page_map",))
def map_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or map_refused(before, call, status)
    return told


@theorem("WHY-22", "who is refused to unmap a page is told a reason that is true", about=("page_unmap",))
def unmap_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    page = page_in(call, 1)
    told = (
        by_gate(before, call, status)
        or status == Status.NOT_OWNER
        and not owns(before, subject_partition(before, call), page)
        or status == Status.NOT_LINKED
        and not before.mapping[own_mapping(page)].linked
        or status == Status.PAGE_PINNED
        and before.pin[page].held
    )
    return told


def share_refused(s: Kernel, call: Call, status: Status) -> bool:
    """Is this a true reason not to share a page?"""
    page = page_in(call, 1)
    ordinal = Ordinal.truncate(call.argument[2])
    if status == Status.NOT_OWNER:
        return not owns(s, subject_partition(s, call), page)
    if status == Status.WRONG_PAGE_KIND:
        return not is_data(s, page)
    if status == Status.BAD_ARGUMENT:
        return ordinal == 0
    if status == Status.PAGE_PINNED:
        return s.pin[page].held
    if status == Status.ENTRY_IN_USE:
        return s.mapping[share(page, ordinal)].used
    return status == Status.INSUFFICIENT_RIGHTS and not leads(s, handle_in(call, 3), Right.READ)


@theorem("WHY-23", "who is refused to share a page is told a reason that is true", about=("page_share",))
def share_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or share_refused(before, call, status)
    return told


def share_map_refused(s: Kernel, call: Call, status: Status) -> bool:
    """Is this a true reason not to map a shared page?"""
    p = subject_partition(s, call)
    page = page_in(call, 1)
    table = page_in(call, 3)
    given = s.mapping[share(page, Ordinal.truncate(call.argument[2]))]
    if status == Status.NOT_SHARED:
        taken = given.used and given.partition == p and given.incarnation == s.partition[p].generation
        return not taken or not is_there(s, s.page[page].owner)
    if status == Status.NOT_OWNER:
        return not owns(s, p, table)
    if status == Status.WRONG_PAGE_KIND:
        return s.page[table].kind != PageKind.TABLE_3
    return entry_refused(s, table, EntryId.truncate(call.argument[4]), given.linked, status)


@theorem("WHY-24", "who is refused to map a shared page is told a reason that is true", about=("share_map",))
def share_map_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or share_map_refused(before, call, status)
    return told


@theorem("WHY-25", "who is refused to end a share is told a reason that is true", about=("page_unshare",))
def unshare_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    page = page_in(call, 1)
    told = (
        by_gate(before, call, status)
        or status == Status.NOT_OWNER
        and not owns(before, subject_partition(before, call), page)
        or status == Status.NOT_SHARED
        and not before.mapping[share(page, Ordinal.truncate(call.argument[2]))].used
    )
    return told


@theorem("WHY-26", "who is refused to append a word is told a reason that is true", about=("page_append",))
def append_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    page = page_in(call, 1)
    told = (
        by_gate(before, call, status)
        or status == Status.NOT_OWNER
        and not owns(before, subject_partition(before, call), page)
        or status == Status.WRONG_PAGE_KIND
        and before.page[page].kind != PageKind.APPEND
        or status == Status.LIMIT_REACHED
        and before.page[page].filled >= PAGE_WORDS
    )
    return told


# ---- edges and notifications


def making_refused(s: Kernel, call: Call, exists: bool, made: u16, most: u16, status: Status) -> bool:
    """Is this a true reason not to make an edge or notification?"""
    if status == Status.OBJECT_IN_USE:
        return exists
    if status == Status.LIMIT_REACHED:
        return made >= most
    return target_refused(s, own_slot(s, slot_in(call, 2)), status)


@theorem("WHY-27", "who is refused to make an edge is told a reason that is true", about=("edge_create",))
def edge_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    e = EdgeId.truncate(call.argument[1])
    own = before.partition[before.current]
    exists = lasts(before, before.edge[e].origin, ObjectKind.EDGE, u32(e))
    told = by_gate(before, call, status) or making_refused(before, call, exists, own.edges_made, own.edges, status)
    return told


@theorem(
    "WHY-28", "who is refused to make a notification is told a reason that is true", about=("notification_create",)
)
def notification_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    n = NotificationId.truncate(call.argument[1])
    own = before.partition[before.current]
    exists = lasts(before, before.notification[n].origin, ObjectKind.NOTIFICATION, u32(n))
    told = by_gate(before, call, status) or making_refused(
        before, call, exists, own.notifications_made, own.notifications, status
    )
    return told


@theorem(
    "WHY-29", "an edge is not ended only for a capability that was passed on, or by the gate", about=("edge_destroy",)
)
def ending_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    derived = before.capability[subject(before, call)].depth != 0
    told = by_gate(before, call, status) or status == Status.NOT_OWNER and derived
    return told


def is_anothers(s: Kernel, page: PageId) -> bool:
    """Is the page not data, or not the caller's?"""
    return not is_data(s, page) or s.page[page].owner != s.current


def send_refused(s: Kernel, call: Call, status: Status) -> bool:
    """Is this a true reason not to send a message?"""
    page = page_in(call, 1)
    named = s.edge[edge_named(s, call)]
    if status == Status.NOT_SENDER:
        return not sends(s, call)
    if status == Status.BAD_ARGUMENT:
        return call.argument[2] > PAYLOAD_WORDS
    if status == Status.NOT_OWNER:
        return is_anothers(s, page)
    if status == Status.NOT_MAPPED:
        return not gives_words(s, page)
    if status == Status.SCHEMA_MISMATCH:
        return call.argument[3] != named.schema
    return status == Status.WOULD_BLOCK and named.waiting >= MESSAGES_PER_EDGE


@theorem("WHY-30", "who is refused to send is told a reason that is true", about=("edge_send",))
def send_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or send_refused(before, call, status)
    return told


def write_refused(s: Kernel, page: PageId, status: Status) -> bool:
    """Is this status true of a page that words are to be written into?"""
    if status == Status.NOT_OWNER:
        return is_anothers(s, page)
    return status == Status.NOT_MAPPED and not takes_words(s, page)


@theorem("WHY-31", "who is refused to receive is told a reason that is true", about=("edge_receive",))
def receipt_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    nothing = before.edge[edge_named(before, call)].waiting == 0
    told = (
        by_gate(before, call, status)
        or write_refused(before, page_in(call, 1), status)
        or status == Status.WOULD_BLOCK
        and nothing
    )
    return told


@theorem(
    "WHY-32", "a signal is refused only for bits that its badge has not, or by the gate", about=("notification_signal",)
)
def signal_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    held = before.capability[subject(before, call)]
    alien = held.depth != 0 and not subset(call.argument[1], held.badge)
    told = by_gate(before, call, status) or status == Status.RIGHTS_ESCALATION and alien
    return told


@theorem("WHY-33", "a wait is refused only while no bit is set, or by the gate", about=("notification_wait",))
def wait_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    none = before.notification[notification_named(before, call)].bits == 0
    told = by_gate(before, call, status) or status == Status.WOULD_BLOCK and none
    return told


# ---- trust, rings and tools


def trust_refused(s: Kernel, call: Call, status: Status) -> bool:
    """Is this a true reason not to assign trust?"""
    of = handle_in(call, 1)
    score = u32.truncate(call.argument[2])
    if status == Status.INSUFFICIENT_RIGHTS:
        return not leads(s, of, Right.WRITE)
    if status == Status.INVALID_TARGET:
        return led_to(s, of) == s.current
    if status == Status.BAD_ARGUMENT:
        return score > PPM
    if status == Status.INSUFFICIENT_TRUST:
        return score > s.partition[s.current].score
    return status == Status.RING_DENIED and not scored(s, ring_of(score, call.argument[3] != 0))


@theorem("WHY-34", "who is refused to assign trust is told a reason that is true", about=("ring_assign",))
def trust_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or trust_refused(before, call, status)
    return told


@theorem("WHY-35", "who is refused to demote is told a reason that is true", about=("ring_demote",))
def demotion_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = subject_partition(before, call)
    higher = status == Status.BAD_ARGUMENT and call.argument[1] > before.partition[p].score
    told = by_gate(before, call, status) or status == Status.WRONG_STATE and not is_there(before, p) or higher
    return told


def elevation_refused(s: Kernel, call: Call, status: Status) -> bool:
    """Is this a true reason to refuse an elevation?"""
    target = Ring(u8.truncate(call.argument[1] & 3))
    score = s.partition[s.current].score
    shown = call.argument[3]
    attested = s.capability[presented(s, shown)].kind == ObjectKind.PROOF_ROOT and holds(s, shown, Right.PROVE)
    if status == Status.INVALID_TARGET:
        return stands(s, call, target)
    if status == Status.RING_0_FORBIDDEN:
        return target == Ring.ROOT
    if status == Status.DUPLICATE_ELEVATION:
        return has_elevation(s, call)
    if status == Status.INSUFFICIENT_TRUST:
        return score < (ELEVATE_1_SCORE if target == Ring.PRIVILEGED else ELEVATE_2_SCORE)
    if status == Status.NO_SPONSORSHIP:
        return target == Ring.PRIVILEGED and not attested
    return status == Status.BAD_ARGUMENT and call.now > CLOCK_LIMIT


@theorem("WHY-36", "who is refused to rise is told a reason that is true", about=("ring_elevate",))
def elevation_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or elevation_refused(before, call, status)
    return told


@theorem("WHY-37", "a ring is not restored only if none is held, or by the gate", about=("ring_restore",))
def restoration_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    held = before.partition[subject_partition(before, call)].elevation.active
    told = by_gate(before, call, status) or status == Status.WRONG_STATE and not held
    return told


@theorem(
    "WHY-38", "a tool is refused only to who has as many as its ring allows, or by the gate", about=("tool_acquire",)
)
def tool_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    ring = effective_ring(before, before.current, call.now)
    full = usable(before, before.current, ring, u32(Resource.bound)) >= TOOLS[u8(ring)]
    told = by_gate(before, call, status) or status == Status.LIMIT_REACHED and full
    return told


@theorem(
    "WHY-39", "a tool is not taken back only from who has none of its kind, or by the gate", about=("tool_release",)
)
def tool_release_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    ring = effective_ring(before, before.current, call.now)
    none = kept(before, before.current, ring, u32.truncate(call.argument[1] & 3)) == 0
    told = by_gate(before, call, status) or status == Status.WRONG_STATE and none
    return told


@theorem("WHY-52", "who is refused a look at the traffic is told a reason that is true", about=("graph_read",))
def look_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or write_refused(before, page_in(call, 1), status)
    return told


# ---- the log, the console and proofs


@theorem("WHY-40", "who is refused to read the log is told a reason that is true", about=("witness_read",))
def read_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    first = call.argument[2]
    beyond = first < before.drained or first >= before.sequence
    told = (
        by_gate(before, call, status)
        or write_refused(before, page_in(call, 1), status)
        or status == Status.BAD_ARGUMENT
        and beyond
    )
    return told


@theorem("WHY-41", "who is refused to drop records is told a reason that is true", about=("witness_discard",))
def discard_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    last = call.argument[1]
    told = (
        by_gate(before, call, status)
        or status == Status.BAD_ARGUMENT
        and (last < before.drained or last - before.drained >= DRAIN_LIMIT)
        or status == Status.NOT_COPIED
        and last >= before.copied
    )
    return told


@theorem("WHY-42", "who is refused a checkpoint is told a reason that is true", about=("witness_seal",))
def seal_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or write_refused(before, page_in(call, 1), status)
    return told


def console_refused(s: Kernel, call: Call, status: Status) -> bool:
    """Is this a true reason to write nothing to the console?"""
    page = page_in(call, 1)
    words = call.argument[3]
    most: u64 = CONSOLE_WORDS if call.argument[4] == u64(u8(Format.HEX)) else CONSOLE_TEXT_WORDS
    if status == Status.BAD_ARGUMENT:
        first = u32.truncate(call.argument[2] & (PAGE_WORDS - 1))
        return words > most or first + u32.truncate(words & 0xFFFF) > PAGE_WORDS
    if status == Status.NOT_OWNER:
        return is_anothers(s, page)
    return status == Status.NOT_MAPPED and not gives_words(s, page)


@theorem("WHY-43", "who is refused the console is told a reason that is true", about=("console_write",))
def console_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or console_refused(before, call, status)
    return told


@theorem("WHY-44", "a word of a root is refused only for its place, or by the gate", about=("proof_root_propose",))
def proposal_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or status == Status.BAD_ARGUMENT and call.argument[1] >= 4
    return told


@theorem(
    "WHY-45",
    "a root is not bound only for want of a handle on who is named, or by the gate",
    about=("proof_root_bind",),
)
def binding_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    unled = not leads(before, handle_in(call, 1), Right.WRITE)
    told = by_gate(before, call, status) or status == Status.INSUFFICIENT_RIGHTS and unled
    return told


@theorem(
    "WHY-53",
    "who may not rest is told so only for a time that is too long, or by the gate",
    about=("edge_await", "notification_await"),
)
def await_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    beyond = call.argument[1] > PATIENCE_LIMIT or call.now > CLOCK_LIMIT
    told = by_gate(before, call, status) or status == Status.BAD_ARGUMENT and beyond
    return told


@theorem(
    "WHY-54", "who may not say how urgent a partition is is told a reason that is true", about=("schedule_prioritize",)
)
def urgency_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    unled = not leads(before, handle_in(call, 1), Right.WRITE)
    far = call.argument[4] > DEADLINE_LIMIT or call.now > CLOCK_LIMIT
    told = (
        by_gate(before, call, status)
        or status == Status.INSUFFICIENT_RIGHTS
        and unled
        or status == Status.BAD_ARGUMENT
        and far
    )
    return told


@theorem("WHY-55", "who may not change the mode is told a reason that is true", about=("schedule_mode",))
def mode_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    halts = call.argument[1] == u64(u8(Mode.HALTED))
    traps = call.argument[1] == u64(u8(Mode.RECOVERY)) and not before.partition[before.current].warden
    told = (
        by_gate(before, call, status)
        or status == Status.BAD_ARGUMENT
        and halts
        or status == Status.WRONG_STATE
        and traps
    )
    return told


# ---- devices


def lease_refused(s: Kernel, call: Call, status: Status) -> bool:
    """Is this a true reason not to lease a device?"""
    device = s.device[device_named(s, call)]
    if status == Status.INVALID_TARGET:
        return device.kind == DeviceKind.ABSENT
    if status == Status.BAD_ARGUMENT:
        return call.now > CLOCK_LIMIT
    return status == Status.OBJECT_IN_USE and device.leased and not has_lease(s, call) and device.until > call.now


@theorem("WHY-56", "who is refused a lease is told a reason that is true", about=("device_lease",))
def lease_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or lease_refused(before, call, status)
    return told


@theorem("WHY-57", "a lease is not ended only where there is none, or by who may not end it", about=("device_return",))
def end_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    barred = before.capability[subject(before, call)].rights & Right.REVOKE == 0 and not has_lease(before, call)
    told = (
        by_gate(before, call, status)
        or status == Status.NOT_LEASED
        and not before.device[device_named(before, call)].leased
        or status == Status.INSUFFICIENT_RIGHTS
        and barred
    )
    return told


def submit_refused(s: Kernel, call: Call, status: Status) -> bool:
    """Is this a true reason to refuse a request to a device?"""
    device = s.device[device_named(s, call)]
    page = page_in(call, 1)
    if status == Status.NOT_LEASED:
        return not has_lease(s, call) or device.until <= call.now
    if status == Status.WOULD_BLOCK:
        return device.busy
    if status == Status.BAD_ARGUMENT:
        placed = are_sectors(call.argument[2], call.argument[3])
        return not placed or not can_do(s, call, call.argument[4] != 0, call.argument[5])
    own = s.page[page].kind == PageKind.DATA and s.page[page].owner == s.current
    if status == Status.NOT_OWNER:
        return not own
    if status == Status.NOT_MAPPED:
        return own and not (takes_words(s, page) if call.argument[4] != 0 else gives_words(s, page))
    if status == Status.PAGE_PINNED:
        return s.pin[page].held
    return status == Status.LIMIT_REACHED and call.argument[3] > device.budget


@theorem("WHY-58", "who is refused a request to a device is told a reason that is true", about=("device_submit",))
def submit_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or submit_refused(before, call, status)
    return told


@theorem("WHY-59", "who is refused the end of a request is told a reason that is true", about=("device_complete",))
def completion_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    d = device_named(before, call)
    told = (
        by_gate(before, call, status)
        or status == Status.NOT_LEASED
        and not has_lease(before, call)
        or status == Status.WRONG_STATE
        and not before.device[d].busy
        or status == Status.WOULD_BLOCK
        and before.answer[d].used != before.queue[d].available
    )
    return told


# ---- agents


def making_of_agent_refused(s: Kernel, call: Call, status: Status) -> bool:
    """Is this a true reason not to begin an agent?"""
    p = subject_partition(s, call)
    a = AgentId.truncate(call.argument[1])
    speaker = speaking(s)
    maker = s.agent[named_row(speaker)]
    if status == Status.WRONG_STATE:
        return not is_there(s, p)
    if status == Status.OBJECT_IN_USE:
        return is_alive(s, a)
    if status == Status.SLOT_RETIRED:
        return s.agent[a].generation == COUNTER_LIMIT
    if status == Status.LIMIT_REACHED:
        return s.partition[p].agents_made >= s.partition[p].agents
    if status == Status.NO_SPEAKER:
        return speaker == 0 and s.partition[s.current].agents_made != 0
    if status == Status.DEPTH_EXCEEDED:
        return speaker != 0 and maker.depth >= ANCESTRY_LIMIT
    taken = carries_badge(s, u64(maker.child[ChildId.truncate(call.argument[2])]))
    return status == Status.SPAWN_LIMIT and speaker != 0 and taken


@theorem("WHY-60", "who is refused to begin an agent is told a reason that is true", about=("agent_create",))
def beginning_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or making_of_agent_refused(before, call, status)
    return told


def badge_refused(s: Kernel, p: PartitionId, call: Call, status: Status) -> bool:
    """Is it true that the badge in x2 is of no agent that lives in the partition?"""
    return status == Status.STALE_HANDLE and not lives_in(s, p, call.argument[1])


def life_at(s: Kernel, call: Call) -> Life:
    """The state that is written down for the agent that x2 names."""
    return s.agent[named_row(call.argument[1])].life


@theorem("WHY-61", "who is refused to measure a module is told a reason that is true", about=("agent_measure",))
def measuring_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = subject_partition(before, call)
    page = page_in(call, 2)
    told = (
        by_gate(before, call, status)
        or badge_refused(before, p, call, status)
        or status == Status.WRONG_STATE
        and life_at(before, call) != Life.INITIALIZING
        or status == Status.NOT_OWNER
        and (not is_data(before, page) or before.page[page].owner != p)
        or status == Status.LIMIT_REACHED
        and before.agent[named_row(call.argument[1])].lines + 4 > MODULE_LINES
    )
    return told


@theorem("WHY-62", "who is refused to spawn is told a reason that is true", about=("agent_spawn",))
def spawning_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    value = local(Digest)
    whole(before, named_row(call.argument[1]), value)
    told = (
        by_gate(before, call, status)
        or status == Status.WRONG_STATE
        and life_at(before, call) != Life.INITIALIZING
        or status == Status.MODULE_MISMATCH
        and word_of(value, 0) != call.argument[2]
    )
    return told


@theorem("WHY-63", "who is refused to change an agent is told a reason that is true", about=("agent_change",))
def changing_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    life = Life(u8.truncate(minimum(call.argument[2], u64(Life.bound - 1))))
    old = Life(u8.truncate(minimum(call.argument[3], u64(Life.bound - 1))))
    begins = old == Life.INITIALIZING and life != Life.TERMINATED
    told = (
        by_gate(before, call, status)
        or badge_refused(before, subject_partition(before, call), call, status)
        or status == Status.WRONG_STATE
        and (life_at(before, call) != old or not may_follow(old, life) or begins)
    )
    return told


@theorem("WHY-64", "who may not speak as an agent is told a reason that is true", about=("agent_speak",))
def speaking_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = (
        by_gate(before, call, status)
        or badge_refused(before, before.current, call, status)
        or status == Status.WRONG_STATE
        and life_at(before, call) != Life.RUNNING
    )
    return told


# ---- large memory


@theorem("WHY-65", "who is refused a block is told a reason that is true", about=("block_create",))
def block_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = subject_partition(before, call)
    order = Order(u8.truncate(minimum(call.argument[1], u64(Order.bound - 1))))
    told = (
        by_gate(before, call, status)
        or status == Status.WRONG_STATE
        and not is_there(before, p)
        or status == Status.LIMIT_REACHED
        and not has_units(before, p, order)
        or status == Status.NO_BLOCK
        and first_fit(before, order) == NOWHERE
    )
    return told


@theorem(
    "WHY-66",
    "a block is not released only if none of the partition begins there, as after its release, or if one of its units "
    "is linked; or by the gate",
    about=("block_release",),
)
def release_of_block_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    unit = UnitId.truncate(call.argument[1])
    told = (
        by_gate(before, call, status)
        or status == Status.NOT_HELD
        and not is_held(before, subject_partition(before, call), unit)
        or status == Status.STILL_SHARED
        and before.block[unit].linked != 0
    )
    return told


@theorem("WHY-67", "nothing is cleaned only if nothing is dirty, or by the gate", about=("block_clean",))
def cleaning_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or status == Status.WRONG_STATE and not dirt_is_left(before)
    return told


def unit_in(call: Call, at: u8) -> UnitId:
    """The unit of large memory that an argument names."""
    return UnitId.truncate(call.argument[at])


def unit_refused(s: Kernel, call: Call, status: Status) -> bool:
    """Is this a true reason not to map a unit?"""
    p = subject_partition(s, call)
    head = unit_in(call, 1)
    unit = unit_in(call, 2)
    table = page_in(call, 3)
    if status == Status.NOT_OWNER:
        return not owns(s, p, table)
    if status == Status.NOT_HELD:
        return not is_held(s, p, head) or not is_part(s, unit, head)
    if status == Status.WRONG_PAGE_KIND:
        return s.page[table].kind != PageKind.TABLE_UNITS
    if status == Status.WRITE_XOR_EXECUTE:
        access = Access.truncate(call.argument[5])
        return access == 0 or not subset(access, Access.READ | Access.WRITE)
    if status == Status.WRONG_STATE:
        return s.block[head].heat == Heat.DORMANT or s.block[head].heat == Heat.COLD
    return entry_refused(s, table, EntryId.truncate(call.argument[4]), is_at_work(s, unit, head), status)


@theorem("WHY-68", "who is refused to map a unit is told a reason that is true", about=("block_map",))
def unit_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or unit_refused(before, call, status)
    return told


@theorem(
    "WHY-69",
    "a unit stays in its table only if it is in none for a block of the partition, or by the gate",
    about=("block_unmap",),
)
def unlinking_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    head = unit_in(call, 1)
    told = (
        by_gate(before, call, status)
        or status == Status.NOT_HELD
        and not is_held(before, subject_partition(before, call), head)
        or status == Status.NOT_LINKED
        and not is_at_work(before, unit_in(call, 2), head)
    )
    return told


def handing_refused(s: Kernel, call: Call, status: Status) -> bool:
    """Is this a true reason not to hand a block on?"""
    p = subject_partition(s, call)
    head = unit_in(call, 1)
    into = handle_in(call, 2)
    if status == Status.NOT_HELD:
        return not is_held(s, p, head)
    if status == Status.STILL_SHARED:
        return s.block[head].linked != 0
    if status == Status.INSUFFICIENT_RIGHTS:
        return not leads(s, into, Right.WRITE)
    if status == Status.INVALID_TARGET:
        return led_to(s, into) == p
    return status == Status.LIMIT_REACHED and not has_units(s, led_to(s, into), s.block[head].order)


@theorem("WHY-70", "who is refused to hand a block on is told a reason that is true", about=("block_transfer",))
def handing_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or handing_refused(before, call, status)
    return told


def retier_refused(s: Kernel, call: Call, status: Status) -> bool:
    """Is this a true reason to leave a block in its tier?"""
    block = s.block[unit_in(call, 1)]
    old = Heat(u8.truncate(minimum(call.argument[2], u64(Heat.bound - 1))))
    new = Heat(u8.truncate(minimum(call.argument[3], u64(Heat.bound - 1))))
    if status == Status.NOT_HELD:
        return not is_held(s, subject_partition(s, call), unit_in(call, 1))
    if status == Status.WRONG_STATE:
        return block.heat != old or u8(old) + 1 != u8(new) and u8(new) + 1 != u8(old)
    if status == Status.NOT_DUE:
        return not is_due(old, new, Use(u16.truncate(minimum(call.argument[4], u64(ALL_USE)))))
    return status == Status.STILL_SHARED and block.linked != 0 and (new == Heat.DORMANT or new == Heat.COLD)


@theorem("WHY-71", "who is refused to retier a block is told a reason that is true", about=("block_retier",))
def retier_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = by_gate(before, call, status) or retier_refused(before, call, status)
    return told
