"""When do the operations of an agent's life succeed, and what do they do then?"""

from corollary.language.property import ensures, succeeds
from corollary.language.types import u64
from corollary.spec.agent import Life
from corollary.spec.manager.limits import LAST_EPOCH
from corollary.spec.manager.outcome.words import ENTERS, goes, is_blank, is_given, is_idle, is_same
from corollary.spec.manager.state import AgentId, Manager, PartitionId
from corollary.spec.manager.vocabulary import Step, Verb


@succeeds("begin_epoch")
def has_next_epoch(before: Manager) -> bool:
    return before.epoch < LAST_EPOCH


@ensures("begin_epoch", "the next epoch begins", changes=("epoch",))
def is_next_epoch(before: Manager, after: Manager) -> bool:
    return after.epoch == before.epoch + 1 if before.epoch < LAST_EPOCH else False


@succeeds("restart")
def may_restart_always(before: Manager) -> bool:
    return True


@ensures("restart", "no task is out, and the rows are as they were", changes=("since", "task"))
def is_restarted(before: Manager, after: Manager) -> bool:
    none = after.task.verb == Verb.NOTHING and after.task.agent == 0 and after.task.number == 0
    return after.since == before.number and none


@succeeds("register")
def may_register(before: Manager, a: AgentId, badge: u64) -> bool:
    return before.agent[a].state == Life.TERMINATED and badge > before.badge


@ensures("register", "the row is a new agent's, and nothing is remembered of the old one", changes=("agent", "badge"))
def is_registered(
    before: Manager, after: Manager, a: AgentId, badge: u64, parent: u64, place: PartitionId, i: AgentId
) -> bool:
    if i != a:
        return after.badge == badge and is_same(before.agent[i], after.agent[i])
    new = after.agent[i]
    who = new.badge == badge and new.parent == parent and new.place == place
    move = new.lane == 0 and new.peer == 0 and new.there == 0 and new.ticket == 0 and new.chunks == 0
    hash = new.hash.first == 0 and new.hash.second == 0 and new.hash.third == 0 and new.hash.fourth == 0
    begins = new.state == Life.INITIALIZING and new.step == Step.NONE
    return after.badge == badge and who and move and hash and begins and is_blank(new)


@succeeds("respawn")
def may_respawn(before: Manager, a: AgentId, badge: u64) -> bool:
    return before.agent[a].state == Life.TERMINATED and before.agent[a].awaited and badge > before.badge


@ensures(
    "respawn",
    "the row is the next agent's, with all that is remembered of the last one",
    changes=("agent.badge", "agent.state", "agent.awaited", "badge"),
)
def is_respawned(before: Manager, after: Manager, a: AgentId, badge: u64, i: AgentId) -> bool:
    old = before.agent[i]
    new = after.agent[i]
    who = is_given(old.badge, new.badge, i == a, badge) and after.badge == badge
    return who and new.state == (Life.INITIALIZING if i == a else old.state) and new.awaited == (old.awaited and i != a)


@succeeds("started")
def may_start(before: Manager, a: AgentId) -> bool:
    return is_idle(before, a, Life.INITIALIZING)


@ensures("started", "the agent runs", changes=ENTERS)
def is_started(before: Manager, after: Manager, a: AgentId, i: AgentId) -> bool:
    return goes(before, after, a, i, Life.RUNNING, Step.NONE)


@succeeds("suspended")
def may_suspend(before: Manager, a: AgentId) -> bool:
    return is_idle(before, a, Life.RUNNING)


@ensures("suspended", "the agent is suspended", changes=ENTERS)
def is_suspended(before: Manager, after: Manager, a: AgentId, i: AgentId) -> bool:
    return goes(before, after, a, i, Life.SUSPENDED, Step.NONE)


@succeeds("resumed")
def may_resume(before: Manager, a: AgentId) -> bool:
    return is_idle(before, a, Life.SUSPENDED)


@ensures("resumed", "the agent runs again", changes=ENTERS)
def is_resumed(before: Manager, after: Manager, a: AgentId, i: AgentId) -> bool:
    return goes(before, after, a, i, Life.RUNNING, Step.NONE)


@succeeds("terminated")
def may_terminate(before: Manager, a: AgentId) -> bool:
    return before.agent[a].state != Life.TERMINATED and before.agent[a].state != Life.MIGRATING


@ensures("terminated", "there is no agent any more", changes=ENTERS)
def is_terminated(before: Manager, after: Manager, a: AgentId, i: AgentId) -> bool:
    return goes(before, after, a, i, Life.TERMINATED, Step.NONE)
