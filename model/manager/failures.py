"""What is done when an agent fails, or takes more than its quota?"""

from corollary.language.types import u64
from corollary.model.manager.recent import note
from corollary.model.manager.source import enter, settle
from corollary.spec.agent import Life
from corollary.spec.manager.recent import would_be_third
from corollary.spec.manager.remedy import next_remedy
from corollary.spec.manager.state import AgentId, Manager
from corollary.spec.manager.step import is_remedy, step_for
from corollary.spec.manager.task import is_out
from corollary.spec.manager.vocabulary import Remedy, Status, Step


def fail(s: Manager, a: AgentId) -> Status:
    """An agent failed, or the remedy did: begin the next remedy."""
    g = s.agent[a]
    if g.state != Life.RUNNING and g.state != Life.SUSPENDED:
        return Status.WRONG_STATE
    if g.step != Step.NONE:
        return Status.BUSY
    remedy = next_remedy(g, s.epoch)
    if remedy == Remedy.RESTART:
        note(g.restarts, s.epoch)
    g.remedy = remedy
    g.failed_at = s.epoch
    g.state = Life.SUSPENDED
    enter(g, step_for(remedy))
    return Status.OK


def remedied(s: Manager, a: AgentId, number: u64) -> Status:
    """A remedy is carried out: the agent runs again, or was destroyed for its parent's policy to spawn it again."""
    if not is_out(s, a, number):
        return Status.OUTDATED
    g = s.agent[a]
    if not is_remedy(g.step):
        return Status.WRONG_STEP
    if g.step == Step.REPLACING:
        g.awaited = True
        settle(g, Life.TERMINATED)
    else:
        settle(g, Life.RUNNING)
    return Status.OK


def violate(s: Manager, a: AgentId) -> Status:
    """An agent took more than its quota: at the third time in the last epochs it is hibernated."""
    g = s.agent[a]
    if g.state != Life.RUNNING:
        return Status.WRONG_STATE
    if g.step != Step.NONE:
        return Status.BUSY
    if would_be_third(g.violations, s.epoch):
        enter(g, Step.STOPPING)
    note(g.violations, s.epoch)
    return Status.OK
