"""Does a device see nothing but pinned pages of who leased it, and is it reset when a lease ends?"""

import pytest

from corollary.emulation.calls import NASTY
from corollary.emulation.ears import ears
from corollary.language.layout import offset_of, size_of
from corollary.model.kernel.boot import SLOT_TRANSPORTS
from corollary.model.kernel.capability import mint
from corollary.model.kernel.device import device_write, find
from corollary.spec.kernel.capability import capability_id
from corollary.spec.kernel.device import devices_stay_inside, header_address, status_address
from corollary.spec.kernel.hardware import POOL_BASE, page_address
from corollary.spec.kernel.limits import (
    BUDGET_LIMIT,
    CLOCK_LIMIT,
    DEVICES,
    KERNEL_RESERVE,
    LEASE_LIMIT,
    PAGES,
    QUEUE_SIZE,
    ROOT_TRANSPORTS,
    SECOND,
    SECTOR,
)
from corollary.spec.kernel.state import Answer, Descriptor, Kernel, Queue
from corollary.spec.kernel.vocabulary import ALL_RIGHTS, Action, DeviceKind, ObjectKind, PageKind, Right, Status
from corollary.spec.kernel.witness import KERNEL_ACTOR
from tests.model.world import FIRST_FREE, ROOT, SELF, SLOT_OWN, SPARE_PAGE, World, region_of

DEVICE, OTHER_DEVICE = 31, 0
SLOT, OTHER_SLOT = 50, 51
BORROWER = 1
PAGE = FIRST_FREE + 200
READ, WRITE = True, False  # the direction of a request, as seen from memory
MINUTE = 60 * SECOND
TOLD_KIND = ("start", "notify")  # what differs by the kind of device


def devices(kind=DeviceKind.BLOCK):
    """Return a machine with two devices, for which root and one other partition hold all rights."""
    w = World()
    w.spawn(BORROWER)
    w.data(BORROWER, PAGE)
    for slot, d in ((SLOT, DEVICE), (OTHER_SLOT, OTHER_DEVICE)):
        find(w.s, w.now, d, kind)
        for p in (ROOT, BORROWER):
            mint(w.s, capability_id(p, slot), ObjectKind.TRANSPORT, d, 0, ALL_RIGHTS)
    return w.run(BORROWER)


def lease(w, slot=SLOT, duration=MINUTE, budget=1 << 20):
    """Lease a device for who runs; return the status."""
    return w.call("device_lease", w.handle(slot, w.s.current), duration, budget)


def submit(w, page=PAGE, offset=0, length=SECTOR, incoming=READ, sector=7, slot=SLOT):
    """Give a device a request; return the status."""
    return w.call("device_submit", w.handle(slot, w.s.current), page, offset, length, incoming, sector)


def answer(w, status=0, used=None, d=DEVICE, address=0, value=0, written=0):
    """Let a device answer, say how much it wrote, and write a word, if it may."""
    done = w.s.queue[d].available if used is None else used
    element = 2 * ((done - 1) % QUEUE_SIZE) + 1
    device_write(w.s, w.s.device[d].holder, d, done, status, element, written, address, value)


def complete(w, slot=SLOT):
    """Take in the answer of a device; return the status."""
    return w.call("device_complete", w.handle(slot, w.s.current))


def busy(incoming=READ):
    """Return a machine in which a request is in flight."""
    w = devices()
    assert lease(w) == submit(w, incoming=incoming) == Status.OK
    return w


def seen(w, d=DEVICE):
    """Return what a device sees: place, length and flags of each descriptor that names something."""
    queue = w.s.queue[d]
    described = (queue.header, queue.data, queue.status, queue.spare)
    return [(each.address, each.length, int(each.flags)) for each in described if each.length]


def test_queues_have_the_layout_of_virtio_at_the_addresses_that_descriptors_name():
    offsets = [slot.offset for slot in Descriptor.layout.slots]
    assert (offsets, size_of(Descriptor)) == ([0, 8, 12, 14], 16)
    assert [
        Queue.layout[name].offset for name in ("header", "data", "status", "spare", "flags", "available", "ring")
    ] == [0, 16, 32, 48, 64, 66, 68]
    assert [Answer.layout[name].offset for name in ("flags", "used", "element", "event")] == [0, 2, 4, 36]
    assert size_of(Queue) % 16 == 0 and size_of(Answer) % 4 == 0
    for d in (0, 1, DEVICES - 1):
        assert header_address(d) == POOL_BASE + offset_of(Kernel, ("queue", d, "type"))
        assert status_address(d) == POOL_BASE + offset_of(Kernel, ("answer", d, "status"))
    assert offset_of(Kernel, ("queue",)) == PAGES << 12 and offset_of(Kernel, ("message",)) % 64 == 0


@pytest.mark.parametrize(("incoming", "flags"), [(READ, 3), (WRITE, 1)])
def test_a_device_sees_its_header_the_bytes_named_and_its_status(incoming, flags):
    w = devices()
    assert lease(w) == submit(w, offset=SECTOR, length=3 * SECTOR, incoming=incoming) == Status.OK
    place = page_address(PAGE) + SECTOR
    assert seen(w) == [(header_address(DEVICE), 16, 1), (place, 3 * SECTOR, flags), (status_address(DEVICE), 1, 2)]
    assert (w.s.queue[DEVICE].type, w.s.queue[DEVICE].sector) == (0 if incoming else 1, 7)
    for address in (place - 1, place + 3 * SECTOR, page_address(PAGE), header_address(DEVICE), status_address(DEVICE)):
        assert devices_stay_inside(w.s, DEVICE, address, True) and devices_stay_inside(w.s, DEVICE, address, False)
    assert w.newest.kind == Action.IPC_SEND and w.s.device[DEVICE].budget == (1 << 20) - 3 * SECTOR


def test_a_sector_is_read_into_the_page_and_the_status_is_told():
    w = busy()
    answer(w, status=2, address=page_address(PAGE) + 8, value=0x5EC7)
    assert w.s.memory[PAGE].word[1] == 0x5EC7
    assert complete(w) == Status.OK and w.last.result[0] == 2
    assert not w.s.pin[PAGE].held and seen(w) == []
    answer(w, address=page_address(PAGE) + 8, value=1)
    assert w.s.memory[PAGE].word[1] == 0x5EC7  # it sees the page no more
    assert submit(w) == Status.OK and w.s.queue[DEVICE].available == 2


@pytest.mark.parametrize(
    "address", [page_address(PAGE) - 8, page_address(PAGE) + SECTOR, page_address(0), 0, (1 << 64) - 8]
)
def test_a_device_that_writes_elsewhere_changes_no_memory(address):
    w = busy()
    before = {page: dict(frame.word.rows) for page, frame in w.s.memory.rows.items()}
    answer(w, address=address, value=0xBAD)
    assert {page: dict(frame.word.rows) for page, frame in w.s.memory.rows.items()} == before


def test_a_device_that_is_to_read_a_page_does_not_write_it():
    w = busy(incoming=WRITE)
    answer(w, address=page_address(PAGE), value=0xBAD)
    assert w.s.memory[PAGE].word[0] == 0


@pytest.mark.parametrize("used", [0, 2, 0xFFFF])
def test_a_request_is_over_only_when_the_device_says_so(used):
    w = busy()
    answer(w, used=used)
    assert complete(w) == Status.WOULD_BLOCK and w.s.pin[PAGE].held


def test_there_is_one_request_at_a_time_and_an_end_only_of_one():
    w = busy()
    assert submit(w) == Status.WOULD_BLOCK
    answer(w)
    assert complete(w) == Status.OK and complete(w) == Status.WRONG_STATE


def test_a_page_is_pinned_for_one_device_at_a_time():
    w = busy()
    assert lease(w, OTHER_SLOT) == Status.OK and submit(w, slot=OTHER_SLOT) == Status.PAGE_PINNED


def test_a_pinned_page_is_neither_freed_nor_unmapped_nor_handed_on_nor_shared():
    w = busy()
    w.run(ROOT)
    handle = w.handle(30 + BORROWER)
    for name, arguments in (
        ("page_release", ()),
        ("page_transfer", (SELF,)),
        ("page_unmap", ()),
        ("page_share", (1, SELF)),
    ):
        assert w.call(name, handle, PAGE, *arguments) == Status.PAGE_PINNED
    w.run(BORROWER)
    answer(w)
    assert complete(w) == Status.OK
    assert w.run(ROOT).call("page_unmap", handle, PAGE) == w.call("page_release", handle, PAGE) == Status.OK


def test_who_takes_a_page_back_stops_the_device_first():
    w = busy()
    w.run(ROOT).must("region_reclaim", region_of(PAGE), PAGE)
    assert w.s.page[PAGE].kind == PageKind.FREE and not w.s.pin[PAGE].held
    assert seen(w) == [] and not w.s.device[DEVICE].leased and not w.s.device[DEVICE].busy
    answer(w, address=page_address(PAGE), value=0xBAD)
    assert w.s.memory[PAGE].word[0] == 0


def test_the_pages_of_a_destroyed_partition_are_freed_only_once_the_device_is_stopped():
    w = busy()
    w.run(ROOT)
    assert w.proved("partition_destroy", w.handle(30 + BORROWER)) == Status.OK
    assert seen(w) != [] and w.s.pin[PAGE].held
    while w.must("partition_release", w.handle(30 + BORROWER)):
        assert w.s.pin[PAGE].held == (w.s.page[PAGE].kind != PageKind.FREE)
    assert seen(w) == [] and not w.s.device[DEVICE].leased


def test_a_lease_is_exclusive_until_it_ends():
    w = busy()
    w.run(ROOT)
    assert lease(w) == Status.OBJECT_IN_USE
    w.now = w.s.device[DEVICE].until - 2 * SECOND
    assert lease(w) == Status.OBJECT_IN_USE
    assert lease(w) == Status.OK  # at its very end
    assert w.s.device[DEVICE].holder == ROOT and not w.s.pin[PAGE].held and seen(w) == []
    assert submit(w.run(BORROWER)) == complete(w) == Status.NOT_LEASED


def test_a_lease_that_has_ended_takes_no_request():
    w = devices()
    assert lease(w, duration=SECOND) == Status.OK
    assert submit(w) == Status.NOT_LEASED
    assert lease(w, duration=2 * SECOND) == Status.OK and submit(w) == Status.OK


def test_a_lease_is_renewed_while_a_request_is_in_flight():
    w = busy()
    assert lease(w, budget=0) == Status.OK and w.s.pin[PAGE].held and seen(w) != []
    answer(w)
    assert complete(w) == Status.OK and submit(w) == Status.LIMIT_REACHED


@pytest.mark.parametrize(("asked", "given"), [(0, 0), (1, 1), (LEASE_LIMIT, LEASE_LIMIT), ((1 << 64) - 1, LEASE_LIMIT)])
def test_no_lease_is_longer_than_the_limit(asked, given):
    w = devices()
    assert lease(w, duration=asked, budget=(1 << 64) - 1) == Status.OK
    assert w.s.device[DEVICE].until == w.now + given and w.s.device[DEVICE].budget == BUDGET_LIMIT
    assert w.newest.kind == Action.LEASE_GRANT


def test_no_lease_begins_when_the_clock_is_at_its_end():
    w = devices()
    w.now = CLOCK_LIMIT
    assert lease(w) == Status.BAD_ARGUMENT


STREAMS = {DeviceKind.TRANSMITTER: WRITE, DeviceKind.RECEIVER: READ}


def stream(kind):
    """Return a machine in which a stream is leased."""
    w = devices(kind)
    assert lease(w) == Status.OK
    return w


@pytest.mark.parametrize(("kind", "flags"), [(DeviceKind.TRANSMITTER, 0), (DeviceKind.RECEIVER, 2)])
def test_a_stream_sees_the_bytes_named_and_nothing_else(kind, flags):
    w = stream(kind)
    assert submit(w, offset=SECTOR, length=SECTOR, incoming=STREAMS[kind], sector=0) == Status.OK
    assert seen(w) == [(page_address(PAGE) + SECTOR, SECTOR, flags)]
    queue = w.s.queue[DEVICE]
    assert [queue.ring[i] for i in range(QUEUE_SIZE)] == [1] * QUEUE_SIZE and queue.data.next == 0


@pytest.mark.parametrize("kind", STREAMS)
def test_a_stream_goes_one_way_and_has_no_places(kind):
    w = stream(kind)
    assert submit(w, incoming=not STREAMS[kind], sector=0) == Status.BAD_ARGUMENT
    assert submit(w, incoming=STREAMS[kind], sector=1) == Status.BAD_ARGUMENT
    assert submit(w, incoming=STREAMS[kind], sector=0) == Status.OK


@pytest.mark.parametrize(("written", "told"), [(0, 0), (100, 100), (SECTOR, SECTOR), (0xFFFF_FFFF, SECTOR)])
def test_who_receives_is_told_how_many_bytes_came_and_never_more_than_it_asked_for(written, told):
    w = stream(DeviceKind.RECEIVER)
    for _ in range(QUEUE_SIZE + 1):
        assert submit(w, sector=0) == Status.OK
        answer(w, status=9, written=written)
        assert complete(w) == Status.OK and w.last.result[0] == told
    assert seen(w) == []


def test_of_what_was_sent_nothing_is_told_but_that_it_is_over():
    w = stream(DeviceKind.TRANSMITTER)
    assert submit(w, incoming=WRITE, sector=0) == Status.OK and complete(w) == Status.WOULD_BLOCK
    answer(w, status=9, written=7)
    assert complete(w) == Status.OK and w.last.result[0] == 0


def test_a_device_stays_what_it_was_found_to_be():
    w = stream(DeviceKind.RECEIVER)
    find(w.s, w.now, DEVICE, DeviceKind.BLOCK)
    assert w.s.device[DEVICE].kind == DeviceKind.RECEIVER and w.newest.payload == DeviceKind.RECEIVER


def test_what_is_not_there_is_not_leased():
    assert lease(devices(DeviceKind.ABSENT)) == Status.INVALID_TARGET


def test_no_device_is_there_at_first():
    w = World()
    assert all(w.s.device[d].kind == DeviceKind.ABSENT for d in range(DEVICES))
    assert lease(w, SLOT_OWN) == Status.WRONG_OBJECT


def test_a_device_is_found_once_and_its_finding_is_told():
    w = World()
    find(w.s, w.now, OTHER_DEVICE, DeviceKind.BLOCK)
    assert w.s.device[OTHER_DEVICE].kind == DeviceKind.BLOCK and w.s.device[DEVICE].kind == DeviceKind.ABSENT
    told = w.newest
    assert (told.kind, told.object, told.payload, told.actor) == (Action.DEVICE_FIND, 0, 1, KERNEL_ACTOR)
    slots = [w.handle(SLOT_TRANSPORTS + d) for d in range(ROOT_TRANSPORTS)]
    assert w.call("device_lease", slots[OTHER_DEVICE], MINUTE, 0) == Status.OK
    assert w.call("device_lease", slots[-1], MINUTE, 0) == Status.INVALID_TARGET
    find(w.s, w.now, OTHER_DEVICE, DeviceKind.BLOCK)
    assert w.s.device[OTHER_DEVICE].leased and w.newest.kind == Action.DEVICE_FIND


def test_without_room_in_the_kernels_reserve_a_device_is_found_without_a_record():
    w = World()
    w.s.kernel_records = KERNEL_RESERVE
    before = w.s.sequence
    find(w.s, w.now, DEVICE, DeviceKind.BLOCK)
    assert w.s.device[DEVICE].kind == DeviceKind.BLOCK and w.s.sequence == before


@pytest.mark.parametrize(
    ("act", "effects"),
    [
        (submit, ("publish", "notify")),
        (lambda w: (submit(w), answer(w), complete(w)), ("publish", "notify", "observe")),
        (lambda w: w.call("device_return", w.handle(SLOT, BORROWER)), ("reset", "start")),
        (lambda w: (submit(w), complete(w)), ("publish", "notify")),
        (lease, ()),
    ],
    ids=["submit", "complete", "return", "too early", "renew"],
)
def test_a_device_is_told_in_order(act, effects):
    w = devices()
    assert lease(w) == Status.OK
    told = []
    with ears(told):
        act(w)
    assert told == [(name, DEVICE, DeviceKind.BLOCK) if name in TOLD_KIND else (name, DEVICE) for name in effects]


def test_a_device_is_active_from_when_it_is_told_until_it_is_done_or_reset():
    w = busy()
    assert w.s.device[DEVICE].active
    answer(w)
    assert w.s.device[DEVICE].active and complete(w) == Status.OK and not w.s.device[DEVICE].active
    assert submit(w) == w.call("device_return", w.handle(SLOT, BORROWER)) == Status.OK
    assert not w.s.device[DEVICE].active


def test_a_lease_is_returned_by_its_holder_or_by_who_may_revoke_it():
    w = busy()
    assert w.call("device_return", w.handle(SLOT, BORROWER)) == Status.OK
    assert w.newest.kind == Action.LEASE_REVOKE and seen(w) == [] and not w.s.pin[PAGE].held
    assert w.call("device_return", w.handle(SLOT, BORROWER)) == Status.NOT_LEASED
    assert lease(w) == Status.OK
    w.run(ROOT)
    w.slot(SLOT).rights = ALL_RIGHTS & ~Right.REVOKE
    assert w.call("device_return", w.handle(SLOT)) == Status.INSUFFICIENT_RIGHTS
    w.slot(SLOT).rights = ALL_RIGHTS
    assert w.call("device_return", w.handle(SLOT)) == Status.OK and not w.s.device[DEVICE].leased


def test_only_who_has_the_lease_makes_requests():
    w = devices()
    assert submit(w) == complete(w) == Status.NOT_LEASED
    assert lease(w) == Status.OK
    w.run(ROOT)
    assert submit(w, page=SPARE_PAGE) == complete(w) == Status.NOT_LEASED


def test_a_later_incarnation_does_not_have_the_lease():
    w = devices()
    assert lease(w) == Status.OK
    w.own().generation += 1
    assert submit(w) == Status.NOT_LEASED


@pytest.mark.parametrize(
    ("offset", "length", "expected"),
    [
        (0, 4096, Status.OK),
        (4096 - SECTOR, SECTOR, Status.OK),
        (0, 0, Status.BAD_ARGUMENT),
        (4096, SECTOR, Status.BAD_ARGUMENT),
        (SECTOR, 4096, Status.BAD_ARGUMENT),
        (1, SECTOR, Status.BAD_ARGUMENT),
        (0, SECTOR - 1, Status.BAD_ARGUMENT),
        (0xFE00, SECTOR, Status.BAD_ARGUMENT),
        (0xFE00, 0xFE00, Status.BAD_ARGUMENT),
    ],
)
def test_a_request_is_for_whole_sectors_of_a_page(offset, length, expected):
    w = devices()
    assert lease(w) == Status.OK
    assert submit(w, offset=offset, length=length) == expected


def test_a_request_is_for_a_data_page_of_the_caller_that_it_may_use_so():
    w = devices()
    assert lease(w) == Status.OK
    assert submit(w, page=SPARE_PAGE) == submit(w, page=FIRST_FREE + 16 * BORROWER) == Status.NOT_OWNER
    w.run(ROOT)
    w.data(BORROWER, PAGE + 1, Right.READ)
    w.page(BORROWER, PAGE + 2)
    w.run(BORROWER)
    assert submit(w, page=PAGE + 1) == submit(w, page=PAGE + 2) == Status.NOT_MAPPED
    assert submit(w, page=PAGE + 1, incoming=WRITE) == Status.OK


def test_a_budget_is_used_up():
    w = devices()
    assert lease(w, budget=SECTOR) == Status.OK
    assert submit(w, length=2 * SECTOR) == Status.LIMIT_REACHED and submit(w) == Status.OK
    answer(w)
    assert complete(w) == Status.OK and submit(w) == Status.LIMIT_REACHED


@pytest.mark.parametrize("name", ["device_lease", "device_return", "device_submit", "device_complete"])
@pytest.mark.parametrize("position", range(6))
def test_nasty_arguments_never_let_a_device_see_more(name, position):
    w = devices()
    assert lease(w) == Status.OK
    for value in NASTY:
        arguments = [w.handle(SLOT, BORROWER), PAGE, 0, SECTOR, 1, 7]
        arguments[position] = value
        w.call(name, *arguments)
        for address in (0, page_address(0), page_address(PAGE), header_address(DEVICE), (1 << 64) - 1):
            assert devices_stay_inside(w.s, DEVICE, address, True) and devices_stay_inside(w.s, DEVICE, address, False)
        assert w.s.device[DEVICE].page in (0, PAGE)
