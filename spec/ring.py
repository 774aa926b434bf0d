"""Which ring does a partition run in, and what does the ring allow?"""

from spec.capability import named_partition
from spec.language.builtins import implies, minimum, saturating_sub
from spec.language.types import u8, u32, u64
from spec.limits import (
    ANCESTRY_LIMIT, BURST, ELEVATION_LIMIT, MESSAGES_PER_EPOCH, PPM, QUANTUM, RING_1_SCORE, RING_2_SCORE, SECOND)
from spec.property import corollary, invariant, theorem
from spec.state import Call, Kernel, PartitionId
from spec.vocabulary import Meter, PartitionState, Resource, Ring, Scope, Status

RATE = (100, 50, 20, 5)             # calls per second, by ring; the burst is twice that
CALL_COST = tuple(SECOND // rate for rate in RATE)     # ns of credit
TOOLS = (32, 16, 8, 2)              # concurrent tools, by ring
NETWORK = (1, 1, 1, 0)
SUBPROCESS = (1, 1, 1, 0)
FILESYSTEM = (3, 3, 2, 0)           # a Scope, by ring


def ring_for(score: u32, consensus: bool) -> Ring:
    """The ring that follows from a trust score and a consensus; never ring 0."""
    if score > RING_1_SCORE and consensus:
        return Ring.PRIVILEGED
    if score > RING_2_SCORE:
        return Ring.STANDARD
    return Ring.SANDBOX


def more_privileged(a: Ring, b: Ring) -> bool:
    """Does ring `a` allow more than ring `b`?"""
    return u8(a) < u8(b)


def elevated(s: Kernel, p: PartitionId, now: u64) -> bool:
    """Does the partition hold an elevation that has not expired?"""
    return s.partition[p].elevation.active and now < s.partition[p].elevation.expires


def own_ring(s: Kernel, p: PartitionId, now: u64) -> Ring:
    """The ring of the partition itself: its base ring, or a better one held for a while."""
    held = s.partition[p].elevation.ring
    if elevated(s, p, now) and more_privileged(held, s.partition[p].ring):
        return held
    return s.partition[p].ring


def effective_ring(s: Kernel, p: PartitionId, now: u64) -> Ring:
    """The ring that the gate applies: never better than that of any creator."""
    ring = own_ring(s, p, now)
    at = p
    for step in range(ANCESTRY_LIMIT):
        if s.partition[at].ancestry != 0:
            at = s.partition[at].parent
            above = own_ring(s, at, now)
            ring = above if more_privileged(ring, above) else ring
    return ring


def epoch_over(s: Kernel, p: PartitionId, now: u64) -> bool:
    """Is the epoch over in which the partition's messages were counted? A clock that runs back ends none."""
    return saturating_sub(now, s.partition[p].messages.began) >= QUANTUM


def permits(ring: Ring, resource: Resource) -> bool:
    """Does the ring allow the use of a resource?"""
    if resource == Resource.NETWORK:
        return NETWORK[u8(ring)] != 0
    if resource == Resource.SUBPROCESS:
        return SUBPROCESS[u8(ring)] != 0
    if resource == Resource.FILESYSTEM:
        return FILESYSTEM[u8(ring)] != u8(Scope.NONE)
    return True


@invariant("RING-1", "no partition is in ring 0, by its score or by elevation")
def ring_0_is_empty(s: Kernel, p: PartitionId) -> bool:
    partition = s.partition[p]
    return (implies(partition.state != PartitionState.VACANT, partition.ring != Ring.ROOT)
            and implies(partition.elevation.active, partition.elevation.ring != Ring.ROOT))


@invariant("RING-2", "the ring of a partition never exceeds what its score and consensus give")
def ring_follows_score(s: Kernel, p: PartitionId) -> bool:
    partition = s.partition[p]
    return implies(partition.state != PartitionState.VACANT, partition.score <= PPM
                   and not more_privileged(partition.ring, ring_for(partition.score, partition.consensus)))


@invariant("RING-3", "a bucket never holds more than its burst")
def bucket_is_bounded(s: Kernel, p: PartitionId) -> bool:
    return s.partition[p].bucket.credit <= BURST


@invariant("RING-4", "whoever was created has a creator that is there, nearer to the root partition, which is few steps away")
def ancestry_counts(s: Kernel, p: PartitionId) -> bool:
    parent = s.partition[s.partition[p].parent]
    created = s.partition[p].state != PartitionState.VACANT and s.partition[p].ancestry != 0
    there = parent.state != PartitionState.VACANT and parent.state != PartitionState.DESTROYED
    return s.partition[p].ancestry <= ANCESTRY_LIMIT and implies(created, there and s.partition[p].ancestry > parent.ancestry)


@corollary("RING-5", "a partition is never more privileged than its creator")
def child_never_exceeds_parent(s: Kernel, p: PartitionId, now: u64) -> bool:
    created = s.partition[p].state != PartitionState.VACANT and s.partition[p].ancestry != 0
    return implies(created, not more_privileged(effective_ring(s, p, now), effective_ring(s, s.partition[p].parent, now)))


@theorem("RING-11", "operations of ring 0 are refused to everyone", about=lambda operation: operation.admin)
def ring_0_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return status != Status.OK


@theorem("RING-12", "tokens are never minted: a bucket gains no more than the time that passed, and its clock never runs back")
def tokens_are_conserved(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    old = before.partition[p].bucket
    new = after.partition[p].bucket
    born = before.partition[p].state == PartitionState.VACANT
    gained = saturating_sub(new.credit, old.credit)
    return implies(not born, new.refilled >= old.refilled and gained <= new.refilled - old.refilled)


@invariant("RING-6", "no partition sends and receives more messages in an epoch than there are in one")
def messages_are_bounded(s: Kernel, p: PartitionId) -> bool:
    return s.partition[p].messages.used <= MESSAGES_PER_EPOCH


@theorem("RING-14", "a call costs what the caller's ring asks for a call, whether or not it names an operation",
         about=lambda operation: operation.meter == Meter.CALLS, unknown=True)
def calls_are_paid(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = before.current
    cost = CALL_COST[u8(effective_ring(before, p, call.now))]
    passed = saturating_sub(call.now, before.partition[p].bucket.refilled)
    paid = status != Status.WITNESS_FULL and status != Status.RATE_LIMITED
    had = before.partition[p].bucket.credit + minimum(passed, BURST)
    return implies(paid and passed < BURST, after.partition[p].bucket.credit + cost <= had
                   or after.partition[p].state == PartitionState.DESTROYED)


@theorem("RING-20", "a message is counted in the epoch of its sender or receiver, or begins the next one, as soon as that is over; when all are used up it is refused",
         about=lambda operation: operation.meter == Meter.MESSAGES)
def messages_are_counted(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = before.current
    over = epoch_over(before, p, call.now)
    old = before.partition[p].messages
    new = after.partition[p].messages
    spent = not over and old.used == MESSAGES_PER_EPOCH
    if status == Status.WITNESS_FULL or status == Status.RATE_LIMITED:
        return new.used == old.used and new.began == old.began and implies(status == Status.RATE_LIMITED, spent)
    return not spent and new.began == (call.now if over else old.began) and u64(new.used) == (u64(1) if over else u64(old.used) + 1)


@theorem("RING-21", "messages are counted for whoever sends and receives them, and anew for whoever is created",
         about=lambda operation: operation.meter == Meter.CALLS, unknown=True)
def others_send_nothing(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    old = before.partition[p]
    new = after.partition[p]
    born = old.state == PartitionState.VACANT and new.state != PartitionState.VACANT
    return new.messages.used == 0 if born else new.messages.used == old.messages.used and new.messages.began == old.messages.began


@theorem("RING-13", "an elevation lasts at most the limit and needs the trust its ring asks for", about=("ring_elevate",))
def elevation_is_bounded(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = before.current
    new = after.partition[p].elevation
    return implies(status == Status.OK, new.active and new.ring != Ring.ROOT
                   and new.expires >= call.now and saturating_sub(new.expires, call.now) <= u64(ELEVATION_LIMIT) * SECOND
                   and not elevated(before, p, call.now))


@theorem("RING-16", "an elevation that is ended has no effect any more", about=("ring_restore", "ring_demote"))
def elevation_ends(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return implies(status == Status.OK, not after.partition[named_partition(before, call)].elevation.active)


@theorem("RING-17", "a ring that is assigned follows from the score and consensus named, which exceed nobody's own",
         about=("ring_assign",))
def assigned_as_named(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = named_partition(before, call)
    new = after.partition[p]
    return implies(status == Status.OK, p != before.current and u64(new.score) == call.argument[1]
                   and new.consensus == (call.argument[2] != 0) and new.score <= before.partition[before.current].score
                   and new.ring == ring_for(new.score, new.consensus)
                   and not more_privileged(new.ring, effective_ring(before, before.current, call.now)))


@theorem("RING-18", "a demotion sets the score named, never a higher one, and the ring that follows from it", about=("ring_demote",))
def demoted_as_named(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = named_partition(before, call)
    new = after.partition[p]
    return implies(status == Status.OK, u64(new.score) == call.argument[1] and new.score <= before.partition[p].score
                   and new.ring == ring_for(new.score, new.consensus))


@theorem("RING-19", "tools are counted one by one, up to what the ring allows", about=("tool_acquire", "tool_release"))
def tools_are_counted(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = before.current
    old = u32(before.partition[p].tools)
    new = u32(after.partition[p].tools)
    taken = new == old + 1 and new <= TOOLS[u8(effective_ring(before, p, call.now))]
    return taken or new + 1 == old if status == Status.OK else new == old
