"""Which ring does a partition run in, and what does the ring allow?"""

from corollary.language.builtins import implies, maximum, minimum, saturating_sub
from corollary.language.property import corollary, invariant, theorem
from corollary.language.rows import Rows
from corollary.language.types import u8, u32, u64
from corollary.spec.kernel.capability import (
    capability_id,
    descends,
    free,
    handle_generation,
    handle_holds,
    handle_slot,
    live,
    named_partition,
    second_partition,
)
from corollary.spec.kernel.limits import (
    ANCESTRY_LIMIT,
    BURST,
    ELEVATE_1_SCORE,
    ELEVATE_2_SCORE,
    ELEVATION_DEFAULT,
    ELEVATION_LIMIT,
    MESSAGES_PER_EPOCH,
    PPM,
    QUANTUM,
    RING_1_SCORE,
    RING_2_SCORE,
    SECOND,
)
from corollary.spec.kernel.state import Call, Handle, Kernel, PartitionId, ResourceId
from corollary.spec.kernel.vocabulary import Meter, ObjectKind, PartitionState, Resource, Right, Ring, Scope, Status
from corollary.spec.ring import FILESYSTEM as FILESYSTEM
from corollary.spec.ring import NETWORK as NETWORK
from corollary.spec.ring import RATE as RATE
from corollary.spec.ring import SUBPROCESS as SUBPROCESS
from corollary.spec.ring import TOOLS as TOOLS
from corollary.spec.ring import more_privileged as more_privileged
from corollary.spec.ring import ring_for as ring_for

CALL_COST = Rows((SECOND // rate for rate in RATE), Ring)  # ns of credit
RESOURCES = Resource.bound


def confers_trust(kind: ObjectKind) -> bool:
    """Does a capability on such an object let its holder say who is trusted?"""
    return kind == ObjectKind.TRUST or kind == ObjectKind.PROOF_ROOT


def attested(s: Kernel, p: PartitionId) -> bool:
    """Is the capability that the partition rose under still there, and live?"""
    return handle_holds(s, p, s.partition[p].elevation.attestation, ObjectKind.PROOF_ROOT, Right.PROVE)


def elevated(s: Kernel, p: PartitionId, now: u64) -> bool:
    """Does the partition hold an elevation that has not expired and, if it is to ring 1, is still attested?"""
    held = s.partition[p].elevation
    return held.active and now < held.expires and (held.ring != Ring.PRIVILEGED or attested(s, p))


def own_ring(s: Kernel, p: PartitionId, now: u64) -> Ring:
    """The ring of the partition itself: its base ring, or a better one held for a while."""
    held = s.partition[p].elevation.ring
    if elevated(s, p, now) and more_privileged(held, s.partition[p].ring):
        return held
    return s.partition[p].ring


def bounded(s: Kernel, p: PartitionId, own: Ring) -> Ring:
    """Limit a partition's own ring: it is no better than any of its creators' rings by their scores."""
    ring = own
    at = p
    for step in range(ANCESTRY_LIMIT):
        if s.partition[at].ancestry != 0:
            at = s.partition[at].parent
            above = s.partition[at].ring
            ring = above if more_privileged(ring, above) else ring
    return ring


def base_ring(s: Kernel, p: PartitionId) -> Ring:
    """The ring that follows from scores alone, ignoring elevations."""
    return bounded(s, p, s.partition[p].ring)


def effective_ring(s: Kernel, p: PartitionId, now: u64) -> Ring:
    """The ring that the gate applies; an elevation is personal, and nobody inherits it."""
    return bounded(s, p, own_ring(s, p, now))


def epoch_over(s: Kernel, p: PartitionId, now: u64) -> bool:
    """Is the epoch that the partition's messages were counted in over? A clock that runs back ends none."""
    return saturating_sub(now, s.partition[p].messages.began) >= QUANTUM


def permits(ring: Ring, resource: Resource) -> bool:
    """Does the ring allow the use of a resource?"""
    if resource == Resource.NETWORK:
        return NETWORK[u8(ring)] != 0
    if resource == Resource.SUBPROCESS:
        return SUBPROCESS[u8(ring)] != 0
    if resource == Resource.FILESYSTEM:
        return FILESYSTEM[u8(ring)] != u8(Scope.NONE)
    return True


def lasting_ring(s: Kernel, p: PartitionId) -> Ring:
    """The best ring that a partition can have without asking: its own, or the ring of an elevation not cleared yet."""
    held = s.partition[p].elevation
    return held.ring if held.active and more_privileged(held.ring, s.partition[p].ring) else s.partition[p].ring


def permitted_tools(s: Kernel, p: PartitionId, ring: Ring) -> u32:
    """Count the partition's tools for the resources that a ring permits."""
    held: u32 = 0
    for i in range(RESOURCES):
        if permits(ring, Resource(i)):
            held += s.partition[p].tools[ResourceId(i)]
    return held


def kept_tools(s: Kernel, p: PartitionId, ring: Ring, resource: Resource) -> u8:
    """Return how many tools of a resource are left in a ring.

    A ring keeps the tools that it permits, up to its limit, in the order of the resources.
    """
    room: u8 = TOOLS[u8(ring)]
    kept: u8 = 0
    for i in range(RESOURCES):
        if i <= u8(resource):
            kept = minimum(s.partition[p].tools[ResourceId(i)], room) if permits(ring, Resource(i)) else u8(0)
            room -= kept
    return kept


def within_ring(s: Kernel, p: PartitionId, ring: Ring) -> bool:
    """Does the partition hold no more tools than a ring allows, and none of a resource that it denies?"""
    held: u32 = 0
    for i in range(RESOURCES):
        held += s.partition[p].tools[ResourceId(i)]
        if s.partition[p].tools[ResourceId(i)] != 0 and not permits(ring, Resource(i)):
            return False
    return held <= TOOLS[u8(ring)]


def earned(s: Kernel, p: PartitionId) -> bool:
    """Is the ring of a partition exactly the one that its score and its consensus give?"""
    own = s.partition[p]
    return (
        own.ring != Ring.ROOT
        and (own.ring == Ring.PRIVILEGED) == (own.score > RING_1_SCORE and own.consensus)
        and (own.ring == Ring.SANDBOX) == (own.score <= RING_2_SCORE)
    )


@invariant("RING-1", "no partition is in ring 0, by its score or by elevation")
def ring_0_is_empty(s: Kernel, p: PartitionId) -> bool:
    partition = s.partition[p]
    return implies(partition.state != PartitionState.VACANT, partition.ring != Ring.ROOT) and implies(
        partition.elevation.active, partition.elevation.ring != Ring.ROOT
    )


@invariant("RING-2", "the ring of a partition is the one that its score and consensus give")
def ring_follows_score(s: Kernel, p: PartitionId) -> bool:
    return implies(s.partition[p].state != PartitionState.VACANT, s.partition[p].score <= PPM and earned(s, p))


@invariant("RING-3", "a bucket never holds more than its burst")
def bucket_is_bounded(s: Kernel, p: PartitionId) -> bool:
    return s.partition[p].bucket.credit <= BURST


@invariant(
    "RING-4", "whoever was created has a creator that is there, nearer to the root partition, which is few steps away"
)
def ancestry_counts(s: Kernel, p: PartitionId) -> bool:
    parent = s.partition[s.partition[p].parent]
    created = s.partition[p].state != PartitionState.VACANT and s.partition[p].ancestry != 0
    there = parent.state != PartitionState.VACANT and parent.state != PartitionState.DESTROYED
    return s.partition[p].ancestry <= ANCESTRY_LIMIT and implies(
        created, there and s.partition[p].ancestry > parent.ancestry
    )


@corollary(
    "RING-5", "a partition is never more privileged than its creator is by its score, whatever either holds for a while"
)
def child_never_exceeds_parent(s: Kernel, p: PartitionId, now: u64) -> bool:
    created = s.partition[p].state != PartitionState.VACANT and s.partition[p].ancestry != 0
    return implies(created, not more_privileged(effective_ring(s, p, now), base_ring(s, s.partition[p].parent)))


@invariant(
    "RING-9", "an elevation rests on no capability that is still to come: what fills its slot next is another one"
)
def attestation_in_the_past(s: Kernel, p: PartitionId) -> bool:
    held = s.partition[p].elevation
    c = capability_id(p, handle_slot(held.attestation))
    return implies(
        held.active and held.ring == Ring.PRIVILEGED,
        handle_generation(held.attestation) <= s.capability[c].generation
        and implies(free(s, c), handle_generation(held.attestation) < s.capability[c].generation),
    )


@invariant(
    "RING-7",
    (
        "nobody holds more tools than the better of its own ring and its elevation allows, "
        "and none of a resource that both deny"
    ),
)
def tools_are_bounded(s: Kernel, p: PartitionId) -> bool:
    return within_ring(s, p, lasting_ring(s, p))


@corollary(
    "RING-8",
    (
        "who is in ring 1 beyond its score holds an attestation, live and with the right to prove, "
        "and its time is not over"
    ),
)
def ring_1_is_attested(s: Kernel, p: PartitionId, now: u64) -> bool:
    held = s.partition[p].elevation
    c = capability_id(p, handle_slot(held.attestation))
    proof = s.capability[c]
    return implies(
        effective_ring(s, p, now) == Ring.PRIVILEGED and base_ring(s, p) != Ring.PRIVILEGED,
        held.active
        and now < held.expires
        and proof.kind == ObjectKind.PROOF_ROOT
        and proof.rights & Right.PROVE != 0
        and proof.generation == handle_generation(held.attestation)
        and live(s, c),
    )


@theorem(
    "RING-11",
    "operations of ring 0 are refused to everyone, who is told so if the call has room and is paid for",
    about=lambda operation: operation.admin,
)
def ring_0_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return status == Status.NEEDS_SRE_WITNESS or status == Status.RATE_LIMITED or status == Status.WITNESS_FULL


@theorem(
    "RING-12",
    "tokens are never minted: a bucket gains no more than the time that passed, and its clock never runs back",
)
def tokens_are_conserved(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    old = before.partition[p].bucket
    new = after.partition[p].bucket
    born = before.partition[p].state == PartitionState.VACANT
    gained = saturating_sub(new.credit, old.credit)
    return implies(not born, new.refilled >= old.refilled and gained <= new.refilled - old.refilled)


@invariant("RING-6", "no partition sends and receives more messages in an epoch than there are in one")
def messages_are_bounded(s: Kernel, p: PartitionId) -> bool:
    return s.partition[p].messages.used <= MESSAGES_PER_EPOCH


@theorem(
    "RING-14",
    "a call costs just what the caller's ring asks for a call, whether or not it names an operation; "
    "the rest of its tokens, and the time that passed, the caller keeps, up to a burst",
    about=lambda operation: operation.meter == Meter.CALLS,
    unknown=True,
)
def calls_are_paid(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = before.current
    old = before.partition[p].bucket
    new = after.partition[p].bucket
    cost = SECOND // u64(RATE[u8(effective_ring(before, p, call.now))]) if status != Status.RATE_LIMITED else u64(0)
    saved = minimum(old.credit + minimum(saturating_sub(call.now, old.refilled), u64(BURST)), u64(BURST))
    if status == Status.WITNESS_FULL:
        return new.credit == old.credit and new.refilled == old.refilled
    ended = after.partition[p].state == PartitionState.DESTROYED and new.credit == 0
    return new.refilled == maximum(old.refilled, call.now) and cost <= saved and (new.credit + cost == saved or ended)


@theorem(
    "RING-20",
    "a message is counted in the epoch of its sender or receiver, or begins the next one, "
    "as soon as that is over; when all are used up it is refused; it costs no token",
    about=lambda operation: operation.meter == Meter.MESSAGES,
)
def messages_are_counted(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = before.current
    tokens = before.partition[p].bucket
    left = after.partition[p].bucket
    if left.credit != tokens.credit or left.refilled != tokens.refilled:
        return False
    over = epoch_over(before, p, call.now)
    old = before.partition[p].messages
    new = after.partition[p].messages
    spent = not over and old.used == MESSAGES_PER_EPOCH
    if status == Status.WITNESS_FULL or status == Status.RATE_LIMITED:
        return new.used == old.used and new.began == old.began and implies(status == Status.RATE_LIMITED, spent)
    return (
        not spent
        and new.began == (call.now if over else old.began)
        and u64(new.used) == (u64(1) if over else u64(old.used) + 1)
    )


@theorem(
    "RING-21",
    "messages are counted for whoever sends and receives them, and anew for whoever is created",
    about=lambda operation: operation.meter == Meter.CALLS,
    unknown=True,
)
def others_send_nothing(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    old = before.partition[p]
    new = after.partition[p]
    born = old.state == PartitionState.VACANT and new.state != PartitionState.VACANT
    return (
        new.messages.used == 0
        if born
        else new.messages.used == old.messages.used and new.messages.began == old.messages.began
    )


def sponsored(s: Kernel, call: Call) -> bool:
    """Does x4 name a slot of the caller with a live capability that may prove?"""
    handle = Handle.truncate(call.argument[3])
    c = capability_id(s.current, handle_slot(handle))
    return (
        s.capability[c].kind == ObjectKind.PROOF_ROOT
        and s.capability[c].rights & Right.PROVE != 0
        and live(s, c)
        and s.capability[c].generation == handle_generation(handle)
    )


@theorem(
    "RING-13",
    (
        "whoever rises has the score that the ring asks for, to ring 1 an attestation, "
        "and the ring for as long as it asked, up to the limit"
    ),
    about=("ring_elevate",),
)
def elevation_is_earned(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = before.current
    new = after.partition[p].elevation
    score = before.partition[p].score
    asked = u64(ELEVATION_DEFAULT) if call.argument[2] == 0 else minimum(call.argument[2], u64(ELEVATION_LIMIT))
    to_1 = (
        new.ring == Ring.PRIVILEGED
        and score >= ELEVATE_1_SCORE
        and sponsored(before, call)
        and u64(new.attestation) == call.argument[3]
    )
    to_2 = new.ring == Ring.STANDARD and score >= ELEVATE_2_SCORE
    return implies(
        status == Status.OK,
        new.active
        and u64(u8(new.ring)) == call.argument[1]
        and (to_1 or to_2)
        and new.expires > call.now
        and saturating_sub(new.expires, call.now) == asked * SECOND
        and not elevated(before, p, call.now),
    )


@theorem(
    "RING-16",
    "a demotion ends an elevation, and so does whoever restores a ring",
    about=("ring_restore", "ring_demote"),
)
def elevation_ends(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return implies(status == Status.OK, not after.partition[named_partition(before, call)].elevation.active)


@theorem(
    "RING-17",
    (
        "whose trust is assigned has the score and consensus named and the ring that they earn, its elevation is over, "
        "and it gets no more than its trustee has without one"
    ),
    about=("ring_assign",),
)
def assigned_as_named(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = second_partition(before, call)
    new = after.partition[p]
    own = before.partition[before.current]
    return implies(
        status == Status.OK,
        p != before.current
        and u64(new.score) == call.argument[2]
        and new.consensus == (call.argument[3] != 0)
        and earned(after, p)
        and not new.elevation.active
        and new.score <= own.score
        and not more_privileged(new.ring, own.ring)
        and not more_privileged(new.ring, base_ring(before, before.current)),
    )


@theorem(
    "RING-18", "a demotion sets the score named, never a higher one, and the ring that it earns", about=("ring_demote",)
)
def demoted_as_named(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = named_partition(before, call)
    new = after.partition[p]
    return implies(
        status == Status.OK,
        u64(new.score) == call.argument[1]
        and new.score <= before.partition[p].score
        and new.consensus == before.partition[p].consensus
        and earned(after, p),
    )


@theorem(
    "RING-22",
    (
        "whoever rose to ring 1 under a capability that is revoked or deleted, or under a descendant of it, "
        "is where its score puts it"
    ),
    about=("capability_revoke", "capability_delete"),
)
def elevation_ends_with_its_attestation(
    before: Kernel, call: Call, after: Kernel, status: Status, p: PartitionId, now: u64
) -> bool:
    held = before.partition[p].elevation
    c = capability_id(p, handle_slot(held.attestation))
    gone = descends(before, c, call.capability) or free(after, c)
    return implies(
        status == Status.OK and gone and held.ring == Ring.PRIVILEGED,
        effective_ring(after, p, now) == base_ring(after, p),
    )


@theorem(
    "RING-19",
    "a tool more is counted under its resource, within what the ring allows; what the ring denies is given up",
    about=("tool_acquire",),
)
def tool_is_acquired(before: Kernel, call: Call, after: Kernel, status: Status, resource: Resource) -> bool:
    p = before.current
    ring = effective_ring(before, p, call.now)
    old = u32(before.partition[p].tools[ResourceId(u8(resource))])
    kept = old if permits(ring, resource) else u32(0)
    new = u32(after.partition[p].tools[ResourceId(u8(resource))])
    if status != Status.OK:
        return new == old
    return new == (kept + 1 if u64(u8(resource)) == call.argument[1] else kept) and within_ring(after, p, ring)


@theorem(
    "RING-24",
    "a tool less is counted under its resource, if any is held there; what the ring no longer allows is given up",
    about=("tool_release",),
)
def tool_is_released(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = before.current
    ring = effective_ring(before, p, call.now)
    left = minimum(permitted_tools(before, p, ring), u32(TOOLS[u8(ring)]))
    return implies(
        status == Status.OK,
        within_ring(after, p, ring)
        and permitted_tools(after, p, ring) + 1 == left
        and call.argument[1] < RESOURCES
        and after.partition[p].tools[ResourceId.truncate(call.argument[1])]
        < before.partition[p].tools[ResourceId.truncate(call.argument[1])],
    )


def sheds(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    """Does the partition hold as many tools as the worse of its old and its new ring allows, and no more?"""
    old = before.partition[p].ring
    new = after.partition[p].ring
    worse = new if more_privileged(old, new) else old
    return within_ring(after, p, worse) and permitted_tools(after, p, worse) == minimum(
        permitted_tools(before, p, worse), u32(TOOLS[u8(worse)])
    )


@theorem(
    "RING-25",
    "whoever falls keeps as many tools as its ring allows and no more, and none of a resource that it denies",
    about=("ring_demote", "ring_restore"),
)
def tools_follow_the_ring(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return implies(status == Status.OK, sheds(before, after, named_partition(before, call)))


@theorem(
    "RING-27",
    "whose trust is assigned keeps as many tools as its ring allows and no more, and none of a resource that it denies",
    about=("ring_assign",),
)
def tools_follow_trust(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return implies(status == Status.OK, sheds(before, after, second_partition(before, call)))


@theorem(
    "RING-26",
    "nobody gains a tool but by acquiring it",
    about=lambda operation: operation.name != "tool_acquire",
    unknown=True,
)
def tools_are_acquired(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    fewer = True
    for i in range(RESOURCES):
        fewer = fewer and after.partition[p].tools[ResourceId(i)] <= before.partition[p].tools[ResourceId(i)]
    return fewer
