"""Which time does a step use? What the clock says, unless that lies before a time that was used already."""

from language.types import u64
from spec.kernel.clock import later
from spec.kernel.state import Kernel


def advance(s: Kernel, now: u64) -> u64:
    """The time of a step that begins when the clock says `now`, in ns: time never runs back, and it is remembered."""
    s.time = later(s.time, now)
    return s.time
