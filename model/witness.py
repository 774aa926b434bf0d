"""How does the kernel keep its log: append, drain, seal?"""

from model.sha256 import Block, Digest, authenticate, begin, compress, end, put, put_digest, word_of
from spec.language.builtins import implies, minimum, saturating_sub
from spec.language.layout import word
from spec.language.types import u8, u16, u32, u64
from spec.language.values import local
from spec.limits import DRAIN_LIMIT, PARTITIONS
from spec.memory import lets, owns_data
from spec.operation import next_number, operation
from spec.property import theorem
from spec.state import Call, EntryId, Kernel, PageId, PartitionId, RecordId, WitnessRecord
from spec.vocabulary import Access, Action, Meter, ObjectKind, Right, Status, Tier
from spec.witness import (
    KERNEL_ACTOR, KERNEL_OPERATION, TOLD_LIMIT, counted_on, kernel_room, record_id, used_records)


def chain(head: Digest, entry: WitnessRecord) -> None:
    """H(i) = SHA-256(H(i-1) || bytes 0 .. 47 of record i)."""
    state = local(Digest)
    block = local(Block)
    begin(state)
    put_digest(block, 0, head)
    put(block, 4, word(entry, 0))
    put(block, 5, word(entry, 1))
    put(block, 6, word(entry, 2))
    put(block, 7, word(entry, 3))
    compress(state, block)
    rest = local(Block)
    put(rest, 0, word(entry, 4))
    put(rest, 1, word(entry, 5))
    end(rest, 4, 8 * 80)
    compress(state, rest)
    for i in range(8):
        head[i] = state[i]


def append(s: Kernel, now: u64, kind: Action, tier: Tier, status: Status, operation: u8, actor: u16, refused: u16,
           object: u64, capability: u64, payload: u64) -> None:
    """Add one record to the log; the caller has made sure that there is room."""
    entry = s.log[record_id(s.sequence)]
    entry.sequence = s.sequence
    entry.time = now
    entry.kind = kind
    entry.tier = tier
    entry.status = status
    entry.operation = operation
    entry.actor = actor
    entry.refused = refused
    entry.object = object
    entry.capability = capability
    entry.payload = payload
    chain(s.head, entry)
    entry.link[0] = word_of(s.head, 0)
    entry.link[1] = word_of(s.head, 1)
    s.sequence += 1


def append_for_kernel(s: Kernel, now: u64, kind: Action, object: u64, payload: u64) -> None:
    """Record an action of the kernel itself, or count it when its reserve is used up."""
    if kernel_room(s):
        told = u16(minimum(s.dropped, u64(TOLD_LIMIT)))
        append(s, now, kind, Tier.NONE, Status.OK, KERNEL_OPERATION, KERNEL_ACTOR, told, object, 0, payload)
        s.dropped -= told
        s.kernel_records += 1
    else:
        s.dropped = counted_on(s.dropped, 1)


def count_refusal(s: Kernel, p: PartitionId) -> None:
    """Remember that a call of the partition was refused for want of room."""
    s.partition[p].refused = counted_on(s.partition[p].refused, 1)


def copy_record(s: Kernel, page: PageId, position: u32, r: RecordId) -> None:
    """Copy a record of the log to word `position` of a page."""
    entry = s.log[r]
    target = s.memory[page]
    target.word[EntryId(position)] = word(entry, 0)
    target.word[EntryId(position + 1)] = word(entry, 1)
    target.word[EntryId(position + 2)] = word(entry, 2)
    target.word[EntryId(position + 3)] = word(entry, 3)
    target.word[EntryId(position + 4)] = word(entry, 4)
    target.word[EntryId(position + 5)] = word(entry, 5)
    target.word[EntryId(position + 6)] = word(entry, 6)
    target.word[EntryId(position + 7)] = word(entry, 7)


def return_record(s: Kernel, r: RecordId) -> None:
    """Give the partition that left a drained record its room back."""
    actor = s.log[r].actor
    if actor < PARTITIONS:
        p = PartitionId(actor)
        if s.partition[p].records > 0:
            s.partition[p].records -= 1


def kernels_among(s: Kernel, count: u64) -> u16:
    """How many of the oldest records, eight at most, the kernel left itself."""
    found: u16 = 0
    for i in range(DRAIN_LIMIT):
        if i < count and s.log[record_id(s.drained + i)].actor >= PARTITIONS:
            found += 1
    return found


WITNESS_DRAIN = next_number()


@operation(Action.IPC_RECEIVE, on=ObjectKind.WITNESS_LOG, needs=Right.READ, meter=Meter.MESSAGES)
def witness_drain(s: Kernel, call: Call, page: PageId) -> Status:
    """Move the oldest records, eight if there are so many, into an own page, and out of the log."""
    if not owns_data(s, s.current, page):
        return Status.NOT_OWNER
    if not lets(s, s.current, page, Access.WRITE):
        return Status.NOT_MAPPED
    moved = minimum(u64(DRAIN_LIMIT), used_records(s))
    first = s.drained
    for i in range(DRAIN_LIMIT):
        if i < moved:
            r = record_id(first + i)
            copy_record(s, page, 8 * i, r)
            return_record(s, r)
    s.kernel_records = saturating_sub(s.kernel_records, kernels_among(s, moved))
    s.drained = first + moved
    call.result[0] = moved
    return Status.OK


@operation(Action.CHECKPOINT_CREATED, on=ObjectKind.WITNESS_LOG, needs=Right.READ)
def witness_seal(s: Kernel, call: Call, page: PageId) -> Status:
    """Write a checkpoint, sealed with HMAC-SHA256 under the boot key, to the start of an own page."""
    if not owns_data(s, s.current, page):
        return Status.NOT_OWNER
    if not lets(s, s.current, page, Access.WRITE):
        return Status.NOT_MAPPED
    message = local(Block)
    put(message, 0, s.sequence)
    put(message, 1, call.now)
    put_digest(message, 4, s.head)
    put(message, 6, s.drained)
    put(message, 7, s.epoch)
    tag = local(Digest)
    authenticate(tag, s.key, message)
    target = s.memory[page]
    target.word[0] = s.sequence
    target.word[1] = call.now
    target.word[6] = s.drained
    target.word[7] = s.epoch
    for i in range(4):
        target.word[EntryId(i + 2)] = word_of(s.head, i)
        target.word[EntryId(i + 8)] = word_of(tag, i)
    call.result[0] = s.sequence
    return Status.OK


@theorem("WIT-21", "a drain gives room back to nobody but those who left what it moves", about=("witness_drain",))
def room_is_given_back(before: Kernel, call: Call, after: Kernel, status: Status, p: PartitionId) -> bool:
    moved = after.drained - before.drained
    left = False
    for i in range(DRAIN_LIMIT):
        left = left or (i < moved and before.log[record_id(before.drained + i)].actor == u16(p))
    return (implies(after.partition[p].records < before.partition[p].records, left)
            and after.kernel_records == saturating_sub(before.kernel_records, kernels_among(before, moved)))
