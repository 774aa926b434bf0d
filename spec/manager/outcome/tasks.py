"""When is a task given, and what does it do to an agent if one fails?"""

from corollary.language.property import ensures, succeeds
from corollary.language.types import u64
from corollary.spec.agent import Life
from corollary.spec.manager.limits import LAST_NUMBER
from corollary.spec.manager.outcome.words import ENTERS, frees, goes, is_given
from corollary.spec.manager.state import Agent, AgentId, LaneId, Manager
from corollary.spec.manager.step import is_remedy, lies, may_give_up, verb_of
from corollary.spec.manager.vocabulary import Step


@succeeds("assign")
def may_assign(before: Manager, a: AgentId) -> bool:
    g = before.agent[a]
    return g.step != Step.NONE and g.asked < before.since and before.number < LAST_NUMBER


@ensures(
    "assign", "the task is what the step needs, and has the next number", changes=("agent.asked", "task", "number")
)
def is_assigned(before: Manager, after: Manager, a: AgentId, i: AgentId) -> bool:
    if before.number >= LAST_NUMBER:
        return False
    task = after.task.verb == verb_of(before.agent[a].step) and after.task.agent == a
    numbered = after.task.number == before.number and after.number == before.number + 1
    return task and numbered and is_given(before.agent[i].asked, after.agent[i].asked, i == a, before.number)


def state_after(g: Agent) -> Life:
    """Return the state of an agent whose task has failed."""
    if (may_give_up(g.step) and not g.woken) or g.step == Step.RETURNING:
        return Life.SUSPENDED
    return Life.TERMINATED if g.step == Step.PROMISED else g.state


def step_after(g: Agent) -> Step:
    """Return the step of an agent whose task has failed: what cannot be given up is tried again."""
    if may_give_up(g.step):
        return Step.RETURNING if g.woken else Step.NONE
    ends = g.step == Step.RETURNING or g.step == Step.PROMISED or is_remedy(g.step)
    ends_keeping = lies(g.step, Step.FREEZING, Step.RECORDING) or lies(g.step, Step.READING, Step.UNPACKING)
    return Step.NONE if ends or ends_keeping else g.step


@succeeds("failed")
def may_fail(before: Manager, a: AgentId, number: u64) -> bool:
    return number >= before.since and before.agent[a].asked == number


@ensures("failed", "what can be given up is given up; the rest is tried again", changes=(*ENTERS, "lane.taken"))
def has_failed(before: Manager, after: Manager, a: AgentId, i: AgentId, q: LaneId) -> bool:
    g = before.agent[a]
    freed = frees(before, after, a, q, state_after(g))
    return freed and goes(before, after, a, i, state_after(g), step_after(g))
