"""What do the words for the ends of operations mean? Each says what a row is afterwards."""

from corollary.language.types import u8, u32, u64
from corollary.spec.governance.state import AgentId, Breach, Elevation, Governance, Seat, SeatId
from corollary.spec.governance.vocabulary import Severity
from corollary.spec.ring import Ring


def is_elevation(held: Elevation, active: bool, ring: Ring, expires: u64) -> bool:
    """Is it this elevation?"""
    return held.active == active and held.ring == ring and held.expires == expires


def is_same_elevation(one: Elevation, other: Elevation) -> bool:
    """Are two elevations the same?"""
    return is_elevation(one, other.active, other.ring, other.expires)


def is_breach(breach: Breach, since: u64, weight: u32, severity: Severity, tripped: bool) -> bool:
    """Is this what a seat has called?"""
    counted = breach.since == since and breach.weight == weight
    return counted and breach.severity == severity and breach.tripped == tripped


def is_same_breach(one: Breach, other: Breach) -> bool:
    """Is it the same?"""
    return is_breach(one, other.since, other.weight, other.severity, other.tripped)


def is_trusted(seat: Seat, score: u32, consensus: bool, ring: Ring) -> bool:
    """Has a seat this trust?"""
    return seat.score == score and seat.consensus == consensus and seat.ring == ring


def is_below(seat: Seat, ancestry: u8, parent: SeatId, born: u64) -> bool:
    """Has a seat this parent?"""
    return seat.ancestry == ancestry and seat.parent == parent and seat.born == born


def is_same(one: Seat, other: Seat) -> bool:
    """Are two seats the same?"""
    who = one.taken == other.taken and one.agent == other.agent and one.generation == other.generation
    trusted = is_trusted(one, other.score, other.consensus, other.ring)
    below = is_below(one, other.ancestry, other.parent, other.born)
    held = is_same_elevation(one.elevation, other.elevation) and one.due == other.due
    apart = one.quarantined == other.quarantined and is_same_breach(one.breach, other.breach)
    return who and trusted and below and held and apart


def is_fresh(seat: Seat) -> bool:
    """Has nothing happened to who sits here?"""
    well = is_breach(seat.breach, 0, 0, Severity.NONE, False) and seat.quarantined == 0
    return is_elevation(seat.elevation, False, Ring.ROOT, 0) and well and seat.due == 0


def may_sit(before: Governance, a: SeatId, agent: AgentId) -> bool:
    """Is a seat free, and is the agent alive?"""
    return not before.seat[a].taken and not before.agent[agent].killed
