"""What does the kernel promise about every call that the gate sees?

The call goes on or is refused, in words that are not the gate's own.
"""

from corollary.language.builtins import implies, subset
from corollary.language.property import theorem
from corollary.language.types import u8, u64
from corollary.spec.kernel.arguments import arguments_told
from corollary.spec.kernel.capability import current_object, live, second_partition
from corollary.spec.kernel.gate import (
    ANY_OBJECT,
    KIND_OF,
    METER_OF,
    OBJECT_OF,
    REQUIRED_RING,
    RIGHTS_OF,
    TIER_OF,
    WITNESS_DISCARD,
    WITNESS_READ,
    known,
)
from corollary.spec.kernel.limits import DRAIN_LIMIT, PAGES, RECORDS
from corollary.spec.kernel.outcome.admission import has_message, has_room, has_token, holds_on, leads, led_to, stands
from corollary.spec.kernel.outcome.witness import has_place
from corollary.spec.kernel.outcome.words import takes_words
from corollary.spec.kernel.proof import named_root
from corollary.spec.kernel.ring import base_ring, confers_trust, effective_ring
from corollary.spec.kernel.state import Call, Handle, Kernel, PageId, PartitionId
from corollary.spec.kernel.vocabulary import Action, Meter, ObjectKind, Right, Ring, Status, Tier
from corollary.spec.kernel.witness import KERNEL_OPERATION, SEQUENCE_LIMIT, own_room, record_id

# ---- words


def copies_eight(s: Kernel, call: Call) -> bool:
    """Does the call ask for the next eight records that nobody has copied?

    It must name a page that its caller may write, and have READ on the log.
    """
    return (
        call.operation == WITNESS_READ
        and call.argument[2] == s.copied
        and s.sequence - s.copied >= DRAIN_LIMIT
        and call.argument[1] < PAGES
        and takes_words(s, PageId.truncate(call.argument[1]))
        and holds_on(s, call, ObjectKind.WITNESS_LOG, Right.READ)
    )


def drops_eight(s: Kernel, call: Call) -> bool:
    """Does the call ask to drop the eight oldest records, with READ and WRITE on the log?"""
    return (
        call.operation == WITNESS_DISCARD
        and call.argument[1] == s.drained + (DRAIN_LIMIT - 1)
        and holds_on(s, call, ObjectKind.WITNESS_LOG, Right.READ | Right.WRITE)
    )


def empties(s: Kernel, call: Call) -> bool:
    """May the call drop eight records that were copied, or copy eight while fewer wait to be dropped?"""
    waiting = s.copied - s.drained
    due = drops_eight(s, call) if waiting >= DRAIN_LIMIT else copies_eight(s, call)
    return due and has_message(s, call) and stands(s, call, Ring.STANDARD)


def has_room_for(s: Kernel, call: Call) -> bool:
    """Is there a place in the log for the call's record?

    The place is within the caller's share, or beyond it because the call makes room.
    """
    return has_room(s) or (has_place(s) and empties(s, call))


def is_paid_for(s: Kernel, call: Call) -> bool:
    """Is the call paid for? A call that names no operation costs as much as any other."""
    by_message = known(call) and METER_OF[call.operation] == u8(Meter.MESSAGES)
    return has_message(s, call) if by_message else has_token(s, call)


# ---- rings, payment and room


@theorem("RING-10", "a call is carried out only in the ring that its operation requires")
def ring_is_enforced(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    if not known(call):
        return status != Status.OK
    return implies(
        status == Status.OK, u8(effective_ring(before, before.current, call.now)) <= REQUIRED_RING[call.operation]
    )


@theorem(
    "RING-23",
    "who is trusted, and what is attested, is said only by whom its own score, and those of its creators, let do so",
    about=lambda operation: not operation.elevation,
)
def elevation_admits_nobody(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    own = before.partition[before.current].ring
    return implies(
        status == Status.OK,
        u8(own) <= REQUIRED_RING[call.operation]
        and u8(base_ring(before, before.current)) <= REQUIRED_RING[call.operation],
    )


@theorem(
    "RING-28",
    "trust and attestation are passed on only by whom its own score, and those of its creators, let do so",
    about=("capability_grant",),
)
def elevation_passes_nothing_on(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return implies(
        status == Status.OK and confers_trust(before.capability[call.capability].kind),
        u8(base_ring(before, before.current)) <= REQUIRED_RING[call.operation],
    )


@theorem(
    "RING-15", "a call, known or not, is refused for its rate exactly when what it is paid from does not hold its cost"
)
def refused_for_rate_only(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return (status == Status.RATE_LIMITED) == (has_room_for(before, call) and not is_paid_for(before, call))


@theorem("WIT-11", "no witness, no mutation: without room for the record nothing happens but the count")
def no_witness_no_mutation(before: Kernel, call: Call, after: Kernel, status: Status, p: PartitionId) -> bool:
    return implies(
        not has_room_for(before, call),
        status == Status.WITNESS_FULL
        and implies(p != before.current, after.partition[p].refused == before.partition[p].refused)
        and after.partition[p].refused >= before.partition[p].refused,
    )


@theorem(
    "WIT-15",
    "whoever may empty the log does so, whatever share of it is used up and whoever read how much of it: "
    "it drops eight records if so many were copied, else it copies eight more if there are so many",
    about=("witness_read", "witness_discard"),
)
def drain_is_never_locked_out(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return implies(has_place(before) and empties(before, call), status == Status.OK)


@theorem(
    "WIT-16",
    (
        "beyond a partition's share of the log nothing is recorded but a read of the next eight records while fewer "
        "wait to be dropped, and a drop of eight"
    ),
)
def reserve_is_for_drains(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    read = before.copied - before.drained < DRAIN_LIMIT and after.copied == before.copied + DRAIN_LIMIT
    return implies(
        not own_room(before, before.current) and status != Status.WITNESS_FULL,
        status == Status.OK and (read or after.drained == before.drained + DRAIN_LIMIT),
    )


@theorem("WIT-17", "a call is refused for want of room exactly when there is none")
def refused_for_room_only(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    share = before.partition[before.current]
    place = before.sequence - before.drained < RECORDS and before.sequence < SEQUENCE_LIMIT
    return (status == Status.WITNESS_FULL) == (not has_room_for(before, call)) and implies(
        status == Status.WITNESS_FULL, not place or share.records >= share.quota
    )


@theorem(
    "WIT-18",
    (
        "the record gives back the call: x1, and all arguments if it succeeded, else x2 and x3, "
        "or what it asked for and x2"
    ),
)
def record_is_complete(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    entry = after.log[record_id(before.sequence)]
    if status == Status.WITNESS_FULL:
        return True
    if not known(call):
        return (
            entry.kind == Action.PROOF_REJECTED
            and entry.tier == Tier.NONE
            and entry.operation == KERNEL_OPERATION
            and entry.capability == call.argument[0]
            and entry.object == call.operation
            and entry.payload == call.argument[1]
        )
    refused = entry.object == call.argument[1] and entry.payload == call.argument[2]
    return (
        u8(entry.kind) == KIND_OF[call.operation]
        and u8(entry.tier) == TIER_OF[call.operation]
        and u64(entry.operation) == call.operation
        and entry.capability == call.argument[0]
        and (arguments_told(call, entry.object, entry.payload) if status == Status.OK else refused)
    )


# ---- authority


@theorem(
    "GATE-1",
    "a call succeeds only on a live capability of its caller, on the right object, with the rights asked for",
    about=lambda operation: operation.takes_handle and not operation.accepts_dead,
)
def authority_is_presented(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    held = before.capability[call.capability]
    right_kind = ANY_OBJECT[call.operation] != 0 or u8(held.kind) == OBJECT_OF[call.operation]
    return implies(
        status == Status.OK,
        right_kind
        and live(before, call.capability)
        and current_object(before, call.capability)
        and subset(Right(RIGHTS_OF[call.operation]), held.rights),
    )


@theorem(
    "GATE-2",
    "who receives a capability or a page is named by a handle with WRITE; "
    "nobody else is told whether there is room for it",
    about=("capability_grant", "page_create"),
)
def receiver_is_authorized(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = status == Status.OK or status == Status.SLOT_IN_USE or status == Status.LIMIT_REACHED
    return implies(told, leads(before, Handle.truncate(call.argument[3]), Right.WRITE))


@theorem("GATE-3", "who receives a page of another is named by a handle with WRITE", about=("page_transfer",))
def new_owner_is_authorized(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return implies(status == Status.OK, leads(before, Handle.truncate(call.argument[2]), Right.WRITE))


@theorem("GATE-4", "who is let to read a page is named by a handle with READ", about=("page_share",))
def reader_is_authorized(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return implies(status == Status.OK, leads(before, Handle.truncate(call.argument[3]), Right.READ))


@theorem(
    "GATE-5",
    "whose trust is assigned is named by a second handle, with WRITE, and of nobody else is anything known anew",
    about=("ring_assign",),
)
def trusted_is_authorized(before: Kernel, call: Call, after: Kernel, status: Status, p: PartitionId) -> bool:
    named = leads(before, Handle.truncate(call.argument[1]), Right.WRITE) and p == second_partition(before, call)
    old = before.partition[p]
    new = after.partition[p]
    changed = old.score != new.score or old.consensus != new.consensus or old.ring != new.ring
    return implies(changed, named and status == Status.OK)


@theorem(
    "PROOF-6",
    "a proof root is bound only to a partition named by a handle with WRITE, and it is the root that was named",
    about=("proof_root_bind",),
)
def binding_is_authorized(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    handle = Handle.truncate(call.argument[1])
    bound = after.partition[led_to(before, handle)].proof_root
    return implies(status == Status.OK, leads(before, handle, Right.WRITE) and bound == named_root(before, call))


@theorem("GATE-6", "a call that is refused tells its caller nothing but its status, and does not give way")
def refusal_tells_nothing(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    silent = call.result[0] == 0 and call.result[1] == 0 and call.result[2] == 0
    return implies(status != Status.OK, silent and not call.yields)
