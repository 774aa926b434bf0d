"""What may a device read and write? Only a page that is pinned for the holder of its lease, and its own queue."""

from corollary.language.builtins import implies, maximum
from corollary.language.property import by_itself, corollary, invariant, theorem
from corollary.language.types import u8, u16, u32, u64
from corollary.spec.kernel.hardware import POOL_END, page_address
from corollary.spec.kernel.integrity import acts_on, loses_page, presents
from corollary.spec.kernel.limits import BUDGET_LIMIT, DEVICES, QUEUE_SIZE
from corollary.spec.kernel.memory import mapping_id
from corollary.spec.kernel.state import (
    Answer,
    Call,
    Descriptor,
    DeviceId,
    Kernel,
    Ordinal,
    PageId,
    PartitionId,
    Queue,
    UsedWord,
)
from corollary.spec.kernel.vocabulary import (
    ALL_RIGHTS,
    Action,
    DescriptorFlags,
    DeviceKind,
    ObjectKind,
    PageKind,
    Right,
    Status,
    Tier,
)
from corollary.spec.kernel.witness import KERNEL_ACTOR, KERNEL_OPERATION, kernel_room, record_id

PAGE_BYTES = 4096
QUEUE_BYTES = Queue.layout.size
ANSWER_BYTES = Answer.layout.size
HEADER_AT = Queue.layout["type"].offset
STATUS_AT = Answer.layout["status"].offset
ANSWERS = POOL_END + DEVICES * QUEUE_BYTES
HEADER_BYTES = 16  # of a request: type, priority, sector


def named_device(s: Kernel, call: Call) -> DeviceId:
    """The device that the handle of the call names."""
    return DeviceId.truncate(s.capability[call.capability].object)


def holds_lease(s: Kernel, p: PartitionId, d: DeviceId) -> bool:
    """Has this incarnation of the partition the lease, ended or not?"""
    device = s.device[d]
    return device.leased and device.holder == p and device.incarnation == s.partition[p].generation


def header_address(d: DeviceId) -> u64:
    """The physical address of the header of a device's request."""
    return POOL_END + u64(d) * QUEUE_BYTES + HEADER_AT


def status_address(d: DeviceId) -> u64:
    """The physical address of the byte in which a device says how a request ended."""
    return ANSWERS + u64(d) * ANSWER_BYTES + STATUS_AT


def suits(kind: DeviceKind, incoming: bool, sector: u64) -> bool:
    """Can this kind of device do such a request? A stream goes one way, and has no places."""
    return kind == DeviceKind.BLOCK or incoming == (kind == DeviceKind.RECEIVER) and sector == 0


def first_descriptor(kind: DeviceKind) -> u16:
    """Return at which descriptor each request to such a device begins: a stream has neither header nor status."""
    return u16(1) if kind == DeviceKind.TRANSMITTER or kind == DeviceKind.RECEIVER else u16(0)


def written_length(s: Kernel, d: DeviceId) -> u32:
    """Return how many bytes a device says it has written for the newest request (virtio 1.2, 2.7.8)."""
    return s.answer[d].element[UsedWord(2 * ((u32(s.queue[d].available) + QUEUE_SIZE - 1) % QUEUE_SIZE) + 1)]


def blank(s: Kernel, d: DeviceId) -> bool:
    """Do all descriptors of a request name nothing?"""
    queue = s.queue[d]
    return queue.header.length == 0 and queue.data.length == 0 and queue.status.length == 0


@invariant("DEV-1", "a device without a request in flight sees no memory, and one with a request is leased")
def idle_is_blank(s: Kernel, d: DeviceId) -> bool:
    return s.device[d].leased if s.device[d].busy else blank(s, d)


@invariant("DEV-2", "the page of a request is data of the holder of the lease, in this incarnation, and pinned")
def request_is_pinned(s: Kernel, d: DeviceId) -> bool:
    device = s.device[d]
    page = s.page[device.page]
    pin = s.pin[device.page]
    return implies(
        device.busy,
        pin.held
        and pin.device == d
        and page.kind == PageKind.DATA
        and page.owner == device.holder
        and s.partition[device.holder].generation == device.incarnation,
    )


@invariant("DEV-3", "a page is pinned only for a request in flight")
def pinned_is_requested(s: Kernel, page: PageId) -> bool:
    device = s.device[s.pin[page].device]
    return implies(s.pin[page].held, device.busy and device.page == page)


def shows_page(s: Kernel, d: DeviceId) -> bool:
    """Does the descriptor of the data name bytes of the page of the request, and nothing else?"""
    base = page_address(s.device[d].page)
    end = base + PAGE_BYTES
    data = s.queue[d].data
    return base <= data.address <= end and data.length <= end - data.address


@invariant("DEV-4", "a block device with a request sees its header to read, its status to write, and bytes of its page")
def descriptors_are_exact(s: Kernel, d: DeviceId) -> bool:
    device = s.device[d]
    queue = s.queue[d]
    header = (
        queue.header.address == header_address(d)
        and queue.header.length == HEADER_BYTES
        and queue.header.flags == DescriptorFlags.NEXT
        and queue.header.next == 1
    )
    direction = DescriptorFlags.WRITE if device.incoming else DescriptorFlags(0)
    data = shows_page(s, d) and queue.data.flags == DescriptorFlags.NEXT | direction and queue.data.next == 2
    status = (
        queue.status.address == status_address(d)
        and queue.status.length == 1
        and queue.status.flags == DescriptorFlags.WRITE
        and queue.status.next == 0
    )
    return implies(device.busy and device.kind == DeviceKind.BLOCK, header and data and status)


@invariant("DEV-14", "a stream with a request sees bytes of its page, the way it goes, and nothing else")
def stream_shows_page_alone(s: Kernel, d: DeviceId) -> bool:
    device = s.device[d]
    queue = s.queue[d]
    direction = DescriptorFlags.WRITE if device.incoming else DescriptorFlags(0)
    alone = queue.header.length == 0 and queue.status.length == 0
    data = shows_page(s, d) and queue.data.flags == direction and queue.data.next == 0
    way = device.incoming == (device.kind == DeviceKind.RECEIVER)
    return implies(device.busy and device.kind != DeviceKind.BLOCK, alone and data and way)


@invariant("DEV-5", "the page of a request stays mapped for its owner, and is not executed if the device writes it")
def written_is_not_executed(s: Kernel, d: DeviceId) -> bool:
    device = s.device[d]
    mapped = s.mapping[mapping_id(device.page, Ordinal(0))].linked
    return implies(device.busy, mapped and implies(device.incoming, not s.page[device.page].fetched))


@invariant("DEV-6", "the fourth descriptor names nothing, and each request begins where its device begins to read")
def spare_is_blank(s: Kernel, d: DeviceId) -> bool:
    queue = s.queue[d]
    first = first_descriptor(s.device[d].kind)
    return (
        queue.spare.length == 0
        and queue.ring[0] == first
        and queue.ring[1] == first
        and queue.ring[2] == first
        and queue.ring[3] == first
    )


@invariant("DEV-7", "no lease has more bytes left than may be moved on one")
def budget_is_bounded(s: Kernel, d: DeviceId) -> bool:
    return s.device[d].budget <= BUDGET_LIMIT


@invariant("DEV-8", "a lease names no incarnation of its holder that is still to come, so it ends with its holder")
def lease_is_of_the_past(s: Kernel, d: DeviceId) -> bool:
    device = s.device[d]
    return implies(device.leased, device.incarnation <= s.partition[device.holder].generation)


def names(descriptor: Descriptor, address: u64, writes: bool) -> bool:
    """Does the descriptor let a device read this byte, or write it?"""
    way = (descriptor.flags & DescriptorFlags.WRITE != 0) == writes
    return descriptor.address <= address and address - descriptor.address < descriptor.length and way


@corollary(
    "DMA-1",
    "whatever byte of memory a device may read or write is in a page pinned for the holder of its lease, to be "
    "written only if the request says so, or is its own header, to read, or its own status, to write",
)
def devices_stay_inside(s: Kernel, d: DeviceId, address: u64, writes: bool) -> bool:
    queue = s.queue[d]
    device = s.device[d]
    base = page_address(device.page)
    named = (
        names(queue.header, address, writes)
        or names(queue.data, address, writes)
        or names(queue.status, address, writes)
        or names(queue.spare, address, writes)
    )
    in_page = base <= address < base + PAGE_BYTES and writes == device.incoming
    own = s.pin[device.page].held and s.pin[device.page].device == d and s.page[device.page].owner == device.holder
    in_header = header_address(d) <= address < header_address(d) + HEADER_BYTES and not writes
    is_status = address == status_address(d) and writes
    return implies(named, device.busy and device.leased and (in_page and own or in_header or is_status))


@corollary("DMA-2", "no two devices may use the same page, and none uses a page that is free or a table")
def pages_are_pinned_once(s: Kernel, d: DeviceId, e: DeviceId) -> bool:
    one = s.device[d]
    other = s.device[e]
    return implies(one.busy, s.page[one.page].kind == PageKind.DATA) and implies(
        one.busy and other.busy and d != e, one.page != other.page
    )


@theorem("DMA-3", "a pinned page keeps its owner, its use and its mapping until no device sees it any more")
def pinned_pages_stay(before: Kernel, after: Kernel, page: PageId) -> bool:
    old = before.page[page]
    new = after.page[page]
    own = mapping_id(page, Ordinal(0))
    return implies(
        before.pin[page].held and after.pin[page].held,
        new.kind == old.kind and new.owner == old.owner and after.mapping[own].linked == before.mapping[own].linked,
    ) and implies(before.pin[page].held and not after.pin[page].held, blank(after, before.pin[page].device))


def same_descriptor(old: Descriptor, new: Descriptor) -> bool:
    """Is a descriptor unchanged?"""
    return old.address == new.address and old.length == new.length and old.flags == new.flags and old.next == new.next


def same_kind(before: Kernel, after: Kernel, d: DeviceId) -> bool:
    """Is the same device behind a transport, or none as before?"""
    return before.device[d].kind == after.device[d].kind


def same_lease(before: Kernel, after: Kernel, d: DeviceId) -> bool:
    """Are a device, its lease and its request unchanged?"""
    old = before.device[d]
    new = after.device[d]
    return (
        old.leased == new.leased
        and old.holder == new.holder
        and old.incarnation == new.incarnation
        and old.until == new.until
        and old.budget == new.budget
        and old.busy == new.busy
        and old.incoming == new.incoming
        and old.page == new.page
        and old.active == new.active
    )


def same_ring(before: Kernel, after: Kernel, d: DeviceId) -> bool:
    """Do the requests of a device begin at the same descriptor?"""
    old = before.queue[d]
    new = after.queue[d]
    return (
        old.ring[0] == new.ring[0]
        and old.ring[1] == new.ring[1]
        and old.ring[2] == new.ring[2]
        and old.ring[3] == new.ring[3]
    )


def same_request(before: Kernel, after: Kernel, d: DeviceId) -> bool:
    """Is what a device reads of its queue, besides where requests begin, unchanged?"""
    old = before.queue[d]
    new = after.queue[d]
    return (
        same_descriptor(old.header, new.header)
        and same_descriptor(old.data, new.data)
        and same_descriptor(old.status, new.status)
        and same_descriptor(old.spare, new.spare)
        and old.flags == new.flags
        and old.available == new.available
        and old.event == new.event
        and old.reserved == new.reserved
        and old.type == new.type
        and old.priority == new.priority
        and old.sector == new.sector
    )


def same_answer(before: Kernel, after: Kernel, d: DeviceId, i: UsedWord) -> bool:
    """Is what a device wrote as its answer unchanged?"""
    old = before.answer[d]
    new = after.answer[d]
    return (
        old.flags == new.flags
        and old.used == new.used
        and old.element[i] == new.element[i]
        and old.event == new.event
        and old.status == new.status
    )


def same_pin(before: Kernel, after: Kernel, page: PageId) -> bool:
    """Is a page pinned as before?"""
    old = before.pin[page]
    new = after.pin[page]
    return old.held == new.held and old.device == new.device


def is_presented(s: Kernel, call: Call, d: DeviceId) -> bool:
    """Does a handle of the call name the device?"""
    return presents(s, call, ObjectKind.TRANSPORT, u32(d), DEVICES - 1, ALL_RIGHTS)


@theorem(
    "INT-31",
    "a lease, its request and its queue change only through a handle on the device, or through one on who holds the "
    "lease, or when a page is taken back from that",
)
def devices_obey_their_handles(before: Kernel, call: Call, after: Kernel, d: DeviceId, i: UsedWord) -> bool:
    p = before.device[d].holder
    ended = before.device[d].busy and (acts_on(before, call, p, Right.WRITE) or loses_page(before, call, p))
    queue = same_request(before, after, d) and same_ring(before, after, d)
    same = same_lease(before, after, d) and queue and same_answer(before, after, d, i)
    return same_kind(before, after, d) and implies(not same, is_presented(before, call, d) or ended)


@theorem(
    "INT-32",
    "a page is pinned only through a handle on the device that may use it, and let go through that, through one on "
    "its owner, or when it is taken back",
)
def pins_obey_their_handles(before: Kernel, call: Call, after: Kernel, page: PageId) -> bool:
    p = before.page[page].owner
    made = is_presented(before, call, after.pin[page].device)
    ended = before.pin[page].held and (acts_on(before, call, p, Right.WRITE) or loses_page(before, call, p))
    return implies(not same_pin(before, after, page), made or ended and not after.pin[page].held)


@theorem(
    "INT-33",
    "what happens without a call changes no lease, no request, no queue and no pin; a device answers only for who "
    "holds its lease",
    about=by_itself,
)
def leases_are_left_alone(
    before: Kernel, after: Kernel, actor: PartitionId, d: DeviceId, i: UsedWord, page: PageId
) -> bool:
    answers = before.device[d].busy and before.device[d].holder == actor
    return (
        same_lease(before, after, d)
        and same_request(before, after, d)
        and (same_ring(before, after, d) or not same_kind(before, after, d))
        and same_pin(before, after, page)
        and implies(not same_answer(before, after, d, i), answers)
    )


@invariant("DEV-12", "only a device that is there is leased")
def leased_is_there(s: Kernel, d: DeviceId) -> bool:
    return implies(s.device[d].leased, s.device[d].kind != DeviceKind.ABSENT)


@invariant(
    "DEV-13", "a device that may still use memory has a request in flight: it is done or reset before that is over"
)
def active_is_busy(s: Kernel, d: DeviceId) -> bool:
    return implies(s.device[d].active, s.device[d].busy)


@theorem("DEV-9", "a device that is found is there from then on; all others are as they were", about=("find",))
def found_device_is_there(before: Kernel, d: DeviceId, kind: DeviceKind, after: Kernel, e: DeviceId) -> bool:
    news = e == d and before.device[e].kind == DeviceKind.ABSENT
    return after.device[e].kind == kind if news else same_kind(before, after, e)


@theorem(
    "DEV-10",
    "the log tells where a device is found, when and of which kind, if the kernel's reserve has room",
    about=("find",),
)
def found_device_is_told(before: Kernel, now: u64, d: DeviceId, kind: DeviceKind, after: Kernel) -> bool:
    room = kernel_room(before)
    record = after.log[record_id(before.sequence)]
    told = (
        record.sequence == before.sequence
        and record.time == maximum(now, before.time)
        and record.kind == Action.DEVICE_FIND
        and record.tier == Tier.NONE
        and record.status == Status.OK
        and record.operation == KERNEL_OPERATION
        and record.actor == KERNEL_ACTOR
        and record.refused == 0
        and record.object == u64(d)
        and record.capability == 0
        and record.payload == u64(u8(after.device[d].kind))
    )
    return after.sequence == before.sequence + (1 if room else 0) and implies(room, told)


@theorem(
    "DEV-11",
    "nothing else that happens without a call changes what is behind a transport",
    about=("preempt", "contain", "wait", "survey", "rotate", "guest_store", "device_write"),
)
def devices_stay(before: Kernel, after: Kernel, d: DeviceId) -> bool:
    return same_kind(before, after, d)
