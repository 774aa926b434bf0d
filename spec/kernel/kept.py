"""What does a kernel that cannot go on leave to the one that starts next? Its log, in memory that boot leaves alone.

Only EL2 can write there. All the same nothing of it is believed that the key of the boot does not vouch for.
"""

from corollary.language.types import Array, Enum, Index, Table, u64
from corollary.language.values import Record
from corollary.spec.kernel.limits import RECORDS, RESTARTS
from corollary.spec.kernel.state import RecordId
from corollary.spec.kernel.witness import SEQUENCE_LIMIT

KEPT_MAGIC = int.from_bytes(b"KEPT LOG", "little")
CHECKPOINT_WORDS = 16  # of what a seal writes
CHECKPOINT_SEQUENCE = 0  # in it: the number of the next record
CHECKPOINT_DRAINED = 6  # how many records had left the log
CHECKPOINT_HASH = 8  # SHA-256 of the log, four words
CHECKPOINT_TAG = 12  # which vouches for all before it, four words
DAMAGED = RESTARTS + 1  # as a number of restarts: nobody vouches for what was kept

assert KEPT_MAGIC >= SEQUENCE_LIMIT, "what vouches for a kept log is never taken for a checkpoint"

Checkpoint = Array[u64, CHECKPOINT_WORDS]
BATCH = 64  # records that are gone through together
BatchId = Index("BatchId", RECORDS // BATCH)


class KeptRecord(Record):
    """A record of the log, as it lies in memory."""

    word: Array[u64, 8]


class Kept(Record):
    """The log of a kernel that could not go on, as far as it was not drained, and what vouches for it."""

    magic: u64  # KEPT_MAGIC, until somebody has looked at it
    restarts: u64  # how often the kernel has started again, with the start to come
    checkpoint: Checkpoint  # a sealed one, of the end of the log
    tag: Array[u64, 4]  # vouches for the number of restarts and the records
    log: Table[RecordId, KeptRecord]  # the oldest first


class Standing(Enum):
    """How does the kernel start?"""

    COLD = 0  # nothing was kept
    WARM = 1  # after a kernel that could not go on
    EXHAUSTED = 2  # not at all: it was started again too often
    DAMAGED = 3  # as a cold one, because what was kept is not what a kernel leaves
