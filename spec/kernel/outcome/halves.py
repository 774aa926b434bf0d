"""What do the operations on halves of a partition do?"""

from corollary.language.builtins import implies, minimum, subset
from corollary.language.property import ensures, succeeds, theorem
from corollary.language.types import u32, u64
from corollary.spec.kernel.capability import first_partition, live, second_partition
from corollary.spec.kernel.halves import are_coherent, connects, fits, leases
from corollary.spec.kernel.limits import MERGE_SCORE, PAGES_PER_PARTITION, WEIGHT_LIMIT
from corollary.spec.kernel.outcome.admission import holds, presented, subject_partition
from corollary.spec.kernel.outcome.partition import commands, is_root, left_of, moved
from corollary.spec.kernel.outcome.proof import counts_proof, pair_is_meant
from corollary.spec.kernel.packed import CapabilityPlace
from corollary.spec.kernel.state import Call, DeviceId, EdgeId, Handle, Kernel, PartitionId, SlotId
from corollary.spec.kernel.vocabulary import Allowance, Mode, ObjectKind, PartitionState, Right, Status

# ---- words


def also_commands(s: Kernel, into: Handle, rights: Right) -> bool:
    """Is there a second handle with these rights on a partition?"""
    return s.capability[presented(s, u64(into))].kind == ObjectKind.PARTITION and holds(s, u64(into), rights)


def runs_or_waits(s: Kernel, p: PartitionId) -> bool:
    """Has the partition started, and is it neither at rest for long nor at its end?"""
    state = s.partition[p].state
    return state == PartitionState.RUNNING or state == PartitionState.SUSPENDED


def crossed(s: Kernel, e: EdgeId, one: PartitionId, two: PartitionId) -> u64:
    """What an edge has carried, if one of the two sent last and the other received; at most `WEIGHT_LIMIT`."""
    row = s.traffic[e]
    ends = row.source == one and row.target == two or row.source == two and row.target == one
    return minimum(row.carried, u64(WEIGHT_LIMIT)) if ends else u64(0)


def is_enough(carried: u64, crossing: u64) -> bool:
    """Is that enough of all that a partition carried, of which no more counts than twice what two edges count for?"""
    return minimum(carried, u64(4 * WEIGHT_LIMIT)) * MERGE_SCORE <= crossing * 10


def parted(
    before: Kernel, after: Kernel, q: PartitionId, one: PartitionId, two: PartitionId, to: PartitionState
) -> bool:
    """Are the two in this state now, as halves of each other, and is all as before with everybody else?"""
    old = before.partition[q]
    new = after.partition[q]
    if q == one or q == two:
        return new.state == to and new.other == (two if q == one else one)
    return new.state == old.state and new.other == old.other


# ---- operations


@succeeds("partition_split")
def split_is_allowed(before: Kernel, call: Call, into: Handle) -> bool:
    second = before.partition[second_partition(before, call)]
    return (
        commands(before, call, Right.WRITE | Right.SPLIT)
        and pair_is_meant(before, call)
        and also_commands(before, into, Right.WRITE | Right.SPLIT)
        and before.mode != Mode.REFLEX
        and not is_root(before, first_partition(before, call))
        and not is_root(before, second_partition(before, call))
        and second.parent == before.current
        and runs_or_waits(before, first_partition(before, call))
        and second.state == PartitionState.CREATED
        and not second.rooted
    )


@ensures(
    "partition_split",
    "the two stand still as halves of each other; the proof is used up",
    changes=("partition.state", "partition.other", "partition.nonce"),
)
def split_is_exact(before: Kernel, call: Call, after: Kernel, into: Handle, q: PartitionId) -> bool:
    one = first_partition(before, call)
    return parted(before, after, q, one, second_partition(before, call), PartitionState.SPLITTING) and counts_proof(
        before, after, q
    )


@succeeds("partition_merge")
def merge_is_allowed(before: Kernel, call: Call, into: Handle, edge: EdgeId, slot: SlotId, back: EdgeId) -> bool:
    one = first_partition(before, call)
    two = second_partition(before, call)
    return (
        commands(before, call, Right.WRITE | Right.MERGE)
        and pair_is_meant(before, call)
        and also_commands(before, into, Right.WRITE | Right.MERGE)
        and one != two
        and not is_root(before, one)
        and not is_root(before, two)
        and runs_or_waits(before, one)
        and runs_or_waits(before, two)
        and connects(before, edge, slot, one, two)
        and are_coherent(before, edge, back, one, two)
        and not leases(before, one)
        and fits(before, one, two)
    )


@ensures(
    "partition_merge",
    "the two stand still as halves of each other; the proof is used up",
    changes=("partition.state", "partition.other", "partition.nonce"),
)
def merge_is_exact(
    before: Kernel, call: Call, after: Kernel, into: Handle, edge: EdgeId, slot: SlotId, back: EdgeId, q: PartitionId
) -> bool:
    one = first_partition(before, call)
    return parted(before, after, q, one, second_partition(before, call), PartitionState.MERGING) and counts_proof(
        before, after, q
    )


@theorem(
    "HALF-15",
    "two are merged only if something crossed the edges that are named, each of which counts once, and if that is "
    "enough for both",
    about=("partition_merge",),
)
def merged_belong_together(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    one = first_partition(before, call)
    two = second_partition(before, call)
    e = EdgeId.truncate(call.argument[2])
    back = EdgeId.truncate(call.argument[4])
    crossing = crossed(before, e, one, two) + (u64(0) if e == back else crossed(before, back, one, two))
    enough = is_enough(before.partition[one].carried, crossing) and is_enough(before.partition[two].carried, crossing)
    return implies(status == Status.OK, crossing != 0 and enough)


@theorem("HALF-16", "no device is leased to whoever is merged", about=("partition_merge",))
def merged_lease_nothing(before: Kernel, call: Call, after: Kernel, status: Status, d: DeviceId) -> bool:
    one = first_partition(before, call)
    row = before.device[d]
    leased = row.leased and row.holder == one and row.incarnation == before.partition[one].generation
    return implies(status == Status.OK, not leased)


@theorem(
    "HALF-17",
    "two are merged only if one of them sends through the edge that is named, and the other may receive, by a live "
    "capability in the slot that is named",
    about=("partition_merge",),
)
def merged_are_joined(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    one = first_partition(before, call)
    two = second_partition(before, call)
    e = EdgeId.truncate(call.argument[2])
    edge = before.edge[e]
    passed = before.capability[edge.sender].generation == edge.sender_generation and live(before, edge.sender)
    sender = CapabilityPlace(edge.sender if passed else edge.origin).partition
    c = CapabilityPlace(partition=two if sender == one else one, slot=SlotId.truncate(call.argument[3]))
    held = before.capability[c]
    receives = held.kind == ObjectKind.EDGE and held.object == u32(e) and subset(Right.READ, held.rights)
    return implies(status == Status.OK, (sender == one or sender == two) and receives and live(before, c))


@theorem(
    "HALF-18",
    "two are merged only if the second has room for the pages, agents and large memory of both",
    about=("partition_merge",),
)
def merged_have_room(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    one = before.partition[first_partition(before, call)]
    two = before.partition[second_partition(before, call)]
    pages = u32(one.pages) + u32(two.pages) <= PAGES_PER_PARTITION
    agents = u32(one.agents_made) <= left_of(before, second_partition(before, call), Allowance.AGENTS)
    units = u32(one.units_made) <= left_of(before, second_partition(before, call), Allowance.UNITS)
    return implies(status == Status.OK, pages and agents and units)


@succeeds("partition_settle")
def settle_is_allowed(before: Kernel, call: Call) -> bool:
    state = before.partition[subject_partition(before, call)].state
    if state == PartitionState.SPLITTING:
        return commands(before, call, Right.WRITE | Right.SPLIT)
    return state == PartitionState.MERGING and commands(before, call, Right.WRITE | Right.MERGE)


@ensures(
    "partition_settle",
    "the half is a partition of its own, suspended if it has a stage-2 root, else yet to start",
    changes=("partition.state",),
)
def settle_is_exact(before: Kernel, call: Call, after: Kernel, q: PartitionId) -> bool:
    p = subject_partition(before, call)
    rest = PartitionState.SUSPENDED if before.partition[p].rooted else PartitionState.CREATED
    return moved(before, after, q, p, rest)
