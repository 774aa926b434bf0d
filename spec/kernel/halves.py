"""Which partitions may be split or merged, and what stands still meanwhile?

A split makes two halves of a partition, a merge makes one partition of two. Both begin with one call and end with one
for each of the two. Between these, neither runs.
"""

from corollary.language.builtins import implies, minimum
from corollary.language.property import by_itself, corollary, theorem
from corollary.language.types import u32, u64
from corollary.spec.kernel.block import holds_blocks
from corollary.spec.kernel.capability import (
    capability_id,
    first_partition,
    holder,
    live,
    named_partition,
    second_partition,
)
from corollary.spec.kernel.device import holds_lease
from corollary.spec.kernel.edge import edge_exists, sender_of
from corollary.spec.kernel.limits import DEVICES, MERGE_SCORE, PAGES_PER_PARTITION, WEIGHT_LIMIT
from corollary.spec.kernel.partition import eligible
from corollary.spec.kernel.state import Call, DeviceId, EdgeId, Kernel, PartitionId, SlotId
from corollary.spec.kernel.vocabulary import Mode, ObjectKind, PartitionState, Right, Status

CARRIED_LIMIT = 4 * WEIGHT_LIMIT  # for whoever carried more, two edges are never enough
assert CARRIED_LIMIT * MERGE_SCORE > 2 * WEIGHT_LIMIT * 10, "what is beyond the limits makes nobody coherent"


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


def right_to_part(state: PartitionState) -> Right:
    """Which right makes halves that are in this state, and makes them whole again?"""
    return Right.SPLIT if state == PartitionState.SPLITTING else Right.MERGE


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


def weight(s: Kernel, e: EdgeId) -> u64:
    """What an edge has carried since it was made, up to the limit."""
    return minimum(s.traffic[e].carried, u64(WEIGHT_LIMIT))


def is_between(s: Kernel, e: EdgeId, p: PartitionId, q: PartitionId) -> bool:
    """Are the two the ends of the edge: who sent and who received last?"""
    source = s.traffic[e].source
    target = s.traffic[e].target
    return (source == p) & (target == q) | (source == q) & (target == p)


def between(s: Kernel, e: EdgeId, back: EdgeId, p: PartitionId, q: PartitionId) -> u64:
    """What two edges have carried between the two; an edge that is named twice counts once.

    An edge that is gone counts until its number is used again, as for whoever reads the graph.
    """
    there = weight(s, e) if is_between(s, e, p, q) else u64(0)
    again = weight(s, back) if back != e and is_between(s, back, p, q) else u64(0)
    return there + again


def mostly(s: Kernel, p: PartitionId, shared: u64) -> bool:
    """Is this enough of what the partition has carried since it was created?"""
    return minimum(s.partition[p].carried, u64(CARRIED_LIMIT)) * MERGE_SCORE <= shared * 10


def are_coherent(s: Kernel, e: EdgeId, back: EdgeId, p: PartitionId, q: PartitionId) -> bool:
    """Have the two carried something between each other, and is it enough of what each of them has carried?"""
    shared = between(s, e, back, p, q)
    return shared != 0 and mostly(s, p, shared) and mostly(s, q, shared)


def leases(s: Kernel, p: PartitionId) -> bool:
    """Is a device leased to the partition, even if its time is over?"""
    found = False
    for i in range(DEVICES):
        found = found | holds_lease(s, p, DeviceId(i))
    return found


def fits(s: Kernel, p: PartitionId, q: PartitionId) -> bool:
    """Has `q` room for the pages, the agents and the large memory of both?"""
    one = s.partition[p]
    other = s.partition[q]
    return (
        u32(one.pages) + other.pages <= PAGES_PER_PARTITION
        and u32(one.agents_made) + other.agents_made <= other.agents
        and u32(one.units_made) + other.units_made <= other.units
    )


def only_root_table(s: Kernel, p: PartitionId) -> bool:
    """Has the partition no page, or just its stage-2 root?"""
    own = s.partition[p]
    return own.pages == 0 or own.pages == 1 and own.rooted


def holds_nothing(s: Kernel, p: PartitionId) -> bool:
    """Have pages, agents and blocks of the partition gone to another, but for its stage-2 root?"""
    return only_root_table(s, p) and s.partition[p].agents_made == 0 and not holds_blocks(s, p)


@corollary("HALF-2", "what is split or merged stands still")
def halves_stand_still(s: Kernel, p: PartitionId) -> bool:
    return implies(is_half(s, p), not eligible(s, p) and implies(s.current == p, s.idle))


@theorem(
    "HALF-10",
    "halves stay together until each of them is settled, or destroyed, or loses its stage-2 root",
    about=lambda operation: operation.name not in ("partition_settle", "partition_destroy"),
    unknown=True,
)
def halves_stay(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    old = before.partition[p]
    new = after.partition[p]
    stays = is_half(before, p) and new.rooted == old.rooted
    return implies(stays, new.state == old.state and new.other == old.other)


@theorem("HALF-11", "what happens without a call makes no halves, and takes none apart", about=by_itself)
def halves_are_left_alone(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    old = before.partition[p]
    new = after.partition[p]
    return is_half(before, p) == is_half(after, p) and implies(
        is_half(before, p), new.state == old.state and new.other == old.other
    )


@theorem(
    "HALF-12",
    "the two that are named become halves of each other, root is neither, and nothing becomes of anybody else",
    about=("partition_split", "partition_merge"),
)
def two_are_named(before: Kernel, call: Call, after: Kernel, status: Status, p: PartitionId) -> bool:
    first = first_partition(before, call)
    second = second_partition(before, call)
    old = before.partition[p]
    new = after.partition[p]
    apart = first != second and before.partition[first].ancestry != 0 and before.partition[second].ancestry != 0
    return implies(status == Status.OK, apart and are_halves(after, first, second)) and implies(
        p != first and p != second or status != Status.OK, new.state == old.state and new.other == old.other
    )


@theorem(
    "HALF-13", "a half of a merge ends only when no page, agent or block is left of it", about=("partition_destroy",)
)
def merged_end_empty(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = named_partition(before, call)
    ended = before.partition[p]
    return implies(
        status == Status.OK and ended.state == PartitionState.MERGING,
        (ended.pages == 0 or ended.pages == 1 and ended.rooted)
        and ended.agents_made == 0
        and not holds_blocks(before, p),
    )


@theorem("HALF-14", "in reflex mode nothing is split", about=("partition_split",))
def reflexes_keep_whole(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return implies(status == Status.OK, before.mode != Mode.REFLEX)
