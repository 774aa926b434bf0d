"""What do the operations on turns and on the console do?"""

from corollary.language.builtins import wrapping_add
from corollary.language.property import ensures, succeeds
from corollary.language.types import u16, u32, u64
from corollary.spec.kernel.limits import (
    CLOCK_LIMIT,
    CONSOLE_TEXT_WORDS,
    CONSOLE_WORDS,
    DEADLINE_LIMIT,
    PAGE_WORDS,
    PATIENCE_LIMIT,
)
from corollary.spec.kernel.outcome.admission import holds_on, leads, led_to, may_call, may_message, subject
from corollary.spec.kernel.outcome.words import gives_words, tells
from corollary.spec.kernel.state import (
    Call,
    EdgeId,
    EntryId,
    Handle,
    Kernel,
    NotificationId,
    PageId,
    PartitionId,
    Pressure,
)
from corollary.spec.kernel.vocabulary import Awaited, Format, Mode, ObjectKind, Right, Ring


@succeeds("yield_now")
def yield_is_allowed(before: Kernel, call: Call) -> bool:
    return may_call(before, call, Ring.SANDBOX)


@ensures("yield_now", "the caller gives way", changes=("yields",))
def yield_is_exact(before: Kernel, call: Call, after: Kernel) -> bool:
    return call.yields


def rests(before: Kernel, call: Call, after: Kernel, q: PartitionId, what: Awaited, patience: u64) -> bool:
    """Does the caller, and nobody else, rest for this, until its patience ends, and give way?"""
    old = before.partition[q].rest
    new = after.partition[q].rest
    edge = EdgeId.truncate(before.capability[subject(before, call)].object)
    bits = NotificationId.truncate(before.capability[subject(before, call)].object)
    begun = (
        after.partition[q].awaited == what
        and new.until == wrapping_add(u64, call.now, patience)
        and new.edge == (edge if what == Awaited.MESSAGE else old.edge)
        and new.notification == (bits if what == Awaited.BITS else old.notification)
    )
    kept = new.until == old.until and new.edge == old.edge and new.notification == old.notification
    return begun if q == before.current else kept and before.partition[q].awaited == after.partition[q].awaited


def goes_on(before: Kernel, call: Call, after: Kernel, q: PartitionId) -> bool:
    """Does nobody rest otherwise than before, and does the caller run on?"""
    old = before.partition[q].rest
    new = after.partition[q].rest
    kept = new.until == old.until and new.edge == old.edge and new.notification == old.notification
    same = before.partition[q].awaited == after.partition[q].awaited
    return kept and not call.yields and (q == before.current or same)


RESTING = ("partition.awaited", "partition.rest", "yields", "result")


@succeeds("edge_await")
def message_is_awaited(before: Kernel, call: Call, patience: u64) -> bool:
    return (
        may_message(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.EDGE, Right.READ)
        and patience <= PATIENCE_LIMIT
        and call.now <= CLOCK_LIMIT
    )


@ensures(
    "edge_await",
    "if a message waits, the caller is told so and runs on; else it rests for one, for as long as named, and gives way",
    changes=RESTING,
)
def message_wait_is_exact(before: Kernel, call: Call, after: Kernel, patience: u64, q: PartitionId) -> bool:
    if before.edge[EdgeId.truncate(before.capability[subject(before, call)].object)].waiting != 0:
        return goes_on(before, call, after, q) and tells(call, 1, 0, 0)
    return rests(before, call, after, q, Awaited.MESSAGE, patience) and call.yields and tells(call, 0, 0, 0)


@succeeds("notification_await")
def bits_are_awaited(before: Kernel, call: Call, patience: u64) -> bool:
    return (
        may_message(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.NOTIFICATION, Right.READ)
        and patience <= PATIENCE_LIMIT
        and call.now <= CLOCK_LIMIT
    )


@ensures(
    "notification_await",
    "if a bit is set, the caller is told so and runs on; else it rests for one, for as long as named, and gives way",
    changes=RESTING,
)
def bit_wait_is_exact(before: Kernel, call: Call, after: Kernel, patience: u64, q: PartitionId) -> bool:
    if before.notification[NotificationId.truncate(before.capability[subject(before, call)].object)].bits != 0:
        return goes_on(before, call, after, q) and tells(call, 1, 0, 0)
    return rests(before, call, after, q, Awaited.BITS, patience) and call.yields and tells(call, 0, 0, 0)


@succeeds("schedule_prioritize")
def urgency_is_allowed(before: Kernel, call: Call, of: Handle, pressure: Pressure, warden: bool, within: u64) -> bool:
    return (
        may_call(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.SCHEDULER, Right.EXECUTE)
        and leads(before, of, Right.WRITE)
        and within <= DEADLINE_LIMIT
        and call.now <= CLOCK_LIMIT
    )


@ensures(
    "schedule_prioritize",
    "the partition has the pressure named, a deadline so far away, or none, and is a warden or not",
    changes=("partition.pressure", "partition.deadline", "partition.warden"),
)
def urgency_is_exact(
    before: Kernel, call: Call, after: Kernel, of: Handle, pressure: Pressure, warden: bool, within: u64, q: PartitionId
) -> bool:
    old = before.partition[q]
    new = after.partition[q]
    due = u64(0) if within == 0 else wrapping_add(u64, call.now, within)
    if q == led_to(before, of):
        return new.pressure == pressure and new.warden == warden and new.deadline == due
    return new.pressure == old.pressure and new.warden == old.warden and new.deadline == old.deadline


@succeeds("schedule_mode")
def mode_is_allowed(before: Kernel, call: Call, mode: Mode) -> bool:
    own = before.partition[before.current]
    return (
        may_call(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.SCHEDULER, Right.EXECUTE)
        and (mode == Mode.FLOW or mode == Mode.REFLEX or mode == Mode.RECOVERY and own.warden)
    )


@ensures("schedule_mode", "the mode is the one named", changes=("mode",))
def mode_is_exact(before: Kernel, call: Call, after: Kernel, mode: Mode) -> bool:
    return after.mode == mode


@succeeds("console_write")
def write_is_allowed(before: Kernel, call: Call, page: PageId, first: EntryId, words: u16, format: Format) -> bool:
    most: u16 = CONSOLE_WORDS if format == Format.HEX else CONSOLE_TEXT_WORDS
    return (
        may_message(before, call, Ring.SANDBOX)
        and holds_on(before, call, ObjectKind.DEVICE, Right.WRITE)
        and words <= most
        and u32(first) + words <= PAGE_WORDS
        and gives_words(before, page)
    )


@ensures("console_write", "nothing is changed but what is on the console")
def write_is_exact(before: Kernel, call: Call, after: Kernel) -> bool:
    return not call.yields
