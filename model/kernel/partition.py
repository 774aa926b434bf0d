"""How does a partition live and die?"""

from corollary.language.builtins import minimum
from corollary.language.frontend import hardware
from corollary.language.types import u8, u16, u32, u64
from corollary.model.kernel.capability import empty, mint
from corollary.model.kernel.device import unpin
from corollary.model.kernel.memory import drop_references, free_page
from corollary.model.kernel.operation import operation
from corollary.spec.kernel.block import first_head, holds_blocks
from corollary.spec.kernel.capability import capability_id, free, named_partition, retired
from corollary.spec.kernel.halves import has_started, holds_nothing, is_half
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
    SLOTS,
    UNITS,
)
from corollary.spec.kernel.memory import in_use, is_root, owned_id
from corollary.spec.kernel.packed import HandleParts, PagePlace
from corollary.spec.kernel.partition import alive
from corollary.spec.kernel.ring import RESOURCES
from corollary.spec.kernel.state import Call, Depth, Kernel, PageId, PartitionId, Pressure, ResourceId, SlotId
from corollary.spec.kernel.vocabulary import (
    ALL_RIGHTS,
    Allowance,
    Awaited,
    FailureClass,
    Mode,
    ObjectKind,
    PartitionState,
    Ring,
    Status,
)
from corollary.spec.kernel.witness import counted_on


@hardware("the saved registers of the partition: zero, `entry` as program counter, EL1h with interrupts masked")
def reset_context(s: Kernel, p: PartitionId, entry: u64) -> None:
    """Make the partition start at `entry` with clean registers."""
    s.partition[p].fresh = True
    s.partition[p].entry = entry


@hardware("TLBI VMALLS12E1IS for the VMID of the partition, with the barriers of break-before-make (D8.14)")
def flush_partition(s: Kernel, p: PartitionId) -> None:
    """Make the hardware forget all that was walked for a partition; for one that may run, it walks again at once."""
    if s.partition[p].state != PartitionState.RUNNING:
        s.partition[p].walked = False


@operation
def partition_create(s: Kernel, call: Call, p: PartitionId, slot: SlotId, quota: u16) -> Status:
    """Bring a vacant partition to life, sandboxed, with all rights over it in the caller's free `slot`."""
    created = s.partition[p]
    creator = s.partition[s.current]
    target = capability_id(s.current, slot)
    if created.state != PartitionState.VACANT:
        return Status.PARTITION_IN_USE
    if not free(s, target):
        return Status.SLOT_IN_USE
    if retired(s, target) or created.generation == COUNTER_LIMIT:
        return Status.SLOT_RETIRED
    if creator.ancestry >= ANCESTRY_LIMIT:
        return Status.DEPTH_EXCEEDED
    if u32(creator.records) + quota >= creator.quota or creator.numbers <= 1:
        return Status.LIMIT_REACHED
    created.state = PartitionState.CREATED
    created.ring = Ring.SANDBOX
    created.score = 0
    created.consensus = False
    created.ancestry = Depth(u32(creator.ancestry) + 1)
    created.parent = s.current
    created.proof_root = creator.proof_root
    created.quota = quota
    creator.quota -= quota
    created.share = LEAST_SHARE
    creator.share -= LEAST_SHARE
    created.pressure = Pressure(0)
    created.deadline = 0
    created.warden = False
    created.numbers = 1
    creator.numbers -= 1
    created.bucket.credit = BURST
    created.bucket.refilled = call.now
    created.messages.used = 0
    created.messages.began = call.now
    created.carried = 0
    mint(s, target, ObjectKind.PARTITION, u32(p), created.generation, ALL_RIGHTS)
    call.result[0] = HandleParts(slot=slot, generation=s.capability[target].generation)
    return Status.OK


@operation
def partition_adopt(s: Kernel, call: Call, p: PartitionId, slot: SlotId) -> Status:
    """Take charge of a partition that the caller created, or that fell to the caller.

    All rights over it go into the caller's free `slot`.
    """
    target = capability_id(s.current, slot)
    if s.partition[p].state == PartitionState.VACANT or s.partition[p].ancestry == 0:
        return Status.WRONG_STATE
    if s.partition[p].parent != s.current:
        return Status.INVALID_TARGET
    if not free(s, target):
        return Status.SLOT_IN_USE
    if retired(s, target):
        return Status.SLOT_RETIRED
    mint(s, target, ObjectKind.PARTITION, u32(p), s.partition[p].generation, ALL_RIGHTS)
    call.result[0] = HandleParts(slot=slot, generation=s.capability[target].generation)
    return Status.OK


def run(s: Kernel, p: PartitionId) -> None:
    """Let a partition run, whatever it rested for."""
    s.partition[p].awaited = Awaited.NOTHING
    s.partition[p].state = PartitionState.RUNNING


@operation
def partition_start(s: Kernel, call: Call, entry: u64) -> Status:
    """Let a created partition run from `entry`."""
    p = named_partition(s, call)
    if s.partition[p].state != PartitionState.CREATED or not s.partition[p].rooted:
        return Status.WRONG_STATE
    reset_context(s, p, entry)
    s.partition[p].walked = True
    run(s, p)
    return Status.OK


@operation
def partition_suspend(s: Kernel, call: Call) -> Status:
    """Stop a running partition where it is."""
    p = named_partition(s, call)
    if s.partition[p].state != PartitionState.RUNNING:
        return Status.WRONG_STATE
    s.partition[p].state = PartitionState.SUSPENDED
    return Status.OK


@operation
def partition_resume(s: Kernel, call: Call) -> Status:
    """Let a suspended partition go on."""
    p = named_partition(s, call)
    if s.partition[p].state != PartitionState.SUSPENDED:
        return Status.WRONG_STATE
    run(s, p)
    return Status.OK


@operation
def partition_hibernate(s: Kernel, call: Call) -> Status:
    """Put a running or suspended partition into a long rest."""
    p = named_partition(s, call)
    if s.partition[p].state != PartitionState.RUNNING and s.partition[p].state != PartitionState.SUSPENDED:
        return Status.WRONG_STATE
    s.partition[p].state = PartitionState.HIBERNATED
    return Status.OK


@operation
def partition_reconstruct(s: Kernel, call: Call) -> Status:
    """Bring a hibernated partition back, ready to get another root and to start."""
    p = named_partition(s, call)
    if s.partition[p].state != PartitionState.HIBERNATED:
        return Status.WRONG_STATE
    flush_partition(s, p)
    s.partition[p].state = PartitionState.CREATED
    return Status.OK


def fall_to(s: Kernel, p: PartitionId, creator: PartitionId, heir: PartitionId) -> None:
    """Hand a partition on to `heir` if its creator is `creator`."""
    if s.partition[p].parent == creator:
        s.partition[p].parent = heir


def hand_on(s: Kernel, creator: PartitionId, heir: PartitionId) -> None:
    """Hand all partitions whose creator is `creator` on to `heir`."""
    for i in range(PARTITIONS):
        fall_to(s, PartitionId(i), creator, heir)


def empty_slots(s: Kernel, p: PartitionId) -> None:
    """Empty all slots of a partition."""
    for i in range(SLOTS):
        empty(s, capability_id(p, SlotId(i)))


@operation
def partition_destroy(s: Kernel, call: Call) -> Status:
    """End a partition for good; one that is merged, only when it holds nothing more.

    Its slots become empty, what hangs on them dies, and the partitions that it created fall to its own creator.
    `partition_release` then frees its pages, one by one, and `block_release` its blocks.
    """
    p = named_partition(s, call)
    if not alive(s, p) or s.partition[p].ancestry == 0:
        return Status.WRONG_STATE
    if s.partition[p].state == PartitionState.MERGING and not holds_nothing(s, p):
        return Status.STILL_HOLDING
    destroyed = s.partition[p]
    destroyed.state = PartitionState.DESTROYED
    for i in range(RESOURCES):
        destroyed.tools[ResourceId(i)] = 0
    destroyed.bucket.credit = 0
    destroyed.elevation.active = False
    empty_slots(s, p)
    hand_on(s, p, destroyed.parent)
    return Status.OK


def release_page(s: Kernel, p: PartitionId) -> None:
    """Zero and free the last page of a destroyed partition, with every reference to it."""
    page = s.owned[owned_id(p, s.partition[p].pages - 1)]
    if s.partition[p].rooted and s.partition[p].root == page:
        s.partition[p].rooted = False
    unpin(s, page)
    drop_references(s, page)
    free_page(s, page)


@operation
def partition_release(s: Kernel, call: Call) -> Status:
    """Free a page of a destroyed partition, if there is one.

    Return how many are left, and the first block that is to be released, or the number of units if there is none.
    """
    p = named_partition(s, call)
    if s.partition[p].state != PartitionState.DESTROYED:
        return Status.WRONG_STATE
    if s.partition[p].pages > 0:
        release_page(s, p)
    call.result[0] = s.partition[p].pages
    call.result[1] = first_head(s, p)
    return Status.OK


def together(one: u16, other: u16, most: u16) -> u16:
    """Add two allowances; the sum is never more than there is in all."""
    return u16(minimum(u32(one) + other, u32(most)))


def give_back(s: Kernel, p: PartitionId) -> None:
    """Give what a partition might still use up, and its number, back to its creator."""
    giver = s.partition[s.partition[p].parent]
    left = s.partition[p]
    giver.quota = together(giver.quota, left.quota, ROOT_QUOTA)
    giver.share = together(giver.share, left.share, SHARES)
    giver.numbers = u8(together(giver.numbers, left.numbers, PARTITIONS))
    giver.edges = together(giver.edges, left.edges, EDGES)
    giver.notifications = together(giver.notifications, left.notifications, NOTIFICATIONS)
    giver.agents = together(giver.agents, left.agents, AGENTS)
    giver.units = together(giver.units, left.units, UNITS)
    left.quota = 0
    left.share = 0
    left.numbers = 0
    left.edges = 0
    left.edges_made = 0
    left.notifications = 0
    left.notifications_made = 0
    left.agents = 0
    left.agents_made = 0
    left.units = 0
    left.units_made = 0


@operation
def partition_reclaim(s: Kernel, call: Call) -> Status:
    """Make the number of an emptied partition free for another incarnation; capabilities on the old one die."""
    p = named_partition(s, call)
    reclaimed = s.partition[p]
    if reclaimed.state != PartitionState.DESTROYED:
        return Status.WRONG_STATE
    if reclaimed.pages != 0 or reclaimed.records != 0 or holds_blocks(s, p):
        return Status.STILL_HOLDING
    if reclaimed.generation == COUNTER_LIMIT:
        return Status.SLOT_RETIRED
    s.partition[s.current].refused = counted_on(s.partition[s.current].refused, reclaimed.refused)
    reclaimed.refused = 0
    give_back(s, p)
    reclaimed.state = PartitionState.VACANT
    flush_partition(s, p)
    reclaimed.generation += 1
    reclaimed.failure = FailureClass.NONE
    reclaimed.rooted = False
    reclaimed.score = 0
    reclaimed.ring = Ring.SANDBOX
    return Status.OK


@operation
def partition_fail(s: Kernel, call: Call, failure: FailureClass) -> Status:
    """Record that a partition failed worse than before."""
    p = named_partition(s, call)
    if not alive(s, p):
        return Status.WRONG_STATE
    if u8(failure) <= u8(s.partition[p].failure):
        return Status.NOT_ESCALATING
    s.partition[p].failure = failure
    return Status.OK


def lose_root(s: Kernel, p: PartitionId) -> None:
    """Take the stage-2 root of a partition away; if it has started, it rests until it is reconstructed with another.

    A half that has a root has started.
    """
    owner = s.partition[p]
    if has_started(s, p) or is_half(s, p):
        owner.state = PartitionState.HIBERNATED
    flush_partition(s, p)
    owner.rooted = False


@operation
def system_halt(s: Kernel, call: Call) -> Status:
    """Stop every partition at once; ring 0, so out of reach without a witness from outside."""
    s.mode = Mode.HALTED
    return Status.OK


def has_left(s: Kernel, p: PartitionId, what: Allowance, amount: u16) -> bool:
    """Can the partition give so much away? It keeps a record, its own number, and the least share for each."""
    own = s.partition[p]
    if what == Allowance.RECORDS:
        return u32(own.records) + amount < own.quota
    if what == Allowance.PARTITIONS:
        return own.numbers > amount
    if what == Allowance.SHARES:
        return own.share >= LEAST_SHARE * u32(own.numbers) + amount
    if what == Allowance.EDGES:
        return u32(own.edges_made) + amount <= own.edges
    if what == Allowance.AGENTS:
        return u32(own.agents_made) + amount <= own.agents
    if what == Allowance.UNITS:
        return u32(own.units_made) + amount <= own.units
    return u32(own.notifications_made) + amount <= own.notifications


def can_take(s: Kernel, p: PartitionId, what: Allowance, amount: u16) -> bool:
    """Can the partition take so much more, within what there is in all?"""
    own = s.partition[p]
    if what == Allowance.RECORDS:
        return u32(own.quota) + amount <= ROOT_QUOTA
    if what == Allowance.PARTITIONS:
        return u32(own.numbers) + amount <= PARTITIONS and u32(own.share) + LEAST_SHARE * u32(amount) <= SHARES
    if what == Allowance.SHARES:
        return u32(own.share) + amount <= SHARES
    if what == Allowance.AGENTS:
        return u32(own.agents) + amount <= AGENTS
    if what == Allowance.UNITS:
        return u32(own.units) + amount <= UNITS
    return u32(own.edges if what == Allowance.EDGES else own.notifications) + amount <= (
        EDGES if what == Allowance.EDGES else NOTIFICATIONS
    )


@operation
def partition_endow(s: Kernel, call: Call, what: Allowance, amount: u16) -> Status:
    """Let a partition that the caller created use up more, out of the caller's own.

    It gets more records, partitions with the least share of the processor for each, edges, notifications, agents or
    units of large memory, or more of the processor.
    """
    p = named_partition(s, call)
    own = s.partition[s.current]
    endowed = s.partition[p]
    if endowed.parent != s.current or p == s.current:
        return Status.INVALID_TARGET
    if not alive(s, p):
        return Status.WRONG_STATE
    if not has_left(s, s.current, what, amount) or not can_take(s, p, what, amount):
        return Status.LIMIT_REACHED
    if what == Allowance.RECORDS:
        own.quota -= amount
        endowed.quota += amount
    elif what == Allowance.PARTITIONS:
        own.numbers -= u8(amount)
        own.share -= LEAST_SHARE * amount
        endowed.numbers += u8(amount)
        endowed.share += LEAST_SHARE * amount
    elif what == Allowance.EDGES:
        own.edges -= amount
        endowed.edges += amount
    elif what == Allowance.SHARES:
        own.share -= amount
        endowed.share += amount
    elif what == Allowance.AGENTS:
        own.agents -= amount
        endowed.agents += amount
    elif what == Allowance.UNITS:
        own.units -= amount
        endowed.units += amount
    else:
        own.notifications -= amount
        endowed.notifications += amount
    return Status.OK


@operation
def region_reclaim(s: Kernel, call: Call, page: PageId) -> Status:
    """Take a page of the region back from its owner, zeroed, with every reference to it."""
    if PagePlace(page).region != s.capability[call.capability].object:
        return Status.WRONG_OBJECT
    if not in_use(s, page):
        return Status.WRONG_STATE
    if is_root(s, page):
        lose_root(s, s.page[page].owner)
    unpin(s, page)
    drop_references(s, page)
    free_page(s, page)
    return Status.OK
