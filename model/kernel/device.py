"""How is a device leased, given a request, and stopped? The kernel alone writes what a device reads of its queue."""

from corollary.language.builtins import minimum, wrapping_add
from corollary.language.frontend import hardware
from corollary.language.types import u8, u16, u32, u64
from corollary.language.values import clear
from corollary.model.kernel.clock import advance
from corollary.model.kernel.operation import operation
from corollary.model.kernel.witness import append_for_kernel
from corollary.spec.kernel.device import (
    HEADER_BYTES,
    first_descriptor,
    header_address,
    holds_lease,
    named_device,
    status_address,
    suits,
    written_length,
)
from corollary.spec.kernel.hardware import GuestAddress, in_pool, page_address, page_at
from corollary.spec.kernel.limits import BUDGET_LIMIT, CLOCK_LIMIT, LEASE_LIMIT, PAGE_WORDS, QUEUE_SIZE, SECTOR
from corollary.spec.kernel.memory import lets
from corollary.spec.kernel.state import Call, Descriptor, DeviceId, Kernel, PageId, PartitionId, UsedWord
from corollary.spec.kernel.vocabulary import Access, Action, DescriptorFlags, DeviceKind, PageKind, Right, Status
from corollary.spec.kernel.witness import kernel_room


@hardware("the device is reset: it has nothing in flight, and reads and writes no memory (virtio 1.2, 2.4)")
def reset(s: Kernel, d: DeviceId) -> None:
    """Stop a device: it is absent until it is started. If it does not say that it is reset, the kernel stops."""
    s.device[d].active = False
    s.device[d].kind = DeviceKind.ABSENT


@hardware("the device is reset, then given its queue, and may use that from now on (virtio 1.2, 3.1.1)")
def start(s: Kernel, d: DeviceId, kind: DeviceKind) -> None:
    """Reset a device, and let it look at its queue, which names nothing. A transmitter has another than a receiver."""
    s.device[d].kind = kind


@hardware("what was stored before is there for the device before what is stored next (virtio 1.2, 2.7.13)")
def publish(d: DeviceId) -> None:
    """Put a request in front of the device before it is counted as available."""


@hardware("the device is told that there is a request (virtio 1.2, 4.2.3.3)")
def notify(s: Kernel, d: DeviceId, kind: DeviceKind) -> None:
    """Have a device look at its queue."""
    s.device[d].active = True


@hardware("what the device wrote before it counted a request as used is there to be read (virtio 1.2, 2.7.14)")
def observe(s: Kernel, d: DeviceId) -> None:
    """Let what a device has written be seen as a whole; one that has said that it is done writes no more."""
    if s.answer[d].used == s.queue[d].available:
        s.device[d].active = False


def find(s: Kernel, now: u64, d: DeviceId, kind: DeviceKind) -> None:
    """Take in what is behind a transport: start it if that is news, and record that it is there.

    The platform looks for devices once, after boot, when the kernel's reserve has room for all these records.
    """
    time = advance(s, now)
    if s.device[d].kind == DeviceKind.ABSENT:
        for i in range(QUEUE_SIZE):
            s.queue[d].ring[i] = first_descriptor(kind)
        start(s, d, kind)
    if kernel_room(s):
        append_for_kernel(s, time, Action.DEVICE_FIND, u64(d), u64(u8(s.device[d].kind)))


def withdraw(s: Kernel, d: DeviceId) -> None:
    """Take a request away from a device that sees it no more, and unpin its page."""
    device = s.device[d]
    if device.busy:
        s.pin[device.page].held = False
    device.busy = False
    clear(s.queue[d].header)
    clear(s.queue[d].data)
    clear(s.queue[d].status)


def end_lease(s: Kernel, d: DeviceId) -> None:
    """Reset a device, so that nothing is in flight, end its lease, and start the device again."""
    kind = s.device[d].kind
    reset(s, d)
    withdraw(s, d)
    s.queue[d].available = 0
    s.answer[d].used = 0
    s.device[d].leased = False
    start(s, d, kind)


def unpin(s: Kernel, page: PageId) -> None:
    """End the lease of the device that may use a page, if there is one."""
    if s.pin[page].held:
        end_lease(s, s.pin[page].device)


@operation
def device_lease(s: Kernel, call: Call, duration: u64, budget: u64) -> Status:
    """Lease a device for so many nanoseconds and bytes, at most the limits, or renew the caller's own lease.

    A lease that has ended is taken over: the device is reset first.
    """
    d = named_device(s, call)
    device = s.device[d]
    if device.kind == DeviceKind.ABSENT:
        return Status.INVALID_TARGET
    if call.now > CLOCK_LIMIT:
        return Status.BAD_ARGUMENT
    own = holds_lease(s, s.current, d)
    if device.leased and not own and call.now < device.until:
        return Status.OBJECT_IN_USE
    if not own:
        end_lease(s, d)
    device.leased = True
    device.holder = s.current
    device.incarnation = s.partition[s.current].generation
    device.until = call.now + minimum(duration, u64(LEASE_LIMIT))
    device.budget = minimum(budget, u64(BUDGET_LIMIT))
    return Status.OK


@operation
def device_return(s: Kernel, call: Call) -> Status:
    """End a lease, as its holder or with REVOKE; the device is reset, and what was in flight is not."""
    d = named_device(s, call)
    if not s.device[d].leased:
        return Status.NOT_LEASED
    if not holds_lease(s, s.current, d) and s.capability[call.capability].rights & Right.REVOKE == 0:
        return Status.INSUFFICIENT_RIGHTS
    end_lease(s, d)
    return Status.OK


def within_page(offset: u16, length: u16) -> bool:
    """Are these some whole sectors of a page?"""
    return (
        length != 0
        and offset & (SECTOR - 1) == 0
        and length & (SECTOR - 1) == 0
        and u32(offset) + u32(length) <= 8 * PAGE_WORDS
    )


def fill(descriptor: Descriptor, address: u64, length: u32, flags: DescriptorFlags, next: u16) -> None:
    """Write a descriptor."""
    descriptor.address = address
    descriptor.length = length
    descriptor.flags = flags
    descriptor.next = next


def describe(s: Kernel, d: DeviceId, address: u64, length: u32) -> None:
    """Write the descriptors of a request: of a block device, also those of its header and of its status."""
    way = DescriptorFlags.WRITE if s.device[d].incoming else DescriptorFlags(0)
    if s.device[d].kind == DeviceKind.BLOCK:
        fill(s.queue[d].header, header_address(d), HEADER_BYTES, DescriptorFlags.NEXT, u16(1))
        fill(s.queue[d].data, address, length, DescriptorFlags.NEXT | way, u16(2))
        fill(s.queue[d].status, status_address(d), u32(1), DescriptorFlags.WRITE, u16(0))
    else:
        fill(s.queue[d].data, address, length, way, u16(0))


@operation
def device_submit(s: Kernel, call: Call, page: PageId, offset: u16, length: u16, incoming: bool, sector: u64) -> Status:
    """Let a leased device read or write whole sectors of the caller's page; the page is pinned until that is over."""
    d = named_device(s, call)
    device = s.device[d]
    if not holds_lease(s, s.current, d) or call.now >= device.until:
        return Status.NOT_LEASED
    if device.busy:
        return Status.WOULD_BLOCK
    if not within_page(offset, length) or not suits(device.kind, incoming, sector):
        return Status.BAD_ARGUMENT
    if s.page[page].kind != PageKind.DATA or s.page[page].owner != s.current:
        return Status.NOT_OWNER
    if not lets(s, s.current, page, Access.WRITE if incoming else Access.READ):
        return Status.NOT_MAPPED
    if s.pin[page].held:
        return Status.PAGE_PINNED
    if length > device.budget:
        return Status.LIMIT_REACHED
    device.budget -= length
    device.busy = True
    device.incoming = incoming
    device.page = page
    s.pin[page].held = True
    s.pin[page].device = d
    s.queue[d].type = 0 if incoming else 1
    s.queue[d].sector = sector
    describe(s, d, page_address(page) + offset, u32(length))
    publish(d)
    s.queue[d].available = wrapping_add(u16, s.queue[d].available, 1)
    notify(s, d, device.kind)
    return Status.OK


def outcome_of(s: Kernel, d: DeviceId) -> u64:
    """Return what a device says of a request that it is done with."""
    if s.device[d].kind == DeviceKind.BLOCK:
        return u64(s.answer[d].status)
    if s.device[d].kind == DeviceKind.RECEIVER:
        return u64(minimum(written_length(s, d), s.queue[d].data.length))
    return u64(0)


@operation
def device_complete(s: Kernel, call: Call) -> Status:
    """Take in that a device is done with a request, and unpin the page.

    Returns the status that a block device gave, or how many bytes a receiver says that it wrote, at most all.
    """
    d = named_device(s, call)
    if not holds_lease(s, s.current, d):
        return Status.NOT_LEASED
    if not s.device[d].busy:
        return Status.WRONG_STATE
    if s.answer[d].used != s.queue[d].available:
        return Status.WOULD_BLOCK
    observe(s, d)
    call.result[0] = outcome_of(s, d)
    withdraw(s, d)
    return Status.OK


def device_write(
    s: Kernel,
    p: PartitionId,
    d: DeviceId,
    used: u16,
    status: u8,
    element: UsedWord,
    word: u32,
    address: u64,
    value: u64,
) -> None:
    """Do what a device leased by `p` can do: answer anything, and write where its raw descriptors let it write."""
    data = s.queue[d].data
    if s.device[d].active and s.device[d].holder == p:
        s.answer[d].used = used
        s.answer[d].status = status
        s.answer[d].element[element] = word
        writes = data.flags & DescriptorFlags.WRITE != 0
        inside = data.address <= address and address - data.address < data.length
        if writes and inside and in_pool(address):
            s.memory[page_at(address)].word[GuestAddress(address).word] = value
