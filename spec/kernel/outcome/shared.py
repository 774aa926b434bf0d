"""What do the words that operations and promises share mean? Each is stated again, so that a mistake in it shows."""

from corollary.language.builtins import implies
from corollary.language.property import corollary
from corollary.language.types import u8, u64
from corollary.spec.kernel.capability import current_object, free, live, retired
from corollary.spec.kernel.limits import COUNTER_LIMIT, PARTITIONS
from corollary.spec.kernel.outcome.ring import lasts
from corollary.spec.kernel.ring import base_ring, effective_ring
from corollary.spec.kernel.state import CapabilityId, Kernel, PartitionId
from corollary.spec.kernel.vocabulary import ObjectKind, PartitionState


@corollary("WORD-1", "a slot is free when it holds nothing, and retired when one of its counters is at its end")
def slots_are_free_or_retired(s: Kernel, c: CapabilityId) -> bool:
    slot = s.capability[c]
    ended = slot.generation == COUNTER_LIMIT or slot.lineage == COUNTER_LIMIT
    return free(s, c) == (slot.kind == ObjectKind.NONE) and retired(s, c) == ended


@corollary("WORD-2", "a handle on a partition is good for the incarnation that it was made for, and for no other")
def incarnations_are_told_apart(s: Kernel, c: CapabilityId) -> bool:
    named = s.capability[c]
    number = PartitionId.truncate(named.object)
    same = named.object < PARTITIONS and s.partition[number].generation == named.incarnation
    return current_object(s, c) == (same if named.kind == ObjectKind.PARTITION else True)


@corollary("WORD-3", "a capability lives that the kernel made, or a child of one that lives, of its lineage")
def children_live_by_their_parents(s: Kernel, c: CapabilityId) -> bool:
    held = s.capability[c]
    above = s.capability[held.parent]
    hangs = above.kind != ObjectKind.NONE and above.lineage == held.parent_lineage and live(s, held.parent)
    return live(s, c) == (held.kind != ObjectKind.NONE and (held.depth == 0 or hangs))


def worse(one: u8, other: u8) -> u8:
    """Return the ring that allows less."""
    return one if one > other else other


def personal_ring(s: Kernel, p: PartitionId, now: u64) -> u8:
    """Return the ring of a score, or a better one that is held and has not ended."""
    own = u8(s.partition[p].ring)
    held = s.partition[p].elevation
    return u8(held.ring) if held.active and lasts(s, p, now) and u8(held.ring) < own else own


@corollary("WORD-4", "a ring is that of a score, or a better one held for a while, within the scores of creators")
def rings_are_bounded_by_creators(s: Kernel, p: PartitionId, now: u64) -> bool:
    own = s.partition[p]
    top = own.ancestry == 0
    above = u8(base_ring(s, own.parent))
    score = u8(own.ring) if top else worse(u8(own.ring), above)
    ring = personal_ring(s, p, now) if top else worse(personal_ring(s, p, now), above)
    exact = u8(base_ring(s, p)) == score and u8(effective_ring(s, p, now)) == ring
    return implies(own.state != PartitionState.VACANT, exact)
