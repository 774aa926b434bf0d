"""How are agents governed? In rings that follow from trust, at a rate, for a while, until they are killed.

A `Governor` keeps who may do what, in code that is proved. The names and defaults are those of Agent Hypervisor
Execution Control 1.0; each module says where it is stricter.
"""

from corollary.governance.checks import Refused
from corollary.governance.deltas import DeltaEngine, SemanticDelta, VFSChange
from corollary.governance.events import Event, EventBus, EventType
from corollary.governance.governor import Governor, RateLimitExceeded, RingElevation, RingElevationError
from corollary.governance.isolation import IsolationLevel, IsolationManager, SessionScope
from corollary.governance.kills import KillReason, KillResult, KillSwitch
from corollary.governance.rings import (
    DEFAULT_CONSTRAINTS,
    ActionDescriptor,
    ResourceConstraints,
    ResourceType,
    RingCheckResult,
    RingEnforcer,
    classify,
)
from corollary.governance.sagas import SagaFailed, SagaOrchestrator, SagaOutcome, SagaStep
from corollary.governance.sessions import ConsistencyMode, SessionConfig, SessionParticipant, SharedSession
from corollary.spec.governance.vocabulary import Phase, Reversibility, Severity, Stage, Status
from corollary.spec.ring import Ring, Scope

__all__ = (
    "ActionDescriptor",
    "ConsistencyMode",
    "DEFAULT_CONSTRAINTS",
    "DeltaEngine",
    "Event",
    "EventBus",
    "EventType",
    "Governor",
    "IsolationLevel",
    "IsolationManager",
    "KillReason",
    "KillResult",
    "KillSwitch",
    "Phase",
    "RateLimitExceeded",
    "Refused",
    "ResourceConstraints",
    "ResourceType",
    "Reversibility",
    "Ring",
    "RingCheckResult",
    "RingElevation",
    "RingElevationError",
    "RingEnforcer",
    "SagaFailed",
    "SagaOrchestrator",
    "SagaOutcome",
    "SagaStep",
    "Scope",
    "SemanticDelta",
    "SessionConfig",
    "SessionParticipant",
    "SessionScope",
    "Severity",
    "SharedSession",
    "Stage",
    "Status",
    "VFSChange",
    "classify",
)
