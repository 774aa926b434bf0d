"""How do agents come, run, stop and go, apart from moves and failures? The manager notes what the kernel has done."""

from corollary.language.types import u64
from corollary.language.values import clear
from corollary.model.manager.source import settle
from corollary.spec.agent import Life
from corollary.spec.manager.limits import FIRST_EPOCH, LAST_EPOCH
from corollary.spec.manager.state import Agent, AgentId, Manager, PartitionId
from corollary.spec.manager.vocabulary import Status, Step


def begin(s: Manager) -> None:
    """There are no agents, and nothing has happened."""
    s.epoch = FIRST_EPOCH
    s.ticket = 1
    s.number = 1
    s.since = 1


def begin_epoch(s: Manager) -> Status:
    """Begin the next epoch."""
    if s.epoch >= LAST_EPOCH:
        return Status.LAST_EPOCH
    s.epoch += 1
    return Status.OK


def restart(s: Manager) -> Status:
    """Begin again with the rows as they were written: no outcome of an earlier task counts any more."""
    s.since = s.number
    clear(s.task)
    return Status.OK


def register(s: Manager, a: AgentId, badge: u64, parent: u64, place: PartitionId) -> Status:
    """Note that the kernel has made an agent, in a row that is free."""
    g = s.agent[a]
    if g.state != Life.TERMINATED:
        return Status.OCCUPIED
    if badge <= s.badge:
        return Status.BADGE_USED
    s.badge = badge
    clear(g)
    g.badge = badge
    g.parent = parent
    g.place = place
    g.state = Life.INITIALIZING
    return Status.OK


def respawn(s: Manager, a: AgentId, badge: u64) -> Status:
    """Note that an agent was spawned again. What is remembered of failures and violations counts for it, too."""
    g = s.agent[a]
    if g.state != Life.TERMINATED:
        return Status.OCCUPIED
    if not g.awaited:
        return Status.NOT_AWAITED
    if badge <= s.badge:
        return Status.BADGE_USED
    s.badge = badge
    g.badge = badge
    g.state = Life.INITIALIZING
    g.awaited = False
    return Status.OK


def change(g: Agent, old: Life, new: Life) -> Status:
    """Let an agent that is in the middle of nothing go from one state to another."""
    if g.state != old:
        return Status.WRONG_STATE
    if g.step != Step.NONE:
        return Status.BUSY
    settle(g, new)
    return Status.OK


def started(s: Manager, a: AgentId) -> Status:
    """Note that an agent runs for the first time."""
    return change(s.agent[a], Life.INITIALIZING, Life.RUNNING)


def suspended(s: Manager, a: AgentId) -> Status:
    """Note that an agent was suspended."""
    return change(s.agent[a], Life.RUNNING, Life.SUSPENDED)


def resumed(s: Manager, a: AgentId) -> Status:
    """Note that an agent that was suspended runs again."""
    return change(s.agent[a], Life.SUSPENDED, Life.RUNNING)


def terminated(s: Manager, a: AgentId) -> Status:
    """Note that an agent was destroyed. One that moves must come back or arrive first."""
    g = s.agent[a]
    if g.state == Life.TERMINATED:
        return Status.WRONG_STATE
    if g.state == Life.MIGRATING:
        return Status.BUSY
    settle(g, Life.TERMINATED)
    return Status.OK
