"""What do the words for the ends of operations mean? Each says what a field is afterwards, in every row `i`."""

from corollary.language.types import u64
from corollary.spec.agent import Life
from corollary.spec.manager.recent import is_noted, is_unchanged
from corollary.spec.manager.state import Agent, AgentId, LaneId, Manager, Recent
from corollary.spec.manager.step import is_hash
from corollary.spec.manager.vocabulary import Remedy, Step

ENTERS = ("agent.state", "agent.step", "agent.asked")
"""What changes where an agent goes on."""


def goes(before: Manager, after: Manager, a: AgentId, i: AgentId, state: Life, step: Step) -> bool:
    """Has an agent gone on to a state and a step, and no other agent?"""
    old = before.agent[i]
    new = after.agent[i]
    if i == a:
        return new.state == state and new.step == step and new.asked == 0
    return new.state == old.state and new.step == old.step and new.asked == old.asked


def is_hashed(
    before: Manager, after: Manager, a: AgentId, i: AgentId, first: u64, second: u64, third: u64, fourth: u64
) -> bool:
    """Has an agent the hash, and every other one its own?"""
    old = before.agent[i].hash
    if i == a:
        return is_hash(after.agent[i].hash, first, second, third, fourth)
    return is_hash(after.agent[i].hash, old.first, old.second, old.third, old.fourth)


def is_given(before: u64, after: u64, is_it: bool, value: u64) -> bool:
    """Is a field a value, if it is the one, and otherwise as before?"""
    return after == (value if is_it else before)


def is_counted(before: Recent, after: Recent, is_it: bool, epoch: u64) -> bool:
    """Is one more event remembered, if it is the one, and otherwise the same?"""
    return is_noted(before, after, epoch) if is_it else is_unchanged(before, after)


def frees(before: Manager, after: Manager, a: AgentId, q: LaneId, state: Life) -> bool:
    """Is the lane of an agent free, if it does not move any more in a state, and every other one as before?"""
    moved = before.agent[a].state == Life.MIGRATING and state != Life.MIGRATING
    return after.lane[q].taken == (before.lane[q].taken and not (moved and q == before.agent[a].lane))


def takes(before: Manager, after: Manager, a: AgentId, lane: LaneId, q: LaneId) -> bool:
    """Is a lane an agent's, and every other one as before?"""
    if q == lane:
        return after.lane[q].taken and after.lane[q].agent == a
    return after.lane[q].taken == before.lane[q].taken and after.lane[q].agent == before.lane[q].agent


def is_same(one: Agent, other: Agent) -> bool:
    """Are two rows the same?"""
    who = one.badge == other.badge and one.parent == other.parent and one.place == other.place
    where = one.state == other.state and one.step == other.step and one.asked == other.asked
    marks = one.woken == other.woken and one.awaited == other.awaited and one.remedy == other.remedy
    move = one.lane == other.lane and one.peer == other.peer and one.there == other.there
    sent = one.ticket == other.ticket and one.chunk == other.chunk and one.chunks == other.chunks
    hash = is_hash(one.hash, other.hash.first, other.hash.second, other.hash.third, other.hash.fourth)
    written = one.receipt.at == other.receipt.at and one.receipt.packed == other.receipt.packed
    times = one.moved_at == other.moved_at and one.failed_at == other.failed_at
    recent = is_unchanged(one.restarts, other.restarts) and is_unchanged(one.violations, other.violations)
    rest = is_unchanged(one.readings, other.readings) and one.receipt.plain == other.receipt.plain
    return who and where and marks and move and sent and hash and written and times and recent and rest


def is_blank(g: Agent) -> bool:
    """Is nothing remembered of what an agent did, or what happened to it?"""
    marks = not g.woken and not g.awaited and g.remedy == Remedy.NONE and g.asked == 0 and g.chunk == 0
    written = g.receipt.at == 0 and g.receipt.packed == 0 and g.receipt.plain == 0
    times = g.moved_at == 0 and g.failed_at == 0
    return marks and written and times and is_never(g.restarts) and is_never(g.violations) and is_never(g.readings)


def is_never(events: Recent) -> bool:
    """Is no event remembered?"""
    return events.last == 0 and events.second == 0 and events.third == 0


def is_idle(before: Manager, a: AgentId, state: Life) -> bool:
    """Is an agent in a state, and in the middle of nothing?"""
    return before.agent[a].state == state and before.agent[a].step == Step.NONE


def is_told(before: Manager, a: AgentId, number: u64, step: Step) -> bool:
    """Is it the outcome of the task that is out, in a step?"""
    return number >= before.since and before.agent[a].asked == number and before.agent[a].step == step
