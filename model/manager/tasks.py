"""What is to be done next for an agent, and what if it fails? Only the outcome of the task that is out counts."""

from corollary.language.types import u64
from corollary.model.manager.source import settle, turn_back
from corollary.spec.agent import Life
from corollary.spec.manager.limits import LAST_NUMBER
from corollary.spec.manager.state import Agent, AgentId, Manager
from corollary.spec.manager.step import is_remedy, lies, may_give_up, verb_of
from corollary.spec.manager.task import is_out
from corollary.spec.manager.vocabulary import Status, Step


def assign(s: Manager, a: AgentId) -> Status:
    """Put into `task` what is to be done next for an agent."""
    g = s.agent[a]
    if g.step == Step.NONE:
        return Status.NOTHING_TO_DO
    if g.asked >= s.since:
        return Status.ASKED
    if s.number >= LAST_NUMBER:
        return Status.EXHAUSTED
    g.asked = s.number
    s.task.verb = verb_of(g.step)
    s.task.agent = a
    s.task.number = s.number
    s.number += 1
    return Status.OK


def failed(s: Manager, a: AgentId, number: u64) -> Status:
    """The task that is out was refused, or took too long."""
    if not is_out(s, a, number):
        return Status.OUTDATED
    set_back(s.agent[a])
    free_lane(s, a)
    return Status.OK


def set_back(g: Agent) -> None:
    """Give up what can be given up, and let the rest be tried again."""
    if may_give_up(g.step):
        turn_back(g)
    elif g.step == Step.PROMISED:
        settle(g, Life.TERMINATED)
    elif g.step == Step.RETURNING or lies(g.step, Step.FREEZING, Step.RECORDING) or is_remedy(g.step):
        settle(g, Life.SUSPENDED)
    elif lies(g.step, Step.READING, Step.UNPACKING):
        settle(g, Life.HIBERNATED)
    else:
        g.asked = 0


def free_lane(s: Manager, a: AgentId) -> None:
    """Free the lane of an agent that does not move any more."""
    g = s.agent[a]
    lane = s.lane[g.lane]
    if g.state != Life.MIGRATING and lane.taken and lane.agent == a:
        lane.taken = False
