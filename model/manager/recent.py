"""How is an event remembered?"""

from corollary.language.types import u64
from corollary.spec.manager.state import Recent


def note(events: Recent, epoch: u64) -> None:
    """Remember one more event."""
    events.third = events.second
    events.second = events.last
    events.last = epoch
