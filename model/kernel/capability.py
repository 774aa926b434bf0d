"""How is authority passed on, taken back and inspected?"""

from corollary.language.builtins import saturating_sub, subset, without
from corollary.language.types import u32, u64
from corollary.model.kernel.operation import operation
from corollary.spec.kernel.capability import (
    capability_id,
    free,
    handle_holds,
    handle_slot,
    named_partition,
    retired,
    rooted,
)
from corollary.spec.kernel.edge import named_edge, sender_of
from corollary.spec.kernel.limits import COUNTER_LIMIT, DEPTH_LIMIT, SELF
from corollary.spec.kernel.packed import Descent, HandleParts, Inspected
from corollary.spec.kernel.partition import alive
from corollary.spec.kernel.ring import base_ring, confers_trust, more_privileged
from corollary.spec.kernel.state import Call, CapabilityId, Depth, Handle, Kernel, PartitionId, SlotId
from corollary.spec.kernel.vocabulary import ObjectKind, Right, Ring, Status


def advance(counter: u32) -> u32:
    """Return the counter plus one; it stays at its limit."""
    return counter + 1 if counter < COUNTER_LIMIT else counter


def empty(s: Kernel, c: CapabilityId) -> None:
    """Empty a slot: its handles and its descendants die with it."""
    slot = s.capability[c]
    if slot.kind != ObjectKind.NONE:
        slot.kind = ObjectKind.NONE
        slot.rights = 0
        slot.generation = advance(slot.generation)
        slot.lineage = advance(slot.lineage)


def release(s: Kernel, p: PartitionId, slot: SlotId) -> None:
    """Empty a slot of a partition; what was made with it ends, so that another one may be made."""
    c = capability_id(p, slot)
    made = s.capability[c]
    maker = s.partition[p]
    if made.kind == ObjectKind.EDGE and made.depth == 0:
        maker.edges_made = saturating_sub(maker.edges_made, 1)
    if made.kind == ObjectKind.NOTIFICATION and made.depth == 0:
        maker.notifications_made = saturating_sub(maker.notifications_made, 1)
    empty(s, c)


def mint(s: Kernel, c: CapabilityId, kind: ObjectKind, object: u32, incarnation: u32, rights: Right) -> None:
    """Put a root capability into a free slot."""
    slot = s.capability[c]
    slot.kind = kind
    slot.object = object
    slot.incarnation = incarnation
    slot.rights = rights
    slot.depth = 0
    slot.parent = c
    slot.parent_lineage = 0
    slot.badge = 0


def derive(s: Kernel, source: CapabilityId, c: CapabilityId, rights: Right, badge: u64) -> None:
    """Put a child of `source` into a free slot."""
    parent = s.capability[source]
    slot = s.capability[c]
    slot.kind = parent.kind
    slot.object = parent.object
    slot.incarnation = parent.incarnation
    slot.rights = rights
    slot.depth = Depth(u32(parent.depth) + 1)
    slot.parent = source
    slot.parent_lineage = parent.lineage
    slot.badge = badge


def partition_of_handle(s: Kernel, p: PartitionId, handle: Handle) -> PartitionId:
    """The partition that a handle of `p` leads to, or `p` itself for SELF; the calling function checks the handle."""
    if handle == SELF:
        return p
    return PartitionId.truncate(s.capability[capability_id(p, handle_slot(handle))].object)


def may_act_on(s: Kernel, p: PartitionId, handle: Handle, rights: Right) -> bool:
    """Is the handle SELF, or does it give `p` these rights over a living partition?"""
    if handle == SELF:
        return True
    return handle_holds(s, p, handle, ObjectKind.PARTITION, rights) and alive(s, partition_of_handle(s, p, handle))


@operation
def capability_grant(s: Kernel, call: Call, slot: SlotId, rights: Right, into: Handle, badge: u64) -> Status:
    """Derive a weaker capability into the free `slot` of the caller or of the partition `into`.

    The `badge` is chosen once, by the holder of the first capability.
    """
    source = s.capability[call.capability]
    if source.rights & (Right.GRANT | Right.GRANT_ONCE) == 0:
        return Status.INSUFFICIENT_RIGHTS
    if confers_trust(source.kind) and more_privileged(Ring.STANDARD, base_ring(s, s.current)):
        return Status.RING_DENIED
    if not subset(rights, source.rights):
        return Status.RIGHTS_ESCALATION
    sends = source.kind == ObjectKind.EDGE and rights & Right.WRITE != 0
    if sends and call.capability != sender_of(s, named_edge(s, call)):
        return Status.NOT_SENDER
    once = source.rights & Right.GRANT == 0
    if once and rights & (Right.GRANT | Right.GRANT_ONCE) != 0:
        return Status.RIGHTS_ESCALATION
    if not rooted(s, call.capability) and badge != source.badge:
        return Status.BAD_ARGUMENT
    if source.depth >= DEPTH_LIMIT:
        return Status.DEPTH_EXCEEDED
    if not may_act_on(s, s.current, into, Right.WRITE):
        return Status.INSUFFICIENT_RIGHTS
    target = capability_id(partition_of_handle(s, s.current, into), slot)
    if not free(s, target):
        return Status.SLOT_IN_USE
    if retired(s, target) or source.lineage == COUNTER_LIMIT:
        return Status.SLOT_RETIRED
    derive(s, call.capability, target, rights, badge)
    if sends:
        s.edge[named_edge(s, call)].sender = target
        s.edge[named_edge(s, call)].sender_generation = s.capability[target].generation
    if once:
        source.rights = without(source.rights, Right.GRANT_ONCE)
    call.result[0] = HandleParts(slot=slot, generation=s.capability[target].generation)
    return Status.OK


@operation
def capability_revoke(s: Kernel, call: Call) -> Status:
    """Invalidate every descendant at once; the capability itself stays."""
    if s.capability[call.capability].lineage == COUNTER_LIMIT:
        return Status.SLOT_RETIRED
    s.capability[call.capability].lineage += 1
    return Status.OK


@operation
def capability_delete(s: Kernel, call: Call) -> Status:
    """Free a slot of the caller, whether its capability is live or not; what was derived from it dies with it."""
    release(s, s.current, SlotId.truncate(call.capability))
    return Status.OK


@operation
def capability_inspect(s: Kernel, call: Call) -> Status:
    """Tell the caller what one of its capabilities names and permits."""
    source = s.capability[call.capability]
    call.result[0] = Inspected(object=source.object, rights=source.rights, kind=source.kind, depth=source.depth)
    call.result[1] = source.badge
    call.result[2] = Descent(lineage=source.lineage, incarnation=source.incarnation)
    return Status.OK


@operation
def capability_withdraw(s: Kernel, call: Call, slot: SlotId) -> Status:
    """Empty a slot of a partition, no matter what it holds and who put that there.

    What was derived from it dies with it.
    """
    p = named_partition(s, call)
    if free(s, capability_id(p, slot)):
        return Status.INVALID_HANDLE
    release(s, p, slot)
    return Status.OK
