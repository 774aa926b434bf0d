"""What do the words for tasks and lanes mean?"""

from corollary.language.types import u64
from corollary.spec.agent import Life
from corollary.spec.manager.state import AgentId, LaneId, Manager


def is_out(s: Manager, a: AgentId, number: u64) -> bool:
    """Is a task out, and was it given since the last restart?"""
    return number >= s.since and s.agent[a].asked == number


def holds_lane(s: Manager, a: AgentId, lane: LaneId) -> bool:
    """Does an agent move in a lane?"""
    return s.agent[a].state == Life.MIGRATING and s.agent[a].lane == lane
