"""How is an agent killed? It and its substitute never act again, whatever else is found out about how it ended."""

from corollary.spec.governance.state import AgentId, Governance
from corollary.spec.governance.vocabulary import Status


def kill(s: Governance, agent: AgentId, substitute: AgentId) -> Status:
    """Kill an agent and its substitute; who has none names the agent itself. Nothing is told of its end so far."""
    if s.agent[agent].asked:
        return Status.KILLED
    s.agent[agent].asked = True
    s.agent[agent].killed = True
    s.agent[substitute].killed = True
    return Status.OK


def report(s: Governance, agent: AgentId, terminated: bool) -> Status:
    """Note, for good, whether an agent that was killed has ended."""
    if not s.agent[agent].asked:
        return Status.NOT_KILLED
    if s.agent[agent].reported:
        return Status.REPORTED
    s.agent[agent].reported = True
    s.agent[agent].terminated = terminated
    return Status.OK
