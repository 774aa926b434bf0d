"""When is a failure or a violation taken, and what is done about it?"""

from corollary.language.property import ensures, succeeds
from corollary.language.types import u64
from corollary.spec.agent import Life
from corollary.spec.manager.outcome.words import ENTERS, goes, is_counted, is_given, is_idle
from corollary.spec.manager.recent import is_recent
from corollary.spec.manager.remedy import next_remedy
from corollary.spec.manager.state import AgentId, Manager
from corollary.spec.manager.step import is_remedy, step_for
from corollary.spec.manager.vocabulary import Remedy, Step


@succeeds("fail")
def may_fail_now(before: Manager, a: AgentId) -> bool:
    return is_idle(before, a, Life.RUNNING) or is_idle(before, a, Life.SUSPENDED)


@ensures(
    "fail",
    "the next remedy begins, and a restart is counted",
    changes=(*ENTERS, "agent.remedy", "agent.failed_at", "agent.restarts"),
)
def has_remedy(before: Manager, after: Manager, a: AgentId, i: AgentId) -> bool:
    old = before.agent[i]
    new = after.agent[i]
    remedy = next_remedy(before.agent[a], before.epoch)
    kept = new.remedy == (remedy if i == a else old.remedy)
    counted = is_counted(old.restarts, new.restarts, i == a and remedy == Remedy.RESTART, before.epoch)
    when = is_given(old.failed_at, new.failed_at, i == a, before.epoch)
    return kept and counted and when and goes(before, after, a, i, Life.SUSPENDED, step_for(remedy))


@succeeds("remedied")
def may_remedy(before: Manager, a: AgentId, number: u64) -> bool:
    return number >= before.since and before.agent[a].asked == number and is_remedy(before.agent[a].step)


@ensures("remedied", "the agent runs again, or another one is awaited", changes=(*ENTERS, "agent.awaited"))
def is_remedied(before: Manager, after: Manager, a: AgentId, i: AgentId) -> bool:
    replaced = before.agent[a].step == Step.REPLACING
    awaited = after.agent[i].awaited == (before.agent[i].awaited or (i == a and replaced))
    return awaited and goes(before, after, a, i, Life.TERMINATED if replaced else Life.RUNNING, Step.NONE)


@succeeds("violate")
def may_violate(before: Manager, a: AgentId) -> bool:
    return is_idle(before, a, Life.RUNNING)


@ensures(
    "violate",
    "the violation is counted; at the third the agent is to be stopped",
    changes=(*ENTERS, "agent.violations"),
)
def is_violated(before: Manager, after: Manager, a: AgentId, i: AgentId) -> bool:
    old = before.agent[i]
    third = is_recent(before.agent[a].violations.second, before.epoch)
    counted = is_counted(old.violations, after.agent[i].violations, i == a, before.epoch)
    return counted and goes(before, after, a, i, Life.RUNNING, Step.STOPPING if third else Step.NONE)
