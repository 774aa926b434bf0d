"""How do partitions gain and lose rings, and how are calls and tools rationed?"""

from model.capability import handle_holds
from spec.capability import named_partition
from spec.language.builtins import maximum, minimum, saturating_sub
from spec.language.types import u8, u16, u32, u64
from spec.limits import (
    BURST, CLOCK_LIMIT, ELEVATE_1_SCORE, ELEVATE_2_SCORE, ELEVATION_DEFAULT, ELEVATION_LIMIT, MESSAGES_PER_EPOCH, PPM, SECOND)
from spec.operation import operation
from spec.partition import alive
from spec.ring import CALL_COST, TOOLS, effective_ring, elevated, epoch_over, more_privileged, ring_for
from spec.state import Call, Handle, Kernel, PartitionId
from spec.vocabulary import Action, Meter, ObjectKind, Resource, Right, Ring, Status


def credit_at(s: Kernel, p: PartitionId, now: u64) -> u64:
    """What the bucket holds by now; a clock that runs back gives nothing."""
    bucket = s.partition[p].bucket
    passed = minimum(saturating_sub(now, bucket.refilled), u64(BURST))
    return minimum(bucket.credit + passed, u64(BURST))


def cost_of_call(s: Kernel, p: PartitionId, now: u64) -> u64:
    """What a call costs a partition of this ring."""
    return CALL_COST[u8(effective_ring(s, p, now))]


def spend(s: Kernel, p: PartitionId, now: u64) -> bool:
    """Refill the bucket and take one token of the partition's ring from it, if there is one."""
    cost = cost_of_call(s, p, now)
    bucket = s.partition[p].bucket
    bucket.credit = credit_at(s, p, now)
    bucket.refilled = maximum(bucket.refilled, now)
    if bucket.credit < cost:
        return False
    bucket.credit -= cost
    return True


def messages_by(s: Kernel, p: PartitionId, now: u64) -> u16:
    """How many messages of its present epoch the partition has used up."""
    return u16(0) if epoch_over(s, p, now) else s.partition[p].messages.used


def count_message(s: Kernel, p: PartitionId, now: u64) -> bool:
    """Use up one message of the epoch, if there is one left."""
    used = messages_by(s, p, now)
    if used >= MESSAGES_PER_EPOCH:
        return False
    allowance = s.partition[p].messages
    allowance.began = now if epoch_over(s, p, now) else allowance.began
    allowance.used = used + 1
    return True


def affordable(s: Kernel, p: PartitionId, meter: Meter, now: u64) -> bool:
    """Does what a call is paid from hold what it costs?"""
    if meter == Meter.MESSAGES:
        return messages_by(s, p, now) < MESSAGES_PER_EPOCH
    return credit_at(s, p, now) >= cost_of_call(s, p, now)


def pay(s: Kernel, p: PartitionId, meter: Meter, now: u64) -> bool:
    """Take what a call costs from what it is paid from, if that holds so much."""
    if meter == Meter.MESSAGES:
        counted = count_message(s, p, now)
        return counted
    paid = spend(s, p, now)
    return paid


@operation(Action.PROOF_ESCALATED, on=ObjectKind.PARTITION, needs=Right.WRITE)
def ring_assign(s: Kernel, call: Call, score: u32, consensus: bool) -> Status:
    """Set the trust score and consensus of another partition, and the ring that follows from them."""
    p = named_partition(s, call)
    if p == s.current:
        return Status.INVALID_TARGET
    if score > PPM:
        return Status.BAD_ARGUMENT
    if not alive(s, p):
        return Status.WRONG_STATE
    if score > s.partition[s.current].score:
        return Status.INSUFFICIENT_TRUST
    if more_privileged(ring_for(score, consensus), effective_ring(s, s.current, call.now)):
        return Status.RING_DENIED
    s.partition[p].score = score
    s.partition[p].consensus = consensus
    s.partition[p].ring = ring_for(score, consensus)
    return Status.OK


@operation(Action.PROOF_ESCALATED, on=ObjectKind.PARTITION, needs=Right.WRITE)
def ring_demote(s: Kernel, call: Call, score: u32) -> Status:
    """Lower the score of a partition, recompute its ring with the consensus it had, and end any elevation."""
    p = named_partition(s, call)
    if not alive(s, p):
        return Status.WRONG_STATE
    if score > s.partition[p].score:
        return Status.BAD_ARGUMENT
    s.partition[p].score = score
    s.partition[p].ring = ring_for(score, s.partition[p].consensus)
    s.partition[p].elevation.active = False
    return Status.OK


@operation(Action.PROOF_ESCALATED, read_only=True)
def ring_elevate(s: Kernel, call: Call, target: Ring, seconds: u32, attestation: Handle) -> Status:
    """Hold a better ring for a while (default 300 s, at most 3600 s); ring 1 asks for an attestation."""
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
    own.elevation.active = True
    own.elevation.ring = target
    own.elevation.expires = call.now + u64(asked) * SECOND
    return Status.OK


@operation(Action.PROOF_ESCALATED, on=ObjectKind.PARTITION, needs=Right.WRITE)
def ring_restore(s: Kernel, call: Call) -> Status:
    """End the elevation of a partition before its time."""
    p = named_partition(s, call)
    if not s.partition[p].elevation.active:
        return Status.WRONG_STATE
    s.partition[p].elevation.active = False
    return Status.OK


@operation(Action.TASK_SPAWN, resource=True, read_only=True)
def tool_acquire(s: Kernel, call: Call, resource: Resource) -> Status:
    """Count one more concurrent tool, as far as the ring allows."""
    if s.partition[s.current].tools >= TOOLS[u8(effective_ring(s, s.current, call.now))]:
        return Status.LIMIT_REACHED
    s.partition[s.current].tools += 1
    call.result[0] = s.partition[s.current].tools
    return Status.OK


@operation(Action.TASK_TERMINATE, read_only=True)
def tool_release(s: Kernel, call: Call) -> Status:
    """Count one concurrent tool less."""
    if s.partition[s.current].tools == 0:
        return Status.WRONG_STATE
    s.partition[s.current].tools -= 1
    return Status.OK


def expire(s: Kernel, p: PartitionId, now: u64) -> None:
    """Clear an elevation whose time is over; it has been without effect since."""
    if s.partition[p].elevation.active and not elevated(s, p, now):
        s.partition[p].elevation.active = False
