"""How do agents meet, and how does a session go from stage to stage? As the component says, to the next one only.

Stricter than the specification: who has left is not there until it comes again, and then owes what it owed; a session
whose time is over lets nobody in.
"""

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum

from corollary.governance.checks import Refused, flag, identifier, member, number, whole
from corollary.governance.governor import Governor
from corollary.spec.governance.vocabulary import Stage, Status
from corollary.spec.ring import SECOND, Ring

MOST_PARTICIPANTS, LONGEST_DURATION = 1000, 604_800  # agents, s


class ConsistencyMode(Enum):
    """How participants agree on a change of state: a label for whoever carries it out."""

    STRONG = "strong"
    EVENTUAL = "eventual"


@dataclass(frozen=True)
class SessionConfig:
    """What holds for a session. Raises `TypeError` or `ValueError` for anything out of bounds."""

    consistency_mode: ConsistencyMode = ConsistencyMode.EVENTUAL
    max_participants: int = 10
    max_duration_seconds: int = 3600
    min_eff_score: float = 0.60
    enable_audit: bool = True

    def __post_init__(self):
        member("consistency_mode", self.consistency_mode, ConsistencyMode)
        whole("max_participants", self.max_participants, 1, MOST_PARTICIPANTS)
        whole("max_duration_seconds", self.max_duration_seconds, 1, LONGEST_DURATION)
        number("min_eff_score", self.min_eff_score, 0, 1)
        flag("enable_audit", self.enable_audit)


@dataclass(frozen=True)
class SessionParticipant:
    """An agent in a session, as it joined. Raises `TypeError` or `ValueError` for anything out of bounds."""

    agent_did: str
    ring: Ring = Ring.SANDBOX
    sigma_raw: float = 0.0
    eff_score: float = 0.0
    joined_at: datetime | None = None
    is_active: bool = True

    def __post_init__(self):
        identifier("agent_did", self.agent_did)
        member("ring", self.ring, Ring)
        number("sigma_raw", self.sigma_raw, 0, 1)
        number("eff_score", self.eff_score, 0, 1)
        flag("is_active", self.is_active)
        if self.joined_at is None:
            object.__setattr__(self, "joined_at", datetime.now(UTC))


class SharedSession:
    """A session of a governor; raises `Refused` if it has one of this name."""

    def __init__(self, governor: Governor, session_id: str, config: SessionConfig | None = None):
        self.governor, self.session_id, self.config = governor, session_id, config or SessionConfig()
        governor.open_session(session_id)
        self.ends = governor.now() + self.config.max_duration_seconds * SECOND
        self.participants: dict[str, SessionParticipant] = {}

    @property
    def state(self) -> Stage:
        """The stage that it is in."""
        return self.governor.stage(self.session_id)

    @property
    def is_over(self) -> bool:
        """Has it lasted as long as it may?"""
        return self.governor.now() >= self.ends

    @property
    def active(self) -> list[SessionParticipant]:
        """Who is there now."""
        return [each for each in self.participants.values() if each.is_active]

    def begin_handshake(self) -> None:
        """Let agents join."""
        self.governor.advance(self.session_id, Stage.HANDSHAKING)

    def activate(self) -> None:
        """Begin, if anybody is there."""
        if not self.active:
            raise Refused(Status.WRONG_STAGE, f"nobody has joined {self.session_id}")
        self.governor.advance(self.session_id, Stage.ACTIVE)

    def terminate(self) -> None:
        """Come to an end."""
        self.governor.advance(self.session_id, Stage.TERMINATING)

    def archive(self) -> None:
        """Be over: nobody is there any more."""
        self.governor.advance(self.session_id, Stage.ARCHIVED)
        for each in self.participants:
            with suppress(Refused):  # who was dismissed before is not there any more
                self.governor.dismiss(each, self.session_id)
        self.participants.clear()

    def join(self, agent_did: str, eff_score: float = 0.0, has_consensus: bool = False) -> SessionParticipant:
        """Let an agent in, in the ring that follows from its trust; raises `Refused`, and nothing has changed then."""
        with self.governor.lock.here:
            self.check_open(agent_did)
            seen = SessionParticipant(agent_did, sigma_raw=eff_score, eff_score=eff_score)
            ring = self.governor.ring_of_trust(eff_score, has_consensus)
            if ring is not Ring.SANDBOX and eff_score < self.config.min_eff_score:
                raise Refused(
                    Status.INSUFFICIENT_TRUST, f"{agent_did} is trusted less than {self.config.min_eff_score}"
                )
            self.governor.seated(agent_did, self.session_id, eff_score, has_consensus, "enrol")
            ring = self.governor.get_effective_ring(agent_did, self.session_id)
            made = SessionParticipant(agent_did, ring, seen.sigma_raw, seen.eff_score, seen.joined_at)
            self.participants[agent_did] = made
        self.governor.joined(agent_did, self.session_id)
        return made

    def check_open(self, agent_did):
        """Raise `Refused` if an agent cannot join now."""
        if self.state not in (Stage.HANDSHAKING, Stage.ACTIVE) or self.is_over:
            raise Refused(Status.WRONG_STAGE, f"{self.session_id} is {self.state.name.lower()}, and lets nobody in")
        old = self.participants.get(agent_did)
        if old is not None and old.is_active:
            raise Refused(Status.TAKEN, f"{agent_did} is in {self.session_id}")
        if len(self.active) >= self.config.max_participants:
            raise Refused(Status.EXHAUSTED, f"{self.session_id} has room for {self.config.max_participants}")

    def leave(self, agent_did: str) -> None:
        """Let an agent go; raises `Refused` if it is not there."""
        with self.governor.lock.here:
            self.governor.leave(agent_did, self.session_id)
            if agent_did in self.participants:  # else it joined by the governor
                self.participants[agent_did] = replace(self.participants[agent_did], is_active=False)
