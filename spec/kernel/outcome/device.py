"""What do the operations on devices do?"""

from corollary.language.builtins import minimum, wrapping_add
from corollary.language.property import ensures, succeeds
from corollary.language.types import u16, u32, u64
from corollary.spec.kernel.device import header_address, same_descriptor, status_address
from corollary.spec.kernel.hardware import POOL_BASE
from corollary.spec.kernel.limits import BUDGET_LIMIT, CLOCK_LIMIT, LEASE_LIMIT, PAGE_BITS
from corollary.spec.kernel.outcome.admission import holds_on, may_call, may_message, subject
from corollary.spec.kernel.outcome.words import gives_words, takes_words, tells
from corollary.spec.kernel.state import Call, Descriptor, DeviceId, Kernel, PageId, UsedWord
from corollary.spec.kernel.vocabulary import DescriptorFlags, DeviceKind, ObjectKind, PageKind, Right, Ring

WITHDRAWN = ("device.busy", "device.active", "pin.held", "queue.header", "queue.data", "queue.status")
LEASE_ENDS = (*WITHDRAWN, "device.leased", "queue.available", "answer.used")


def device_named(s: Kernel, call: Call) -> DeviceId:
    """The device that the first register leads to."""
    return DeviceId.truncate(s.capability[subject(s, call)].object)


def has_lease(s: Kernel, call: Call) -> bool:
    """Was the named device leased to the caller, as what it is now?"""
    device = s.device[device_named(s, call)]
    now = s.partition[s.current].generation
    return device.leased and device.holder == s.current and device.incarnation == now


def is_used_by(s: Kernel, page: PageId, d: DeviceId) -> bool:
    """May this device use the page?"""
    return s.pin[page].held and s.pin[page].device == d


def are_sectors(offset: u64, length: u64) -> bool:
    """Are these sectors of 512 bytes, at least one, in a page?"""
    return length != 0 and offset % 512 == 0 and length % 512 == 0 and offset <= 4096 and length <= 4096 - offset


def can_do(s: Kernel, call: Call, incoming: bool, sector: u64) -> bool:
    """Is the request for a block device, or does it go the way of a stream?"""
    kind = s.device[device_named(s, call)].kind
    if kind == DeviceKind.TRANSMITTER:
        return not incoming and sector == 0
    return kind != DeviceKind.RECEIVER or incoming and sector == 0


def is_blank(descriptor: Descriptor) -> bool:
    """Does the descriptor name nothing?"""
    return descriptor.address == 0 and descriptor.length == 0 and descriptor.flags == 0 and descriptor.next == 0


def sees(before: Kernel, after: Kernel, d: DeviceId, gone: bool) -> bool:
    """Does the device see no memory if its request is gone, and else what it saw?"""
    old = before.queue[d]
    new = after.queue[d]
    if gone:
        return is_blank(new.header) and is_blank(new.data) and is_blank(new.status)
    return (
        same_descriptor(old.header, new.header)
        and same_descriptor(old.data, new.data)
        and same_descriptor(old.status, new.status)
    )


def lease_left(before: Kernel, after: Kernel, d: DeviceId, ended: bool) -> bool:
    """Is the device reset and not leased if its lease ended, and else unchanged?"""
    old = before.device[d]
    new = after.device[d]
    return (
        new.leased == (old.leased and not ended)
        and new.busy == (old.busy and not ended)
        and new.active == (old.active and not ended)
        and after.queue[d].available == (u16(0) if ended else before.queue[d].available)
        and after.answer[d].used == (u16(0) if ended else before.answer[d].used)
        and sees(before, after, d, ended)
    )


def pin_left(before: Kernel, after: Kernel, page: PageId, ended: bool) -> bool:
    """Is a page pinned as before, or not if its request ended?"""
    return after.pin[page].held == (before.pin[page].held and not ended)


@succeeds("device_lease")
def lease_is_allowed(before: Kernel, call: Call, duration: u64, budget: u64) -> bool:
    device = before.device[device_named(before, call)]
    return (
        may_call(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.TRANSPORT, Right.LEASE)
        and device.kind != DeviceKind.ABSENT
        and call.now <= CLOCK_LIMIT
        and (not device.leased or has_lease(before, call) or device.until <= call.now)
    )


@ensures(
    "device_lease",
    "the device is the caller's for the time and the bytes named, or the most that there may be; "
    "if it was another's, it is reset",
    changes=(*LEASE_ENDS, "device.holder", "device.incarnation", "device.until", "device.budget"),
)
def lease_is_exact(
    before: Kernel, call: Call, after: Kernel, duration: u64, budget: u64, d: DeviceId, page: PageId
) -> bool:
    named = device_named(before, call)
    taken = not has_lease(before, call)
    old = before.device[d]
    new = after.device[d]
    ended = taken and d == named
    lent = (
        new.leased
        and new.holder == before.current
        and new.incarnation == before.partition[before.current].generation
        and new.until == call.now + minimum(duration, u64(LEASE_LIMIT))
        and new.budget == minimum(budget, u64(BUDGET_LIMIT))
    )
    kept = (
        new.leased == old.leased
        and new.holder == old.holder
        and new.incarnation == old.incarnation
        and new.until == old.until
        and new.budget == old.budget
    )
    return (
        (lent if d == named else kept)
        and new.busy == (old.busy and not ended)
        and new.active == (old.active and not ended)
        and after.queue[d].available == (u16(0) if ended else before.queue[d].available)
        and after.answer[d].used == (u16(0) if ended else before.answer[d].used)
        and sees(before, after, d, ended)
        and pin_left(before, after, page, taken and is_used_by(before, page, named))
    )


@succeeds("device_return")
def return_is_allowed(before: Kernel, call: Call) -> bool:
    revokes = before.capability[subject(before, call)].rights & Right.REVOKE != 0
    return (
        may_call(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.TRANSPORT, Right.READ)
        and before.device[device_named(before, call)].leased
        and (has_lease(before, call) or revokes)
    )


@ensures(
    "device_return", "the lease is over; the device is reset, sees no memory, and pins no page", changes=LEASE_ENDS
)
def return_is_exact(before: Kernel, call: Call, after: Kernel, d: DeviceId, page: PageId) -> bool:
    named = device_named(before, call)
    return lease_left(before, after, d, d == named) and pin_left(before, after, page, is_used_by(before, page, named))


@succeeds("device_submit")
def submit_is_allowed(
    before: Kernel, call: Call, page: PageId, offset: u16, length: u16, incoming: bool, sector: u64
) -> bool:
    device = before.device[device_named(before, call)]
    return (
        may_message(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.TRANSPORT, Right.WRITE)
        and has_lease(before, call)
        and device.until > call.now
        and not device.busy
        and are_sectors(u64(offset), u64(length))
        and can_do(before, call, incoming, sector)
        and before.page[page].kind == PageKind.DATA
        and (takes_words(before, page) if incoming else gives_words(before, page))
        and not before.pin[page].held
        and length <= device.budget
    )


def described(descriptor: Descriptor, address: u64, length: u64, flags: DescriptorFlags, next: u16) -> bool:
    """Are these the fields of a descriptor?"""
    return (
        descriptor.address == address
        and descriptor.length == length
        and descriptor.flags == flags
        and descriptor.next == next
    )


@ensures(
    "device_submit",
    "the page is pinned, and the device sees the bytes named, and if it is a block device, the header of the request "
    "and its status; the bytes are paid for",
    changes=(
        "device.busy",
        "device.active",
        "device.incoming",
        "device.page",
        "device.budget",
        "pin",
        "queue.header",
        "queue.data",
        "queue.status",
        "queue.available",
        "queue.type",
        "queue.sector",
    ),
)
def submit_is_exact(
    before: Kernel,
    call: Call,
    after: Kernel,
    page: PageId,
    offset: u16,
    length: u16,
    incoming: bool,
    sector: u64,
    d: DeviceId,
    any_page: PageId,
) -> bool:
    named = device_named(before, call)
    old = before.device[d]
    new = after.device[d]
    queue = after.queue[d]
    was = before.queue[d]
    place = POOL_BASE + (u64(page) << PAGE_BITS) + offset
    written = DescriptorFlags.WRITE if incoming else DescriptorFlags(0)
    block = (
        described(queue.header, header_address(d), u64(16), DescriptorFlags.NEXT, u16(1))
        and described(queue.data, place, u64(length), DescriptorFlags.NEXT | written, u16(2))
        and described(queue.status, status_address(d), u64(1), DescriptorFlags.WRITE, u16(0))
    )
    stream = (
        same_descriptor(queue.header, was.header)
        and described(queue.data, place, u64(length), written, u16(0))
        and same_descriptor(queue.status, was.status)
    )
    made = (
        new.busy
        and new.active
        and new.incoming == incoming
        and new.page == page
        and new.budget + length == old.budget
        and (block if old.kind == DeviceKind.BLOCK else stream)
        and queue.available == wrapping_add(u16, was.available, 1)
        and queue.type == (0 if incoming else 1)
        and queue.sector == sector
    )
    kept = (
        new.busy == old.busy
        and new.active == old.active
        and new.incoming == old.incoming
        and new.page == old.page
        and new.budget == old.budget
        and sees(before, after, d, False)
        and queue.available == was.available
        and queue.type == was.type
        and queue.sector == was.sector
    )
    pinned = after.pin[any_page].held and after.pin[any_page].device == named
    same = (
        after.pin[any_page].held == before.pin[any_page].held
        and after.pin[any_page].device == before.pin[any_page].device
    )
    return (made if d == named else kept) and (pinned if any_page == page else same)


def told_by(s: Kernel, d: DeviceId) -> u64:
    """What a device says of its request: its status if it stores blocks, the bytes that it wrote if it receives."""
    kind = s.device[d].kind
    newest = (u32(s.queue[d].available) + 3) % 4
    written = s.answer[d].element[UsedWord(2 * newest + 1)]
    length = s.queue[d].data.length
    if kind == DeviceKind.BLOCK:
        return u64(s.answer[d].status)
    return u64(0) if kind != DeviceKind.RECEIVER else u64(length if written > length else written)


@succeeds("device_complete")
def complete_is_allowed(before: Kernel, call: Call) -> bool:
    d = device_named(before, call)
    return (
        may_message(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.TRANSPORT, Right.READ)
        and has_lease(before, call)
        and before.device[d].busy
        and before.answer[d].used == before.queue[d].available
    )


@ensures(
    "device_complete",
    "the device sees no memory, the page is not pinned, and the caller is told the status that a block device gave, or "
    "how many bytes a receiver says that it wrote, at most all",
    changes=(*WITHDRAWN, "result"),
)
def complete_is_exact(before: Kernel, call: Call, after: Kernel, d: DeviceId, page: PageId) -> bool:
    named = device_named(before, call)
    return (
        after.device[d].busy == (before.device[d].busy and d != named)
        and after.device[d].active == (before.device[d].active and d != named)
        and sees(before, after, d, d == named)
        and pin_left(before, after, page, is_used_by(before, page, named))
        and tells(call, told_by(before, named), 0, 0)
    )
