"""What do the words of governance mean: who may act, in which ring, and what is left of a bucket?"""

from corollary.language.builtins import maximum, minimum, saturating_sub
from corollary.language.types import u32, u64
from corollary.spec.governance.limits import (
    ANCESTRY_LIMIT,
    CLOCK_LIMIT,
    CRITICAL,
    HIGH,
    LOW,
    MEDIUM,
    SPAN_LIMIT,
    WEIGHT_LIMIT,
    WINDOW,
)
from corollary.spec.governance.state import Breach, Elevation, Governance, SeatId
from corollary.spec.governance.vocabulary import Phase, Reversibility, Severity, Stage, Status
from corollary.spec.ring import Ring, more_privileged

# ---- who may act


def is_quarantined(s: Governance, a: SeatId, now: u64) -> bool:
    """Is a seat in quarantine?"""
    return now < s.seat[a].quarantined


def standing(s: Governance, a: SeatId, now: u64) -> Status:
    """Return why a seat may not act, if so."""
    if not s.seat[a].taken:
        return Status.NOT_SEATED
    if s.agent[s.seat[a].agent].killed:
        return Status.KILLED
    if s.seat[a].breach.tripped:
        return Status.TRIPPED
    return Status.QUARANTINED if is_quarantined(s, a, now) else Status.OK


# ---- rings


def required_ring(admin: bool, reversibility: Reversibility, read_only: bool) -> Ring:
    """Return the ring that an action needs."""
    if admin:
        return Ring.ROOT
    if reversibility == Reversibility.NONE and not read_only:
        return Ring.PRIVILEGED
    return Ring.SANDBOX if read_only else Ring.STANDARD


def is_elevated(held: Elevation, now: u64) -> bool:
    """Is an elevation in force?"""
    return held.active and now < held.expires


def own_ring(s: Governance, a: SeatId, now: u64) -> Ring:
    """Return the ring of a seat by itself: that of its score, or a better one for a while."""
    held = s.seat[a].elevation
    if is_elevated(held, now) and more_privileged(held.ring, s.seat[a].ring):
        return held.ring
    return s.seat[a].ring


def worse(a: Ring, b: Ring) -> Ring:
    """Return the less privileged of two rings."""
    return b if more_privileged(a, b) else a


def has_parent(s: Governance, a: SeatId) -> bool:
    """Does the parent of a seat still sit where it sat, alive?"""
    above = s.seat[s.seat[a].parent]
    return above.taken and above.generation == s.seat[a].born and not s.agent[above.agent].killed


def ceiling(s: Governance, a: SeatId, now: u64) -> Ring:
    """Return the best ring that the parent of a seat leaves it; whose parent has gone is in the sandbox."""
    if s.seat[a].ancestry == 0:
        return Ring.ROOT
    return own_ring(s, s.seat[a].parent, now) if has_parent(s, a) else Ring.SANDBOX


def above(s: Governance, a: SeatId) -> SeatId:
    """Return the seat of the parent, or the seat itself if it is a first one."""
    return a if s.seat[a].ancestry == 0 else s.seat[a].parent


def effective_ring(s: Governance, a: SeatId, now: u64) -> Ring:
    """Return the ring in which a seat acts: no better than the rings in which those above it act."""
    ring = own_ring(s, a, now)
    at = a
    for step in range(ANCESTRY_LIMIT):
        ring = worse(ring, ceiling(s, at, now))
        at = above(s, at)
    return ring


def admitted(ring: Ring, required: Ring) -> Status:
    """Does a ring suffice for what needs another one?"""
    if required == Ring.ROOT:
        return Status.NEEDS_SRE_WITNESS
    return Status.RING_DENIED if more_privileged(required, ring) else Status.OK


# ---- rates


def is_rate(price: u64, span: u64, now: u64) -> bool:
    """Can so much be paid now, from a bucket that is so large?"""
    fits = span <= SPAN_LIMIT and price <= SPAN_LIMIT and now <= CLOCK_LIMIT
    return fits and span != 0 and price != 0


def due_after(due: u64, price: u64, now: u64) -> u64:
    """Return when everything is paid, if a price is added to what is due now; all are within their limits."""
    return minimum(maximum(due, now), CLOCK_LIMIT + SPAN_LIMIT) + minimum(price, SPAN_LIMIT)


# ---- breaches


def amplifier(ring: Ring, called: Ring) -> u32:
    """Return for how many calls a call of a ring counts: for as many as the rings that it lies above one's own."""
    return u32(ring) - u32(called) if more_privileged(called, ring) else u32(1)


def severity_of(weight: u32, called: Ring) -> Severity:
    """Return how bad so many calls are; a call of ring 0, which is nobody's, is as bad as can be by itself."""
    if weight >= CRITICAL or called == Ring.ROOT:
        return Severity.CRITICAL
    if weight >= HIGH:
        return Severity.HIGH
    if weight >= MEDIUM:
        return Severity.MEDIUM
    return Severity.LOW if weight >= LOW else Severity.NONE


def weight_after(breach: Breach, more: u32, now: u64) -> u32:
    """Return what the calls of the window count for, with some more; a window that is over is followed by another."""
    kept = u32(0) if saturating_sub(now, breach.since) >= WINDOW else breach.weight
    return minimum(kept, WEIGHT_LIMIT) + more


# ---- sessions


def next_stage(stage: Stage) -> Stage:
    """Return the stage that follows; the last one is followed by none."""
    if stage == Stage.CREATED:
        return Stage.HANDSHAKING
    if stage == Stage.HANDSHAKING:
        return Stage.ACTIVE
    if stage == Stage.ACTIVE:
        return Stage.TERMINATING
    return Stage.ARCHIVED if stage == Stage.TERMINATING else Stage.VACANT


def has_chain(stage: Stage) -> bool:
    """May a session get deltas?"""
    return stage != Stage.VACANT and stage != Stage.ARCHIVED


# ---- sagas


def is_over(phase: Phase) -> bool:
    """Is there no saga, or nothing left to do for it?"""
    return phase != Phase.READY and phase != Phase.EXECUTING and phase != Phase.COMPENSATING
