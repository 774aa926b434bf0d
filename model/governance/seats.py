"""How do agents take seats, and what may they do there? Whatever is refused has changed nothing."""

from corollary.language.builtins import maximum, minimum, saturating_sub
from corollary.language.types import u8, u32, u64
from corollary.language.values import clear
from corollary.spec.governance.limits import ANCESTRY_LIMIT, CLOCK_LIMIT, LAST, TIME_LIMIT, WEIGHT_LIMIT, WINDOW
from corollary.spec.governance.state import AgentId, Governance, SeatId
from corollary.spec.governance.vocabulary import Severity, Status
from corollary.spec.governance.words import (
    admitted,
    amplifier,
    due_after,
    effective_ring,
    is_elevated,
    is_rate,
    severity_of,
    standing,
    weight_after,
)
from corollary.spec.ring import (
    ELEVATE_1_SCORE,
    ELEVATE_2_SCORE,
    ELEVATION_DEFAULT,
    ELEVATION_LIMIT,
    PPM,
    SECOND,
    Ring,
    more_privileged,
    ring_for,
)

# ---- seats


def barred(s: Governance, a: SeatId, agent: AgentId, score: u32) -> Status:
    """Return why an agent cannot take a seat, if so."""
    if s.seat[a].taken:
        return Status.TAKEN
    if s.agent[agent].killed:
        return Status.KILLED
    if score > PPM:
        return Status.BAD_SCORE
    return Status.EXHAUSTED if s.seat[a].generation >= LAST - 1 else Status.OK


def sit(s: Governance, a: SeatId, agent: AgentId, score: u32, consensus: bool) -> None:
    """Let an agent have a seat, with a full bucket."""
    seat = s.seat[a]
    generation = minimum(seat.generation, LAST - 1) + 1
    clear(seat)
    seat.taken = True
    seat.agent = agent
    seat.generation = generation
    seat.score = score
    seat.consensus = consensus
    seat.ring = ring_for(score, consensus)


def enrol(s: Governance, a: SeatId, agent: AgentId, score: u32, consensus: bool) -> Status:
    """Give an agent without a parent a free seat."""
    refused = barred(s, a, agent, score)
    if refused != Status.OK:
        return refused
    sit(s, a, agent, score, consensus)
    return Status.OK


def register_child(
    s: Governance, a: SeatId, agent: AgentId, parent: SeatId, score: u32, consensus: bool, now: u64
) -> Status:
    """Give the child of an agent that may act a free seat."""
    refused = barred(s, a, agent, score)
    if refused != Status.OK:
        return refused
    above = standing(s, parent, now)
    if above != Status.OK:
        return above
    if s.seat[parent].ancestry >= ANCESTRY_LIMIT:
        return Status.TOO_DEEP
    sit(s, a, agent, score, consensus)
    s.seat[a].ancestry = minimum(s.seat[parent].ancestry, u8(ANCESTRY_LIMIT - 1)) + 1
    s.seat[a].parent = parent
    s.seat[a].born = s.seat[parent].generation
    return Status.OK


def dismiss(s: Governance, a: SeatId) -> Status:
    """Free a seat; the children of who sat there are in the sandbox from now on."""
    if not s.seat[a].taken:
        return Status.NOT_SEATED
    generation = s.seat[a].generation
    clear(s.seat[a])
    s.seat[a].generation = generation
    return Status.OK


def assign(s: Governance, a: SeatId, score: u32, consensus: bool) -> Status:
    """Set the trust of an agent, and the ring that follows; an elevation ends."""
    seat = s.seat[a]
    if not seat.taken:
        return Status.NOT_SEATED
    if score > PPM:
        return Status.BAD_SCORE
    seat.elevation.active = False
    seat.score = score
    seat.consensus = consensus
    seat.ring = ring_for(score, consensus)
    return Status.OK


# ---- elevation


def elevate(s: Governance, a: SeatId, target: Ring, score: u32, attested: bool, time: u64, now: u64) -> Status:
    """Let an agent have a better ring for a while: the default if no time is given, the longest at most."""
    refused = standing(s, a, now)
    if refused != Status.OK:
        return refused
    if not more_privileged(target, effective_ring(s, a, now)):
        return Status.INVALID_TARGET
    if target == Ring.ROOT:
        return Status.RING_0_FORBIDDEN
    held = s.seat[a].elevation
    if is_elevated(held, now):
        return Status.DUPLICATE_ELEVATION
    if score > PPM or score < (ELEVATE_1_SCORE if target == Ring.PRIVILEGED else ELEVATE_2_SCORE):
        return Status.INSUFFICIENT_TRUST
    if target == Ring.PRIVILEGED and not attested:
        return Status.NO_SPONSORSHIP
    if now > CLOCK_LIMIT:
        return Status.BAD_LIMIT
    held.active = True
    held.ring = target
    held.expires = now + (
        u64(ELEVATION_DEFAULT) * SECOND if time == 0 else minimum(time, u64(ELEVATION_LIMIT) * SECOND)
    )
    return Status.OK


def revoke(s: Governance, a: SeatId) -> Status:
    """End the elevation of an agent before its time."""
    if not s.seat[a].elevation.active:
        return Status.NOT_ELEVATED
    s.seat[a].elevation.active = False
    return Status.OK


def expire(s: Governance, a: SeatId, now: u64) -> Status:
    """Clear an elevation that is over; it has had no effect since it ended."""
    if not s.seat[a].elevation.active or is_elevated(s.seat[a].elevation, now):
        return Status.NOT_ELEVATED
    s.seat[a].elevation.active = False
    return Status.OK


# ---- acting


def check(s: Governance, a: SeatId, required: Ring, now: u64) -> Status:
    """May an agent do what needs a ring?"""
    if required == Ring.ROOT:
        return Status.NEEDS_SRE_WITNESS
    refused = standing(s, a, now)
    if refused != Status.OK:
        return refused
    return admitted(effective_ring(s, a, now), required)


def spend(s: Governance, a: SeatId, price: u64, span: u64, now: u64) -> Status:
    """Pay a price, in ns of credit, from a bucket that holds as much as the span."""
    refused = standing(s, a, now)
    if refused != Status.OK:
        return refused
    if not is_rate(price, span, now):
        return Status.BAD_LIMIT
    due = due_after(s.seat[a].due, price, now)
    if due > now + span:
        return Status.RATE_LIMITED
    s.seat[a].due = due
    return Status.OK


def quarantine(s: Governance, a: SeatId, time: u64, now: u64) -> Status:
    """Keep an agent from acting for a while; a quarantine that lasts longer stays."""
    if not s.seat[a].taken:
        return Status.NOT_SEATED
    if time == 0 or time > TIME_LIMIT or now > CLOCK_LIMIT:
        return Status.BAD_LIMIT
    s.seat[a].quarantined = maximum(s.seat[a].quarantined, now + time)
    return Status.OK


def release(s: Governance, a: SeatId) -> Status:
    """End a quarantine."""
    if s.seat[a].quarantined == 0:
        return Status.WRONG_STAGE
    s.seat[a].quarantined = 0
    return Status.OK


# ---- breaches


def record_call(s: Governance, a: SeatId, called: Ring, now: u64) -> Status:
    """Count a call of a ring, whether or not it was let through; if there are too many, the agent is stopped."""
    if not s.seat[a].taken:
        return Status.NOT_SEATED
    breach = s.seat[a].breach
    weight = weight_after(breach, amplifier(effective_ring(s, a, now), called), now)
    severity = severity_of(weight, called)
    if saturating_sub(now, breach.since) >= WINDOW:
        breach.since = now
    breach.weight = minimum(weight, WEIGHT_LIMIT)
    breach.severity = severity
    breach.tripped = breach.tripped or severity == Severity.HIGH or severity == Severity.CRITICAL
    return Status.OK


def reset_breaker(s: Governance, a: SeatId) -> Status:
    """Let an agent act again that was stopped; its calls are counted anew."""
    if not s.seat[a].breach.tripped:
        return Status.WRONG_STAGE
    clear(s.seat[a].breach)
    return Status.OK
