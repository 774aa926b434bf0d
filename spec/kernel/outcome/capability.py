"""What do the operations on capabilities do?"""

from corollary.language.builtins import subset, without
from corollary.language.property import ensures, succeeds
from corollary.language.types import u32, u64
from corollary.spec.kernel.capability import free, live, retired
from corollary.spec.kernel.limits import COUNTER_LIMIT, DEPTH_LIMIT
from corollary.spec.kernel.outcome.admission import (
    holds,
    holds_on,
    leads,
    may_call,
    place_in,
    presented,
    scored,
    subject,
    subject_partition,
)
from corollary.spec.kernel.outcome.words import counted_off, handle_on, slot_left, tells
from corollary.spec.kernel.packed import CapabilityPlace, Descent, Inspected
from corollary.spec.kernel.state import Call, CapabilityId, EdgeId, Handle, Kernel, PartitionId, SlotId
from corollary.spec.kernel.vocabulary import ObjectKind, Right, Ring


def only_once(s: Kernel, call: Call) -> bool:
    """May the presented capability be passed on only once?"""
    return not subset(Right.GRANT, s.capability[subject(s, call)].rights)


def is_trust(kind: ObjectKind) -> bool:
    """Does such a capability give trust? Nobody passes trust on by a ring held for a while."""
    return kind == ObjectKind.TRUST or kind == ObjectKind.PROOF_ROOT


def edge_named(s: Kernel, call: Call) -> EdgeId:
    """The edge that the first register leads to."""
    return EdgeId.truncate(s.capability[subject(s, call)].object)


def sends(s: Kernel, call: Call) -> bool:
    """Is the presented capability the one that sends?

    The sender is the capability that was last passed on with WRITE, or the maker's once that one is dead.
    """
    edge = s.edge[edge_named(s, call)]
    last = s.capability[edge.sender]
    lives = last.generation == edge.sender_generation and live(s, edge.sender)
    return subject(s, call) == (edge.sender if lives else edge.origin)


def passes_sending(kind: ObjectKind, rights: Right) -> bool:
    """Does the grant pass on the right to send through an edge? Its giver then loses it."""
    return kind == ObjectKind.EDGE and rights & Right.WRITE != 0


@succeeds("capability_grant")
def grant_is_allowed(before: Kernel, call: Call, slot: SlotId, rights: Right, into: Handle, badge: u64) -> bool:
    source = before.capability[subject(before, call)]
    target = place_in(before, into, slot)
    may_pass = source.rights & (Right.GRANT | Right.GRANT_ONCE) != 0
    ends_here = rights & (Right.GRANT | Right.GRANT_ONCE) == 0
    return (
        may_call(before, call, Ring.STANDARD)
        and holds(before, call.argument[0], Right(0))
        and may_pass
        and subset(rights, source.rights)
        and (ends_here or not only_once(before, call))
        and (source.depth == 0 or badge == source.badge)
        and source.depth < DEPTH_LIMIT
        and (not passes_sending(source.kind, rights) or sends(before, call))
        and (not is_trust(source.kind) or scored(before, Ring.STANDARD))
        and source.lineage < COUNTER_LIMIT
        and leads(before, into, Right.WRITE)
        and free(before, target)
        and not retired(before, target)
    )


@ensures(
    "capability_grant",
    "the slot named holds a child of the source, with the rights and the badge named",
    changes=("capability", "edge.sender", "edge.sender_generation", "result"),
)
def grant_is_exact(
    before: Kernel,
    call: Call,
    after: Kernel,
    slot: SlotId,
    rights: Right,
    into: Handle,
    badge: u64,
    c: CapabilityId,
    e: EdgeId,
) -> bool:
    given = subject(before, call)
    source = before.capability[given]
    old = before.capability[c]
    new = after.capability[c]
    made = c == place_in(before, into, slot)
    spent = c == given and only_once(before, call)
    same_place = new.generation == old.generation and new.lineage == old.lineage
    child = (
        new.kind == source.kind
        and new.object == source.object
        and new.incarnation == source.incarnation
        and new.rights == rights
        and u32(new.depth) == u32(source.depth) + 1
        and new.parent == given
        and new.parent_lineage == source.lineage
        and new.badge == badge
    )
    kept = (
        new.kind == old.kind
        and new.object == old.object
        and new.incarnation == old.incarnation
        and new.depth == old.depth
        and new.parent == old.parent
        and new.parent_lineage == old.parent_lineage
        and new.badge == old.badge
        and new.rights == (without(old.rights, Right.GRANT_ONCE) if spent else old.rights)
    )
    moved = passes_sending(source.kind, rights) and e == EdgeId.truncate(source.object)
    target = place_in(before, into, slot)
    sender = after.edge[e].sender == (target if moved else before.edge[e].sender) and after.edge[
        e
    ].sender_generation == (before.capability[target].generation if moved else before.edge[e].sender_generation)
    return (
        same_place
        and (child if made else kept)
        and sender
        and tells(call, handle_on(before, place_in(before, into, slot)), 0, 0)
    )


@succeeds("capability_revoke")
def revoke_is_allowed(before: Kernel, call: Call) -> bool:
    return (
        may_call(before, call, Ring.STANDARD)
        and holds(before, call.argument[0], Right.REVOKE)
        and before.capability[subject(before, call)].lineage < COUNTER_LIMIT
    )


@ensures(
    "capability_revoke",
    "the lineage that its descendants hang on is over; nothing else changes",
    changes=("capability.lineage",),
)
def revoke_is_exact(before: Kernel, call: Call, after: Kernel, c: CapabilityId) -> bool:
    cut = u32(1) if c == subject(before, call) else u32(0)
    return after.capability[c].lineage == before.capability[c].lineage + cut


def names_what_it_holds(s: Kernel, handle: u64) -> bool:
    """Does the handle name what its slot holds now, live or not?"""
    c = presented(s, handle)
    return handle == handle_on(s, c) and not free(s, c)


@succeeds("capability_delete")
def delete_is_allowed(before: Kernel, call: Call) -> bool:
    return may_call(before, call, Ring.STANDARD) and names_what_it_holds(before, call.argument[0])


EMPTIED = (
    "capability.kind",
    "capability.rights",
    "capability.generation",
    "capability.lineage",
    "partition.edges_made",
    "partition.notifications_made",
)
"""What may change when a slot is emptied."""


@ensures(
    "capability_delete",
    "the slot is free, under another generation and lineage; what was made with it is counted no more",
    changes=EMPTIED,
)
def delete_is_exact(before: Kernel, call: Call, after: Kernel, c: CapabilityId, q: PartitionId) -> bool:
    emptied = subject(before, call)
    return slot_left(before, after, c, c == emptied) and counted_off(before, after, q, emptied)


@succeeds("capability_inspect")
def inspect_is_allowed(before: Kernel, call: Call) -> bool:
    return may_call(before, call, Ring.SANDBOX) and holds(before, call.argument[0], Right(0))


@ensures(
    "capability_inspect",
    "the caller is told object, rights, kind and depth; badge; lineage and incarnation",
    changes=("result",),
)
def inspect_is_exact(before: Kernel, call: Call, after: Kernel) -> bool:
    held = before.capability[subject(before, call)]
    named = Inspected(object=held.object, rights=held.rights, kind=held.kind, depth=held.depth)
    return tells(call, named, held.badge, Descent(lineage=held.lineage, incarnation=held.incarnation))


@succeeds("capability_withdraw")
def withdraw_is_allowed(before: Kernel, call: Call, slot: SlotId) -> bool:
    return (
        may_call(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.PARTITION, Right.WRITE | Right.REVOKE)
        and not free(before, slot_of(subject_partition(before, call), slot))
    )


def slot_of(p: PartitionId, slot: SlotId) -> CapabilityId:
    """The place of a slot of a partition."""
    return CapabilityPlace(partition=p, slot=slot)


@ensures(
    "capability_withdraw",
    "the slot is free, under another generation and lineage; what was made with it is counted no more",
    changes=EMPTIED,
)
def withdraw_is_exact(before: Kernel, call: Call, after: Kernel, slot: SlotId, c: CapabilityId, q: PartitionId) -> bool:
    emptied = slot_of(subject_partition(before, call), slot)
    return slot_left(before, after, c, c == emptied) and counted_off(before, after, q, emptied)
