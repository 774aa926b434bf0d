"""How do partitions gain and lose rings, and how are calls and tools rationed?"""

from corollary.language.builtins import maximum, minimum, saturating_sub
from corollary.language.types import u8, u16, u32, u64
from corollary.model.kernel.capability import may_act_on, partition_of_handle
from corollary.model.kernel.operation import operation
from corollary.spec.kernel.capability import handle_holds, named_partition
from corollary.spec.kernel.limits import (
    BURST,
    CLOCK_LIMIT,
    ELEVATE_1_SCORE,
    ELEVATE_2_SCORE,
    ELEVATION_DEFAULT,
    ELEVATION_LIMIT,
    MESSAGES_PER_EPOCH,
    PPM,
    SECOND,
)
from corollary.spec.kernel.partition import alive
from corollary.spec.kernel.ring import (
    CALL_COST,
    RESOURCES,
    TOOLS,
    base_ring,
    effective_ring,
    elevated,
    epoch_over,
    kept_tools,
    more_privileged,
    permits,
    permitted_tools,
    ring_for,
)
from corollary.spec.kernel.state import Call, Handle, Kernel, PartitionId, ResourceId
from corollary.spec.kernel.vocabulary import Meter, ObjectKind, Resource, Right, Ring, Status


def credit_at(s: Kernel, p: PartitionId, now: u64) -> u64:
    """Return what the bucket holds by now; a clock that runs back adds nothing."""
    bucket = s.partition[p].bucket
    passed = minimum(saturating_sub(now, bucket.refilled), u64(BURST))
    return minimum(bucket.credit + passed, u64(BURST))


def left_of(credit: u64, cost: u64) -> u64:
    """Return what is left of a bucket that pays a cost; all of it if it holds too little."""
    return credit - cost if credit >= cost else credit


def spend(s: Kernel, p: PartitionId, ring: Ring, now: u64) -> bool:
    """Refill the bucket and take one token of a ring from it, if there is one."""
    cost = CALL_COST[u8(ring)]
    credit = credit_at(s, p, now)
    bucket = s.partition[p].bucket
    bucket.credit = left_of(credit, cost)
    bucket.refilled = maximum(bucket.refilled, now)
    return credit >= cost


def messages_by(s: Kernel, p: PartitionId, now: u64) -> u16:
    """Return how many messages of its present epoch the partition has used up."""
    return u16(0) if epoch_over(s, p, now) else s.partition[p].messages.used


def has_message(s: Kernel, p: PartitionId, now: u64) -> bool:
    """Is a message of the partition's epoch left?"""
    return messages_by(s, p, now) < MESSAGES_PER_EPOCH


def count_message(s: Kernel, p: PartitionId, now: u64) -> bool:
    """Use up one message of the epoch, if there is one left."""
    used = messages_by(s, p, now)
    if used >= MESSAGES_PER_EPOCH:
        return False
    allowance = s.partition[p].messages
    allowance.began = now if epoch_over(s, p, now) else allowance.began
    allowance.used = used + 1
    return True


def pay(s: Kernel, p: PartitionId, meter: Meter, ring: Ring, now: u64) -> bool:
    """Pay for a call in this ring from its meter, if the meter holds enough."""
    if meter == Meter.MESSAGES:
        counted = count_message(s, p, now)
        return counted
    paid = spend(s, p, ring, now)
    return paid


def shed_tools(s: Kernel, p: PartitionId, ring: Ring) -> None:
    """Give up the tools that a ring does not allow.

    Those are all tools of a resource that it denies, then the last ones beyond its limit.
    """
    room: u8 = TOOLS[u8(ring)]
    for i in range(RESOURCES):
        kept = minimum(s.partition[p].tools[ResourceId(i)], room) if permits(ring, Resource(i)) else u8(0)
        s.partition[p].tools[ResourceId(i)] = kept
        room -= kept


def end_elevation(s: Kernel, p: PartitionId) -> None:
    """Put a partition back in the ring of its score, with the tools that it may have there."""
    s.partition[p].elevation.active = False
    shed_tools(s, p, s.partition[p].ring)


def expire(s: Kernel, p: PartitionId, now: u64) -> None:
    """Clear an elevation that is over; it has had no effect since it ended."""
    if s.partition[p].elevation.active and not elevated(s, p, now):
        end_elevation(s, p)


def set_trust(s: Kernel, p: PartitionId, score: u32, consensus: bool) -> None:
    """Set score, consensus and the ring that follows; what was held beyond the old ring or the new one ends."""
    end_elevation(s, p)
    s.partition[p].score = score
    s.partition[p].consensus = consensus
    s.partition[p].ring = ring_for(score, consensus)
    shed_tools(s, p, s.partition[p].ring)


@operation
def ring_assign(s: Kernel, call: Call, of: Handle, score: u32, consensus: bool) -> Status:
    """Set the trust score and consensus of another partition, and the ring that follows.

    They stay within what the caller has of its own.
    """
    if not may_act_on(s, s.current, of, Right.WRITE):
        return Status.INSUFFICIENT_RIGHTS
    p = partition_of_handle(s, s.current, of)
    if p == s.current:
        return Status.INVALID_TARGET
    if score > PPM:
        return Status.BAD_ARGUMENT
    if score > s.partition[s.current].score:
        return Status.INSUFFICIENT_TRUST
    if more_privileged(ring_for(score, consensus), base_ring(s, s.current)):
        return Status.RING_DENIED
    set_trust(s, p, score, consensus)
    return Status.OK


@operation
def ring_demote(s: Kernel, call: Call, score: u32) -> Status:
    """Lower the score of a partition, recompute its ring with the consensus it had, and end any elevation."""
    p = named_partition(s, call)
    if not alive(s, p):
        return Status.WRONG_STATE
    if score > s.partition[p].score:
        return Status.BAD_ARGUMENT
    set_trust(s, p, score, s.partition[p].consensus)
    return Status.OK


@operation
def ring_elevate(s: Kernel, call: Call, target: Ring, seconds: u32, attestation: Handle) -> Status:
    """Hold a better ring for a while (default 300 s, at most 3600 s).

    Ring 1 asks for an attestation, and lasts only as long as the attestation is live.
    """
    own = s.partition[s.current]
    if not more_privileged(target, effective_ring(s, s.current, call.now)):
        return Status.INVALID_TARGET
    if target == Ring.ROOT:
        return Status.RING_0_FORBIDDEN
    if elevated(s, s.current, call.now):
        return Status.DUPLICATE_ELEVATION
    if own.score < (ELEVATE_1_SCORE if target == Ring.PRIVILEGED else ELEVATE_2_SCORE):
        return Status.INSUFFICIENT_TRUST
    if target == Ring.PRIVILEGED and not handle_holds(s, s.current, attestation, ObjectKind.PROOF_ROOT, Right.PROVE):
        return Status.NO_SPONSORSHIP
    asked = u32(ELEVATION_DEFAULT) if seconds == 0 else minimum(seconds, u32(ELEVATION_LIMIT))
    if call.now > CLOCK_LIMIT:
        return Status.BAD_ARGUMENT
    expire(s, s.current, call.now)
    own.elevation.active = True
    own.elevation.ring = target
    own.elevation.attestation = attestation
    own.elevation.expires = call.now + u64(asked) * SECOND
    return Status.OK


@operation
def ring_restore(s: Kernel, call: Call) -> Status:
    """End the elevation of a partition before its time."""
    p = named_partition(s, call)
    if not s.partition[p].elevation.active:
        return Status.WRONG_STATE
    end_elevation(s, p)
    return Status.OK


@operation
def tool_acquire(s: Kernel, call: Call, resource: Resource) -> Status:
    """Count one more concurrent tool, as far as the ring allows; return how many there are."""
    p = s.current
    ring = effective_ring(s, p, call.now)
    if permitted_tools(s, p, ring) >= TOOLS[u8(ring)]:
        return Status.LIMIT_REACHED
    shed_tools(s, p, ring)
    s.partition[p].tools[ResourceId(u8(resource))] += 1
    call.result[0] = permitted_tools(s, p, ring)
    return Status.OK


@operation
def tool_release(s: Kernel, call: Call, resource: Resource) -> Status:
    """Count one concurrent tool of a resource less, among those that the ring allows."""
    p = s.current
    ring = effective_ring(s, p, call.now)
    if kept_tools(s, p, ring, resource) == 0:
        return Status.WRONG_STATE
    shed_tools(s, p, ring)
    s.partition[p].tools[ResourceId(u8(resource))] -= 1
    return Status.OK
