"""What life can a partition lead, and what does it leave behind?"""

from corollary.language.builtins import implies
from corollary.language.property import conserved, invariant, theorem
from corollary.language.types import u8, u16, u32
from corollary.spec.kernel.capability import named_partition, names_partition
from corollary.spec.kernel.limits import (
    AGENTS,
    EDGES,
    LEAST_SHARE,
    NOTIFICATIONS,
    PARTITIONS,
    RECORDS,
    ROOT,
    ROOT_QUOTA,
    SHARES,
    UNITS,
)
from corollary.spec.kernel.ring import RESOURCES
from corollary.spec.kernel.state import Call, Kernel, PartitionId, ResourceId
from corollary.spec.kernel.vocabulary import Awaited, FailureClass, Mode, ObjectKind, PartitionState, Status


def legal_edge(old: PartitionState, new: PartitionState) -> bool:
    """May a partition go from one state to the other?"""
    if old == PartitionState.VACANT:
        return new == PartitionState.CREATED
    if new == PartitionState.DESTROYED:
        return old != PartitionState.DESTROYED
    if old == PartitionState.CREATED:
        return new == PartitionState.RUNNING or new == PartitionState.SPLITTING
    if old == PartitionState.RUNNING or old == PartitionState.SUSPENDED:
        turned = PartitionState.SUSPENDED if old == PartitionState.RUNNING else PartitionState.RUNNING
        parted = new == PartitionState.SPLITTING or new == PartitionState.MERGING
        return new == turned or new == PartitionState.HIBERNATED or parted
    if old == PartitionState.HIBERNATED:
        return new == PartitionState.CREATED
    if old == PartitionState.SPLITTING or old == PartitionState.MERGING:
        return new == PartitionState.SUSPENDED or new == PartitionState.CREATED or new == PartitionState.HIBERNATED
    return new == PartitionState.VACANT


def alive(s: Kernel, p: PartitionId) -> bool:
    """Is the partition created and not destroyed?"""
    return s.partition[p].state != PartitionState.VACANT and s.partition[p].state != PartitionState.DESTROYED


def has_creator(s: Kernel, p: PartitionId, creator: PartitionId) -> bool:
    """Is the partition not vacant, and did this one create it or did it fall to this one?"""
    return (
        s.partition[p].state != PartitionState.VACANT
        and s.partition[p].ancestry != 0
        and s.partition[p].parent == creator
    )


def eligible(s: Kernel, p: PartitionId) -> bool:
    """Does the partition live and run, and does the mode let it?"""
    partition = s.partition[p]
    return (
        partition.state == PartitionState.RUNNING
        and s.mode != Mode.HALTED
        and (s.mode != Mode.RECOVERY or partition.warden)
    )


def has_come(s: Kernel, p: PartitionId) -> bool:
    """Is what a partition waits for there, or has it waited long enough?"""
    awaited = s.partition[p].awaited
    rest = s.partition[p].rest
    if awaited == Awaited.MESSAGE and s.edge[rest.edge].waiting != 0:
        return True
    if awaited == Awaited.BITS and s.notification[rest.notification].bits != 0:
        return True
    return awaited == Awaited.NOTHING or rest.until <= s.time


def runnable(s: Kernel, p: PartitionId) -> bool:
    """Does the scheduler give the partition time?"""
    return eligible(s, p) and has_come(s, p)


def toolless(s: Kernel, p: PartitionId) -> bool:
    """Does the partition use no tool at all?"""
    none = True
    for i in range(RESOURCES):
        none = none and s.partition[p].tools[ResourceId(i)] == 0
    return none


@invariant("PART-1", "whoever runs may run")
def current_runs(s: Kernel) -> bool:
    return implies(not s.idle, eligible(s, s.current))


@invariant(
    "PART-2",
    "a vacant partition has no elevation, no failure, no tools, no stage-2 root, no share of the log and no allowance",
)
def vacant_is_blank(s: Kernel, p: PartitionId) -> bool:
    partition = s.partition[p]
    return implies(
        partition.state == PartitionState.VACANT,
        not partition.elevation.active
        and partition.failure == FailureClass.NONE
        and toolless(s, p)
        and not partition.rooted
        and partition.quota == 0
        and partition.records == 0
        and partition.share == 0
        and partition.numbers == 0
        and partition.edges == 0
        and partition.notifications == 0
        and partition.agents == 0
        and partition.units == 0,
    )


@invariant("PART-3", "a destroyed partition has no tokens, no tools and no elevation")
def destroyed_is_stripped(s: Kernel, p: PartitionId) -> bool:
    partition = s.partition[p]
    return implies(
        partition.state == PartitionState.DESTROYED,
        partition.bucket.credit == 0 and toolless(s, p) and not partition.elevation.active,
    )


@invariant("PART-5", "the root partition is never destroyed, and has no creator")
def root_endures(s: Kernel) -> bool:
    root = s.partition[PartitionId(ROOT)]
    return root.ancestry == 0 and root.state != PartitionState.DESTROYED and root.state != PartitionState.VACANT


@invariant("PART-6", "no partition may keep more records than the log shares out, nor owe more than the log holds")
def quota_is_bounded(s: Kernel, p: PartitionId) -> bool:
    return s.partition[p].quota <= ROOT_QUOTA and s.partition[p].records <= RECORDS


@invariant("PART-7", "only the root partition has no creator")
def others_have_creators(s: Kernel, p: PartitionId) -> bool:
    return implies(s.partition[p].state != PartitionState.VACANT and s.partition[p].ancestry == 0, p == ROOT)


@invariant(
    "PART-8",
    "nobody may make more than there is; whoever is there has its own number, and the least share of the processor for "
    "each of its numbers",
)
def allowances_are_bounded(s: Kernel, p: PartitionId) -> bool:
    own = s.partition[p]
    return (
        own.numbers <= PARTITIONS
        and LEAST_SHARE * u32(own.numbers) <= own.share <= SHARES
        and own.edges_made <= own.edges <= EDGES
        and own.notifications_made <= own.notifications <= NOTIFICATIONS
        and own.agents_made <= own.agents <= AGENTS
        and own.units_made <= own.units <= UNITS
        and implies(own.state != PartitionState.VACANT, own.numbers != 0)
    )


@conserved(
    "PART-26",
    "the shares of the log add up to what there is to share: room that was promised is promised once",
    ROOT_QUOTA,
)
def share_of_log(s: Kernel, p: PartitionId) -> u16:
    return s.partition[p].quota


@conserved("PART-27", "the numbers that partitions may use, with their own, add up to all there are", PARTITIONS)
def share_of_numbers(s: Kernel, p: PartitionId) -> u8:
    return s.partition[p].numbers


@conserved("PART-28", "the edges that partitions may make add up to all there are", EDGES)
def share_of_edges(s: Kernel, p: PartitionId) -> u16:
    return s.partition[p].edges


@conserved("PART-29", "the notifications that partitions may make add up to all there are", NOTIFICATIONS)
def share_of_notifications(s: Kernel, p: PartitionId) -> u16:
    return s.partition[p].notifications


@conserved("PART-30", "the shares of the processor add up to all there are: slices of all last a quantum", SHARES)
def share_of_processor(s: Kernel, p: PartitionId) -> u16:
    return s.partition[p].share


@conserved("PART-31", "the agents that partitions may have add up to all there are", AGENTS)
def share_of_agents(s: Kernel, p: PartitionId) -> u16:
    return s.partition[p].agents


@conserved("PART-32", "the units of large memory that partitions may have add up to all there are", UNITS)
def share_of_units(s: Kernel, p: PartitionId) -> u16:
    return s.partition[p].units


@theorem("PART-10", "a partition moves only along the legal edges of its life")
def legal_edges_only(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    old = before.partition[p].state
    return old == after.partition[p].state or legal_edge(old, after.partition[p].state)


@theorem("PART-11", "failures only get worse while a partition lives")
def failure_is_monotonic(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    return implies(
        after.partition[p].state != PartitionState.VACANT and before.partition[p].state != PartitionState.VACANT,
        u8(after.partition[p].failure) >= u8(before.partition[p].failure),
    )


@theorem(
    "PART-12",
    "a slot is reclaimed only when nothing is held, and becomes another incarnation",
    about=("partition_reclaim",),
)
def reclaim_is_complete(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    left = before.partition[p].state == PartitionState.DESTROYED and after.partition[p].state == PartitionState.VACANT
    return implies(
        left,
        before.partition[p].pages == 0
        and before.partition[p].records == 0
        and after.partition[p].generation > before.partition[p].generation,
    )


@theorem(
    "PART-14",
    (
        "the state, trust and failures of a partition change only through a handle on it; its trustee needs two, "
        "see GATE-5"
    ),
    about=lambda operation: (
        operation.takes_handle
        and operation.name not in ("ring_assign", "partition_split", "partition_merge")
        and operation.on != ObjectKind.REGION
    ),
)
def partitions_obey_their_handles(before: Kernel, call: Call, after: Kernel, status: Status, p: PartitionId) -> bool:
    old = before.partition[p]
    new = after.partition[p]
    changed = (
        old.state != new.state or old.score != new.score or old.consensus != new.consensus or old.failure != new.failure
    )
    return implies(changed and old.state != PartitionState.VACANT, names_partition(before, call, p))


@theorem("PART-15", "what is started or resumed runs, and rests no more", about=("partition_start", "partition_resume"))
def runs_on(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = named_partition(before, call)
    started = after.partition[p]
    runs = started.state == PartitionState.RUNNING and started.awaited == Awaited.NOTHING
    return implies(status == Status.OK, runs)


@theorem(
    "PART-25",
    "what is started finds zero in all its registers but the program counter, which is the entry named",
    about=("partition_start",),
)
def starts_fresh(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    started = after.partition[named_partition(before, call)]
    return implies(status == Status.OK, started.fresh and started.entry == call.argument[1])


@theorem("PART-16", "what is suspended stands still", about=("partition_suspend",))
def stands_still(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return implies(
        status == Status.OK, after.partition[named_partition(before, call)].state == PartitionState.SUSPENDED
    )


@theorem("PART-17", "what is hibernated rests", about=("partition_hibernate",))
def rests(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return implies(
        status == Status.OK, after.partition[named_partition(before, call)].state == PartitionState.HIBERNATED
    )


@theorem("PART-18", "what is reconstructed can be started", about=("partition_reconstruct",))
def can_start(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return implies(status == Status.OK, after.partition[named_partition(before, call)].state == PartitionState.CREATED)


@theorem("PART-19", "what is destroyed is at its end", about=("partition_destroy",))
def is_at_its_end(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return implies(
        status == Status.OK, after.partition[named_partition(before, call)].state == PartitionState.DESTROYED
    )


@theorem(
    "PART-24",
    "a share of the log changes by creation, endowment and reclaim alone",
    about=lambda operation: operation.name not in ("partition_create", "partition_endow", "partition_reclaim"),
    unknown=True,
)
def shares_are_fixed(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    return after.partition[p].quota == before.partition[p].quota


@theorem("PART-21", "a failure is recorded as it was reported", about=("partition_fail",))
def failure_is_recorded(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return implies(status == Status.OK, u8(after.partition[named_partition(before, call)].failure) == call.argument[1])


@theorem("PART-22", "each step of a release frees a page, as long as any is left", about=("partition_release",))
def release_proceeds(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = named_partition(before, call)
    left = before.partition[p].pages
    return implies(status == Status.OK, after.partition[p].pages == (left - 1 if left != 0 else left))
