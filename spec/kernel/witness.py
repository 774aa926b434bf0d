"""What does the witness log promise?"""

from corollary.language.builtins import implies, maximum, minimum
from corollary.language.layout import word
from corollary.language.property import by_itself, invariant, theorem
from corollary.language.types import u16, u32, u64
from corollary.language.values import local
from corollary.spec.kernel.capability import named_partition
from corollary.spec.kernel.limits import DRAIN_LIMIT, DRAIN_RESERVE, KERNEL_RESERVE, PAGES, RECORDS, ROOT_QUOTA
from corollary.spec.kernel.sha256 import Block, Digest, compress, put, word_of
from corollary.spec.kernel.state import Call, EntryId, Frame, Kernel, PageId, PartitionId, RecordId, WitnessRecord
from corollary.spec.kernel.vocabulary import PartitionState, Status

KERNEL_ACTOR = 0xFFFF  # the kernel itself, in the actor field of a record
KERNEL_OPERATION = 0xFF
SEQUENCE_LIMIT = 1 << 54  # the SHA-256 of a longer log is not defined: its bits do not fit 64 bits
REFUSED_LIMIT = 0xFFFF_FFFF_FFFF_FFFF  # highest count of what found no room
TOLD_LIMIT = 0xFFFF  # how much of such a count one record tells
RECORD_WORDS = WitnessRecord.layout.size // 8

assert ROOT_QUOTA + KERNEL_RESERVE + DRAIN_RESERVE == RECORDS, "what is promised fits the log"


def record_id(sequence: u64) -> RecordId:
    """The place in the log of the record with this sequence number."""
    return RecordId.truncate(sequence)


def used_records(s: Kernel) -> u64:
    """Return how many records have not been drained."""
    return s.sequence - s.drained


def in_log(s: Kernel, sequence: u64) -> bool:
    """Is the record with this sequence number still in the log?"""
    return s.drained <= sequence < s.sequence


def log_room(s: Kernel) -> bool:
    """Is there a place in the log for one more record? There is, as long as any share or reserve is not used up."""
    return s.sequence < SEQUENCE_LIMIT and used_records(s) < RECORDS


def own_room(s: Kernel, p: PartitionId) -> bool:
    """May the partition leave a record within its share of the log?"""
    return log_room(s) and s.partition[p].records < s.partition[p].quota


def kernel_room(s: Kernel) -> bool:
    """May the kernel leave a record of its own action within its reserve?"""
    return log_room(s) and s.kernel_records < KERNEL_RESERVE


@invariant(
    "WIT-1", "the log never holds more records than it has room for, and is never empty: a discard leaves its own"
)
def log_is_bounded(s: Kernel) -> bool:
    return s.sequence <= SEQUENCE_LIMIT and s.drained < s.sequence and s.sequence - s.drained <= RECORDS


@invariant("WIT-2", "every record in the log stands at the place of its sequence number")
def records_in_place(s: Kernel, r: RecordId) -> bool:
    return implies(u64(r) < s.sequence, record_id(s.log[r].sequence) == r and s.log[r].sequence < s.sequence)


@invariant("WIT-3", "the kernel itself leaves no more records than its reserve holds")
def reserve_is_kept(s: Kernel) -> bool:
    return s.kernel_records <= KERNEL_RESERVE


@invariant("WIT-4", "what has left the log was copied before, and what was copied was written")
def copied_before_drained(s: Kernel) -> bool:
    return s.drained <= s.copied <= s.sequence


@theorem("WIT-10", "one record per call, or the call was refused for want of room and counted")
def one_record_per_call(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return after.sequence == before.sequence + 1 if status != Status.WITNESS_FULL else after.sequence == before.sequence


@theorem("WIT-12", "the record tells who called, what, when and how it ended")
def record_is_true(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    record = after.log[record_id(before.sequence)]
    return implies(
        status != Status.WITNESS_FULL,
        record.sequence == before.sequence
        and record.time == call.now
        and record.status == status
        and record.actor == before.current,
    )


def same_record(before: Kernel, after: Kernel, r: RecordId) -> bool:
    """Is a record of the log unchanged?"""
    old = before.log[r]
    new = after.log[r]
    return (
        old.sequence == new.sequence
        and old.time == new.time
        and old.kind == new.kind
        and old.status == new.status
        and old.actor == new.actor
        and old.object == new.object
        and old.capability == new.capability
        and old.payload == new.payload
        and old.operation == new.operation
        and old.tier == new.tier
        and old.refused == new.refused
        and old.link[0] == new.link[0]
        and old.link[1] == new.link[1]
    )


@theorem("WIT-13", "the log only grows: no record that has not been drained ever changes")
def log_is_append_only(before: Kernel, after: Kernel, r: RecordId) -> bool:
    kept = r != record_id(before.sequence) or after.sequence == before.sequence
    return implies(kept, same_record(before, after, r))


def counted_on(count: u64, more: u64) -> u64:
    """Add `more` to a count of what found no room; the count stops at its limit."""
    return count + minimum(more, REFUSED_LIMIT - count)


def owed_with(count: u64, more: u64) -> u64:
    """Return the same sum, in the words of the promises."""
    return REFUSED_LIMIT if more > REFUSED_LIMIT - count else count + more


def reclaimed(before: Kernel, call: Call, after: Kernel, p: PartitionId) -> bool:
    """Does the call name this partition, and did it go from destroyed to vacant?"""
    named = p == named_partition(before, call)
    return (
        named
        and before.partition[p].state == PartitionState.DESTROYED
        and after.partition[p].state == PartitionState.VACANT
    )


@theorem(
    "WIT-14",
    (
        "refused calls are never forgotten: each is counted; a record tells of them, "
        "and takes off the count what it tells, no more"
    ),
)
def refusals_are_told(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    old = before.partition[before.current].refused
    new = after.partition[before.current].refused
    if status == Status.WITNESS_FULL:
        return new == owed_with(old, 1)
    ended = named_partition(before, call)
    owed = owed_with(old, before.partition[ended].refused) if reclaimed(before, call, after, ended) else old
    told = after.log[record_id(before.sequence)].refused
    return told <= owed and new == owed - told and implies(new != 0, told == TOLD_LIMIT)


@theorem(
    "WIT-19", "whoever reclaims a partition tells of its refused calls; no other call takes them off anybody's count"
)
def refusals_are_inherited(before: Kernel, call: Call, after: Kernel, p: PartitionId) -> bool:
    left = u64(0) if reclaimed(before, call, after, p) else before.partition[p].refused
    return implies(p != before.current, after.partition[p].refused == left)


def go_into(value: Digest, entry: WitnessRecord) -> None:
    """Fold the first 48 bytes of a record, and 16 zero bytes, into a chain value."""
    content = local(Block)
    put(content, 0, word(entry, 0))
    put(content, 1, word(entry, 1))
    put(content, 2, word(entry, 2))
    put(content, 3, word(entry, 3))
    put(content, 4, word(entry, 4))
    put(content, 5, word(entry, 5))
    compress(value, content)


def is_chained(before: Kernel, after: Kernel) -> bool:
    """Does the new record go into the chain value, and is its link the beginning of that value?"""
    entry = after.log[record_id(before.sequence)]
    digest = local(Digest)
    for i in range(8):
        digest[i] = before.head[i]
    go_into(digest, entry)
    chained = entry.link[0] == word_of(after.head, 0) and entry.link[1] == word_of(after.head, 1)
    for i in range(8):
        chained = chained and after.head[i] == digest[i]
    return chained


@theorem("WIT-27", "the record of a call goes into the chain value, and holds how that begins")
def calls_are_chained(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    if status == Status.WITNESS_FULL:
        return True
    return is_chained(before, after)


@theorem("WIT-28", "so does a record of what happens without a call", about=by_itself)
def actions_are_chained(before: Kernel, after: Kernel) -> bool:
    if after.sequence == before.sequence:
        return True
    return is_chained(before, after)


# ---- room that is promised to a partition is there for it. corollary/report/ledger.py argues the sum.


@theorem(
    "WIT-20",
    "a record uses up room of its caller alone, and of nobody what was promised to others",
    about=lambda operation: operation.name != "witness_discard",
    unknown=True,
)
def record_is_charged_to_its_caller(before: Kernel, call: Call, after: Kernel, status: Status, p: PartitionId) -> bool:
    taken = u16(1) if p == before.current and status != Status.WITNESS_FULL else u16(0)
    most = u16(RECORDS) - before.partition[p].records  # no count passes what the log holds
    return (
        after.partition[p].records == before.partition[p].records + minimum(taken, most)
        and after.kernel_records == before.kernel_records
    )


# ---- the way out


@theorem(
    "WIT-22",
    (
        "records leave the log only by a discard, the oldest first, eight at most, "
        "as far as it names them and readers have copied them"
    ),
)
def records_leave_in_order(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    if after.drained == before.drained:
        return True
    return (
        status == Status.OK
        and after.drained > before.drained
        and after.drained - 1 == call.argument[1]
        and after.drained - before.drained <= DRAIN_LIMIT
        and after.drained <= before.copied
    )


@theorem(
    "WIT-23",
    "a discard drops all that it names; it is refused if that is not within the next eight records, or not yet copied",
    about=("witness_discard",),
)
def discard_is_exact(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    last = call.argument[1]
    near = before.drained <= last < before.drained + DRAIN_LIMIT
    if status == Status.OK:
        return (
            near and last < before.copied and after.drained == last + 1 and call.result[0] == last + 1 - before.drained
        )
    return implies(status == Status.BAD_ARGUMENT, not near) and implies(
        status == Status.NOT_COPIED, near and last >= before.copied
    )


@theorem(
    "WIT-24",
    "a read tells how many records it copied, from the one that it names on, and leaves them in the log",
    about=("witness_read",),
)
def read_is_exact(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    first = call.argument[2]
    if status != Status.OK:
        return after.copied == before.copied and implies(
            status == Status.BAD_ARGUMENT, call.argument[1] >= PAGES or not in_log(before, first)
        )
    count = minimum(before.sequence - first, u64(DRAIN_LIMIT))
    copied = maximum(before.copied, first + count) if first <= before.copied else before.copied
    return (
        in_log(before, first) and call.result[0] == count and after.copied == copied and after.drained == before.drained
    )


def is_copy(page: Frame, at: u32, entry: WitnessRecord) -> bool:
    """Does the page hold the record from this word on?"""
    return (
        page.word[EntryId(at)] == word(entry, 0)
        and page.word[EntryId(at + 1)] == word(entry, 1)
        and page.word[EntryId(at + 2)] == word(entry, 2)
        and page.word[EntryId(at + 3)] == word(entry, 3)
        and page.word[EntryId(at + 4)] == word(entry, 4)
        and page.word[EntryId(at + 5)] == word(entry, 5)
        and page.word[EntryId(at + 6)] == word(entry, 6)
        and page.word[EntryId(at + 7)] == word(entry, 7)
    )


@theorem("WIT-25", "what a read copies is what the log holds, word by word", about=("witness_read",))
def copies_are_true(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    if status != Status.OK:
        return True
    same = True
    for i in range(DRAIN_LIMIT):
        entry = before.log[record_id(call.argument[2] + i)]
        same = same and (
            i >= call.result[0] or is_copy(after.memory[PageId.truncate(call.argument[1])], RECORD_WORDS * i, entry)
        )
    return same


@theorem(
    "WIT-26",
    "what nobody read is not taken for copied",
    about=lambda operation: operation.name != "witness_read",
    unknown=True,
)
def copied_by_reads_alone(before: Kernel, after: Kernel) -> bool:
    return after.copied == before.copied
