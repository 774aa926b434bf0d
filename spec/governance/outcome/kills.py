"""When is an agent killed, and what is noted of it?"""

from corollary.language.property import ensures, succeeds
from corollary.spec.governance.state import AgentId, Governance


@succeeds("kill")
def may_kill(before: Governance, agent: AgentId) -> bool:
    return not before.agent[agent].asked


@ensures("kill", "the agent and its substitute are killed", changes=("agent.killed", "agent.asked"))
def is_killed(before: Governance, after: Governance, agent: AgentId, substitute: AgentId, i: AgentId) -> bool:
    killed = before.agent[i].killed or i == agent or i == substitute
    return after.agent[i].killed == killed and after.agent[i].asked == (before.agent[i].asked or i == agent)


@succeeds("report")
def may_report(before: Governance, agent: AgentId) -> bool:
    return before.agent[agent].asked and not before.agent[agent].reported


@ensures("report", "it is known whether the agent ended", changes=("agent.reported", "agent.terminated"))
def is_reported(before: Governance, after: Governance, agent: AgentId, terminated: bool, i: AgentId) -> bool:
    old = before.agent[i]
    new = after.agent[i]
    if i != agent:
        return new.reported == old.reported and new.terminated == old.terminated
    return new.reported and new.terminated == terminated
