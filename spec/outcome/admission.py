"""When is a call let through to its operation? The words in which the operations say it; the gate has others of its own."""

from spec.capability import current_object, live
from spec.language.builtins import minimum, saturating_sub, subset
from spec.language.types import u8, u32, u64
from spec.limits import BURST, MESSAGES_PER_EPOCH, QUANTUM, RECORDS, SECOND, SELF, SLOT_BITS, SLOTS
from spec.ring import RATE, effective_ring
from spec.memory import executable
from spec.state import Call, CapabilityId, Handle, Kernel, PageId, PartitionId, SlotId
from spec.vocabulary import ALL_RIGHTS, ObjectKind, PageKind, PartitionState, Right, Ring


def presented(s: Kernel, handle: u64) -> CapabilityId:
    """The slot of the caller's own that a handle names."""
    return CapabilityId((u32(s.current) << SLOT_BITS) | (u32.truncate(handle) & (SLOTS - 1)))


def subject(s: Kernel, call: Call) -> CapabilityId:
    """The slot that the first register names."""
    return presented(s, call.argument[0])


def holds(s: Kernel, handle: u64, rights: Right) -> bool:
    """Does the handle name what its slot holds now, is that live, is its object there, and has it all these rights?"""
    c = presented(s, handle)
    held = s.capability[c]
    return (handle >> SLOT_BITS == u64(held.generation) and held.kind != ObjectKind.NONE and subset(rights, held.rights)
            and live(s, c) and current_object(s, c))


def holds_on(s: Kernel, call: Call, kind: ObjectKind, rights: Right) -> bool:
    """Does the first register hold such a handle, on an object of this kind?"""
    return s.capability[subject(s, call)].kind == kind and holds(s, call.argument[0], rights)


def is_there(s: Kernel, p: PartitionId) -> bool:
    """Was the partition created, and not destroyed?"""
    state = s.partition[p].state
    return state != PartitionState.VACANT and state != PartitionState.DESTROYED


def led_to(s: Kernel, handle: Handle) -> PartitionId:
    """The partition that a handle leads to: the caller itself for SELF."""
    return s.current if handle == SELF else PartitionId.truncate(s.capability[presented(s, u64(handle))].object)


def leads(s: Kernel, handle: Handle, rights: Right) -> bool:
    """Is the handle SELF, or one with these rights over a partition that is there?"""
    named = s.capability[presented(s, u64(handle))]
    return handle == SELF or (named.kind == ObjectKind.PARTITION and holds(s, u64(handle), rights) and is_there(s, led_to(s, handle)))


def place_in(s: Kernel, into: Handle, slot: SlotId) -> CapabilityId:
    """The place of a slot of the partition that a handle leads to."""
    return CapabilityId((u32(led_to(s, into)) << SLOT_BITS) | u32(slot))


def subject_partition(s: Kernel, call: Call) -> PartitionId:
    """The partition that the first register leads to."""
    return PartitionId.truncate(s.capability[subject(s, call)].object)


def handle_on(s: Kernel, c: CapabilityId) -> u64:
    """The handle by which the holder of a slot names what is in it."""
    return (u64(s.capability[c].generation) << SLOT_BITS) | u64(SlotId.truncate(c))


def has_room(s: Kernel) -> bool:
    """Is there a place in the log for the caller's record, within its share?"""
    own = s.partition[s.current]
    return s.sequence - s.drained < RECORDS and s.sequence >> 63 == 0 and own.records < own.quota


def has_token(s: Kernel, call: Call) -> bool:
    """Has the caller, by now, the time in hand that one call takes at the rate of its ring?"""
    bucket = s.partition[s.current].bucket
    saved = u64(bucket.credit) + minimum(saturating_sub(call.now, bucket.refilled), u64(BURST))
    return minimum(saved, u64(BURST)) >= SECOND // u64(RATE[u8(effective_ring(s, s.current, call.now))])


def has_message(s: Kernel, call: Call) -> bool:
    """Has the caller a message left in its epoch, or is that over?"""
    counted = s.partition[s.current].messages
    return counted.used < MESSAGES_PER_EPOCH or (call.now >= counted.began and call.now - counted.began >= QUANTUM)


def stands(s: Kernel, call: Call, ring: Ring) -> bool:
    """Is the caller in this ring, or a better one?"""
    return u8(effective_ring(s, s.current, call.now)) <= u8(ring)


def may_call(s: Kernel, call: Call, ring: Ring) -> bool:
    """Is there room for the record, is the call paid for, and is the ring good enough?"""
    return has_room(s) and has_token(s, call) and stands(s, call, ring)


def may_message(s: Kernel, call: Call, ring: Ring) -> bool:
    """The same of what is paid for as a message."""
    return has_room(s) and has_message(s, call) and stands(s, call, ring)


def tells(call: Call, first: u64, second: u64, third: u64) -> bool:
    """Are these the words that the caller is told?"""
    return call.result[0] == first and call.result[1] == second and call.result[2] == third


def own_slot(s: Kernel, slot: SlotId) -> CapabilityId:
    """The place of one of the caller's own slots."""
    return CapabilityId((u32(s.current) << SLOT_BITS) | u32(slot))


def made_here(before: Kernel, after: Kernel, c: CapabilityId, target: CapabilityId, kind: ObjectKind, number: u32, incarnation: u32) -> bool:
    """Does the target hold all rights on something new, derived from nothing, and is every other slot as it was?"""
    old = before.capability[c]
    new = after.capability[c]
    same = (new.kind == old.kind and new.object == old.object and new.incarnation == old.incarnation and new.rights == old.rights
            and new.depth == old.depth and new.parent == old.parent and new.parent_lineage == old.parent_lineage and new.badge == old.badge)
    made = (new.kind == kind and new.object == number and new.incarnation == incarnation and new.rights == ALL_RIGHTS
            and new.depth == 0 and new.parent == target and new.parent_lineage == 0 and new.badge == 0)
    return new.generation == old.generation and new.lineage == old.lineage and (made if c == target else same)


def takes_words(s: Kernel, page: PageId) -> bool:
    """May the kernel write words for the caller into this page? It is data of its own that it does not execute."""
    return s.page[page].kind == PageKind.DATA and s.page[page].owner == s.current and not executable(s, page)
