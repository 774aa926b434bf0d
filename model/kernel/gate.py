"""What happens between a hypercall and its operation? The gate, in its exact order, and the record.

Known operation, rate limit, ring 0, ring comparison, resource, then P1, P2, P3, then the operation, then
the witness. Room for the record is made sure of first: no witness, no mutation.
"""

import spec.kernel.state
import spec.kernel.vocabulary
from language.builtins import implies, subset
from language.property import theorem
from language.types import u8, u32, u64
from language.values import clear, local
from model.kernel.capability import may_act_on, partition_named
from model.kernel.clock import advance
from model.kernel.proof import mutation_digest, named_root, path_holds, policy_holds
from model.kernel.ring import affordable, pay
from model.kernel.schedule import settle
from model.kernel.sha256 import Digest
from model.kernel.witness import WITNESS_DISCARD, WITNESS_READ, append_for_partition, count_refusal
from spec.kernel.capability import (
    capability_id, current_object, free, handle_generation, handle_slot, live, named_partition, second_partition)
from spec.kernel.limits import DRAIN_LIMIT, PAGES, RECORDS
from spec.kernel.memory import lets
from spec.kernel.operation import (
    OPERATIONS, check_guards, column, define, pack_source, perform_source, range_source, told_source)
from spec.kernel.ring import base_ring, confers_trust, effective_ring, permits
from spec.kernel.state import Call, Handle, Kernel, PageId, PartitionId
from spec.kernel.vocabulary import Access, Action, Meter, Resource, Right, Ring, Status, Tier
from spec.kernel.witness import KERNEL_OPERATION, SEQUENCE_LIMIT, log_room, own_room, record_id

OPERATION_COUNT = len(OPERATIONS)
HANDLE_LIMIT = Handle.bound
RESOURCE_LIMIT = Resource.bound
KIND_OF = column("kind")
TIER_OF = column("tier")
REQUIRED_RING = column("required_ring")
OBJECT_OF = column("on")
RIGHTS_OF = column("needs")
TAKES_HANDLE = column("takes_handle")
HANDLES = column("handles")
ANY_OBJECT = column("any_object")
USES_RESOURCE = column("resource")
ACCEPTS_DEAD = column("accepts_dead")
METER_OF = column("meter")
FOR_CREATORS = column("creators")
ELEVATION_ADMITS = column("elevation")
REPLACES_ROOT = column("replaces_root")

for _declared in OPERATIONS:
    check_guards(_declared)


def _derived(source):
    """A function made from the declarations, with the operations in its sight."""
    types = vars(spec.kernel.state) | vars(spec.kernel.vocabulary)
    functions = {declared.name: declared.function for declared in OPERATIONS}
    numbers = {declared.constant: declared.number for declared in OPERATIONS}
    return define(source, types | globals() | functions | numbers)


perform = _derived(perform_source())
packed_object = _derived(pack_source("object"))
packed_payload = _derived(pack_source("payload"))
arguments_told = _derived(told_source())
arguments_fit = _derived(range_source())


def known(call: Call) -> bool:
    """Does the call name an operation?"""
    return call.operation < OPERATION_COUNT


def kind_of(call: Call) -> Action:
    """The kind of the record that the call will leave."""
    return Action(KIND_OF[call.operation]) if known(call) else Action.PROOF_REJECTED


def meter_of(call: Call) -> Meter:
    """What the call is paid from; one that names no operation costs what any other does."""
    return Meter(METER_OF[call.operation]) if known(call) else Meter.CALLS


def admit(s: Kernel, call: Call) -> Status:
    """May a partition of this ring ask for this operation now?"""
    paid = pay(s, s.current, meter_of(call), call.now)
    if not paid:
        return Status.RATE_LIMITED
    if not known(call):
        return Status.UNKNOWN_OPERATION
    required = REQUIRED_RING[call.operation]
    if required == u8(Ring.ROOT):
        return Status.NEEDS_SRE_WITNESS
    ring = effective_ring(s, s.current, call.now) if ELEVATION_ADMITS[call.operation] != 0 else base_ring(s, s.current)
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
    """Does the call ask for the next eight records that nobody copied, while fewer wait to be dropped, in a page where they can be put?"""
    return (call.operation == WITNESS_READ and call.argument[2] == s.copied and s.copied - s.drained < DRAIN_LIMIT
            and s.sequence - s.copied >= DRAIN_LIMIT
            and call.argument[1] < PAGES and lets(s, s.current, PageId.truncate(call.argument[1]), Access.WRITE))


def drops_all(s: Kernel, call: Call) -> bool:
    """Does the call drop eight records, as many as it may, all copied?"""
    return call.operation == WITNESS_DISCARD and call.argument[1] == s.drained + (DRAIN_LIMIT - 1) and call.argument[1] < s.copied


def will_drain(s: Kernel, call: Call) -> bool:
    """Will this call bring eight records nearer to their way out of the log, or out of it?"""
    p = s.current
    return ((copies_on(s, call) or drops_all(s, call)) and u8(effective_ring(s, p, call.now)) <= REQUIRED_RING[call.operation]
            and affordable(s, p, Meter.MESSAGES, call.now) and lookup(s, call) == Status.OK)


def room_for(s: Kernel, call: Call) -> bool:
    """May the call be recorded? Within the caller's share of the log, or beyond it when it helps to make room."""
    if own_room(s, s.current):
        return True
    return log_room(s) and will_drain(s, call)


def in_charge(s: Kernel, call: Call) -> bool:
    """Is the caller the creator of the partition that it names, or in ring 1?"""
    ring = effective_ring(s, s.current, call.now)
    return s.partition[named_partition(s, call)].parent == s.current or ring == Ring.PRIVILEGED


def convinces(s: Kernel, call: Call, tier: Tier) -> bool:
    """P2 and, where the tier asks for it, P3: a path to the root that binds the caller, or to the one that the call replaces."""
    replaces_root = REPLACES_ROOT[call.operation] != 0
    digest = local(Digest)
    mutation_digest(s, call, u32(HANDLES[call.operation]), replaces_root, digest)
    if not policy_holds(s, call, tier, digest):
        return False
    if tier != Tier.P3:
        return True
    return path_holds(s, call, named_root(s, call) if replaces_root else s.partition[s.current].proof_root, digest)


def authorize(s: Kernel, call: Call) -> Status:
    """P1, and what more the tier of the operation asks for."""
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
    """What the record keeps as its object: packed arguments, x2 of a call that was refused, or what was asked for in vain."""
    if not known(call):
        return call.operation
    return packed_object(call) if status == Status.OK else call.argument[1]


def second_word(call: Call, status: Status) -> u64:
    """What the record keeps as its payload: packed arguments, x3 of a call that was refused, or x2 of one that names no operation."""
    if not known(call):
        return call.argument[1]
    return packed_payload(call) if status == Status.OK else call.argument[2]


def record(s: Kernel, call: Call, actor: PartitionId, status: Status) -> None:
    """Witness a call, allowed or denied."""
    kind = kind_of(call)
    tier = Tier(TIER_OF[call.operation]) if known(call) else Tier.NONE
    number = u8(call.operation) if known(call) else KERNEL_OPERATION
    append_for_partition(s, call.now, actor, kind, tier, status, number,
                         first_word(call, status), call.argument[0], second_word(call, status))


def dispatch(s: Kernel, call: Call) -> Status:
    """One hypercall of the current partition, from the registers to the record."""
    actor = s.current
    call.now = advance(s, call.now)
    call.yields = False
    clear(call.result)
    if not room_for(s, call):
        count_refusal(s, actor)
        return Status.WITNESS_FULL
    status = carry_out(s, call)
    record(s, call, actor, status)
    settle(s, call.yields)
    return status


@theorem("RING-10", "a call is carried out only in the ring that its operation requires")
def ring_is_enforced(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    if not known(call):
        return status != Status.OK
    return implies(status == Status.OK, u8(effective_ring(before, before.current, call.now)) <= REQUIRED_RING[call.operation])


@theorem("RING-23", "who is trusted, and what is attested, is said only by whom its own score, and those of its creators, let do so",
         about=lambda operation: not operation.elevation)
def elevation_admits_nobody(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    own = before.partition[before.current].ring
    return implies(status == Status.OK, u8(own) <= REQUIRED_RING[call.operation]
                   and u8(base_ring(before, before.current)) <= REQUIRED_RING[call.operation])


@theorem("RING-28", "trust and attestation are passed on only by whom its own score, and those of its creators, let do so",
         about=("capability_grant",))
def elevation_passes_nothing_on(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return implies(status == Status.OK and confers_trust(before.capability[call.capability].kind),
                   u8(base_ring(before, before.current)) <= REQUIRED_RING[call.operation])


@theorem("WIT-11", "no witness, no mutation: without room for the record nothing happens but the count")
def no_witness_no_mutation(before: Kernel, call: Call, after: Kernel, status: Status, p: PartitionId) -> bool:
    return implies(not room_for(before, call), status == Status.WITNESS_FULL
                   and implies(p != before.current, after.partition[p].refused == before.partition[p].refused)
                   and after.partition[p].refused >= before.partition[p].refused)


@theorem("GATE-1", "a call succeeds only on a live capability of its caller, on the right object, with the rights asked for",
         about=lambda operation: operation.takes_handle and not operation.accepts_dead)
def authority_is_presented(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    held = before.capability[call.capability]
    right_kind = ANY_OBJECT[call.operation] != 0 or u8(held.kind) == OBJECT_OF[call.operation]
    return implies(status == Status.OK, right_kind and live(before, call.capability) and current_object(before, call.capability)
                   and subset(Right(RIGHTS_OF[call.operation]), held.rights))


@theorem("WIT-15", "whoever may empty the log does so, whatever share of it is used up and whoever read how much of it: "
         "it drops eight records if so many were copied, else it copies eight more if there are so many", about=("witness_read", "witness_discard"))
def drain_is_never_locked_out(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    page = PageId.truncate(call.argument[1])
    drops = call.operation == WITNESS_DISCARD and call.argument[1] == before.drained + (DRAIN_LIMIT - 1)
    reads = (call.operation == WITNESS_READ and call.argument[2] == before.copied and call.argument[1] < PAGES
             and lets(before, before.current, page, Access.WRITE))
    due = drops if before.copied - before.drained >= DRAIN_LIMIT else reads and before.sequence - before.copied >= DRAIN_LIMIT
    may = (u8(effective_ring(before, before.current, call.now)) <= u8(Ring.STANDARD)
           and affordable(before, before.current, Meter.MESSAGES, call.now) and lookup(before, call) == Status.OK)
    return implies(log_room(before) and due and may, status == Status.OK)


@theorem("WIT-16", "beyond a partition's share of the log nothing is recorded but a read of the next eight records while fewer wait to be dropped, and a drop of eight")
def reserve_is_for_drains(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    read = before.copied - before.drained < DRAIN_LIMIT and after.copied == before.copied + DRAIN_LIMIT
    return implies(not own_room(before, before.current) and status != Status.WITNESS_FULL,
                   status == Status.OK and (read or after.drained == before.drained + DRAIN_LIMIT))


@theorem("WIT-17", "a call is refused for want of room exactly when there is none")
def refused_for_room_only(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    share = before.partition[before.current]
    place = before.sequence - before.drained < RECORDS and before.sequence < SEQUENCE_LIMIT
    return ((status == Status.WITNESS_FULL) == (not room_for(before, call))
            and implies(status == Status.WITNESS_FULL, not place or share.records >= share.quota))


@theorem("WIT-18", "the record gives back the call: x1, and all arguments if it succeeded, else x2 and x3, or what it asked for and x2")
def record_is_complete(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    entry = after.log[record_id(before.sequence)]
    if status == Status.WITNESS_FULL:
        return True
    if not known(call):
        return (entry.kind == Action.PROOF_REJECTED and entry.tier == Tier.NONE and entry.operation == KERNEL_OPERATION
                and entry.capability == call.argument[0] and entry.object == call.operation
                and entry.payload == call.argument[1])
    refused = entry.object == call.argument[1] and entry.payload == call.argument[2]
    return (u8(entry.kind) == KIND_OF[call.operation] and u8(entry.tier) == TIER_OF[call.operation]
            and u64(entry.operation) == call.operation and entry.capability == call.argument[0]
            and (arguments_told(call, entry.object, entry.payload) if status == Status.OK else refused))


@theorem("RING-15", "a call, known or not, is refused for its rate exactly when what it is paid from does not hold its cost")
def refused_for_rate_only(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    too_poor = not affordable(before, before.current, meter_of(call), call.now)
    return (status == Status.RATE_LIMITED) == (room_for(before, call) and too_poor)


@theorem("GATE-2", "who receives a capability or a page is named by a handle with WRITE; "
         "nobody else is told whether there is room for it",
         about=("capability_grant", "page_create"))
def receiver_is_authorized(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    told = status == Status.OK or status == Status.SLOT_IN_USE or status == Status.LIMIT_REACHED
    return implies(told, may_act_on(before, before.current, Handle.truncate(call.argument[3]), Right.WRITE))


@theorem("GATE-6", "a call that is refused tells its caller nothing but its status, and does not give way")
def refusal_tells_nothing(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    silent = call.result[0] == 0 and call.result[1] == 0 and call.result[2] == 0
    return implies(status != Status.OK, silent and not call.yields)


@theorem("GATE-3", "who receives a page of another is named by a handle with WRITE", about=("page_transfer",))
def heir_is_authorized(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return implies(status == Status.OK, may_act_on(before, before.current, Handle.truncate(call.argument[2]), Right.WRITE))


@theorem("GATE-5", "whose trust is assigned is named by a second handle, with WRITE, and of nobody else is anything known anew",
         about=("ring_assign",))
def trusted_is_authorized(before: Kernel, call: Call, after: Kernel, status: Status, p: PartitionId) -> bool:
    named = may_act_on(before, before.current, Handle.truncate(call.argument[1]), Right.WRITE) and p == second_partition(before, call)
    old = before.partition[p]
    new = after.partition[p]
    changed = old.score != new.score or old.consensus != new.consensus or old.ring != new.ring
    return implies(changed, named and status == Status.OK)


@theorem("GATE-4", "who is let to read a page is named by a handle with READ", about=("page_share",))
def reader_is_authorized(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return implies(status == Status.OK, may_act_on(before, before.current, Handle.truncate(call.argument[3]), Right.READ))


@theorem("PROOF-6", "a proof root is bound only to a partition named by a handle with WRITE, and it is the root that was named",
         about=("proof_root_bind",))
def binding_is_authorized(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    handle = Handle.truncate(call.argument[1])
    bound = after.partition[partition_named(before, before.current, handle)].proof_root
    return implies(status == Status.OK, may_act_on(before, before.current, handle, Right.WRITE) and bound == named_root(before, call))
