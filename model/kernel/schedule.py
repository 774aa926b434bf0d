"""Who runs next? Round robin over the runnable partitions, one quantum each."""

from corollary.language.types import u32
from corollary.model.kernel.operation import operation
from corollary.spec.kernel.limits import PARTITIONS
from corollary.spec.kernel.partition import place_after, runnable
from corollary.spec.kernel.schedule import SWITCHES_LIMIT
from corollary.spec.kernel.state import Call, Kernel
from corollary.spec.kernel.vocabulary import Status


def rotate(s: Kernel) -> None:
    """Give the processor to the next runnable partition after the current one, or to nobody."""
    distance: u32 = 0
    for step in range(PARTITIONS):
        if distance == 0 and runnable(s, place_after(s.current, step + 1)):
            distance = step + 1
    chosen = place_after(s.current, distance)
    if s.switches < SWITCHES_LIMIT and chosen != s.current:
        s.switches += 1
    s.partition[s.current].fresh = False  # it has run
    s.current = chosen
    s.idle = distance == 0


def reschedule(s: Kernel, yields: bool) -> None:
    """Move on when the current partition gives way or can no longer run."""
    if yields or not runnable(s, s.current):
        rotate(s)


@operation
def yield_now(s: Kernel, call: Call) -> Status:
    """Give the rest of the quantum away, once the call is recorded."""
    call.yields = True
    return Status.OK
