"""What does the witness log promise?"""

from spec.language.builtins import implies
from spec.language.types import u64
from spec.limits import DRAIN_RESERVE, KERNEL_RESERVE, RECORDS
from spec.property import invariant, theorem
from spec.state import Call, Kernel, RecordId
from spec.vocabulary import Status

KERNEL_ACTOR = 0xFFFF       # the kernel itself, in the actor field of a record
KERNEL_OPERATION = 0xFF
SEQUENCE_LIMIT = 1 << 63


def record_id(sequence: u64) -> RecordId:
    """The place in the log of the record with this sequence number."""
    return RecordId.truncate(sequence)


def used_records(s: Kernel) -> u64:
    """How many records have not been drained."""
    return s.sequence - s.drained


def ordinary_room(s: Kernel) -> bool:
    """Is there room for a record besides the two reserves?"""
    return s.sequence < SEQUENCE_LIMIT and used_records(s) < RECORDS - KERNEL_RESERVE - DRAIN_RESERVE


def kernel_room(s: Kernel) -> bool:
    """Is there room for a record that the kernel itself must make?"""
    return s.sequence < SEQUENCE_LIMIT and used_records(s) < RECORDS - DRAIN_RESERVE


def drain_room(s: Kernel) -> bool:
    """Is there room for the record of a drain, which makes more room than it takes?"""
    return s.sequence < SEQUENCE_LIMIT and used_records(s) < RECORDS


@invariant("WIT-1", "the log never holds more records than it has room for")
def log_is_bounded(s: Kernel) -> bool:
    return s.sequence <= SEQUENCE_LIMIT and s.drained <= s.sequence and s.sequence - s.drained <= RECORDS


@invariant("WIT-2", "every record in the log stands at the place of its sequence number")
def records_in_place(s: Kernel, r: RecordId) -> bool:
    return implies(u64(r) < s.sequence, record_id(s.log[r].sequence) == r and s.log[r].sequence < s.sequence)


@theorem("WIT-10", "one record per call, or the call was refused for want of room and counted")
def one_record_per_call(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return after.sequence == before.sequence + 1 if status != Status.WITNESS_FULL else after.sequence == before.sequence


@theorem("WIT-12", "the record tells who called, what, when and how it ended")
def record_is_true(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    record = after.log[record_id(before.sequence)]
    return implies(status != Status.WITNESS_FULL,
                   record.sequence == before.sequence and record.time == call.now and record.status == status
                   and record.actor == before.current and record.refused == before.partition[before.current].refused)


@theorem("WIT-13", "the log only grows: no record that has not been drained ever changes")
def log_is_append_only(before: Kernel, after: Kernel, r: RecordId) -> bool:
    kept = r != record_id(before.sequence)
    old = before.log[r]
    new = after.log[r]
    return implies(kept, old.sequence == new.sequence and old.time == new.time and old.kind == new.kind
                   and old.status == new.status and old.actor == new.actor and old.object == new.object
                   and old.capability == new.capability and old.payload == new.payload
                   and old.operation == new.operation and old.tier == new.tier and old.refused == new.refused
                   and old.link[0] == new.link[0] and old.link[1] == new.link[1])


@theorem("WIT-14", "refused calls are never forgotten: the count is told in the next record or grows")
def refusals_are_told(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    p = before.current
    if status == Status.WITNESS_FULL:
        return after.partition[p].refused > before.partition[p].refused or before.partition[p].refused == 0xFFFF
    return after.log[record_id(before.sequence)].refused == before.partition[p].refused
