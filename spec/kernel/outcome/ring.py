"""What do the operations on trust, rings and tools do?"""

from corollary.language.builtins import maximum, minimum
from corollary.language.property import ensures, succeeds, theorem
from corollary.language.types import u8, u32, u64
from corollary.spec.kernel.capability import current_object, live
from corollary.spec.kernel.limits import (
    CLOCK_LIMIT,
    ELEVATE_1_SCORE,
    ELEVATE_2_SCORE,
    ELEVATION_DEFAULT,
    ELEVATION_LIMIT,
    PPM,
    RING_1_SCORE,
    RING_2_SCORE,
    SECOND,
)
from corollary.spec.kernel.outcome.admission import (
    has_room,
    has_token,
    holds,
    holds_on,
    leads,
    led_to,
    may_call,
    presented,
    scored,
    stands,
    subject_partition,
)
from corollary.spec.kernel.outcome.words import is_there, tells
from corollary.spec.kernel.packed import CapabilityPlace, HandleParts
from corollary.spec.kernel.ring import FILESYSTEM, NETWORK, SUBPROCESS, TOOLS, effective_ring
from corollary.spec.kernel.state import Call, Handle, Kernel, PartitionId, ResourceId
from corollary.spec.kernel.vocabulary import ObjectKind, Resource, Right, Ring

KINDS = Resource.bound
RING = ("partition.score", "partition.consensus", "partition.ring", "partition.elevation.active", "partition.tools")
"""What may change when the trust in a partition changes."""


# ---- words


def ring_of(score: u32, consensus: bool) -> Ring:
    """Return the ring of a score: ring 1 needs more than 950,000 ppm and consensus, ring 2 more than 600,000 ppm."""
    if consensus and score > RING_1_SCORE:
        return Ring.PRIVILEGED
    return Ring.STANDARD if score > RING_2_SCORE else Ring.SANDBOX


def may_use(ring: Ring, kind: u32) -> bool:
    """May a ring use tools of this kind?"""
    if kind == u32(Resource.NETWORK):
        return NETWORK[u8(ring)] != 0
    if kind == u32(Resource.FILESYSTEM):
        return FILESYSTEM[u8(ring)] != 0
    return True if kind == u32(Resource.TOOL) else SUBPROCESS[u8(ring)] != 0


def usable(s: Kernel, p: PartitionId, ring: Ring, kinds: u32) -> u32:
    """Count a partition's tools of the first `kinds` kinds that a ring may use."""
    found: u32 = 0
    for kind in range(KINDS):
        found += u32(s.partition[p].tools[ResourceId(kind)]) if kind < kinds and may_use(ring, kind) else u32(0)
    return found


def kept(s: Kernel, p: PartitionId, ring: Ring, kind: u32) -> u32:
    """Return how many tools of a kind are left in a ring: earlier kinds first, in all no more than the ring allows."""
    room: u8 = TOOLS[u8(ring)]
    found: u8 = 0
    for i in range(KINDS):
        left = minimum(s.partition[p].tools[ResourceId(i)], room) if may_use(ring, i) else u8(0)
        room -= left
        found = left if i == kind else found
    return found


def kept_in_both(s: Kernel, p: PartitionId, old: Ring, new: Ring, kind: u32) -> u32:
    """Return how many tools of a kind are left in one ring, and then how many of those in another."""
    room: u8 = TOOLS[u8(old)]
    rest: u8 = TOOLS[u8(new)]
    found: u8 = 0
    for i in range(KINDS):
        left = minimum(s.partition[p].tools[ResourceId(i)], room) if may_use(old, i) else u8(0)
        then = minimum(left, rest) if may_use(new, i) else u8(0)
        room -= left
        rest -= then
        found = then if i == kind else found
    return found


def same_trust(before: Kernel, after: Kernel, q: PartitionId, kind: ResourceId) -> bool:
    """Are a partition's trust, elevation and tools of a kind unchanged?"""
    old = before.partition[q]
    new = after.partition[q]
    return (
        new.score == old.score
        and new.consensus == old.consensus
        and new.ring == old.ring
        and new.elevation.active == old.elevation.active
        and new.tools[kind] == old.tools[kind]
    )


def trust_is_set(before: Kernel, after: Kernel, q: PartitionId, kind: ResourceId, score: u32, consensus: bool) -> bool:
    """Has a partition this trust, the ring that follows, and no elevation?

    It must keep exactly the tools that both its old ring and its new one allow.
    """
    old = before.partition[q]
    new = after.partition[q]
    return (
        new.score == score
        and new.consensus == consensus
        and new.ring == ring_of(score, consensus)
        and not new.elevation.active
        and new.tools[kind] == kept_in_both(before, q, old.ring, new.ring, u32(kind))
    )


# ---- trust


@succeeds("ring_assign")
def assign_is_allowed(before: Kernel, call: Call, of: Handle, score: u32, consensus: bool) -> bool:
    return (
        has_room(before)
        and has_token(before, call)
        and scored(before, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.TRUST, Right.WRITE)
        and leads(before, of, Right.WRITE)
        and led_to(before, of) != before.current
        and score <= PPM
        and score <= before.partition[before.current].score
        and scored(before, ring_of(score, consensus))
    )


@ensures(
    "ring_assign",
    "the partition has the score and consensus named, the ring that follows, no elevation, and no tool beyond it",
    changes=RING,
)
def assign_is_exact(
    before: Kernel, call: Call, after: Kernel, of: Handle, score: u32, consensus: bool, q: PartitionId, kind: ResourceId
) -> bool:
    named = q == led_to(before, of)
    return trust_is_set(before, after, q, kind, score, consensus) if named else same_trust(before, after, q, kind)


@succeeds("ring_demote")
def demote_is_allowed(before: Kernel, call: Call, score: u32) -> bool:
    p = subject_partition(before, call)
    return (
        may_call(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.PARTITION, Right.WRITE)
        and is_there(before, p)
        and score <= before.partition[p].score
    )


@ensures(
    "ring_demote",
    "the partition has the score named, the ring that follows, no elevation, and no tool beyond it",
    changes=RING,
)
def demote_is_exact(before: Kernel, call: Call, after: Kernel, score: u32, q: PartitionId, kind: ResourceId) -> bool:
    named = q == subject_partition(before, call)
    consensus = before.partition[q].consensus
    return trust_is_set(before, after, q, kind, score, consensus) if named else same_trust(before, after, q, kind)


# ---- elevations


def has_elevation(s: Kernel, call: Call) -> bool:
    """Does the caller hold a ring that has not expired and, if it is ring 1, has a live attestation?"""
    held = s.partition[s.current].elevation
    c = presented(s, u64(held.attestation))
    attested = s.capability[c].kind == ObjectKind.PROOF_ROOT and holds(s, u64(held.attestation), Right.PROVE)
    return held.active and call.now < held.expires and (held.ring != Ring.PRIVILEGED or attested)


@succeeds("ring_elevate")
def elevate_is_allowed(before: Kernel, call: Call, target: Ring, seconds: u32, attestation: Handle) -> bool:
    score = before.partition[before.current].score
    c = presented(before, u64(attestation))
    attested = before.capability[c].kind == ObjectKind.PROOF_ROOT and holds(before, u64(attestation), Right.PROVE)
    trusted = score >= ELEVATE_1_SCORE and attested if target == Ring.PRIVILEGED else score >= ELEVATE_2_SCORE
    return (
        may_call(before, call, Ring.SANDBOX)
        and not stands(before, call, target)
        and target != Ring.ROOT
        and not has_elevation(before, call)
        and trusted
        and call.now <= CLOCK_LIMIT
    )


@ensures(
    "ring_elevate",
    "the caller holds the ring named, for the time named, under the attestation named; what it had of another "
    "elevation is over",
    changes=("partition.elevation", "partition.tools"),
)
def elevate_is_exact(
    before: Kernel,
    call: Call,
    after: Kernel,
    target: Ring,
    seconds: u32,
    attestation: Handle,
    q: PartitionId,
    kind: ResourceId,
) -> bool:
    own = before.partition[q]
    old = own.elevation
    new = after.partition[q].elevation
    asked = u64(ELEVATION_DEFAULT) if seconds == 0 else minimum(u64(seconds), u64(ELEVATION_LIMIT))
    tools = after.partition[q].tools[kind]
    if q == before.current:
        return (
            new.active
            and new.ring == target
            and new.attestation == attestation
            and new.expires - call.now == asked * SECOND
            and tools == (kept(before, q, own.ring, u32(kind)) if old.active else u32(own.tools[kind]))
        )
    return (
        new.active == old.active
        and new.ring == old.ring
        and new.attestation == old.attestation
        and new.expires == old.expires
        and tools == own.tools[kind]
    )


@succeeds("ring_restore")
def restore_is_allowed(before: Kernel, call: Call) -> bool:
    return (
        may_call(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.PARTITION, Right.WRITE)
        and before.partition[subject_partition(before, call)].elevation.active
    )


@ensures(
    "ring_restore",
    "the partition is where its score puts it, with no tool beyond that",
    changes=("partition.elevation.active", "partition.tools"),
)
def restore_is_exact(before: Kernel, call: Call, after: Kernel, q: PartitionId, kind: ResourceId) -> bool:
    named = q == subject_partition(before, call)
    old = before.partition[q]
    new = after.partition[q]
    return new.elevation.active == (old.elevation.active and not named) and new.tools[kind] == (
        kept(before, q, old.ring, u32(kind)) if named else u32(old.tools[kind])
    )


def lasts(s: Kernel, p: PartitionId, now: u64) -> bool:
    """Is an elevation's time not over and, if it is to ring 1, is its attestation live?"""
    held = s.partition[p].elevation
    c = CapabilityPlace(partition=p, slot=HandleParts(held.attestation).slot)
    shown = s.capability[c]
    attested = (
        shown.kind == ObjectKind.PROOF_ROOT
        and shown.rights & Right.PROVE != 0
        and live(s, c)
        and current_object(s, c)
        and HandleParts(held.attestation).generation == shown.generation
    )
    return now < held.expires and (held.ring != Ring.PRIVILEGED or attested)


@theorem(
    "RING-29",
    "the end of a quantum ends the elevation of whoever ran if that is over, and takes the tools "
    "beyond; else both stay",
    about=("preempt",),
)
def quantum_ends_no_elevation(before: Kernel, now: u64, after: Kernel, q: PartitionId, kind: ResourceId) -> bool:
    old = before.partition[q]
    new = after.partition[q]
    over = q == before.current and old.elevation.active and not lasts(before, q, maximum(now, before.time))
    return new.elevation.active == (old.elevation.active and not over) and new.tools[kind] == (
        kept(before, q, old.ring, u32(kind)) if over else u32(old.tools[kind])
    )


# ---- tools


@succeeds("tool_acquire")
def acquire_is_allowed(before: Kernel, call: Call, resource: Resource) -> bool:
    ring = effective_ring(before, before.current, call.now)
    return (
        may_call(before, call, Ring.SANDBOX)
        and may_use(ring, u32(resource))
        and usable(before, before.current, ring, u32(KINDS)) < TOOLS[u8(ring)]
    )


@ensures(
    "tool_acquire",
    "the caller has one tool more of the kind named, and none that its ring does not allow; it is told how many in all",
    changes=("partition.tools", "result"),
)
def acquire_is_exact(
    before: Kernel, call: Call, after: Kernel, resource: Resource, q: PartitionId, kind: ResourceId
) -> bool:
    ring = effective_ring(before, before.current, call.now)
    more = u32(1) if kind == u8(resource) else u32(0)
    own = q == before.current
    return after.partition[q].tools[kind] == (
        kept(before, q, ring, u32(kind)) + more if own else u32(before.partition[q].tools[kind])
    ) and tells(call, u64(usable(before, before.current, ring, u32(KINDS))) + 1, 0, 0)


@succeeds("tool_release")
def release_is_allowed(before: Kernel, call: Call, resource: Resource) -> bool:
    ring = effective_ring(before, before.current, call.now)
    return may_call(before, call, Ring.SANDBOX) and kept(before, before.current, ring, u32(resource)) != 0


@ensures(
    "tool_release",
    "the caller has one tool less of the kind named, and none that its ring does not allow",
    changes=("partition.tools",),
)
def release_is_exact(
    before: Kernel, call: Call, after: Kernel, resource: Resource, q: PartitionId, kind: ResourceId
) -> bool:
    ring = effective_ring(before, before.current, call.now)
    less = u32(1) if kind == u8(resource) else u32(0)
    own = q == before.current
    have = kept(before, q, ring, u32(kind)) if own else u32(before.partition[q].tools[kind])
    return u32(after.partition[q].tools[kind]) + (less if own else u32(0)) == have
