"""What does governance answer, and in which stage is a session or a saga?"""

from corollary.language.types import Enum


class Status(Enum):
    """What an operation answers."""

    OK = 0
    NOT_SEATED = 1  # the agent is not in the session
    TAKEN = 2  # the row is in use
    KILLED = 3  # the agent was killed, or stood in for one that was; it never acts again
    QUARANTINED = 4
    BAD_SCORE = 5  # a score is from 0 to 1
    BAD_LIMIT = 6  # a limit, a count or a time is 0 or too large
    TOO_DEEP = 7  # too many parents
    EXHAUSTED = 8  # a number has come to its end
    NEEDS_SRE_WITNESS = 9  # what needs ring 0 is refused to everybody
    RING_DENIED = 10  # the ring of the agent is less privileged than what it asks for needs
    RATE_LIMITED = 11
    INVALID_TARGET = 12  # the ring is not more privileged than that of the agent
    RING_0_FORBIDDEN = 13
    DUPLICATE_ELEVATION = 14
    INSUFFICIENT_TRUST = 15
    NO_SPONSORSHIP = 16  # ring 1 needs an attestation
    NOT_ELEVATED = 17
    NOT_KILLED = 18
    REPORTED = 19  # the result of the kill is final
    WRONG_STAGE = 20
    OUT_OF_ORDER = 21  # the delta is not the next one
    TRIPPED = 22  # the agent made so many calls beyond its ring that somebody must look at it first


class Reversibility(Enum):
    """Can an action be undone?"""

    FULL = 0
    PARTIAL = 1
    NONE = 2


class Severity(Enum):
    """How bad is it what an agent calls?"""

    NONE = 0
    LOW = 1
    MEDIUM = 2
    HIGH = 3  # from here on it is stopped
    CRITICAL = 4


class Stage(Enum):
    """The stage of a session; each is followed by the next one only."""

    VACANT = 0
    CREATED = 1
    HANDSHAKING = 2
    ACTIVE = 3
    TERMINATING = 4
    ARCHIVED = 5


class Phase(Enum):
    """What a saga is doing."""

    VACANT = 0
    READY = 1  # the next step may begin
    EXECUTING = 2
    COMPENSATING = 3
    COMPLETED = 4  # every step
    COMPENSATED = 5  # every step that was completed
    ESCALATED = 6  # as far as that was possible: somebody must look at the rest
