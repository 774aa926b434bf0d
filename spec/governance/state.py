"""What is the state of governance? Every record, and the one `Governance` that holds them all.

Times are in nanoseconds of a clock that somebody reads; it may stand still or run back.
"""

from corollary.language.types import Index, Table, u8, u32, u64
from corollary.language.values import Record
from corollary.spec.governance.limits import AGENTS, SAGAS, SEATS, SESSIONS
from corollary.spec.governance.vocabulary import Phase, Severity, Stage
from corollary.spec.ring import Ring

AgentId = Index("AgentId", AGENTS)
SeatId = Index("SeatId", SEATS)
SessionId = Index("SessionId", SESSIONS)
SagaId = Index("SagaId", SAGAS)


class Agent(Record):
    """An agent, wherever it is."""

    killed: bool
    asked: bool  # was it killed by name, and not as the substitute of another one?
    terminated: bool  # was it told that the agent ended? Until then it is taken to run
    reported: bool  # is that final?


class Elevation(Record):
    """A better ring for a while."""

    active: bool
    ring: Ring
    expires: u64


class Breach(Record):
    """What a seat has called of late; calls beyond its ring count more."""

    since: u64
    weight: u32
    severity: Severity  # after the last call
    tripped: bool  # until somebody has looked at it


class Seat(Record):
    """An agent in a session."""

    taken: bool
    agent: AgentId
    generation: u64  # counts who sat here
    score: u32  # ppm
    consensus: bool
    ring: Ring
    ancestry: u8  # parents above it; 0 for none
    parent: SeatId
    born: u64  # generation of the parent
    elevation: Elevation
    due: u64  # when everything that was spent is paid: until then the bucket is not full
    quarantined: u64  # until then
    breach: Breach


class Session(Record):
    """A session, and the chain of its deltas: how many there are, and the hash of the last one."""

    stage: Stage
    deltas: u64
    first: u64
    second: u64
    third: u64
    fourth: u64


class Saga(Record):
    """Steps that are all taken, or undone. Those below `done` are completed, and not undone."""

    phase: Phase
    steps: u8
    done: u8
    retries: u8  # for each step
    failures: u8  # of the present step
    lost: u64  # bit i: step i could not be undone


class Governance(Record):
    """The whole state."""

    agent: Table[AgentId, Agent]
    seat: Table[SeatId, Seat]
    session: Table[SessionId, Session]
    saga: Table[SagaId, Saga]
