"""Which numbers do guests and host agree on, besides those of the kernel? Guests get them as `layout.h`."""

from corollary.language.types import Enum
from corollary.spec.kernel.limits import EDGES, GRAPH_ROWS, MESSAGES_PER_EDGE, PAYLOAD_WORDS, SLOT_BITS

FIRST_REGION = 2  # of the pool that a partition has, in the order of partitions
STINTS_OF, STINT_PAGES = 24, 4  # pages of a partition that races, one after the other
__all__ = ["EDGES", "GRAPH_ROWS", "MESSAGES_PER_EDGE", "PAYLOAD_WORDS", "SLOT_BITS"]  # of the kernel, for guests too
UNIT = 3 * 512  # bytes: a frame between two machines, in whole sectors
WEIGHT_BITS, DECAY = 16, 20  # of traffic: fractional bits, and the part that is lost in an epoch of placement
CUT_STEPS, FEW_STEPS, HUNGRY = 1000, 3, 8  # of a cut; one in so many epochs gets few
SENDS_AT, RECEIVES_AT = 2, 1  # transports of both streams: an even and an odd one


class Fault(Enum):
    """What goes wrong in a move, at one of its tasks."""

    NONE = 0
    REFUSED = 1  # the task is refused
    DROPPED = 2  # the manager is killed before it carries the task out
    LOST = 3  # the manager is killed before it is told that the task is done
    ALTERED = 4  # what comes from the disk is not what went there
    CUT = 5  # the wire to the other machine is cut for a while


def numbers():
    """Return the name and the value of each number."""
    found = {name: value for name, value in globals().items() if name.isupper()}
    return found | {f"MISHAP_{fault.name}": int(fault) for fault in Fault}
