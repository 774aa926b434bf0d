"""What always holds of agents, of their moves, and of what is remembered of them?"""

from corollary.language.builtins import implies
from corollary.language.property import invariant
from corollary.spec.agent import Life
from corollary.spec.manager.limits import FIRST_EPOCH, LAST_EPOCH
from corollary.spec.manager.recent import is_ordered
from corollary.spec.manager.state import AgentId, LaneId, Manager
from corollary.spec.manager.step import fits, has_ticket, is_arriving
from corollary.spec.manager.task import holds_lane
from corollary.spec.manager.vocabulary import Remedy, Step


@invariant("AGENT-1", "what an agent is in the middle of belongs to its state")
def step_fits_state(s: Manager, a: AgentId) -> bool:
    return fits(s.agent[a].state, s.agent[a].step)


@invariant("AGENT-2", "no badge is greater than the greatest")
def badge_is_counted(s: Manager, a: AgentId) -> bool:
    return s.agent[a].badge <= s.badge


@invariant("AGENT-3", "two agents have different badges, and none has the badge 0")
def badge_is_unique(s: Manager, a: AgentId, b: AgentId) -> bool:
    alive = s.agent[a].state != Life.TERMINATED
    return implies(alive, s.agent[a].badge != 0 and (a == b or s.agent[a].badge != s.agent[b].badge))


@invariant("AGENT-4", "only where an agent was destroyed, another one is awaited")
def awaited_is_terminated(s: Manager, a: AgentId) -> bool:
    return implies(s.agent[a].awaited, s.agent[a].state == Life.TERMINATED)


@invariant("LANE-1", "an agent that moves has a lane")
def mover_has_lane(s: Manager, a: AgentId) -> bool:
    lane = s.lane[s.agent[a].lane]
    return implies(s.agent[a].state == Life.MIGRATING, lane.taken and lane.agent == a)


@invariant("LANE-2", "a lane that is taken has an agent that moves in it")
def lane_has_mover(s: Manager, lane: LaneId) -> bool:
    return implies(s.lane[lane].taken, holds_lane(s, s.lane[lane].agent, lane))


@invariant("TICKET-1", "the ticket of a move from here was given here")
def ticket_is_given(s: Manager, a: AgentId) -> bool:
    return implies(has_ticket(s.agent[a].step), s.agent[a].ticket < s.ticket)


@invariant("TICKET-2", "two moves from here have different tickets")
def ticket_is_unique(s: Manager, a: AgentId, b: AgentId) -> bool:
    both = has_ticket(s.agent[a].step) and has_ticket(s.agent[b].step)
    return implies(both and a != b, s.agent[a].ticket != s.agent[b].ticket)


@invariant("TICKET-3", "the ticket of a move to here was heard")
def ticket_is_heard(s: Manager, a: AgentId) -> bool:
    return implies(is_arriving(s.agent[a].step), s.agent[a].ticket <= s.peer[s.agent[a].peer].heard)


@invariant("TICKET-4", "two moves to here from one peer have different tickets")
def heard_is_unique(s: Manager, a: AgentId, b: AgentId) -> bool:
    both = is_arriving(s.agent[a].step) and is_arriving(s.agent[b].step) and s.agent[a].peer == s.agent[b].peer
    return implies(both and a != b, s.agent[a].ticket != s.agent[b].ticket)


@invariant("CHUNK-1", "a move has no more chunks than its snapshot, and one with everything has all")
def chunks_are_counted(s: Manager, a: AgentId) -> bool:
    g = s.agent[a]
    whole = g.step == Step.FILLED or g.step == Step.ACCEPTED
    return g.chunk <= g.chunks and implies(whole, g.chunk == g.chunks)


@invariant("TASK-1", "tasks are numbered one after the other, from 1 on")
def number_was_given(s: Manager, a: AgentId) -> bool:
    return s.agent[a].asked < s.number


@invariant("TASK-5", "the first number after a restart was not given before")
def numbers_begin_anew(s: Manager) -> bool:
    return s.since >= 1 and s.since <= s.number


@invariant("TASK-2", "a task that is out has a number of its own")
def number_is_unique(s: Manager, a: AgentId, b: AgentId) -> bool:
    return implies(s.agent[a].asked != 0 and a != b, s.agent[a].asked != s.agent[b].asked)


@invariant("TASK-3", "a task is out only for who is in the middle of something")
def task_has_step(s: Manager, a: AgentId) -> bool:
    return implies(s.agent[a].step == Step.NONE, s.agent[a].asked == 0)


@invariant("EPOCH-1", "epochs do not end")
def epoch_is_bounded(s: Manager) -> bool:
    return FIRST_EPOCH <= s.epoch and s.epoch <= LAST_EPOCH


@invariant("EPOCH-2", "what is remembered is past")
def what_happened_is_past(s: Manager, a: AgentId) -> bool:
    return s.agent[a].moved_at <= s.epoch and s.agent[a].failed_at <= s.epoch


@invariant("EPOCH-3", "events are remembered in order")
def events_are_ordered(s: Manager, a: AgentId) -> bool:
    g = s.agent[a]
    rest = is_ordered(g.violations, s.epoch) and is_ordered(g.readings, s.epoch)
    return rest and is_ordered(g.restarts, s.epoch)


@invariant("FAIL-1", "a restart is a failure, and what never failed was never restarted")
def restart_is_failure(s: Manager, a: AgentId) -> bool:
    g = s.agent[a]
    return g.restarts.last <= g.failed_at and implies(g.remedy == Remedy.NONE, g.failed_at == 0)
