"""What happened in the last epochs? Three events are remembered, which is enough for any three in a sliding window."""

from corollary.language.builtins import saturating_sub
from corollary.language.types import u64
from corollary.spec.manager.limits import EPOCHS
from corollary.spec.manager.state import Recent


def is_recent(at: u64, epoch: u64) -> bool:
    """Is an epoch one of the last `EPOCHS`, the present one among them?"""
    return saturating_sub(epoch, at) < EPOCHS


def is_full(events: Recent, epoch: u64) -> bool:
    """Were there three events in the last epochs?"""
    return is_recent(events.third, epoch)


def would_be_third(events: Recent, epoch: u64) -> bool:
    """Would an event now be the third in the last epochs, or a later one?"""
    return is_recent(events.second, epoch)


def is_ordered(events: Recent, epoch: u64) -> bool:
    """Did the events happen one after the other, until now?"""
    return events.third <= events.second and events.second <= events.last and events.last <= epoch


def is_noted(before: Recent, after: Recent, epoch: u64) -> bool:
    """Is one more event remembered?"""
    return after.last == epoch and after.second == before.last and after.third == before.second


def is_unchanged(one: Recent, other: Recent) -> bool:
    """Are the same events remembered?"""
    return one.last == other.last and one.second == other.second and one.third == other.third
