"""When is a call let through to its operation?

The operations say it in these words; the gate has words of its own.
"""

from corollary.language.builtins import minimum, saturating_sub, subset
from corollary.language.types import u8, u64
from corollary.spec.kernel.capability import current_object, live
from corollary.spec.kernel.limits import ANCESTRY_LIMIT, BURST, MESSAGES_PER_EPOCH, QUANTUM, RECORDS, SECOND, SELF
from corollary.spec.kernel.outcome.words import is_there
from corollary.spec.kernel.packed import CapabilityPlace, HandleParts
from corollary.spec.kernel.ring import RATE, effective_ring
from corollary.spec.kernel.state import Call, CapabilityId, Handle, Kernel, PartitionId, SlotId
from corollary.spec.kernel.vocabulary import ObjectKind, Right, Ring


def presented(s: Kernel, handle: u64) -> CapabilityId:
    """The caller's own slot that a handle names."""
    return CapabilityPlace(partition=s.current, slot=SlotId.truncate(handle))


def subject(s: Kernel, call: Call) -> CapabilityId:
    """The slot that the first register names."""
    return presented(s, call.argument[0])


def holds(s: Kernel, handle: u64, rights: Right) -> bool:
    """Does the handle name its slot's present capability, and is that live, with these rights, its object there?"""
    c = presented(s, handle)
    held = s.capability[c]
    return (
        handle == HandleParts(slot=SlotId.truncate(handle), generation=held.generation)
        and held.kind != ObjectKind.NONE
        and subset(rights, held.rights)
        and live(s, c)
        and current_object(s, c)
    )


def holds_on(s: Kernel, call: Call, kind: ObjectKind, rights: Right) -> bool:
    """Does the first register hold such a handle, on an object of this kind?"""
    return s.capability[subject(s, call)].kind == kind and holds(s, call.argument[0], rights)


def led_to(s: Kernel, handle: Handle) -> PartitionId:
    """The partition that a handle leads to: the caller itself for SELF."""
    return s.current if handle == SELF else PartitionId.truncate(s.capability[presented(s, u64(handle))].object)


def leads(s: Kernel, handle: Handle, rights: Right) -> bool:
    """Is the handle SELF, or one with these rights over a partition that is there?"""
    named = s.capability[presented(s, u64(handle))]
    return handle == SELF or (
        named.kind == ObjectKind.PARTITION and holds(s, u64(handle), rights) and is_there(s, led_to(s, handle))
    )


def subject_partition(s: Kernel, call: Call) -> PartitionId:
    """The partition that the first register leads to."""
    return PartitionId.truncate(s.capability[subject(s, call)].object)


def place_in(s: Kernel, into: Handle, slot: SlotId) -> CapabilityId:
    """The place of a slot of the partition that a handle leads to."""
    return CapabilityPlace(partition=led_to(s, into), slot=slot)


def has_room(s: Kernel) -> bool:
    """Is there a place in the log for the caller's record, within its share?"""
    own = s.partition[s.current]
    return s.sequence - s.drained < RECORDS and s.sequence >> 54 == 0 and own.records < own.quota


def has_token(s: Kernel, call: Call) -> bool:
    """Has the caller by now saved the time that one call takes at the rate of its ring?"""
    bucket = s.partition[s.current].bucket
    saved = u64(bucket.credit) + minimum(saturating_sub(call.now, bucket.refilled), u64(BURST))
    return minimum(saved, u64(BURST)) >= SECOND // u64(RATE[u8(effective_ring(s, s.current, call.now))])


def has_message(s: Kernel, call: Call) -> bool:
    """Has the caller a message left in its epoch, or is the epoch over?"""
    counted = s.partition[s.current].messages
    return counted.used < MESSAGES_PER_EPOCH or (call.now >= counted.began and call.now - counted.began >= QUANTUM)


def stands(s: Kernel, call: Call, ring: Ring) -> bool:
    """Is the caller in this ring, or a better one?"""
    return u8(effective_ring(s, s.current, call.now)) <= u8(ring)


def may_call(s: Kernel, call: Call, ring: Ring) -> bool:
    """Is there room for the record, is the call paid for, and is the ring good enough?"""
    return has_room(s) and has_token(s, call) and stands(s, call, ring)


def may_message(s: Kernel, call: Call, ring: Ring) -> bool:
    """Is there room for the record, is the call paid for as a message, and is the ring good enough?"""
    return has_room(s) and has_message(s, call) and stands(s, call, ring)


def scored(s: Kernel, ring: Ring) -> bool:
    """Are the caller and all of its creators in this ring, or a better one, by their scores alone?"""
    at = s.current
    good = u8(s.partition[at].ring) <= u8(ring)
    for step in range(ANCESTRY_LIMIT):
        at = s.partition[at].parent if s.partition[at].ancestry != 0 else at
        good = good and u8(s.partition[at].ring) <= u8(ring)
    return good
