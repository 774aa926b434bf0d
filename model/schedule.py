"""Who runs next? Round robin over the runnable partitions, one quantum each."""

from spec.language.types import u32
from spec.limits import PARTITIONS
from spec.operation import operation
from spec.partition import runnable
from spec.state import Call, Kernel, PartitionId
from spec.vocabulary import Action, Status

SWITCHES_LIMIT = 0xFFFF


def rotate(s: Kernel) -> None:
    """Give the processor to the next runnable partition after the current one, or to nobody."""
    chosen = s.current
    found = False
    for step in range(PARTITIONS):
        at = PartitionId((u32(s.current) + step + 1) & (PARTITIONS - 1))
        if not found and runnable(s, at):
            chosen = at
            found = True
    if s.switches < SWITCHES_LIMIT and chosen != s.current:
        s.switches += 1
    s.current = chosen
    s.idle = not found


def settle(s: Kernel) -> None:
    """Move on when the current partition can no longer run."""
    if not runnable(s, s.current):
        rotate(s)


@operation(Action.SCHEDULER_EPOCH, read_only=True)
def yield_now(s: Kernel, call: Call) -> Status:
    """Give the rest of the quantum away."""
    rotate(s)
    return Status.OK
