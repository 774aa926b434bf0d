"""Which time does a step use? What the clock says, unless an earlier step used a later time."""

from corollary.language.types import u64
from corollary.spec.kernel.clock import later
from corollary.spec.kernel.state import Kernel


def advance(s: Kernel, now: u64) -> u64:
    """Return and remember the time of a step that begins when the clock says `now`, in ns; time never runs back."""
    s.time = later(s.time, now)
    return s.time
