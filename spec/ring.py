"""Which rings are there, which ring follows from trust, and what does each allow? Whoever keeps rings asks this module.

The kernel keeps those of partitions, and governance those of agents.
"""

from corollary.language.rows import Rows
from corollary.language.types import Enum, u8, u32

PPM = 1_000_000
RING_1_SCORE = 950_000  # to be exceeded, with consensus, for ring 1
RING_2_SCORE = 600_000  # to be exceeded for ring 2
ELEVATE_1_SCORE = 850_000  # to be reached, with an attestation, to elevate to ring 1
ELEVATE_2_SCORE = 500_000  # to be reached to elevate to ring 2
ELEVATION_DEFAULT = 300  # s
ELEVATION_LIMIT = 3600  # s
SECOND = 1_000_000_000  # ns
BURST = 2 * SECOND  # every bucket is full after this long, whatever its ring


class Ring(Enum):
    """Execution rings; the smaller, the more privileged."""

    ROOT = 0
    PRIVILEGED = 1
    STANDARD = 2
    SANDBOX = 3


class Scope(Enum):
    """How much of the file system a ring may see."""

    NONE = 0
    SESSION = 1  # reserved
    SCOPED = 2
    FULL = 3


RATE = (100, 50, 20, 5)  # calls per second, by ring; the burst is twice that
TOOLS = Rows((32, 16, 8, 2), Ring)  # concurrent tools
NETWORK = Rows((1, 1, 1, 0), Ring)
SUBPROCESS = Rows((1, 1, 1, 0), Ring)
FILESYSTEM = Rows((Scope.FULL, Scope.FULL, Scope.SCOPED, Scope.NONE), Ring, Scope)


def ring_for(score: u32, consensus: bool) -> Ring:
    """The ring that follows from a trust score and a consensus; never ring 0."""
    if score > RING_1_SCORE and consensus:
        return Ring.PRIVILEGED
    if score > RING_2_SCORE:
        return Ring.STANDARD
    return Ring.SANDBOX


def more_privileged(a: Ring, b: Ring) -> bool:
    """Does ring `a` allow more than ring `b`?"""
    return u8(a) < u8(b)
