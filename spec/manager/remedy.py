"""Which remedy is next? One that is greater than the last, until nothing has failed for some epochs."""

from corollary.language.types import u64
from corollary.spec.manager.recent import is_full, is_recent
from corollary.spec.manager.state import Agent
from corollary.spec.manager.vocabulary import Remedy


def is_calm(g: Agent, epoch: u64) -> bool:
    """Did nothing fail in the last epochs?"""
    return g.remedy == Remedy.NONE or not is_recent(g.failed_at, epoch)


def may_restart(g: Agent, epoch: u64) -> bool:
    """May an agent be restarted, as nothing more was tried lately, and that not three times?"""
    return (is_calm(g, epoch) or g.remedy == Remedy.RESTART) and not is_full(g.restarts, epoch)


def next_remedy(g: Agent, epoch: u64) -> Remedy:
    """Return what is done about a failure now."""
    if may_restart(g, epoch):
        return Remedy.RESTART
    if is_calm(g, epoch) or g.remedy == Remedy.RESTART:
        return Remedy.RELOAD
    return Remedy.REPLACE if g.remedy == Remedy.RELOAD else Remedy.REBOOT
