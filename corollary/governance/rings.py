"""What may an action do in a ring? An action says what it is; the ring that it needs follows.

Stricter than the specification: enumerations are no numbers, and an action that is of no known kind is refused.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

from corollary.governance.checks import (
    EXCEED,
    LONGEST_NAME,
    LONGEST_PATH,
    flag,
    identifier,
    meaning,
    member,
    parts_per_million,
    text,
    whole,
)
from corollary.governance.library import library
from corollary.spec.governance.vocabulary import Reversibility, Status
from corollary.spec.ring import FILESYSTEM, NETWORK, SUBPROCESS, TOOLS, Ring, Scope

LONGEST_UNDO = 86_400  # s
RISKS = MappingProxyType(
    {Reversibility.FULL: (0.1, 0.3), Reversibility.PARTIAL: (0.5, 0.8), Reversibility.NONE: (0.9, 1.0)}
)
"""The range of the risk weight of an action, by how it can be undone; the default is its midpoint."""


class ResourceType(Enum):
    """What an action may reach outside of its agent."""

    NETWORK = "network"
    FILESYSTEM = "filesystem"
    SUBPROCESS = "subprocess"
    TOOL_EXECUTION = "tool_execution"


@dataclass(frozen=True)
class ResourceConstraints:
    """What a ring allows. An empty `network_allowlist` allows every host."""

    network_allowed: bool
    filesystem_scope: Scope
    filesystem_writable: bool
    subprocess_allowed: bool
    max_concurrent_tools: int
    network_allowlist: tuple[str, ...] = ()

    def permits(self, resource: ResourceType) -> bool:
        """Is a resource allowed? A tool always is."""
        return {
            ResourceType.NETWORK: self.network_allowed,
            ResourceType.FILESYSTEM: self.filesystem_scope is not Scope.NONE,
            ResourceType.SUBPROCESS: self.subprocess_allowed,
            ResourceType.TOOL_EXECUTION: True,
        }[resource]


DEFAULT_CONSTRAINTS: Mapping[Ring, ResourceConstraints] = MappingProxyType(
    {
        ring: ResourceConstraints(
            network_allowed=bool(NETWORK[ring]),
            filesystem_scope=Scope(FILESYSTEM[ring]),
            filesystem_writable=Scope(FILESYSTEM[ring]) is not Scope.NONE,
            subprocess_allowed=bool(SUBPROCESS[ring]),
            max_concurrent_tools=TOOLS[ring],
        )
        for ring in Ring
    }
)
"""The resources of each ring, as the kernel has them, too."""


@dataclass(frozen=True)
class ActionDescriptor:
    """An action, as whoever offers it describes it. Raises `TypeError` or `ValueError`, which say what is wrong.

    `undo_window_seconds` is a whole number from 0 to 86400.
    """

    action_id: str
    name: str
    execute_api: str
    undo_api: str | None = None
    reversibility: Reversibility = Reversibility.NONE
    undo_window_seconds: int = 0
    compensation_method: str | None = None
    is_read_only: bool = False
    is_admin: bool = False
    required_ring: Ring = field(init=False)  # follows from the rest

    def __post_init__(self):
        identifier("action_id", self.action_id)
        text("name", self.name, LONGEST_NAME)
        text("execute_api", self.execute_api, LONGEST_PATH)
        if self.undo_api is not None:
            text("undo_api", self.undo_api, LONGEST_PATH)
        member("reversibility", self.reversibility, Reversibility)
        whole("undo_window_seconds", self.undo_window_seconds, 0, LONGEST_UNDO)
        flag("is_read_only", self.is_read_only)
        flag("is_admin", self.is_admin)
        object.__setattr__(self, "required_ring", answers()[self.is_admin, self.reversibility, self.is_read_only])

    @property
    def default_risk_weight(self) -> float:
        """The midpoint of its range of risk."""
        return sum(RISKS[self.reversibility]) / 2


class RingCheckResult(NamedTuple):
    """May an agent act, and why not?"""

    allowed: bool
    required_ring: Ring
    agent_ring: Ring
    eff_score: float = 0.0
    reason: str = ""
    requires_consensus: bool = False
    requires_sre_witness: bool = False
    denied_resources: tuple[str, ...] = ()


@cache
def answers() -> Mapping[tuple[bool, Reversibility, bool], Ring]:
    """Return the ring that each kind of action needs, as the component says."""
    ask = library().required_ring
    kinds = product((False, True), Reversibility, (False, True))
    return MappingProxyType({kind: Ring(ask(*map(int, kind))) for kind in kinds})


@cache
def results() -> Sequence[Sequence[Sequence[RingCheckResult]]]:
    """Return what each status means for an agent: by status, by its ring, and by the ring that an action needs."""
    return [[[result(status, ring, need) for need in Ring] for ring in Ring] for status in Status]


def result(status: Status, ring: Ring, required: Ring) -> RingCheckResult:
    """Return what a status means for an agent in a ring, and an action that needs another one."""
    told = f"ring {int(required)} is required, the agent is in ring {int(ring)}"
    reason = told if status in (Status.OK, Status.RING_DENIED) else f"{meaning(status)}; {told}"
    witness = status is Status.NEEDS_SRE_WITNESS
    return RingCheckResult(status is Status.OK, required, ring, reason=reason, requires_sre_witness=witness)


@cache
def admissions() -> Sequence[Sequence[RingCheckResult]]:
    """Return the results by the ring of an agent and by the ring that an action needs, as the component says."""
    ask = library().admitted
    return [[results()[ask(ring, need)][ring][need] for need in Ring] for ring in Ring]


class RingEnforcer:
    """What rings allow, as a function of what is given. `Governor.check` asks for the ring that an agent really has."""

    def __init__(self, constraints: Mapping[Ring, ResourceConstraints] = DEFAULT_CONSTRAINTS):
        self.constraints = constraints

    def compute_ring(self, eff_score: float, has_consensus: bool = False) -> Ring:
        """Return the ring that follows from trust, never ring 0; raises `TypeError` or `ValueError` for no score."""
        score = parts_per_million("eff_score", eff_score, EXCEED)
        return Ring(library().ring_for(score, flag("has_consensus", has_consensus)))

    def should_demote(self, current_ring: Ring, eff_score: float, has_consensus: bool = False) -> bool:
        """Does trust, and the same consensus, lead to a less privileged ring than the current one?"""
        member("current_ring", current_ring, Ring)
        return self.compute_ring(eff_score, has_consensus) > current_ring

    def check(self, agent_ring: Ring, action: ActionDescriptor, eff_score: float = 0.0) -> RingCheckResult:
        """May an agent in a ring do this? The score is for the record: it is the ring that counts."""
        if type(agent_ring) is not Ring or type(action) is not ActionDescriptor:
            raise TypeError(f"a Ring and an ActionDescriptor are asked for, not {agent_ring!r} and {action!r}")
        found = admissions()[agent_ring][action.required_ring]
        return found._replace(eff_score=eff_score) if eff_score else found

    def check_resource(self, agent_ring: Ring, resource: ResourceType) -> RingCheckResult:
        """May an agent in a ring use a resource? A ring that has no constraints has those of ring 3."""
        member("agent_ring", agent_ring, Ring)
        member("resource", resource, ResourceType)
        allowed = self.constraints_for(agent_ring).permits(resource)
        reason = f"ring {int(agent_ring)} {'allows' if allowed else 'denies'} {resource.value}"
        denied = () if allowed else (resource.value,)
        return RingCheckResult(allowed, agent_ring, agent_ring, reason=reason, denied_resources=denied)

    def constraints_for(self, ring: Ring) -> ResourceConstraints:
        """Return the constraints of a ring; those of ring 3 where there are none."""
        return self.constraints.get(ring) or self.constraints.get(Ring.SANDBOX) or DEFAULT_CONSTRAINTS[Ring.SANDBOX]


def classify(action: ActionDescriptor) -> tuple[Ring, float]:
    """Return the ring that an action needs, and its risk weight."""
    return action.required_ring, action.default_risk_weight
