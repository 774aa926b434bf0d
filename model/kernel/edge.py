"""How do partitions talk to each other?

Messages go through edges, bits through notifications; nobody waits in the kernel.

Words of a page that holds a message: 0 length in words, 1 badge, 2 schema, 3 sequence, 4 agent, 5 source, 8.. payload.
"""

from corollary.language.builtins import subset, wrapping_add
from corollary.language.types import u16, u32, u64
from corollary.model.kernel.capability import mint, release
from corollary.model.kernel.operation import operation
from corollary.spec.kernel.agent import speaker_of
from corollary.spec.kernel.capability import capability_id, free, retired, rooted
from corollary.spec.kernel.edge import (
    MESSAGE_AGENT,
    MESSAGE_BADGE,
    MESSAGE_LENGTH,
    MESSAGE_PAYLOAD,
    MESSAGE_SCHEMA,
    MESSAGE_SEQUENCE,
    MESSAGE_SOURCE,
    edge_exists,
    is_full,
    message_id,
    named_edge,
    named_notification,
    notification_exists,
    oldest,
    sender_of,
)
from corollary.spec.kernel.limits import HEADER_RESERVED, PAYLOAD_WORDS
from corollary.spec.kernel.memory import lets, owns_data
from corollary.spec.kernel.packed import HandleParts
from corollary.spec.kernel.state import Call, EdgeId, EntryId, Kernel, MessageId, NotificationId, PageId, SlotId
from corollary.spec.kernel.traffic import with_message
from corollary.spec.kernel.vocabulary import ALL_RIGHTS, Access, ObjectKind, Status


@operation
def edge_create(s: Kernel, call: Call, e: EdgeId, slot: SlotId, schema: u64) -> Status:
    """Make an edge for messages of one schema, with all rights on it in the caller's free `slot`.

    It ends when that slot is emptied.
    """
    target = capability_id(s.current, slot)
    if edge_exists(s, e):
        return Status.OBJECT_IN_USE
    if not free(s, target):
        return Status.SLOT_IN_USE
    if retired(s, target):
        return Status.SLOT_RETIRED
    maker = s.partition[s.current]
    if maker.edges_made >= maker.edges:
        return Status.LIMIT_REACHED
    maker.edges_made += 1
    edge = s.edge[e]
    edge.origin = target
    edge.sender = target
    edge.sender_generation = s.capability[target].generation
    edge.schema = schema
    edge.sent = 0
    edge.waiting = 0
    s.traffic[e].carried = 0
    s.traffic[e].source = s.current
    s.traffic[e].target = s.current
    mint(s, target, ObjectKind.EDGE, u32(e), 0, ALL_RIGHTS)
    call.result[0] = HandleParts(slot=slot, generation=s.capability[target].generation)
    return Status.OK


@operation
def edge_destroy(s: Kernel, call: Call) -> Status:
    """End an edge, through the capability that was made with it.

    All other capabilities on it die, and what was not received is lost.
    """
    if not rooted(s, call.capability):
        return Status.NOT_OWNER
    release(s, s.current, SlotId.truncate(call.capability))
    return Status.OK


def put_payload(s: Kernel, m: MessageId, page: PageId, length: u64) -> None:
    """Copy the payload of a message out of a page; words beyond its length become zero."""
    source = s.memory[page]
    message = s.message[m]
    for i in range(PAYLOAD_WORDS):
        word = source.word[EntryId(MESSAGE_PAYLOAD + i)]
        message.word[i] = word if i < length else u64(0)


def take_payload(s: Kernel, m: MessageId, page: PageId) -> None:
    """Copy the payload of a message into a page."""
    message = s.message[m]
    target = s.memory[page]
    for i in range(PAYLOAD_WORDS):
        target.word[EntryId(MESSAGE_PAYLOAD + i)] = message.word[i]


def count(s: Kernel, length: u64) -> None:
    """Count a message of so many words for the caller, who sends or receives it."""
    own = s.partition[s.current]
    own.carried = with_message(own.carried, length)


@operation
def edge_send(s: Kernel, call: Call, page: PageId, length: u16, schema: u64) -> Status:
    """Append a message to an edge, as the one that sends.

    The message is `length` words of the caller's page, under the badges of the caller's slot and of the
    agent that speaks.
    """
    e = named_edge(s, call)
    edge = s.edge[e]
    if call.capability != sender_of(s, e):
        return Status.NOT_SENDER
    if length > PAYLOAD_WORDS:
        return Status.BAD_ARGUMENT
    if not owns_data(s, s.current, page):
        return Status.NOT_OWNER
    if not lets(s, s.current, page, Access.READ):
        return Status.NOT_MAPPED
    if schema != edge.schema:
        return Status.SCHEMA_MISMATCH
    if is_full(s, e):
        return Status.WOULD_BLOCK
    m = message_id(e, edge.sent)
    message = s.message[m]
    message.length = length
    message.badge = s.capability[call.capability].badge
    message.schema = schema
    message.sequence = edge.sent
    message.agent = speaker_of(s)
    message.source = s.current
    for i in range(HEADER_RESERVED):
        message.reserved[i] = 0
    put_payload(s, m, page, u64(length))
    edge.sent = wrapping_add(u64, edge.sent, 1)
    edge.waiting += 1
    s.traffic[e].carried = with_message(s.traffic[e].carried, u64(length))
    s.traffic[e].source = s.current
    count(s, u64(length))
    return Status.OK


@operation
def edge_receive(s: Kernel, call: Call, page: PageId) -> Status:
    """Move the oldest message of an edge to the start of the caller's page; return its length, badge and number."""
    e = named_edge(s, call)
    edge = s.edge[e]
    if not owns_data(s, s.current, page):
        return Status.NOT_OWNER
    if not lets(s, s.current, page, Access.WRITE):
        return Status.NOT_MAPPED
    if edge.waiting == 0:
        return Status.WOULD_BLOCK
    m = message_id(e, oldest(s, e))
    message = s.message[m]
    target = s.memory[page]
    target.word[MESSAGE_LENGTH] = message.length
    target.word[MESSAGE_BADGE] = message.badge
    target.word[MESSAGE_SCHEMA] = message.schema
    target.word[MESSAGE_SEQUENCE] = message.sequence
    target.word[MESSAGE_AGENT] = message.agent
    target.word[MESSAGE_SOURCE] = message.source
    take_payload(s, m, page)
    edge.waiting -= 1
    s.traffic[e].target = s.current
    count(s, message.length)
    call.result[0] = message.length
    call.result[1] = message.badge
    call.result[2] = message.sequence
    return Status.OK


@operation
def notification_create(s: Kernel, call: Call, n: NotificationId, slot: SlotId) -> Status:
    """Make a notification, with all rights on it in the caller's free `slot`; it ends when that slot is emptied."""
    target = capability_id(s.current, slot)
    if notification_exists(s, n):
        return Status.OBJECT_IN_USE
    if not free(s, target):
        return Status.SLOT_IN_USE
    if retired(s, target):
        return Status.SLOT_RETIRED
    maker = s.partition[s.current]
    if maker.notifications_made >= maker.notifications:
        return Status.LIMIT_REACHED
    maker.notifications_made += 1
    s.notification[n].origin = target
    s.notification[n].bits = 0
    mint(s, target, ObjectKind.NOTIFICATION, u32(n), 0, ALL_RIGHTS)
    call.result[0] = HandleParts(slot=slot, generation=s.capability[target].generation)
    return Status.OK


@operation
def notification_signal(s: Kernel, call: Call, bits: u64) -> Status:
    """Set bits of a notification: those of the caller's badge, or any through the capability that was made with it."""
    if not rooted(s, call.capability) and not subset(bits, s.capability[call.capability].badge):
        return Status.RIGHTS_ESCALATION
    s.notification[named_notification(s, call)].bits |= bits
    return Status.OK


@operation
def notification_wait(s: Kernel, call: Call) -> Status:
    """Take all bits that are set; if none is set, the caller may give way and ask again."""
    notification = s.notification[named_notification(s, call)]
    if notification.bits == 0:
        return Status.WOULD_BLOCK
    call.result[0] = notification.bits
    notification.bits = 0
    return Status.OK
