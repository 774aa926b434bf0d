"""How may partitions talk to each other?

What edges and notifications hold, who put it there, and how long it stays.
"""

from corollary.language.builtins import implies, wrapping_add, wrapping_sub
from corollary.language.property import corollary, invariant, theorem
from corollary.language.types import u32, u64
from corollary.spec.kernel.capability import free, holder, live, rooted
from corollary.spec.kernel.limits import EDGES, MESSAGES_PER_EDGE, NOTIFICATIONS, PAYLOAD_WORDS
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
)
from corollary.spec.kernel.vocabulary import ALL_RIGHTS, ObjectKind, PartitionState, Right, Status

# words of a page that holds a message
MESSAGE_LENGTH = 0
MESSAGE_BADGE = 1
MESSAGE_SCHEMA = 2
MESSAGE_SEQUENCE = 3
MESSAGE_AGENT = 4
MESSAGE_SOURCE = 5
MESSAGE_PAYLOAD = 8


def is_origin(s: Kernel, c: CapabilityId, kind: ObjectKind, object: u32) -> bool:
    """Does the slot hold the capability that was made with this object?"""
    return s.capability[c].kind == kind and s.capability[c].object == object and rooted(s, c)


def edge_exists(s: Kernel, e: EdgeId) -> bool:
    """Does the edge exist? It ends with the capability that was made with it."""
    return is_origin(s, s.edge[e].origin, ObjectKind.EDGE, u32(e))


def notification_exists(s: Kernel, n: NotificationId) -> bool:
    """Does the notification exist?"""
    return is_origin(s, s.notification[n].origin, ObjectKind.NOTIFICATION, u32(n))


def named_edge(s: Kernel, call: Call) -> EdgeId:
    """The edge that the handle of the call names."""
    return EdgeId.truncate(s.capability[call.capability].object)


def named_notification(s: Kernel, call: Call) -> NotificationId:
    """The notification that the handle of the call names."""
    return NotificationId.truncate(s.capability[call.capability].object)


def sender_of(s: Kernel, e: EdgeId) -> CapabilityId:
    """Return the only capability that sends through an edge.

    That is the one that sending was passed on to, or the origin once that one is dead.
    """
    last = s.edge[e].sender
    if s.capability[last].generation == s.edge[e].sender_generation and live(s, last):
        return last
    return s.edge[e].origin


def message_id(e: EdgeId, sequence: u64) -> MessageId:
    """The place of an edge's message with this number."""
    return MessagePlace(edge=e, turn=MessageTurn.truncate(sequence))


def edge_of(m: MessageId) -> EdgeId:
    """The edge that a message place belongs to."""
    return MessagePlace(m).edge


def oldest(s: Kernel, e: EdgeId) -> u64:
    """The number of the message that is received next."""
    return wrapping_sub(u64, s.edge[e].sent, u64(s.edge[e].waiting))


def behind(s: Kernel, m: MessageId) -> u64:
    """Return how many places a message is behind the oldest one of its edge."""
    return wrapping_sub(u64, u64(m), oldest(s, edge_of(m))) & (MESSAGES_PER_EDGE - 1)


def waits(s: Kernel, m: MessageId) -> bool:
    """Was the message sent, and not received yet?"""
    return behind(s, m) < s.edge[edge_of(m)].waiting


def is_full(s: Kernel, e: EdgeId) -> bool:
    """Has the edge no room for another message?"""
    return s.edge[e].waiting >= MESSAGES_PER_EDGE


@invariant("EDGE-1", "an edge or notification has one capability that derives from no other, and knows it")
def origin_is_known(s: Kernel, c: CapabilityId) -> bool:
    made = s.capability[c]
    edge = s.edge[EdgeId.truncate(made.object)]
    notification = s.notification[NotificationId.truncate(made.object)]
    return implies(made.kind == ObjectKind.EDGE and rooted(s, c), made.object < EDGES and edge.origin == c) and implies(
        made.kind == ObjectKind.NOTIFICATION and rooted(s, c), made.object < NOTIFICATIONS and notification.origin == c
    )


@invariant("EDGE-2", "an edge never holds more messages than it has room for")
def edge_is_bounded(s: Kernel, e: EdgeId) -> bool:
    return s.edge[e].waiting <= MESSAGES_PER_EDGE


@invariant("EDGE-3", "a message that waits stands at the place of its number, has the schema of its edge, and fits")
def message_in_place(s: Kernel, m: MessageId) -> bool:
    edge = s.edge[edge_of(m)]
    message = s.message[m]
    return implies(
        waits(s, m),
        message.sequence == wrapping_add(u64, oldest(s, edge_of(m)), behind(s, m))
        and message.schema == edge.schema
        and message.length <= PAYLOAD_WORDS,
    )


@corollary("EDGE-4", "a capability on an edge or notification is live only as long as that exists")
def authority_ends_with_its_object(s: Kernel, c: CapabilityId) -> bool:
    named = s.capability[c]
    return implies(
        named.kind == ObjectKind.EDGE and live(s, c),
        named.object < EDGES and edge_exists(s, EdgeId.truncate(named.object)),
    ) and implies(
        named.kind == ObjectKind.NOTIFICATION and live(s, c),
        named.object < NOTIFICATIONS and notification_exists(s, NotificationId.truncate(named.object)),
    )


@corollary("EDGE-5", "the edges and notifications of a partition end with it")
def objects_end_with_their_maker(s: Kernel, e: EdgeId, n: NotificationId) -> bool:
    return implies(edge_exists(s, e), is_present(s, holder(s.edge[e].origin))) and implies(
        notification_exists(s, n), is_present(s, holder(s.notification[n].origin))
    )


def is_present(s: Kernel, p: PartitionId) -> bool:
    """Is the partition neither vacant nor destroyed?"""
    return s.partition[p].state != PartitionState.VACANT and s.partition[p].state != PartitionState.DESTROYED


def same_message(before: Kernel, after: Kernel, m: MessageId, i: PayloadId) -> bool:
    """Are the header of a message and one word of its payload unchanged?"""
    old = before.message[m]
    new = after.message[m]
    return (
        old.length == new.length
        and old.badge == new.badge
        and old.schema == new.schema
        and old.sequence == new.sequence
        and old.agent == new.agent
        and old.source == new.source
        and old.reserved[0] == new.reserved[0]
        and old.reserved[1] == new.reserved[1]
        and old.word[i] == new.word[i]
    )


@theorem(
    "EDGE-10",
    (
        "an edge is made where there is none, empty, for the schema that is named, with all rights for its maker, "
        "who is the one that sends"
    ),
    about=("edge_create",),
)
def edge_is_made_empty(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    e = EdgeId.truncate(call.argument[1])
    origin = after.edge[e].origin
    return implies(
        status == Status.OK,
        not edge_exists(before, e)
        and edge_exists(after, e)
        and after.edge[e].schema == call.argument[3]
        and after.edge[e].waiting == 0
        and holder(origin) == before.current
        and after.capability[origin].rights == ALL_RIGHTS
        and after.edge[e].sender == origin
        and after.edge[e].sender_generation == after.capability[origin].generation,
    )


@theorem(
    "EDGE-11",
    (
        "what is sent is appended once, at the end: the words named, their length and schema, "
        "the badge of the slot it was sent through"
    ),
    about=("edge_send",),
)
def sending_appends(before: Kernel, call: Call, after: Kernel, status: Status, i: PayloadId) -> bool:
    e = named_edge(before, call)
    sent = before.edge[e].sent
    message = after.message[message_id(e, sent)]
    source = before.memory[PageId.truncate(call.argument[1])]
    word = source.word[EntryId(MESSAGE_PAYLOAD + u32(i))] if u64(i) < call.argument[2] else u64(0)
    return implies(
        status == Status.OK,
        after.edge[e].sent == wrapping_add(u64, sent, 1)
        and oldest(after, e) == oldest(before, e)
        and message.length == call.argument[2]
        and message.badge == before.capability[call.capability].badge
        and message.schema == call.argument[3]
        and message.sequence == sent
        and message.word[i] == word,
    )


@theorem(
    "EDGE-12",
    "what is received is the oldest message, as it was stored, and that is received no more",
    about=("edge_receive",),
)
def receiving_takes_the_oldest(before: Kernel, call: Call, after: Kernel, status: Status, i: PayloadId) -> bool:
    e = named_edge(before, call)
    m = message_id(e, oldest(before, e))
    message = before.message[m]
    target = after.memory[PageId.truncate(call.argument[1])]
    return implies(
        status == Status.OK,
        waits(before, m)
        and message.sequence == oldest(before, e)
        and oldest(after, e) == wrapping_add(u64, oldest(before, e), 1)
        and after.edge[e].sent == before.edge[e].sent
        and target.word[MESSAGE_LENGTH] == message.length
        and target.word[MESSAGE_BADGE] == message.badge
        and target.word[MESSAGE_SCHEMA] == message.schema
        and target.word[MESSAGE_SEQUENCE] == message.sequence
        and target.word[MESSAGE_AGENT] == message.agent
        and target.word[MESSAGE_SOURCE] == message.source
        and target.word[EntryId(MESSAGE_PAYLOAD + u32(i))] == message.word[i]
        and call.result[0] == message.length
        and call.result[1] == message.badge
        and call.result[2] == message.sequence,
    )


@theorem(
    "EDGE-13", "a message that waits in an edge stays as it is, whatever else happens, for as long as the edge exists"
)
def messages_stay(before: Kernel, after: Kernel, m: MessageId, i: PayloadId) -> bool:
    e = edge_of(m)
    return implies(
        waits(before, m) and edge_exists(before, e) and edge_exists(after, e), same_message(before, after, m, i)
    )


@theorem("EDGE-14", "an edge takes messages of the same schema as long as it exists")
def schema_is_fixed(before: Kernel, after: Kernel, e: EdgeId) -> bool:
    return implies(edge_exists(before, e) and edge_exists(after, e), before.edge[e].schema == after.edge[e].schema)


@theorem(
    "EDGE-15", "nothing is sent with another schema than that of the edge, nor into a full edge", about=("edge_send",)
)
def sending_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    e = named_edge(before, call)
    return (
        implies(status == Status.OK, call.argument[3] == before.edge[e].schema and not is_full(before, e))
        and implies(status == Status.SCHEMA_MISMATCH, call.argument[3] != before.edge[e].schema)
        and implies(status == Status.WOULD_BLOCK, is_full(before, e))
    )


@theorem("EDGE-16", "whoever receives is told to ask again exactly when nothing waits", about=("edge_receive",))
def receiving_is_refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return implies(status == Status.WOULD_BLOCK, before.edge[named_edge(before, call)].waiting == 0)


@theorem("EDGE-17", "an edge that is destroyed is gone, with the slot of its maker", about=("edge_destroy",))
def destroyed_edge_is_gone(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return implies(
        status == Status.OK,
        edge_exists(before, named_edge(before, call))
        and not edge_exists(after, named_edge(before, call))
        and free(after, call.capability),
    )


@theorem(
    "EDGE-18",
    "a notification is made where there is none, without bits, with all rights for its maker",
    about=("notification_create",),
)
def notification_is_made_empty(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    n = NotificationId.truncate(call.argument[1])
    origin = after.notification[n].origin
    return implies(
        status == Status.OK,
        not notification_exists(before, n)
        and notification_exists(after, n)
        and after.notification[n].bits == 0
        and holder(origin) == before.current
        and after.capability[origin].rights == ALL_RIGHTS,
    )


@theorem(
    "EDGE-19",
    "a signal sets the bits that it names, and clears none; all of them are bits of its badge, or it is the maker's",
    about=("notification_signal",),
)
def signals_are_added(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    n = named_notification(before, call)
    held = before.capability[call.capability]
    entitled = held.depth == 0 or call.argument[1] | held.badge == held.badge
    return implies(
        status == Status.OK, entitled and after.notification[n].bits == before.notification[n].bits | call.argument[1]
    ) and implies(status == Status.RIGHTS_ESCALATION, not entitled)


@theorem(
    "EDGE-21",
    "one capability at a time sends: the last to which that was passed on, or the maker's when that is dead",
    about=("edge_send",),
)
def one_sends(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    edge = before.edge[named_edge(before, call)]
    alive = before.capability[edge.sender].generation == edge.sender_generation and live(before, edge.sender)
    mine = call.capability == (edge.sender if alive else edge.origin)
    return implies(status == Status.OK, mine) and implies(status == Status.NOT_SENDER, not mine)


def passed_on(before: Kernel, call: Call, after: Kernel, e: EdgeId) -> bool:
    """Was the sender of an edge just derived, with WRITE, from the capability that the call names?"""
    new = after.edge[e].sender
    made = after.capability[new]
    return (
        free(before, new)
        and made.parent == call.capability
        and made.kind == ObjectKind.EDGE
        and made.object == u32(e)
        and made.rights & Right.WRITE != 0
        and made.generation == after.edge[e].sender_generation
    )


@theorem(
    "EDGE-22",
    "whoever passes WRITE on an edge on was the one that sends, and gives that away; who passes on less keeps it",
    about=("capability_grant",),
)
def sending_is_passed_on(before: Kernel, call: Call, after: Kernel, status: Status, e: EdgeId) -> bool:
    old = before.edge[e]
    new = after.edge[e]
    alive = before.capability[old.sender].generation == old.sender_generation and live(before, old.sender)
    held = before.capability[call.capability]
    moved = (
        status == Status.OK
        and held.kind == ObjectKind.EDGE
        and EdgeId.truncate(held.object) == e
        and call.argument[2] & u64(Right.WRITE) != 0
    )
    if moved:
        return call.capability == (old.sender if alive else old.origin) and passed_on(before, call, after, e)
    return new.sender == old.sender and new.sender_generation == old.sender_generation


@theorem(
    "EDGE-23",
    "who sends through an edge is fixed when it is made, and whenever WRITE on it is passed on",
    about=lambda operation: operation.name not in ("edge_create", "capability_grant"),
    unknown=True,
)
def sender_is_fixed(before: Kernel, after: Kernel, e: EdgeId) -> bool:
    return (
        before.edge[e].sender == after.edge[e].sender
        and before.edge[e].sender_generation == after.edge[e].sender_generation
    )


@theorem(
    "EDGE-20",
    "whoever waits takes all bits that are set, and clears just these; without any, it is told to ask again",
    about=("notification_wait",),
)
def bits_are_taken(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    old = before.notification[named_notification(before, call)].bits
    return implies(
        status == Status.OK,
        call.result[0] == old and old != 0 and after.notification[named_notification(before, call)].bits == 0,
    ) and implies(status == Status.WOULD_BLOCK, old == 0)
