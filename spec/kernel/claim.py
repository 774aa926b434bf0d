"""How much does a partition claim the processor, and how does it stand in a lane? By its claim, then by its turn."""

from corollary.language.builtins import minimum, saturating_sub, wrapping_sub
from corollary.language.types import u32, u64
from corollary.spec.kernel.limits import CLAIM_BITS, CLAIMS, HORIZON_BITS, PARTITION_BITS, URGENCY_BITS
from corollary.spec.kernel.partition import eligible, has_come
from corollary.spec.kernel.state import Claim, Kernel, PartitionId
from corollary.spec.kernel.vocabulary import Mode

RESTING = 1  # will run again
READY = 2  # can run; above that, is urgent


def urgency(s: Kernel, p: PartitionId) -> u32:
    """How near is the deadline of the partition, in steps of 2^10 ns? 0: beyond the horizon, or none."""
    deadline = s.partition[p].deadline
    if deadline == 0:
        return 0
    left = saturating_sub(deadline, s.time) >> URGENCY_BITS
    return (1 << HORIZON_BITS) - u32(minimum(left, u64(1 << HORIZON_BITS)))


def priority(s: Kernel, p: PartitionId) -> u32:
    """Return how much the partition matters in the priority lane."""
    if s.mode == Mode.REFLEX and s.partition[p].deadline == 0:
        return 0
    return urgency(s, p) + u32(s.partition[p].pressure)


def claim_of(s: Kernel, p: PartitionId) -> Claim:
    """Return how much a partition claims the processor: not at all, as one that rests, that can run, or is urgent."""
    if not eligible(s, p):
        return Claim(0)
    if not has_come(s, p):
        return Claim(RESTING)
    return Claim(READY + minimum(priority(s, p) >> CLAIM_BITS, CLAIMS - 1 - READY))


def standing(s: Kernel, p: PartitionId, fair: bool) -> u32:
    """Return what a partition has to be chosen for in a lane: its claim, then how near its turn is; 0 for nothing.

    In the fair lane all that can run have the same claim; in the other one only those that are urgent have any.
    """
    claim: u32 = s.claim[p]
    if fair:
        claim = minimum(claim, u32(READY))
    elif claim <= READY:
        claim = 0
    return 0 if claim == 0 else (claim << PARTITION_BITS) + u32(wrapping_sub(PartitionId, s.turn, p))
