"""How does the kernel keep its log: append, read, discard, seal?"""

from corollary.language.builtins import maximum, minimum, saturating_sub
from corollary.language.contracts import requires
from corollary.language.layout import word
from corollary.language.types import u8, u16, u32, u64
from corollary.language.values import local
from corollary.model.kernel.operation import operation
from corollary.spec.kernel.limits import DRAIN_LIMIT, PARTITIONS, RECORDS
from corollary.spec.kernel.memory import lets, owns_data
from corollary.spec.kernel.sha256 import (
    Block,
    Digest,
    DigestPair,
    authenticate,
    compress,
    end,
    put,
    put_digest,
    word_of,
)
from corollary.spec.kernel.state import Call, EntryId, Kernel, PageId, PartitionId, RecordId, WitnessRecord
from corollary.spec.kernel.vocabulary import Access, Action, Status, Tier
from corollary.spec.kernel.witness import (
    KERNEL_ACTOR,
    KERNEL_OPERATION,
    SEQUENCE_LIMIT,
    TOLD_LIMIT,
    counted_on,
    in_log,
    record_id,
)


def chain(head: Digest, entry: WitnessRecord) -> None:
    """Go on with the SHA-256 of the log: a record is the next block, with zeros in place of its link."""
    block = local(Block)
    put(block, 0, word(entry, 0))
    put(block, 1, word(entry, 1))
    put(block, 2, word(entry, 2))
    put(block, 3, word(entry, 3))
    put(block, 4, word(entry, 4))
    put(block, 5, word(entry, 5))
    compress(head, block)


@requires(lambda records: records <= SEQUENCE_LIMIT)
def finish(digest: Digest, head: Digest, records: u64) -> None:
    """Compute the SHA-256 of a log of so many records from its chain value: one more block, which closes it."""
    for i in range(8):
        digest[i] = head[i]
    block = local(Block)
    bits = records << 9  # of 512 bits each
    end(block, 0, u32.truncate(bits))
    block[14] = u32.truncate(bits >> 32)
    compress(digest, block)


def append(
    s: Kernel,
    now: u64,
    kind: Action,
    tier: Tier,
    status: Status,
    operation: u8,
    actor: u16,
    refused: u16,
    object: u64,
    capability: u64,
    payload: u64,
) -> None:
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
    """Record an action of the kernel itself; the caller has made sure that its reserve has room."""
    append(s, now, kind, Tier.NONE, Status.OK, KERNEL_OPERATION, KERNEL_ACTOR, 0, object, 0, payload)
    s.kernel_records += 1


def append_for_partition(
    s: Kernel,
    now: u64,
    p: PartitionId,
    kind: Action,
    tier: Tier,
    status: Status,
    operation: u8,
    object: u64,
    capability: u64,
    payload: u64,
) -> None:
    """Record what a partition did, and how much found no room before.

    The caller has made sure that there is room now.
    """
    told = u16(minimum(s.partition[p].refused, u64(TOLD_LIMIT)))
    append(s, now, kind, tier, status, operation, u16(p), told, object, capability, payload)
    s.partition[p].refused -= told
    if s.partition[p].records < RECORDS:
        s.partition[p].records += 1


def count_refusal(s: Kernel, p: PartitionId) -> None:
    """Remember that a call of the partition was refused, or a fault not recorded, for want of room."""
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
    """Give the partition that left a record its room back, once the record is dropped."""
    actor = s.log[r].actor
    if actor < PARTITIONS:
        p = PartitionId(actor)
        if s.partition[p].records > 0:
            s.partition[p].records -= 1


def kernels_among(s: Kernel, count: u64) -> u16:
    """Return how many of the `count` oldest records, eight at most, the kernel itself left."""
    found: u16 = 0
    for i in range(DRAIN_LIMIT):
        if i < count and s.log[record_id(s.drained + i)].actor >= PARTITIONS:
            found += 1
    return found


@operation
def witness_read(s: Kernel, call: Call, page: PageId, first: u64) -> Status:
    """Copy records into the caller's page, from number `first` on, eight if there are so many; they stay in the log."""
    if not owns_data(s, s.current, page):
        return Status.NOT_OWNER
    if not lets(s, s.current, page, Access.WRITE):
        return Status.NOT_MAPPED
    if not in_log(s, first):
        return Status.BAD_ARGUMENT
    count = minimum(u64(DRAIN_LIMIT), s.sequence - first)
    for i in range(DRAIN_LIMIT):
        if i < count:
            copy_record(s, page, 8 * i, record_id(first + i))
    if first <= s.copied:
        s.copied = maximum(s.copied, first + count)
    call.result[0] = count
    return Status.OK


@operation
def witness_seal(s: Kernel, call: Call, page: PageId) -> Status:
    """Write a checkpoint, sealed with HMAC-SHA256 under the boot key, to the start of the caller's page."""
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
    digest = local(Digest)
    finish(digest, s.head, s.sequence)
    tag = local(Digest)
    authenticate(tag, s.key, message, digest)
    target = s.memory[page]
    target.word[0] = s.sequence
    target.word[1] = call.now
    target.word[6] = s.drained
    target.word[7] = s.epoch
    for i in range(4):
        target.word[EntryId(i + 2)] = word_of(s.head, DigestPair(i))
        target.word[EntryId(i + 8)] = word_of(digest, DigestPair(i))
        target.word[EntryId(i + 12)] = word_of(tag, DigestPair(i))
    call.result[0] = s.sequence
    return Status.OK


@operation
def witness_discard(s: Kernel, call: Call, last: u64) -> Status:
    """Drop the oldest records, eight at most, up to number `last`, which a reader has copied.

    A caller that may not read learns nothing from it.
    """
    if last < s.drained or last - s.drained >= DRAIN_LIMIT:
        return Status.BAD_ARGUMENT
    if last >= s.copied:
        return Status.NOT_COPIED
    dropped = last - s.drained + 1
    for i in range(DRAIN_LIMIT):
        if i < dropped:
            return_record(s, record_id(s.drained + i))
    s.kernel_records = saturating_sub(s.kernel_records, kernels_among(s, dropped))
    s.drained = last + 1
    call.result[0] = dropped
    return Status.OK
