"""Which partitions may be split or merged, and what stands still meanwhile?

A split makes two halves of a partition, a merge makes one partition of two. Both begin with one call and end with one
for each of the two. Between these, neither runs.
"""

from corollary.language.builtins import implies, minimum, wrapping_add
from corollary.language.property import by_itself, corollary, theorem
from corollary.language.types import u32, u64
from corollary.spec.kernel.block import holds_blocks
from corollary.spec.kernel.capability import capability_id, free, holder, live, named_partition, second_partition
from corollary.spec.kernel.device import holds_lease
from corollary.spec.kernel.edge import edge_exists, sender_of
from corollary.spec.kernel.limits import BASIS, DEVICES, EDGES, MERGE_SCORE, SLOTS, WEIGHT_LIMIT
from corollary.spec.kernel.partition import eligible
from corollary.spec.kernel.state import Call, DeviceId, EdgeId, Kernel, PartitionId, SlotId
from corollary.spec.kernel.vocabulary import Mode, ObjectKind, PartitionState, Right, Status

assert EDGES * WEIGHT_LIMIT < 1 << 32, "weights add up"


def is_half(s: Kernel, p: PartitionId) -> bool:
    """Is the partition being split or merged?"""
    return s.partition[p].state == PartitionState.SPLITTING or s.partition[p].state == PartitionState.MERGING


def are_halves(s: Kernel, p: PartitionId, q: PartitionId) -> bool:
    """Are the two being made of one, or one of the two?"""
    return (
        is_half(s, p)
        and s.partition[p].state == s.partition[q].state
        and s.partition[p].other == q
        and s.partition[q].other == p
    )


def has_started(s: Kernel, p: PartitionId) -> bool:
    """Does the partition run, or has it been suspended?"""
    return s.partition[p].state == PartitionState.RUNNING or s.partition[p].state == PartitionState.SUSPENDED


def receives(s: Kernel, e: EdgeId, p: PartitionId, slot: SlotId) -> bool:
    """May the partition receive through the edge, by what is in this slot?"""
    c = capability_id(p, slot)
    held = s.capability[c]
    return held.kind == ObjectKind.EDGE and held.object == u32(e) and held.rights & Right.READ != 0 and live(s, c)


def connects(s: Kernel, e: EdgeId, slot: SlotId, p: PartitionId, q: PartitionId) -> bool:
    """Does the edge lead from one of the two to the other, which receives by what is in this slot?"""
    sender = holder(sender_of(s, e))
    return edge_exists(s, e) and (sender == p and receives(s, e, q, slot) or sender == q and receives(s, e, p, slot))


def weight(s: Kernel, e: EdgeId) -> u32:
    """What an edge has carried since it was made, up to the limit."""
    return u32.truncate(minimum(s.traffic[e].carried, u64(WEIGHT_LIMIT)))


def is_between(s: Kernel, e: EdgeId, p: PartitionId, q: PartitionId) -> bool:
    """Are the two the ends of the edge: who sent and who received last?"""
    source = s.traffic[e].source
    target = s.traffic[e].target
    return (source == p) & (target == q) | (source == q) & (target == p)


def is_at(s: Kernel, e: EdgeId, p: PartitionId, q: PartitionId) -> bool:
    """Is one of the two an end of the edge?"""
    source = s.traffic[e].source
    target = s.traffic[e].target
    return (source == p) | (source == q) | (target == p) | (target == q)


def are_coherent(s: Kernel, p: PartitionId, q: PartitionId) -> bool:
    """Have the two carried anything between each other, and enough of all that their edges have carried?

    An edge that is gone counts until its number is used again, as for whoever reads the graph.
    """
    between: u32 = 0
    carried: u32 = 0
    for i in range(EDGES):
        between = wrapping_add(u32, between, weight(s, EdgeId(i)) if is_between(s, EdgeId(i), p, q) else u32(0))
        carried = wrapping_add(u32, carried, weight(s, EdgeId(i)) if is_at(s, EdgeId(i), p, q) else u32(0))
    return between != 0 and u64(between) * BASIS >= u64(carried) * MERGE_SCORE


def leases(s: Kernel, p: PartitionId) -> bool:
    """Is a device leased to the partition, even if its time is over?"""
    found = False
    for i in range(DEVICES):
        found = found | holds_lease(s, p, DeviceId(i))
    return found


def filled(s: Kernel, p: PartitionId) -> u32:
    """How many slots of the partition are not free?"""
    count: u32 = 0
    for i in range(SLOTS):
        count = wrapping_add(u32, count, u32(0) if free(s, capability_id(p, SlotId(i))) else u32(1))
    return count


def fits(s: Kernel, p: PartitionId, q: PartitionId) -> bool:
    """Has `q` room for the capabilities and the agents of `p`?"""
    agents = u32(s.partition[p].agents_made) + s.partition[q].agents_made
    return wrapping_add(u32, filled(s, p), filled(s, q)) <= SLOTS and agents <= s.partition[q].agents


def only_root_table(s: Kernel, p: PartitionId) -> bool:
    """Has the partition no page, or just its stage-2 root?"""
    own = s.partition[p]
    return own.pages == 0 or own.pages == 1 and own.rooted


def holds_nothing(s: Kernel, p: PartitionId) -> bool:
    """Has everything of the partition gone to another, but for its stage-2 root?"""
    return only_root_table(s, p) and filled(s, p) == 0 and s.partition[p].agents_made == 0 and not holds_blocks(s, p)


@corollary("HALF-1", "a partition is a half together with one other only")
def halves_are_two(s: Kernel, p: PartitionId, q: PartitionId, r: PartitionId) -> bool:
    return implies(are_halves(s, p, q) and are_halves(s, p, r), q == r)


@corollary("HALF-2", "what is split or merged stands still")
def halves_stand_still(s: Kernel, p: PartitionId) -> bool:
    return implies(is_half(s, p), not eligible(s, p) and implies(s.current == p, s.idle))


@theorem(
    "HALF-10",
    "halves stay together until each of them is settled or destroyed",
    about=lambda operation: operation.name not in ("partition_settle", "partition_destroy"),
    unknown=True,
)
def halves_stay(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    old = before.partition[p]
    new = after.partition[p]
    return implies(is_half(before, p), new.state == old.state and new.other == old.other)


@theorem("HALF-11", "what happens without a call makes no halves, and takes none apart", about=by_itself)
def halves_are_left_alone(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    old = before.partition[p]
    new = after.partition[p]
    return is_half(before, p) == is_half(after, p) and implies(
        is_half(before, p), new.state == old.state and new.other == old.other
    )


@theorem(
    "HALF-12",
    "the two that are named become halves of each other, and nothing becomes of anybody else",
    about=("partition_split", "partition_merge"),
)
def two_are_named(before: Kernel, call: Call, after: Kernel, status: Status, p: PartitionId) -> bool:
    first = named_partition(before, call)
    second = second_partition(before, call)
    old = before.partition[p]
    new = after.partition[p]
    return implies(status == Status.OK, first != second and are_halves(after, first, second)) and implies(
        p != first and p != second or status != Status.OK, new.state == old.state and new.other == old.other
    )


@theorem("HALF-13", "whoever is merged ends only when nothing is left of it", about=("partition_destroy",))
def merged_end_empty(before: Kernel, call: Call, after: Kernel, status: Status, slot: SlotId) -> bool:
    p = named_partition(before, call)
    ended = before.partition[p]
    return implies(
        status == Status.OK and ended.state == PartitionState.MERGING,
        ended.pages <= 1
        and ended.agents_made == 0
        and free(before, capability_id(p, slot))
        and not holds_blocks(before, p),
    )


@theorem("HALF-14", "in reflex mode nothing is split", about=("partition_split",))
def reflexes_keep_whole(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return implies(status == Status.OK, before.mode != Mode.REFLEX)
