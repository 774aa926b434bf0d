"""When is a capability live, and what must always hold of derivations?"""

from corollary.language.builtins import implies, subset, without
from corollary.language.property import invariant, theorem
from corollary.language.types import u32
from corollary.spec.kernel.limits import COUNTER_LIMIT, DEPTH_LIMIT, PARTITIONS
from corollary.spec.kernel.packed import CapabilityPlace, HandleParts
from corollary.spec.kernel.state import Call, CapabilityId, Handle, Kernel, PartitionId, SlotId
from corollary.spec.kernel.vocabulary import ObjectKind, PartitionState, Right, Status


def capability_id(partition: PartitionId, slot: SlotId) -> CapabilityId:
    """The place of a partition's slot in the table of all capabilities."""
    return CapabilityPlace(partition=partition, slot=slot)


def holder(c: CapabilityId) -> PartitionId:
    """The partition whose slot this is."""
    return CapabilityPlace(c).partition


def handle_slot(handle: Handle) -> SlotId:
    """The slot that a handle names."""
    return HandleParts(handle).slot


def handle_generation(handle: Handle) -> u32:
    """The generation that a handle names."""
    return HandleParts(handle).generation


def free(s: Kernel, c: CapabilityId) -> bool:
    """Does the slot hold nothing?"""
    return s.capability[c].kind == ObjectKind.NONE


def retired(s: Kernel, c: CapabilityId) -> bool:
    """Has a counter of the slot run out, so that it can never be used again?"""
    return s.capability[c].generation == COUNTER_LIMIT or s.capability[c].lineage == COUNTER_LIMIT


def rooted(s: Kernel, c: CapabilityId) -> bool:
    """Did the kernel make the capability, rather than derive it?"""
    return s.capability[c].depth == 0


def linked(s: Kernel, c: CapabilityId) -> bool:
    """Is the link to the parent whole: was the parent neither revoked nor deleted since?"""
    return (
        s.capability[c].depth != 0
        and s.capability[s.capability[c].parent].lineage == s.capability[c].parent_lineage
        and s.capability[s.capability[c].parent].kind != ObjectKind.NONE
    )


def live(s: Kernel, c: CapabilityId) -> bool:
    """Is every link from the capability to its root whole?"""
    at = c
    for step in range(DEPTH_LIMIT):
        if free(s, at):
            return False
        if rooted(s, at):
            return True
        if not linked(s, at):
            return False
        at = s.capability[at].parent
    return rooted(s, at) and not free(s, at)


def descends(s: Kernel, c: CapabilityId, ancestor: CapabilityId) -> bool:
    """Does the chain of whole links from `c` pass through `ancestor`?"""
    at = c
    for step in range(DEPTH_LIMIT):
        if not linked(s, at):
            return False
        at = s.capability[at].parent
        if at == ancestor:
            return True
    return False


def current_object(s: Kernel, c: CapabilityId) -> bool:
    """Does the capability name the present incarnation of its object?"""
    if s.capability[c].kind != ObjectKind.PARTITION:
        return True
    if s.capability[c].object >= PARTITIONS:
        return False
    return s.partition[PartitionId(s.capability[c].object)].generation == s.capability[c].incarnation


def handle_holds(s: Kernel, p: PartitionId, handle: Handle, kind: ObjectKind, rights: Right) -> bool:
    """Does the handle name a live capability of `p` on an object of this kind, with these rights?"""
    c = capability_id(p, handle_slot(handle))
    slot = s.capability[c]
    return (
        slot.kind == kind
        and slot.generation == handle_generation(handle)
        and subset(rights, slot.rights)
        and current_object(s, c)
        and live(s, c)
    )


def named_partition(s: Kernel, call: Call) -> PartitionId:
    """The partition that the handle of the call names."""
    return PartitionId.truncate(s.capability[call.capability].object)


def first_partition(s: Kernel, call: Call) -> PartitionId:
    """The partition that the handle in x1 names."""
    return PartitionId.truncate(
        s.capability[capability_id(s.current, handle_slot(Handle.truncate(call.argument[0])))].object
    )


def second_partition(s: Kernel, call: Call) -> PartitionId:
    """The partition that the handle in x2 names."""
    return PartitionId.truncate(
        s.capability[capability_id(s.current, handle_slot(Handle.truncate(call.argument[1])))].object
    )


def names_partition(s: Kernel, call: Call, p: PartitionId) -> bool:
    """Does the handle of the call name this partition?"""
    return s.capability[call.capability].kind == ObjectKind.PARTITION and named_partition(s, call) == p


@invariant("CAP-1", "a free slot has no rights")
def free_is_powerless(s: Kernel, c: CapabilityId) -> bool:
    return implies(free(s, c), s.capability[c].rights == 0)


@invariant("CAP-2", "rights never widen along a derivation")
def attenuated(s: Kernel, c: CapabilityId) -> bool:
    return implies(
        not free(s, c) and linked(s, c), subset(s.capability[c].rights, s.capability[s.capability[c].parent].rights)
    )


@invariant("CAP-3", "a derived capability names the object of its parent")
def same_object(s: Kernel, c: CapabilityId) -> bool:
    parent = s.capability[s.capability[c].parent]
    return implies(
        not free(s, c) and linked(s, c),
        s.capability[c].kind == parent.kind
        and s.capability[c].object == parent.object
        and s.capability[c].incarnation == parent.incarnation,
    )


@invariant("CAP-4", "depth counts the derivations and never exceeds the limit")
def depth_counts(s: Kernel, c: CapabilityId) -> bool:
    return implies(
        not free(s, c),
        s.capability[c].depth <= DEPTH_LIMIT
        and implies(linked(s, c), s.capability[c].depth == u32(s.capability[s.capability[c].parent].depth) + 1),
    )


@invariant(
    "CAP-5",
    "a capability knows no lineage of its parent that is still to come, so the next holder of a slot has no children",
)
def lineage_in_the_past(s: Kernel, c: CapabilityId) -> bool:
    parent = s.capability[c].parent
    return implies(
        not free(s, c) and not rooted(s, c),
        s.capability[c].parent_lineage <= s.capability[parent].lineage
        and implies(free(s, parent), s.capability[c].parent_lineage < s.capability[parent].lineage),
    )


@invariant("CAP-6", "only partitions that are created, and not destroyed, have capabilities")
def only_the_living_hold(s: Kernel, c: CapabilityId) -> bool:
    state = s.partition[holder(c)].state
    return implies(state == PartitionState.VACANT or state == PartitionState.DESTROYED, free(s, c))


@invariant("CAP-8", "no counter in use is at its end: every capability can still be revoked and deleted")
def counters_have_room(s: Kernel, c: CapabilityId) -> bool:
    return implies(
        not free(s, c),
        s.capability[c].generation < COUNTER_LIMIT
        and implies(not rooted(s, c), s.capability[c].parent_lineage < COUNTER_LIMIT),
    )


@invariant("CAP-9", "what comes from a capability without GRANT can be passed on by nobody")
def grant_once_ends(s: Kernel, c: CapabilityId) -> bool:
    parent = s.capability[s.capability[c].parent]
    return implies(
        not free(s, c) and linked(s, c) and not subset(Right.GRANT, parent.rights),
        s.capability[c].rights & (Right.GRANT | Right.GRANT_ONCE) == 0,
    )


@invariant(
    "CAP-21", "a capability names no incarnation of a partition that is still to come, so it ends with the partition"
)
def incarnation_in_the_past(s: Kernel, c: CapabilityId) -> bool:
    named = s.capability[c]
    return implies(
        not free(s, c) and named.kind == ObjectKind.PARTITION and named.object < PARTITIONS,
        named.incarnation <= s.partition[PartitionId.truncate(named.object)].generation,
    )


@invariant(
    "CAP-22",
    (
        "what comes from a derived capability has its badge, or none if it has none, "
        "so nobody speaks under a badge of its own choice"
    ),
)
def badge_is_kept(s: Kernel, c: CapabilityId) -> bool:
    parent = s.capability[s.capability[c].parent]
    return implies(not free(s, c) and linked(s, c) and parent.depth != 0, s.capability[c].badge == parent.badge)


@theorem("CAP-10", "a capability that is not live stays so until its slot holds another one")
def stale_stays_stale(before: Kernel, after: Kernel, c: CapabilityId) -> bool:
    return implies(
        not live(before, c) and live(after, c),
        free(before, c) or after.capability[c].generation != before.capability[c].generation,
    )


@theorem("CAP-11", "generations and lineages never step back")
def counters_advance(before: Kernel, after: Kernel, c: CapabilityId) -> bool:
    return (
        after.capability[c].generation >= before.capability[c].generation
        and after.capability[c].lineage >= before.capability[c].lineage
    )


@theorem("CAP-12", "a slot that is freed takes a new generation, so no old handle is ever accepted again")
def freed_changes_generation(before: Kernel, after: Kernel, c: CapabilityId) -> bool:
    return implies(
        not free(before, c) and free(after, c), after.capability[c].generation > before.capability[c].generation
    )


@theorem("CAP-13", "a capability that stays in its slot gains neither rights nor another object")
def never_gains(before: Kernel, after: Kernel, c: CapabilityId) -> bool:
    return implies(
        not free(before, c)
        and not free(after, c)
        and after.capability[c].generation == before.capability[c].generation,
        subset(after.capability[c].rights, before.capability[c].rights)
        and after.capability[c].kind == before.capability[c].kind
        and after.capability[c].object == before.capability[c].object
        and after.capability[c].depth == before.capability[c].depth,
    )


@theorem("CAP-14", "after revoke or delete no descendant is live", about=("capability_revoke", "capability_delete"))
def complete_revocation(before: Kernel, call: Call, after: Kernel, status: Status, c: CapabilityId) -> bool:
    return implies(status == Status.OK and descends(before, c, call.capability), not live(after, c))


@theorem(
    "CAP-15",
    "revoke and delete leave alive what does not descend from their capability",
    about=("capability_revoke", "capability_delete"),
)
def nothing_else_dies(before: Kernel, call: Call, after: Kernel, status: Status, c: CapabilityId) -> bool:
    return implies(
        live(before, c) and c != call.capability and not descends(before, c, call.capability), live(after, c)
    )


def hangs_on(s: Kernel, c: CapabilityId, p: PartitionId) -> bool:
    """Does the slot, or one that it descends from, belong to the partition?"""
    at = c
    for step in range(DEPTH_LIMIT):
        if holder(at) == p or not linked(s, at):
            return holder(at) == p
        at = s.capability[at].parent
    return holder(at) == p


@theorem("CAP-23", "with a partition ends what hangs on its slots, and nothing else", about=("partition_destroy",))
def authority_ends_with_its_source(before: Kernel, call: Call, after: Kernel, status: Status, c: CapabilityId) -> bool:
    ends = hangs_on(before, c, named_partition(before, call))
    return implies(status == Status.OK, live(after, c) == (live(before, c) and not ends))


@theorem("CAP-16", "revoke keeps the capability it names", about=("capability_revoke",))
def revoke_keeps(before: Kernel, call: Call, after: Kernel, status: Status, c: CapabilityId) -> bool:
    return implies(c == call.capability, live(after, c) == live(before, c))


@theorem(
    "CAP-17",
    (
        "authority comes from authority: a new live capability descends from one the caller held, "
        "or names an object just created"
    ),
)
def no_new_authority(before: Kernel, call: Call, after: Kernel, status: Status, c: CapabilityId) -> bool:
    made = free(before, c) and not free(after, c)
    return implies(
        made,
        status == Status.OK
        and live(after, c)
        and (after.capability[c].depth == 0 or after.capability[c].parent == call.capability),
    )


@theorem(
    "CAP-18",
    "only the caller's own slots can be named, with the generation they have",
    about=lambda operation: operation.takes_handle,
)
def own_slots_only(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    held = before.capability[call.capability]
    return implies(
        status == Status.OK,
        holder(call.capability) == before.current
        and not free(before, call.capability)
        and call.argument[0] == HandleParts(slot=CapabilityPlace(call.capability).slot, generation=held.generation),
    )


@theorem("CAP-19", "GRANT_ONCE is spent by its use and not inherited", about=("capability_grant",))
def grant_once_is_spent(before: Kernel, call: Call, after: Kernel, status: Status, c: CapabilityId) -> bool:
    source = before.capability[call.capability]
    once = not subset(Right.GRANT, source.rights)
    made = free(before, c) and not free(after, c)
    return implies(
        status == Status.OK and once,
        subset(after.capability[call.capability].rights, without(source.rights, Right.GRANT_ONCE))
        and implies(made, after.capability[c].rights & (Right.GRANT | Right.GRANT_ONCE) == 0),
    )


@theorem("CAP-20", "only who holds GRANT or GRANT_ONCE passes anything on", about=("capability_grant",))
def granting_needs_the_right(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    source = before.capability[call.capability]
    return implies(status == Status.OK, source.rights & (Right.GRANT | Right.GRANT_ONCE) != 0)
