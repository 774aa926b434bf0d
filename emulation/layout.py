"""Which numbers do guests and host agree on, besides those of the kernel? Guests get them as `layout.h`."""

from corollary.language.types import Enum
from corollary.spec.host import STORE_STATUS
from corollary.spec.kernel.kept import CHECKPOINT_TAG, CHECKPOINT_WORDS
from corollary.spec.kernel.limits import (
    ALL_USE,
    COLD_BELOW,
    DORMANT_BELOW,
    EDGES,
    GRAPH_ROWS,
    MESSAGES_PER_EDGE,
    PAGE_WORDS,
    PAYLOAD_WORDS,
    SECTOR,
    SLOT_BITS,
    WARM_BELOW,
)
from corollary.spec.kernel.witness import RECORD_WORDS
from corollary.spec.manager.state import Recent

FIRST_REGION = 2  # of the pool that a partition has, in the order of partitions
STINTS_OF, STINT_PAGES = 24, 4  # pages of a partition that races, one after the other
__all__ = [
    "ALL_USE",
    "CHECKPOINT_TAG",
    "CHECKPOINT_WORDS",
    "COLD_BELOW",
    "DORMANT_BELOW",
    "EDGES",
    "GRAPH_ROWS",
    "MESSAGES_PER_EDGE",
    "PAGE_WORDS",
    "PAYLOAD_WORDS",
    "RECORD_WORDS",
    "SECTOR",
    "SLOT_BITS",
    "STORE_STATUS",
    "WARM_BELOW",
]
"""Of the kernel and of the host, for guests too."""
UNIT = 3 * 512  # bytes: a frame between two machines, in whole sectors
MARK_BYTES, FRAME_AT = 8, 10  # of a unit: it begins with a mark, then comes the size of the frame, then that
WEIGHT_BITS, DECAY = 16, 20  # of traffic: fractional bits, and the part that is lost in an epoch of placement
CUT_STEPS, FEW_STEPS, HUNGRY = 1000, 3, 8  # of a cut; one in so many epochs gets few
VECTOR_ELEMENTS, VECTORS_AT_MOST = 1024, 8  # of a vector, and of the store of agents
VECTOR_BYTES = 4 * VECTOR_ELEMENTS  # bytes: a page
SLIP_GET, SLIP_PUT, SLIP_WORDS = 1, 2, 5  # what may be asked, as bits of a badge, and the words of a request
SLIP_BITS, READER_BITS = 2, 2  # of the badge of whoever asks: what they may ask, and above that who they are
LESSONS, LEARNERS, FIRST_KEY, LAST_KEY = 10, 2, 1, 2  # of each learner about each key, in agents that learn
OWN_KEY, UNKNOWN_KEY, OWN_NUMBER = 100, 7, 1 << 20  # of `pestering.c`: keys, and its requests in its own words
VIOLATIONS = len(Recent.fields)  # of its quota, after which an agent is hibernated
USE_EPOCHS, USE_EPOCH = 16, 50  # by which the use of a block is told, and ms that each lasts at least
SENDS_AT, RECEIVES_AT = 2, 1  # transports of both streams: an even and an odd one


class Fault(Enum):
    """What goes wrong in a move, at one of its tasks."""

    NONE = 0
    REFUSED = 1  # the task is refused
    DROPPED = 2  # the manager is killed before it carries the task out
    LOST = 3  # the manager is killed before it is told that the task is done
    ALTERED = 4  # what comes from the disk is not what went there
    CUT = 5  # the wire to the other machine is cut for a while
    FORGED = 6  # the other machine is first told a note of each kind that makes no sense
    GREED = 7  # nothing; the agent hibernates when it has taken too much, and not before


class Unsound(Enum):
    """Why a note from the other machine makes no sense. It is counted, and otherwise ignored."""

    NOTHING = 0
    SHORT = 1  # less than a note came
    KIND = 2  # there is no such kind
    WHOLE = 3  # a chunk that does not come in parts
    ROW = 4  # for a row that is not there
    SIZE = 5  # a snapshot that is too large, or of another number of chunks
    PART = 6  # of a chunk, or in a chunk, that there cannot be
    BYTES = 7  # as many bytes as this kind does not have
    LENGTH = 8  # a message that is too long
    READ = 9  # the agent has received more than was ever sent


def numbers():
    """Return the name and the value of each number."""
    found = {name: value for name, value in globals().items() if name.isupper()}
    found |= {f"MISHAP_{fault.name}": int(fault) for fault in Fault}
    return found | {f"UNSOUND_{reason.name}": int(reason) for reason in Unsound} | {"UNSOUND_REASONS": len(Unsound)}
