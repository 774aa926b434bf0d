"""What happens between a hypercall and its operation? The gate, in its exact order, and the record.

Known operation, rate limit, ring 0, ring comparison, resource, then P1, P2, P3, then the operation, then the witness.
The gate first checks that there is room for the record: no witness, no mutation.
"""

from corollary.language.builtins import subset
from corollary.language.types import u8, u32, u64
from corollary.language.values import clear, local
from corollary.model.kernel.agent import shows_module
from corollary.model.kernel.clock import advance
from corollary.model.kernel.operation import performer
from corollary.model.kernel.proof import mutation_digest, named_root, path_holds, policy_holds
from corollary.model.kernel.ring import has_message, pay
from corollary.model.kernel.schedule import reschedule, rouse
from corollary.model.kernel.witness import append_for_partition, count_refusal
from corollary.spec.kernel.arguments import packed_object, packed_payload
from corollary.spec.kernel.capability import (
    capability_id,
    current_object,
    free,
    handle_generation,
    handle_slot,
    live,
    named_partition,
)
from corollary.spec.kernel.gate import (
    ACCEPTS_DEAD,
    ANY_OBJECT,
    ELEVATION_ADMITS,
    FOR_CREATORS,
    HANDLES,
    KIND_OF,
    METER_OF,
    OBJECT_OF,
    REPLACES_ROOT,
    REQUIRED_RING,
    RIGHTS_OF,
    SHOWS_MODULE,
    TAKES_HANDLE,
    TIER_OF,
    USES_RESOURCE,
    WITNESS_DISCARD,
    WITNESS_READ,
    known,
)
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.limits import DRAIN_LIMIT, PAGES
from corollary.spec.kernel.memory import lets
from corollary.spec.kernel.ring import base_ring, effective_ring, permits
from corollary.spec.kernel.sha256 import Digest
from corollary.spec.kernel.state import Call, Handle, Kernel, PageId, PartitionId
from corollary.spec.kernel.vocabulary import Access, Action, Meter, Resource, Right, Ring, Status, Tier
from corollary.spec.kernel.witness import KERNEL_OPERATION, log_room, own_room

__all__ = ("OPERATIONS", "dispatch")

HANDLE_LIMIT = Handle.bound
RESOURCE_LIMIT = Resource.bound

perform = performer(globals())


def kind_of(call: Call) -> Action:
    """The kind of the record that the call will leave."""
    return Action(KIND_OF[call.operation]) if known(call) else Action.PROOF_REJECTED


def meter_of(call: Call) -> Meter:
    """Return what the call is paid from; a call that names no operation costs as much as any other."""
    return Meter(METER_OF[call.operation]) if known(call) else Meter.CALLS


def admit(s: Kernel, call: Call) -> Status:
    """May a partition of this ring ask for this operation now?"""
    held = effective_ring(s, s.current, call.now)
    paid = pay(s, s.current, meter_of(call), held, call.now)
    if not paid:
        return Status.RATE_LIMITED
    if not known(call):
        return Status.UNKNOWN_OPERATION
    required = REQUIRED_RING[call.operation]
    if required == u8(Ring.ROOT):
        return Status.NEEDS_SRE_WITNESS
    ring = held if ELEVATION_ADMITS[call.operation] != 0 else base_ring(s, s.current)
    if u8(ring) > required:
        return Status.RING_DENIED
    if USES_RESOURCE[call.operation] != 0:
        if call.argument[1] >= RESOURCE_LIMIT:
            return Status.RESOURCE_DENIED
        if not permits(ring, Resource(call.argument[1])):
            return Status.RESOURCE_DENIED
    return Status.OK


def lookup(s: Kernel, call: Call) -> Status:
    """P1: is the handle one of the caller's own slots, live, on the right object, with enough rights?"""
    if call.argument[0] >= HANDLE_LIMIT:
        return Status.INVALID_HANDLE
    handle = Handle(call.argument[0])
    c = capability_id(s.current, handle_slot(handle))
    if free(s, c):
        return Status.INVALID_HANDLE
    if s.capability[c].generation != handle_generation(handle):
        return Status.STALE_HANDLE
    if ACCEPTS_DEAD[call.operation] != 0:
        return Status.OK
    if not live(s, c):
        return Status.REVOKED
    if ANY_OBJECT[call.operation] == 0 and u8(s.capability[c].kind) != OBJECT_OF[call.operation]:
        return Status.WRONG_OBJECT
    if not current_object(s, c):
        return Status.WRONG_OBJECT
    if not subset(Right(RIGHTS_OF[call.operation]), s.capability[c].rights):
        return Status.INSUFFICIENT_RIGHTS
    return Status.OK


def copies_on(s: Kernel, call: Call) -> bool:
    """Does the call ask for the next eight records that nobody has copied?

    Fewer than eight must wait to be dropped, and the call must name a page that the records can go into.
    """
    return (
        call.operation == WITNESS_READ
        and call.argument[2] == s.copied
        and s.copied - s.drained < DRAIN_LIMIT
        and s.sequence - s.copied >= DRAIN_LIMIT
        and call.argument[1] < PAGES
        and lets(s, s.current, PageId.truncate(call.argument[1]), Access.WRITE)
    )


def drops_all(s: Kernel, call: Call) -> bool:
    """Does the call drop eight records, the most that it may, all of them copied?"""
    return (
        call.operation == WITNESS_DISCARD
        and call.argument[1] == s.drained + (DRAIN_LIMIT - 1)
        and call.argument[1] < s.copied
    )


def will_drain(s: Kernel, call: Call) -> bool:
    """Will this call bring eight records closer to leaving the log, or make them leave it?"""
    p = s.current
    return (
        (copies_on(s, call) or drops_all(s, call))
        and u8(effective_ring(s, p, call.now)) <= REQUIRED_RING[call.operation]
        and has_message(s, p, call.now)
        and lookup(s, call) == Status.OK
    )


def room_for(s: Kernel, call: Call) -> bool:
    """May the call be recorded, within the caller's share of the log, or beyond it when it helps to make room?"""
    if own_room(s, s.current):
        return True
    return log_room(s) and will_drain(s, call)


def in_charge(s: Kernel, call: Call) -> bool:
    """Is the caller the creator of the partition that it names, or in ring 1?"""
    ring = effective_ring(s, s.current, call.now)
    return s.partition[named_partition(s, call)].parent == s.current or ring == Ring.PRIVILEGED


def convinces(s: Kernel, call: Call, tier: Tier) -> bool:
    """Does the proof pass P2 and, where the tier asks for it, P3?

    P3 is a path to the root that binds the caller, or to the root that the call replaces. It leads from what the call
    means, or from the module that it shows.
    """
    replaces_root = REPLACES_ROOT[call.operation] != 0
    digest = local(Digest)
    mutation_digest(s, call, u32(HANDLES[call.operation]), replaces_root, digest)
    if not policy_holds(s, call, tier, digest):
        return False
    if tier != Tier.P3:
        return True
    if SHOWS_MODULE[call.operation] != 0:
        shown = shows_module(s, call, digest)
        if not shown:
            return False
    return path_holds(s, call, named_root(s, call) if replaces_root else s.partition[s.current].proof_root, digest)


def authorize(s: Kernel, call: Call) -> Status:
    """Check P1, and what more the tier of the operation asks for."""
    if TAKES_HANDLE[call.operation] != 0:
        status = lookup(s, call)
        if status != Status.OK:
            return status
        call.capability = capability_id(s.current, handle_slot(Handle(call.argument[0])))
        if FOR_CREATORS[call.operation] != 0 and not in_charge(s, call):
            return Status.RING_DENIED
    tier = TIER_OF[call.operation]
    if tier >= u8(Tier.P2):
        if not convinces(s, call, Tier(tier)):
            return Status.POLICY_VIOLATION
    return Status.OK


def carry_out(s: Kernel, call: Call) -> Status:
    """Admit, authorize and perform a call; a proof is used up only by success."""
    status = admit(s, call)
    if status != Status.OK:
        return status
    status = authorize(s, call)
    if status != Status.OK:
        return status
    actor = s.current
    status = perform(s, call)
    if status == Status.OK and TIER_OF[call.operation] >= u8(Tier.P2):
        s.partition[actor].nonce += 1
    return status


def first_word(call: Call, status: Status) -> u64:
    """Return what the record keeps as its object.

    That is packed arguments, x2 of a call that was refused, or the number of an operation that is not known.
    """
    if not known(call):
        return call.operation
    return packed_object(call) if status == Status.OK else call.argument[1]


def second_word(call: Call, status: Status) -> u64:
    """Return what the record keeps as its payload.

    That is packed arguments, x3 of a call that was refused, or x2 of a call that names no operation.
    """
    if not known(call):
        return call.argument[1]
    return packed_payload(call) if status == Status.OK else call.argument[2]


def record(s: Kernel, call: Call, actor: PartitionId, status: Status) -> None:
    """Record a call in the witness log, allowed or denied."""
    kind = kind_of(call)
    tier = Tier(TIER_OF[call.operation]) if known(call) else Tier.NONE
    number = u8(call.operation) if known(call) else KERNEL_OPERATION
    append_for_partition(
        s,
        call.now,
        actor,
        kind,
        tier,
        status,
        number,
        first_word(call, status),
        call.argument[0],
        second_word(call, status),
    )


def dispatch(s: Kernel, call: Call) -> Status:
    """Handle one hypercall of the current partition, from the registers to the record."""
    actor = s.current
    rouse(s)
    call.now = advance(s, call.now)
    call.yields = False
    clear(call.result)
    if not room_for(s, call):
        count_refusal(s, actor)
        return Status.WITNESS_FULL
    status = carry_out(s, call)
    record(s, call, actor, status)
    reschedule(s, call.yields)
    return status
