"""What do the operations on the log do?"""

from corollary.language.builtins import implies, maximum, minimum, saturating_sub, wrapping_sub
from corollary.language.layout import word
from corollary.language.property import ensures, succeeds, theorem
from corollary.language.types import u16, u32, u64
from corollary.language.values import local
from corollary.spec.kernel.limits import DRAIN_LIMIT, PARTITIONS, RECORDS
from corollary.spec.kernel.outcome.admission import has_message, has_room, holds_on, may_call, stands
from corollary.spec.kernel.outcome.words import takes_words, tells
from corollary.spec.kernel.sha256 import Block, Digest, begin, compress, end, put, put_digest, word_of
from corollary.spec.kernel.state import Call, EntryId, Kernel, PageId, PartitionId, RecordId, WitnessRecord
from corollary.spec.kernel.vocabulary import ObjectKind, Right, Ring, Status

WORDS = 8  # of a record
LEAST_HASH = 8  # word of a checkpoint at which the hash of the log begins
LEAST_TAG = 12  # word at which its seal begins
CHECKPOINT_WORDS = 16


# ---- words


def undropped(s: Kernel) -> u64:
    """Return how many records are in the log."""
    return s.sequence - s.drained


def has_place(s: Kernel) -> bool:
    """Has the log a place for one more record, no matter to whom it was promised?"""
    return undropped(s) < RECORDS and s.sequence >> 54 == 0


def number_at(sequence: u64) -> RecordId:
    """Where the record with this number stands."""
    return RecordId.truncate(sequence)


def shown(entry: WitnessRecord, first: u32, at: u32, other: u64) -> u64:
    """Return a word of a page that holds a record from word `first` on, or `other` if the word is not in the record."""
    low = (
        word(entry, 0)
        if at == first
        else word(entry, 1)
        if at == first + 1
        else word(entry, 2)
        if at == first + 2
        else word(entry, 3)
        if at == first + 3
        else other
    )
    return (
        word(entry, 4)
        if at == first + 4
        else word(entry, 5)
        if at == first + 5
        else word(entry, 6)
        if at == first + 6
        else word(entry, 7)
        if at == first + 7
        else low
    )


# ---- reading


@succeeds("witness_read")
def read_is_allowed(before: Kernel, call: Call, page: PageId, first: u64) -> bool:
    on_the_way_out = (
        has_place(before)
        and first == before.copied
        and before.sequence - first >= DRAIN_LIMIT
        and first - before.drained < DRAIN_LIMIT
    )
    return (
        (has_room(before) or on_the_way_out)
        and has_message(before, call)
        and stands(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.WITNESS_LOG, Right.READ)
        and takes_words(before, page)
        and before.drained <= first
        and first < before.sequence
    )


@ensures(
    "witness_read",
    (
        "the page begins with eight records from the one named on, or with as many as there are; "
        "the caller is told how many"
    ),
    changes=("memory", "copied", "result"),
)
def read_is_exact(
    before: Kernel, call: Call, after: Kernel, page: PageId, first: u64, any_page: PageId, entry: EntryId
) -> bool:
    count = minimum(before.sequence - first, u64(DRAIN_LIMIT))
    copied = maximum(before.copied, first + count) if first <= before.copied else before.copied
    value = before.memory[any_page].word[entry]
    for i in range(DRAIN_LIMIT):
        if any_page == page and i < count:
            value = shown(before.log[number_at(first + i)], WORDS * i, u32(entry), value)
    return tells(call, count, 0, 0) and after.copied == copied and after.memory[any_page].word[entry] == value


# ---- dropping


@succeeds("witness_discard")
def discard_is_allowed(before: Kernel, call: Call, last: u64) -> bool:
    near = before.drained <= last and last - before.drained < DRAIN_LIMIT and last < before.copied
    on_the_way_out = has_place(before) and wrapping_sub(u64, last, before.drained) == DRAIN_LIMIT - 1
    return (
        near
        and (has_room(before) or on_the_way_out)
        and has_message(before, call)
        and stands(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.WITNESS_LOG, Right.READ | Right.WRITE)
    )


def records_left(s: Kernel, dropped: u64, q: PartitionId) -> u16:
    """Return how many records of a partition are left when the `dropped` oldest are gone from the log."""
    have = s.partition[q].records
    for i in range(DRAIN_LIMIT):
        if i < dropped and s.log[number_at(s.drained + i)].actor == u16(q) and have != 0:
            have -= 1
    return have


def left_by_kernel(s: Kernel, dropped: u64) -> u16:
    """Return how many of the `dropped` oldest records the kernel itself left."""
    found: u16 = 0
    for i in range(DRAIN_LIMIT):
        if i < dropped and s.log[number_at(s.drained + i)].actor >= PARTITIONS:
            found += 1
    return found


@ensures(
    "witness_discard",
    "the records up to the one named are gone, and whoever left them has room for others; the caller is told how many",
    changes=("partition.records", "kernel_records", "drained", "result"),
)
def discard_is_exact(before: Kernel, call: Call, after: Kernel, last: u64, q: PartitionId) -> bool:
    dropped = last - before.drained + 1
    return (
        (q == before.current or after.partition[q].records == records_left(before, dropped, q))
        and after.kernel_records == saturating_sub(before.kernel_records, left_by_kernel(before, dropped))
        and after.drained == last + 1
        and tells(call, dropped, 0, 0)
    )


@theorem(
    "WIT-29",
    "whoever drops records has room again for its own among them, but for the record of that",
    about=("witness_discard",),
)
def own_room_is_given_back(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    dropped = call.argument[1] - before.drained + 1 if status == Status.OK else u64(0)
    left = records_left(before, dropped, before.current)
    full = left == RECORDS or status == Status.WITNESS_FULL
    return after.partition[before.current].records == (left if full else left + 1)


@theorem("WIT-21", "a discard gives room back to nobody but those who left what it drops", about=("witness_discard",))
def room_is_given_back(before: Kernel, call: Call, after: Kernel, status: Status, p: PartitionId) -> bool:
    dropped = after.drained - before.drained
    left = False
    for i in range(DRAIN_LIMIT):
        left = left or (i < dropped and before.log[number_at(before.drained + i)].actor == u16(p))
    return implies(
        after.partition[p].records < before.partition[p].records, left
    ) and after.kernel_records == saturating_sub(before.kernel_records, left_by_kernel(before, dropped))


# ---- sealing


@succeeds("witness_seal")
def seal_is_allowed(before: Kernel, call: Call, page: PageId) -> bool:
    return (
        may_call(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.WITNESS_LOG, Right.READ)
        and takes_words(before, page)
    )


def hash_with_key(s: Kernel, pad: u32, message: Block, value: Digest) -> None:
    """Compute SHA-256 of the key block and a message block.

    The key is filled up with zeros and xored with a pad. The message block ends the message or is all of it.
    """
    first = local(Block)
    for i in range(8):
        first[i] = s.key[i] ^ pad
        first[8 + i] = pad
    begin(value)
    compress(value, first)
    compress(value, message)


def hash_of_log(s: Kernel, value: Digest) -> None:
    """Close the chain value as FIPS 180-4 closes a message of 64 bytes a record."""
    closing = local(Block)
    closing[0] = 0x80000000
    closing[14] = u32.truncate(s.sequence >> 23)
    closing[15] = u32.truncate((s.sequence & 0x7FFFFF) << 9)
    for i in range(8):
        value[i] = s.head[i]
    compress(value, closing)


def seal_of(s: Kernel, line: Block, whole: Digest, value: Digest) -> None:
    """Compute HMAC-SHA256 of a line of 64 bytes and a hash under the kernel's key (RFC 2104)."""
    inner = local(Digest)
    hash_with_key(s, 0x36363636, line, inner)
    rest = local(Block)
    for i in range(8):
        rest[i] = whole[i]
    end(rest, 8, 1280)
    compress(inner, rest)
    last = local(Block)
    for i in range(8):
        last[i] = inner[i]
    end(last, 8, 768)
    hash_with_key(s, 0x5C5C5C5C, last, value)


def quarter(value: Digest, number: u32) -> u64:
    """Return eight bytes of a digest; the last eight for any number above."""
    if number == 0:
        return word_of(value, 0)
    if number == 1:
        return word_of(value, 1)
    return word_of(value, 2) if number == 2 else word_of(value, 3)


def sealed_word(s: Kernel, call: Call, number: u32) -> u64:
    """A word of a checkpoint.

    It holds the number of the next record, time, chain value, first record in the log, epoch, hash of the log, seal.
    """
    line = local(Block)
    put(line, 0, s.sequence)
    put(line, 1, call.now)
    put_digest(line, 4, s.head)
    put(line, 6, s.drained)
    put(line, 7, s.epoch)
    whole = local(Digest)
    hash_of_log(s, whole)
    tag = local(Digest)
    seal_of(s, line, whole, tag)
    if number < 2:
        return s.sequence if number == 0 else call.now
    if number < 6:
        return quarter(s.head, number - 2)
    if number < LEAST_HASH:
        return s.drained if number == 6 else s.epoch
    return quarter(whole, number - LEAST_HASH) if number < LEAST_TAG else quarter(tag, number - LEAST_TAG)


@ensures(
    "witness_seal",
    (
        "the page begins with a checkpoint of the log as it was, and its seal under the kernel's key; "
        "the caller is told its number"
    ),
    changes=("memory", "result"),
)
def seal_is_exact(before: Kernel, call: Call, after: Kernel, page: PageId, any_page: PageId, entry: EntryId) -> bool:
    written = any_page == page and entry < CHECKPOINT_WORDS
    expected = sealed_word(before, call, u32(entry)) if written else before.memory[any_page].word[entry]
    return after.memory[any_page].word[entry] == expected and tells(call, before.sequence, 0, 0)
