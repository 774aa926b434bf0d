"""What do the operations on edges and notifications do?"""

from corollary.language.builtins import subset, wrapping_add, wrapping_sub
from corollary.language.property import ensures, succeeds
from corollary.language.types import u16, u32, u64
from corollary.spec.kernel.capability import free, holder, retired
from corollary.spec.kernel.limits import MESSAGES_PER_EDGE, PAYLOAD_WORDS
from corollary.spec.kernel.outcome.admission import holds_on, may_call, may_message, subject
from corollary.spec.kernel.outcome.agent import speaking
from corollary.spec.kernel.outcome.capability import EMPTIED, edge_named, sends
from corollary.spec.kernel.outcome.words import (
    counted_off,
    gives_words,
    handle_on,
    is_there,
    made_here,
    own_slot,
    slot_left,
    takes_words,
    tells,
)
from corollary.spec.kernel.packed import MessagePlace
from corollary.spec.kernel.state import (
    Call,
    CapabilityId,
    EdgeId,
    EntryId,
    Kernel,
    MessageId,
    MessageTurn,
    NotificationId,
    PageId,
    PartitionId,
    PayloadId,
    SlotId,
)
from corollary.spec.kernel.vocabulary import ObjectKind, Right, Ring

PAYLOAD = 8  # first word of the payload in a page; length, badge, schema, number, agent and source come before it


def lasts(s: Kernel, origin: CapabilityId, kind: ObjectKind, number: u32) -> bool:
    """Is what was made with this capability still there?

    The capability must be in its slot, derived from nothing, and its holder must be there.
    """
    made = s.capability[origin]
    return made.kind == kind and made.object == number and made.depth == 0 and is_there(s, holder(origin))


def notification_named(s: Kernel, call: Call) -> NotificationId:
    """The notification that the first register leads to."""
    return NotificationId.truncate(s.capability[subject(s, call)].object)


def next_place(s: Kernel, e: EdgeId) -> MessageId:
    """Where the next message of an edge goes."""
    return MessagePlace(edge=e, turn=MessageTurn.truncate(s.edge[e].sent))


def first_number(s: Kernel, e: EdgeId) -> u64:
    """The number of the message that has waited longest."""
    return wrapping_sub(u64, s.edge[e].sent, u64(s.edge[e].waiting))


def first_place(s: Kernel, e: EdgeId) -> MessageId:
    """Where the message that has waited longest is."""
    return MessagePlace(edge=e, turn=MessageTurn.truncate(first_number(s, e)))


def carried(
    before: Kernel, after: Kernel, e: EdgeId, here: bool, amount: u64, source: PartitionId, target: PartitionId
) -> bool:
    """Is this the traffic of an edge where it changes, and is it what it was elsewhere?"""
    old = before.traffic[e]
    new = after.traffic[e]
    if here:
        return new.carried == amount and new.source == source and new.target == target
    return new.carried == old.carried and new.source == old.source and new.target == old.target


def counted_for(before: Kernel, after: Kernel, q: PartitionId, length: u64) -> bool:
    """Has a message of so many words been counted for the caller, and for nobody else?"""
    more = (length >> 3) + 1 if q == before.current else u64(0)
    return after.partition[q].carried == wrapping_add(u64, before.partition[q].carried, more)


# ---- edges


@succeeds("edge_create")
def create_is_allowed(before: Kernel, call: Call, e: EdgeId, slot: SlotId, schema: u64) -> bool:
    target = own_slot(before, slot)
    return (
        may_call(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.SCHEDULER, Right.WRITE)
        and not lasts(before, before.edge[e].origin, ObjectKind.EDGE, u32(e))
        and free(before, target)
        and not retired(before, target)
        and before.partition[before.current].edges_made < before.partition[before.current].edges
    )


@ensures(
    "edge_create",
    "the edge is there, empty, for messages of the schema named; its maker has all rights on it, and has made one more",
    changes=("edge", "traffic", "capability", "partition.edges_made", "result"),
)
def create_is_exact(
    before: Kernel,
    call: Call,
    after: Kernel,
    e: EdgeId,
    slot: SlotId,
    schema: u64,
    any_edge: EdgeId,
    c: CapabilityId,
    q: PartitionId,
) -> bool:
    target = own_slot(before, slot)
    old = before.edge[any_edge]
    new = after.edge[any_edge]
    empty = (
        new.origin == target
        and new.schema == schema
        and new.sent == 0
        and new.waiting == 0
        and new.sender == target
        and new.sender_generation == before.capability[target].generation
    )
    kept = (
        new.origin == old.origin
        and new.schema == old.schema
        and new.sent == old.sent
        and new.waiting == old.waiting
        and new.sender == old.sender
        and new.sender_generation == old.sender_generation
    )
    return (
        (empty if any_edge == e else kept)
        and carried(before, after, any_edge, any_edge == e, u64(0), before.current, before.current)
        and made_here(before, after, c, target, ObjectKind.EDGE, u32(e), 0)
        and u32(after.partition[q].edges_made)
        == u32(before.partition[q].edges_made) + (1 if q == before.current else 0)
        and tells(call, handle_on(before, target), 0, 0)
    )


@succeeds("edge_destroy")
def destroy_is_allowed(before: Kernel, call: Call) -> bool:
    return (
        may_call(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.EDGE, Right.REVOKE)
        and before.capability[subject(before, call)].depth == 0
    )


@ensures(
    "edge_destroy",
    "the slot that was filled when the edge was made is empty, and so the edge is gone, and counted no more",
    changes=EMPTIED,
)
def destroy_is_exact(before: Kernel, call: Call, after: Kernel, c: CapabilityId, q: PartitionId) -> bool:
    emptied = subject(before, call)
    return slot_left(before, after, c, c == emptied) and counted_off(before, after, q, emptied)


@succeeds("edge_send")
def send_is_allowed(before: Kernel, call: Call, page: PageId, length: u16, schema: u64) -> bool:
    edge = before.edge[edge_named(before, call)]
    return (
        may_message(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.EDGE, Right.WRITE)
        and gives_words(before, page)
        and sends(before, call)
        and length <= PAYLOAD_WORDS
        and schema == edge.schema
        and edge.waiting < MESSAGES_PER_EDGE
    )


@ensures(
    "edge_send",
    "the words named stand behind what waits, with their length, the sender's badge, the schema, their number, "
    "the badge of the agent that speaks, and the partition that sends",
    changes=("message", "edge.sent", "edge.waiting", "traffic.carried", "traffic.source", "partition.carried"),
)
def send_is_exact(
    before: Kernel,
    call: Call,
    after: Kernel,
    page: PageId,
    length: u16,
    schema: u64,
    any_edge: EdgeId,
    m: MessageId,
    i: PayloadId,
    q: PartitionId,
) -> bool:
    e = edge_named(before, call)
    old = before.message[m]
    new = after.message[m]
    source = before.memory[page].word[EntryId(PAYLOAD + u32(i))]
    zero = new.reserved[0] == 0 and new.reserved[1] == 0
    put = (
        new.length == length
        and new.badge == before.capability[subject(before, call)].badge
        and new.schema == schema
        and new.sequence == before.edge[e].sent
        and new.agent == speaking(before)
        and new.source == before.current
        and zero
        and new.word[i] == (source if i < length else u64(0))
    )
    kept = (
        new.length == old.length
        and new.badge == old.badge
        and new.schema == old.schema
        and new.sequence == old.sequence
        and new.agent == old.agent
        and new.source == old.source
        and new.reserved[0] == old.reserved[0]
        and new.reserved[1] == old.reserved[1]
        and new.word[i] == old.word[i]
    )
    more = u64(1) if any_edge == e else u64(0)
    counted = wrapping_add(u64, before.traffic[any_edge].carried, u64(length >> 3) + 1)
    return (
        (put if m == next_place(before, e) else kept)
        and after.edge[any_edge].sent == wrapping_add(u64, before.edge[any_edge].sent, more)
        and carried(before, after, any_edge, any_edge == e, counted, before.current, before.traffic[any_edge].target)
        and u64(after.edge[any_edge].waiting) == u64(before.edge[any_edge].waiting) + more
        and counted_for(before, after, q, u64(length))
    )


@succeeds("edge_receive")
def receive_is_allowed(before: Kernel, call: Call, page: PageId) -> bool:
    return (
        may_message(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.EDGE, Right.READ)
        and takes_words(before, page)
        and before.edge[edge_named(before, call)].waiting != 0
    )


@ensures(
    "edge_receive",
    "the page begins with the message that waited longest, which waits no more; the caller is told of it",
    changes=("memory", "edge.waiting", "traffic.target", "partition.carried", "result"),
)
def receive_is_exact(
    before: Kernel,
    call: Call,
    after: Kernel,
    page: PageId,
    any_page: PageId,
    entry: EntryId,
    any_edge: EdgeId,
    q: PartitionId,
) -> bool:
    e = edge_named(before, call)
    message = before.message[first_place(before, e)]
    new = after.memory[any_page].word[entry]
    less = u32(1) if any_edge == e else u32(0)
    seen = before.traffic[any_edge]
    counted = (
        u32(after.edge[any_edge].waiting) + less == u32(before.edge[any_edge].waiting)
        and carried(before, after, any_edge, any_edge == e, seen.carried, seen.source, before.current)
        and counted_for(before, after, q, message.length)
    )
    told = tells(call, message.length, message.badge, message.sequence)
    if any_page != page or 6 <= entry < PAYLOAD or entry >= PAYLOAD + PAYLOAD_WORDS:
        return counted and told and new == before.memory[any_page].word[entry]
    if entry >= PAYLOAD:
        return counted and told and new == message.word[PayloadId.truncate(u32(entry) - PAYLOAD)]
    header = (
        message.length
        if entry == 0
        else message.badge
        if entry == 1
        else message.schema
        if entry == 2
        else message.sequence
        if entry == 3
        else message.agent
        if entry == 4
        else message.source
    )
    return counted and told and new == header


# ---- notifications


@succeeds("notification_create")
def notification_is_allowed(before: Kernel, call: Call, n: NotificationId, slot: SlotId) -> bool:
    target = own_slot(before, slot)
    return (
        may_call(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.SCHEDULER, Right.WRITE)
        and not lasts(before, before.notification[n].origin, ObjectKind.NOTIFICATION, u32(n))
        and free(before, target)
        and not retired(before, target)
        and before.partition[before.current].notifications_made < before.partition[before.current].notifications
    )


@ensures(
    "notification_create",
    "the notification is there, without bits; its maker has all rights on it, and has made one more",
    changes=("notification", "capability", "partition.notifications_made", "result"),
)
def notification_is_exact(
    before: Kernel,
    call: Call,
    after: Kernel,
    n: NotificationId,
    slot: SlotId,
    any_one: NotificationId,
    c: CapabilityId,
    q: PartitionId,
) -> bool:
    target = own_slot(before, slot)
    old = before.notification[any_one]
    new = after.notification[any_one]
    made = new.origin == target and new.bits == 0
    return (
        (made if any_one == n else new.origin == old.origin and new.bits == old.bits)
        and made_here(before, after, c, target, ObjectKind.NOTIFICATION, u32(n), 0)
        and u32(after.partition[q].notifications_made)
        == u32(before.partition[q].notifications_made) + (1 if q == before.current else 0)
        and tells(call, handle_on(before, target), 0, 0)
    )


@succeeds("notification_signal")
def signal_is_allowed(before: Kernel, call: Call, bits: u64) -> bool:
    presented = before.capability[subject(before, call)]
    own_bits = presented.depth == 0 or subset(bits, presented.badge)
    return (
        may_message(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.NOTIFICATION, Right.WRITE)
        and own_bits
    )


@ensures("notification_signal", "the bits named are set, beside those that were", changes=("notification.bits",))
def signal_is_exact(before: Kernel, call: Call, after: Kernel, bits: u64, any_one: NotificationId) -> bool:
    added = bits if any_one == notification_named(before, call) else u64(0)
    return after.notification[any_one].bits == before.notification[any_one].bits | added


@succeeds("notification_wait")
def wait_is_allowed(before: Kernel, call: Call) -> bool:
    return (
        may_message(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.NOTIFICATION, Right.READ)
        and before.notification[notification_named(before, call)].bits != 0
    )


@ensures(
    "notification_wait",
    "the caller is told the bits that were set, and they are not set any more",
    changes=("notification.bits", "result"),
)
def wait_is_exact(before: Kernel, call: Call, after: Kernel, any_one: NotificationId) -> bool:
    n = notification_named(before, call)
    left = u64(0) if any_one == n else before.notification[any_one].bits
    return after.notification[any_one].bits == left and tells(call, before.notification[n].bits, 0, 0)
