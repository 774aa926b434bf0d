"""How is the log of a kernel that cannot go on kept, and what does the next one believe of it?"""

from corollary.language.builtins import byte_swap, minimum, saturating_sub, wrapping_add
from corollary.language.layout import word
from corollary.language.types import u16, u32, u64
from corollary.language.values import local
from corollary.model.kernel.measure import Line, add_line, finalize
from corollary.model.kernel.witness import finish
from corollary.spec.kernel.kept import (
    BATCH,
    CHECKPOINT_DRAINED,
    CHECKPOINT_HASH,
    CHECKPOINT_SEQUENCE,
    CHECKPOINT_TAG,
    DAMAGED,
    KEPT_MAGIC,
    BatchId,
    Checkpoint,
    Kept,
    KeptRecord,
    Standing,
)
from corollary.spec.kernel.limits import RESTARTS
from corollary.spec.kernel.memory_map import LineCount, PhaseId
from corollary.spec.kernel.packed import Halves
from corollary.spec.kernel.sha256 import Block, Digest, DigestPair, PairId, authenticate, begin, put, word_of
from corollary.spec.kernel.state import BootInformation, Kernel, RecordId, WitnessRecord
from corollary.spec.kernel.witness import SEQUENCE_LIMIT, record_id


def undrained(checkpoint: Checkpoint) -> u64:
    """Return how many records had not left the log."""
    return saturating_sub(checkpoint[CHECKPOINT_SEQUENCE], checkpoint[CHECKPOINT_DRAINED])


# ---- what vouches for it


def seal_of(tag: Digest, key: Digest, checkpoint: Checkpoint) -> None:
    """Compute the tag of a checkpoint, as a seal does."""
    message = local(Block)
    digest = local(Digest)
    for i in range(8):
        put(message, PairId(i), checkpoint[i])
    for i in range(4):
        digest[2 * i] = byte_swap(Halves(checkpoint[CHECKPOINT_HASH + i]).low)
        digest[2 * i + 1] = byte_swap(Halves(checkpoint[CHECKPOINT_HASH + i]).high)
    authenticate(tag, key, message, digest)


def add_record(digest: Digest, kept: Kept, number: RecordId) -> None:
    """Fold a record into a digest, if so many are kept."""
    if u64(number) < undrained(kept.checkpoint):
        add_line(digest, kept.log[number].word)


def add_batch(digest: Digest, kept: Kept, batch: BatchId) -> None:
    """Fold some records into a digest."""
    for i in range(BATCH):
        add_record(digest, kept, RecordId(BATCH * u32(batch) + i))


def vouch(tag: Digest, key: Digest, kept: Kept) -> None:
    """Compute the tag of all that is kept: the number of restarts, the checkpoint by its tag, and the records."""
    digest = local(Digest)
    begin(digest)
    for i in range(BatchId.bound):
        add_batch(digest, kept, BatchId(i))
    message = local(Block)
    put(message, 0, KEPT_MAGIC)
    put(message, 1, kept.restarts)
    for i in range(4):
        put(message, PairId(2 + i), kept.checkpoint[CHECKPOINT_TAG + i])
    authenticate(tag, key, message, digest)


# ---- the kernel that cannot go on


def copy_record(target: KeptRecord, entry: WitnessRecord) -> None:
    """Copy a record, word by word."""
    target.word[0] = word(entry, 0)
    target.word[1] = word(entry, 1)
    target.word[2] = word(entry, 2)
    target.word[3] = word(entry, 3)
    target.word[4] = word(entry, 4)
    target.word[5] = word(entry, 5)
    target.word[6] = word(entry, 6)
    target.word[7] = word(entry, 7)


def keep_record(s: Kernel, kept: Kept, number: RecordId) -> None:
    """Copy a record that was not drained, if there are so many."""
    if u64(number) < undrained(kept.checkpoint):
        copy_record(kept.log[number], s.log[record_id(wrapping_add(u64, s.drained, u64(number)))])


def keep_batch(s: Kernel, kept: Kept, batch: BatchId) -> None:
    """Copy some records."""
    for i in range(BATCH):
        keep_record(s, kept, RecordId(BATCH * u32(batch) + i))


def keep_checkpoint(s: Kernel, now: u64, checkpoint: Checkpoint) -> None:
    """Seal the end of the log, as `witness_seal` does."""
    digest = local(Digest)
    finish(digest, s.head, minimum(s.sequence, u64(SEQUENCE_LIMIT)))
    checkpoint[CHECKPOINT_SEQUENCE] = s.sequence
    checkpoint[1] = now
    checkpoint[CHECKPOINT_DRAINED] = s.drained
    checkpoint[7] = s.epoch
    for i in range(4):
        checkpoint[2 + i] = word_of(s.head, DigestPair(i))
        checkpoint[CHECKPOINT_HASH + i] = word_of(digest, DigestPair(i))
    tag = local(Digest)
    seal_of(tag, s.key, checkpoint)
    for i in range(4):
        checkpoint[CHECKPOINT_TAG + i] = word_of(tag, DigestPair(i))


def keep(s: Kernel, now: u64, restarts: u16, kept: Kept) -> None:
    """Leave the log to the next kernel. Nothing is relied on: the state may be broken."""
    keep_checkpoint(s, now, kept.checkpoint)
    for i in range(BatchId.bound):
        keep_batch(s, kept, BatchId(i))
    kept.restarts = u64(restarts) + 1
    tag = local(Digest)
    vouch(tag, s.key, kept)
    for i in range(4):
        kept.tag[i] = word_of(tag, DigestPair(i))
    kept.magic = KEPT_MAGIC


# ---- the kernel that starts after it


def is_whole(key: Digest, kept: Kept) -> bool:
    """Did a kernel with this key leave this? The tags are compared to their ends, whatever they are."""
    seal = local(Digest)
    tag = local(Digest)
    seal_of(seal, key, kept.checkpoint)
    vouch(tag, key, kept)
    wrong: u64 = 0
    for i in range(4):
        wrong |= word_of(seal, DigestPair(i)) ^ kept.checkpoint[CHECKPOINT_TAG + i]
        wrong |= word_of(tag, DigestPair(i)) ^ kept.tag[i]
    return wrong == 0


def standing_of(key: Digest, kept: Kept) -> Standing:
    """Return how the kernel starts after what was kept."""
    if kept.magic != KEPT_MAGIC:
        return Standing.COLD
    if not is_whole(key, kept):
        return Standing.DAMAGED
    return Standing.WARM if kept.restarts <= RESTARTS else Standing.EXHAUSTED


def take(information: BootInformation, kept: Kept) -> Standing:
    """Tell boot how often the kernel has started again, and see to it that nobody looks at what was kept once more."""
    standing = standing_of(information.key, kept)
    if standing == Standing.WARM:
        information.restarts = u16(minimum(kept.restarts, u64(RESTARTS)))
    if standing == Standing.DAMAGED:
        information.restarts = DAMAGED
    kept.magic = 0
    return standing


def measure_start(information: BootInformation, phase: PhaseId, keyed: u64, kept: Kept) -> None:
    """Measure how the kernel starts: whether it has a key, after how many restarts, and after which log."""
    state = local(Digest)
    begin(state)
    line = local(Line)
    line[0] = keyed
    line[1] = u64(information.restarts)
    if 1 <= information.restarts <= RESTARTS:
        for i in range(4):
            line[2 + i] = kept.checkpoint[CHECKPOINT_HASH + i]
    add_line(state, line)
    finalize(information, phase, state, LineCount(1))
