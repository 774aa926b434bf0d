"""What do the operations on partitions do?"""

from corollary.language.builtins import minimum, wrapping_add
from corollary.language.property import ensures, succeeds
from corollary.language.types import u8, u16, u32, u64
from corollary.spec.kernel.block import first_head, holds_blocks
from corollary.spec.kernel.capability import free, holder, retired
from corollary.spec.kernel.halves import holds_nothing
from corollary.spec.kernel.limits import (
    AGENTS,
    ANCESTRY_LIMIT,
    BURST,
    COUNTER_LIMIT,
    EDGES,
    LEAST_SHARE,
    NOTIFICATIONS,
    PARTITIONS,
    ROOT_QUOTA,
    SHARES,
    UNITS,
)
from corollary.spec.kernel.outcome.admission import holds_on, may_call, stands, subject_partition
from corollary.spec.kernel.outcome.device import LEASE_ENDS, is_used_by, lease_left, pin_left
from corollary.spec.kernel.outcome.proof import counts_proof, is_meant
from corollary.spec.kernel.outcome.words import (
    handle_on,
    is_there,
    made_here,
    mapping_left,
    own_slot,
    page_left,
    slot_left,
    tells,
)
from corollary.spec.kernel.packed import OwnedPlace
from corollary.spec.kernel.state import (
    Call,
    CapabilityId,
    DeviceId,
    EntryId,
    Kernel,
    MappingId,
    PageId,
    PagePosition,
    PartitionId,
    ResourceId,
    SlotId,
)
from corollary.spec.kernel.vocabulary import Allowance, Awaited, FailureClass, ObjectKind, PartitionState, Right, Ring

# ---- words


def moved(before: Kernel, after: Kernel, q: PartitionId, p: PartitionId, state: PartitionState) -> bool:
    """Is one partition in this state now, and every other one in its old state?"""
    return after.partition[q].state == (state if q == p else before.partition[q].state)


def is_roused(before: Kernel, after: Kernel, q: PartitionId, p: PartitionId) -> bool:
    """Does one partition rest no more, and every other one as before? Whoever calls does not rest."""
    new = after.partition[q].awaited
    return new == (Awaited.NOTHING if q == p or q == before.current else before.partition[q].awaited)


def commands(s: Kernel, call: Call, rights: Right) -> bool:
    """Does the first register hold a handle with these rights on a partition, and may the caller call from ring 2?"""
    return may_call(s, call, Ring.STANDARD) and holds_on(s, call, ObjectKind.PARTITION, rights)


def may_end(s: Kernel, call: Call) -> bool:
    """Is the caller the parent of the named partition, or in ring 1?"""
    return s.partition[subject_partition(s, call)].parent == s.current or stands(s, call, Ring.PRIVILEGED)


def is_root(s: Kernel, p: PartitionId) -> bool:
    """Has the partition no creator?"""
    return s.partition[p].ancestry == 0


# ---- beginning


@succeeds("partition_create")
def create_is_allowed(before: Kernel, call: Call, p: PartitionId, slot: SlotId, quota: u16) -> bool:
    own = before.partition[before.current]
    target = own_slot(before, slot)
    return (
        may_call(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.SCHEDULER, Right.WRITE)
        and before.partition[p].state == PartitionState.VACANT
        and before.partition[p].generation < COUNTER_LIMIT
        and free(before, target)
        and not retired(before, target)
        and own.ancestry < ANCESTRY_LIMIT
        and u32(own.records) + quota < own.quota
        and own.numbers > 1
    )


@ensures(
    "partition_create",
    "the partition is created, in the sandbox, with a full bucket, and out of its creator's, who has all rights over "
    "it, the share of the log named, its own number and the least share of the processor",
    changes=(
        *(
            f"partition.{name}"
            for name in (
                "state",
                "ring",
                "score",
                "consensus",
                "ancestry",
                "parent",
                "proof_root",
                "bucket",
                "messages",
                "carried",
                "quota",
                "share",
                "numbers",
                "pressure",
                "deadline",
                "warden",
            )
        ),
        "capability",
        "result",
    ),
)
def create_is_exact(
    before: Kernel, call: Call, after: Kernel, p: PartitionId, slot: SlotId, quota: u16, q: PartitionId, c: CapabilityId
) -> bool:
    old = before.partition[q]
    new = after.partition[q]
    own = before.partition[before.current]
    target = own_slot(before, slot)
    lends = q == before.current
    born = (
        new.state == PartitionState.CREATED
        and new.ring == Ring.SANDBOX
        and new.score == 0
        and not new.consensus
        and u32(new.ancestry) == u32(own.ancestry) + 1
        and new.parent == before.current
        and new.proof_root == own.proof_root
        and new.bucket.credit == BURST
        and new.bucket.refilled == call.now
        and new.messages.used == 0
        and new.messages.began == call.now
        and new.carried == 0
        and new.pressure == 0
        and new.deadline == 0
        and not new.warden
    )
    stays = (
        new.state == old.state
        and new.ring == old.ring
        and new.score == old.score
        and new.consensus == old.consensus
        and new.ancestry == old.ancestry
        and new.parent == old.parent
        and new.proof_root == old.proof_root
        and new.carried == old.carried
        and new.pressure == old.pressure
        and new.deadline == old.deadline
        and new.warden == old.warden
        and (
            lends
            or new.bucket.credit == old.bucket.credit
            and new.bucket.refilled == old.bucket.refilled
            and new.messages.used == old.messages.used
            and new.messages.began == old.messages.began
        )
    )
    lent = u32(new.quota) + (quota if lends else u16(0)) == (quota if q == p else old.quota)
    numbers = u32(new.numbers) + (u32(1) if lends else u32(0)) == (u32(1) if q == p else u32(old.numbers))
    left = u32(new.share) + (u32(LEAST_SHARE) if lends else u32(0))
    shared = left == (u32(LEAST_SHARE) if q == p else u32(old.share))
    return (
        (born if q == p else stays)
        and lent
        and numbers
        and shared
        and made_here(before, after, c, target, ObjectKind.PARTITION, u32(p), before.partition[p].generation)
        and tells(call, handle_on(before, target), 0, 0)
    )


@succeeds("partition_adopt")
def adopt_is_allowed(before: Kernel, call: Call, p: PartitionId, slot: SlotId) -> bool:
    target = own_slot(before, slot)
    return (
        may_call(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.SCHEDULER, Right.WRITE)
        and before.partition[p].state != PartitionState.VACANT
        and not is_root(before, p)
        and before.partition[p].parent == before.current
        and free(before, target)
        and not retired(before, target)
    )


@ensures("partition_adopt", "the caller has all rights over it", changes=("capability", "result"))
def adopt_is_exact(before: Kernel, call: Call, after: Kernel, p: PartitionId, slot: SlotId, c: CapabilityId) -> bool:
    target = own_slot(before, slot)
    return made_here(before, after, c, target, ObjectKind.PARTITION, u32(p), before.partition[p].generation) and tells(
        call, handle_on(before, target), 0, 0
    )


def left_of(s: Kernel, p: PartitionId, what: Allowance) -> u32:
    """Return how much of something a partition may still use up, or hand on.

    Of partition numbers that is one less than it has, because one is its own. Of the processor the least share stays
    with each of its numbers.
    """
    own = s.partition[p]
    if what == Allowance.RECORDS:
        return u32(own.quota) - minimum(u32(own.records) + 1, u32(own.quota))
    if what == Allowance.PARTITIONS:
        return u32(own.numbers) - minimum(u32(own.numbers), u32(1))
    if what == Allowance.SHARES:
        return u32(own.share) - minimum(u32(own.share), LEAST_SHARE * u32(own.numbers))
    if what == Allowance.EDGES:
        return u32(own.edges) - minimum(u32(own.edges_made), u32(own.edges))
    if what == Allowance.AGENTS:
        return u32(own.agents) - minimum(u32(own.agents_made), u32(own.agents))
    if what == Allowance.UNITS:
        return u32(own.units) - minimum(u32(own.units_made), u32(own.units))
    return u32(own.notifications) - minimum(u32(own.notifications_made), u32(own.notifications))


def in_all(s: Kernel, p: PartitionId, what: Allowance) -> u32:
    """Return how much of something a partition has in all."""
    own = s.partition[p]
    if what == Allowance.RECORDS:
        return u32(own.quota)
    if what == Allowance.PARTITIONS:
        return u32(own.numbers)
    if what == Allowance.SHARES:
        return u32(own.share)
    if what == Allowance.AGENTS:
        return u32(own.agents)
    if what == Allowance.UNITS:
        return u32(own.units)
    return u32(own.edges if what == Allowance.EDGES else own.notifications)


def most_of(what: Allowance) -> u32:
    """Return how much of something there is."""
    if what == Allowance.RECORDS:
        return ROOT_QUOTA
    if what == Allowance.PARTITIONS:
        return PARTITIONS
    if what == Allowance.SHARES:
        return SHARES
    if what == Allowance.AGENTS:
        return AGENTS
    if what == Allowance.UNITS:
        return UNITS
    return EDGES if what == Allowance.EDGES else NOTIFICATIONS


def has_room(s: Kernel, p: PartitionId, what: Allowance, amount: u16) -> bool:
    """Is what a partition would have then no more than there is?"""
    comes = LEAST_SHARE * u32(amount) if what == Allowance.PARTITIONS else u32(0)
    return in_all(s, p, what) + amount <= most_of(what) and s.partition[p].share + comes <= SHARES


@succeeds("partition_endow")
def endow_is_allowed(before: Kernel, call: Call, what: Allowance, amount: u16) -> bool:
    p = subject_partition(before, call)
    own_creation = before.partition[p].parent == before.current and p != before.current
    return (
        commands(before, call, Right.WRITE)
        and own_creation
        and is_there(before, p)
        and left_of(before, before.current, what) >= amount
        and has_room(before, p, what, amount)
    )


@ensures(
    "partition_endow",
    "so much of the caller's is the partition's, and with each number the least share of the processor",
    changes=tuple(
        f"partition.{name}" for name in ("quota", "share", "numbers", "edges", "notifications", "agents", "units")
    ),
)
def endow_is_exact(before: Kernel, call: Call, after: Kernel, what: Allowance, amount: u16, q: PartitionId) -> bool:
    gains = u32(amount) if q == subject_partition(before, call) else u32(0)
    loses = u32(amount) if q == before.current else u32(0)
    old = before.partition[q]
    new = after.partition[q]
    records = what == Allowance.RECORDS
    numbers = what == Allowance.PARTITIONS
    edges = what == Allowance.EDGES
    bits = what == Allowance.NOTIFICATIONS
    worth = u32(1) if what == Allowance.SHARES else u32(LEAST_SHARE if numbers else 0)
    agents = what == Allowance.AGENTS
    units = what == Allowance.UNITS
    return (
        u32(new.quota) + (loses if records else u32(0)) == u32(old.quota) + (gains if records else u32(0))
        and u32(new.numbers) + (loses if numbers else u32(0)) == u32(old.numbers) + (gains if numbers else u32(0))
        and u32(new.share) + loses * worth == u32(old.share) + gains * worth
        and u32(new.edges) + (loses if edges else u32(0)) == u32(old.edges) + (gains if edges else u32(0))
        and u32(new.notifications) + (loses if bits else u32(0)) == u32(old.notifications) + (gains if bits else u32(0))
        and u32(new.agents) + (loses if agents else u32(0)) == u32(old.agents) + (gains if agents else u32(0))
        and u32(new.units) + (loses if units else u32(0)) == u32(old.units) + (gains if units else u32(0))
    )


# ---- life


@succeeds("partition_start")
def start_is_allowed(before: Kernel, call: Call, entry: u64) -> bool:
    p = subject_partition(before, call)
    return (
        commands(before, call, Right.EXECUTE)
        and before.partition[p].state == PartitionState.CREATED
        and before.partition[p].rooted
    )


@ensures(
    "partition_start",
    "the partition runs, all its registers zero but for the program counter, which is as named",
    changes=("partition.state", "partition.fresh", "partition.entry", "partition.walked", "partition.awaited"),
)
def start_is_exact(before: Kernel, call: Call, after: Kernel, entry: u64, q: PartitionId) -> bool:
    p = subject_partition(before, call)
    old = before.partition[q]
    new = after.partition[q]
    begun = new.fresh and new.entry == entry and new.walked
    kept = new.fresh == old.fresh and new.entry == old.entry and new.walked == old.walked
    return (
        moved(before, after, q, p, PartitionState.RUNNING)
        and (begun if q == p else kept)
        and is_roused(before, after, q, p)
    )


@succeeds("partition_suspend")
def suspend_is_allowed(before: Kernel, call: Call) -> bool:
    return (
        commands(before, call, Right.EXECUTE)
        and before.partition[subject_partition(before, call)].state == PartitionState.RUNNING
    )


@ensures("partition_suspend", "the partition stands still", changes=("partition.state",))
def suspend_is_exact(before: Kernel, call: Call, after: Kernel, q: PartitionId) -> bool:
    return moved(before, after, q, subject_partition(before, call), PartitionState.SUSPENDED)


@succeeds("partition_resume")
def resume_is_allowed(before: Kernel, call: Call) -> bool:
    return (
        commands(before, call, Right.EXECUTE)
        and before.partition[subject_partition(before, call)].state == PartitionState.SUSPENDED
    )


@ensures("partition_resume", "the partition runs on", changes=("partition.state", "partition.awaited"))
def resume_is_exact(before: Kernel, call: Call, after: Kernel, q: PartitionId) -> bool:
    p = subject_partition(before, call)
    return moved(before, after, q, p, PartitionState.RUNNING) and is_roused(before, after, q, p)


@succeeds("partition_hibernate")
def hibernate_is_allowed(before: Kernel, call: Call) -> bool:
    state = before.partition[subject_partition(before, call)].state
    return (
        commands(before, call, Right.HIBERNATE)
        and is_meant(before, call)
        and (state == PartitionState.RUNNING or state == PartitionState.SUSPENDED)
    )


@ensures(
    "partition_hibernate", "the partition rests; the proof is used up", changes=("partition.state", "partition.nonce")
)
def hibernate_is_exact(before: Kernel, call: Call, after: Kernel, q: PartitionId) -> bool:
    return moved(before, after, q, subject_partition(before, call), PartitionState.HIBERNATED) and counts_proof(
        before, after, q
    )


@succeeds("partition_reconstruct")
def reconstruct_is_allowed(before: Kernel, call: Call) -> bool:
    return (
        commands(before, call, Right.HIBERNATE)
        and is_meant(before, call)
        and before.partition[subject_partition(before, call)].state == PartitionState.HIBERNATED
    )


@ensures(
    "partition_reconstruct",
    "the partition can be started anew, and no TLB has a translation of it; the proof is used up",
    changes=("partition.state", "partition.walked", "partition.nonce"),
)
def reconstruct_is_exact(before: Kernel, call: Call, after: Kernel, q: PartitionId) -> bool:
    flushed = q == subject_partition(before, call)
    return (
        after.partition[q].walked == (before.partition[q].walked and not flushed)
        and moved(before, after, q, subject_partition(before, call), PartitionState.CREATED)
        and counts_proof(before, after, q)
    )


@succeeds("partition_fail")
def fail_is_allowed(before: Kernel, call: Call, failure: FailureClass) -> bool:
    p = subject_partition(before, call)
    return commands(before, call, Right.WRITE) and is_there(before, p) and u8(failure) > u8(before.partition[p].failure)


@ensures("partition_fail", "the failure is written down", changes=("partition.failure",))
def fail_is_exact(before: Kernel, call: Call, after: Kernel, failure: FailureClass, q: PartitionId) -> bool:
    return after.partition[q].failure == (
        failure if q == subject_partition(before, call) else before.partition[q].failure
    )


# ---- end


@succeeds("partition_destroy")
def destroy_is_allowed(before: Kernel, call: Call) -> bool:
    p = subject_partition(before, call)
    return (
        commands(before, call, Right.WRITE)
        and may_end(before, call)
        and is_meant(before, call)
        and is_there(before, p)
        and not is_root(before, p)
        and (before.partition[p].state != PartitionState.MERGING or holds_nothing(before, p))
    )


@ensures(
    "partition_destroy",
    "the partition is at its end, with neither tokens nor tools nor elevation; its slots are empty; "
    "whoever it created is its creator's; the proof is used up",
    changes=(
        "partition.state",
        "partition.parent",
        "partition.tools",
        "partition.bucket.credit",
        "partition.elevation.active",
        "partition.nonce",
        "capability.kind",
        "capability.rights",
        "capability.generation",
        "capability.lineage",
    ),
)
def destroy_is_exact(
    before: Kernel, call: Call, after: Kernel, q: PartitionId, kind: ResourceId, c: CapabilityId
) -> bool:
    p = subject_partition(before, call)
    old = before.partition[q]
    new = after.partition[q]
    bare = new.tools[kind] == 0 and new.bucket.credit == 0 and not new.elevation.active
    kept = (
        new.tools[kind] == old.tools[kind]
        and new.elevation.active == old.elevation.active
        and (q == before.current or new.bucket.credit == old.bucket.credit)
    )
    falls = new.parent == (before.partition[p].parent if old.parent == p else old.parent)
    return (
        falls
        and moved(before, after, q, p, PartitionState.DESTROYED)
        and (bare if q == p else kept)
        and slot_left(before, after, c, holder(c) == p)
        and counts_proof(before, after, q)
    )


@succeeds("partition_reclaim")
def reclaim_is_allowed(before: Kernel, call: Call) -> bool:
    p = subject_partition(before, call)
    left = before.partition[p]
    empty = left.pages == 0 and left.records == 0 and not holds_blocks(before, p)
    return (
        commands(before, call, Right.WRITE)
        and may_end(before, call)
        and left.state == PartitionState.DESTROYED
        and empty
        and left.generation < COUNTER_LIMIT
    )


@ensures(
    "partition_reclaim",
    "the number is free for another incarnation; what the partition might still use up, and its calls that "
    "were refused without a record, are its creator's",
    changes=tuple(
        f"partition.{name}"
        for name in (
            "state",
            "generation",
            "failure",
            "rooted",
            "score",
            "ring",
            "refused",
            "quota",
            "share",
            "numbers",
            "edges",
            "edges_made",
            "notifications",
            "notifications_made",
            "agents",
            "agents_made",
            "units",
            "units_made",
            "walked",
        )
    ),
)
def reclaim_is_exact(before: Kernel, call: Call, after: Kernel, q: PartitionId) -> bool:
    p = subject_partition(before, call)
    old = before.partition[q]
    new = after.partition[q]
    left = before.partition[p]
    blank = (
        new.state == PartitionState.VACANT
        and new.generation == wrapping_add(u32, old.generation, 1)
        and new.failure == FailureClass.NONE
        and not new.rooted
        and new.score == 0
        and new.ring == Ring.SANDBOX
        and new.refused == 0
        and new.quota == 0
        and new.share == 0
        and new.numbers == 0
        and new.edges == 0
        and new.edges_made == 0
        and new.notifications == 0
        and new.notifications_made == 0
        and new.agents == 0
        and new.agents_made == 0
        and new.units == 0
        and new.units_made == 0
        and not new.walked
    )
    kept = (
        new.state == old.state
        and new.generation == old.generation
        and new.failure == old.failure
        and new.rooted == old.rooted
        and new.score == old.score
        and new.ring == old.ring
        and new.walked == old.walked
        and new.edges_made == old.edges_made
        and new.notifications_made == old.notifications_made
        and new.agents_made == old.agents_made
        and new.units_made == old.units_made
        and (q == before.current or new.refused == old.refused)
    )
    inherits = q == left.parent
    grown = (
        u32(new.quota) == minimum(u32(old.quota) + (left.quota if inherits else u16(0)), u32(ROOT_QUOTA))
        and u32(new.share) == minimum(u32(old.share) + (left.share if inherits else u16(0)), u32(SHARES))
        and u32(new.numbers) == minimum(u32(old.numbers) + (left.numbers if inherits else u8(0)), u32(PARTITIONS))
        and u32(new.edges) == minimum(u32(old.edges) + (left.edges if inherits else u16(0)), u32(EDGES))
        and u32(new.notifications)
        == minimum(u32(old.notifications) + (left.notifications if inherits else u16(0)), u32(NOTIFICATIONS))
        and u32(new.agents) == minimum(u32(old.agents) + (left.agents if inherits else u16(0)), u32(AGENTS))
        and u32(new.units) == minimum(u32(old.units) + (left.units if inherits else u16(0)), u32(UNITS))
    )
    return blank if q == p else kept and grown


def last_page(s: Kernel, p: PartitionId) -> PageId:
    """The last page on the list of a partition that has one."""
    return s.owned[OwnedPlace(partition=p, position=PagePosition.truncate(u32(s.partition[p].pages) + 0xFFFF))]


@succeeds("partition_release")
def release_is_allowed(before: Kernel, call: Call) -> bool:
    return (
        commands(before, call, Right.WRITE)
        and may_end(before, call)
        and before.partition[subject_partition(before, call)].state == PartitionState.DESTROYED
    )


@ensures(
    "partition_release",
    "the last page is free, zero, mapped nowhere and shared with nobody; the caller is told how many are left, and the "
    "first block if there is one",
    changes=(
        "partition.pages",
        "partition.rooted",
        "page.kind",
        "page.filled",
        "page.fetched",
        "memory",
        "mapping.used",
        "mapping.linked",
        "mapping.cached",
        *LEASE_ENDS,
        "result",
    ),
)
def release_is_exact(
    before: Kernel,
    call: Call,
    after: Kernel,
    q: PartitionId,
    any_page: PageId,
    entry: EntryId,
    m: MappingId,
    d: DeviceId,
) -> bool:
    p = subject_partition(before, call)
    frees = before.partition[p].pages != 0
    page = last_page(before, p)
    own = q == p
    old = before.partition[q]
    new = after.partition[q]
    counted = u32(new.pages) + (u32(1) if own and frees else u32(0)) == u32(old.pages) and new.rooted == (
        old.rooted and not (own and frees and old.root == page)
    )
    return (
        counted
        and page_left(before, after, any_page, entry, page, frees)
        and mapping_left(before, after, m, page, frees)
        and lease_left(before, after, d, frees and is_used_by(before, page, d))
        and pin_left(before, after, any_page, frees and any_page == page)
        and tells(call, u64(before.partition[p].pages) - u64(frees), u64(first_head(before, p)), 0)
    )
