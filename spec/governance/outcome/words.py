"""What do the words for the ends of operations mean? Each says what a row is afterwards."""

from corollary.language.types import u8, u32, u64
from corollary.spec.governance.state import AgentId, Elevation, Governance, Seat, SeatId
from corollary.spec.ring import Ring


def is_elevation(held: Elevation, active: bool, ring: Ring, expires: u64) -> bool:
    """Is it this elevation?"""
    return held.active == active and held.ring == ring and held.expires == expires


def is_same_elevation(one: Elevation, other: Elevation) -> bool:
    """Are two elevations the same?"""
    return is_elevation(one, other.active, other.ring, other.expires)


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
    return who and trusted and below and held and one.quarantined == other.quarantined


def is_fresh(seat: Seat) -> bool:
    """Has nothing happened to who sits here?"""
    return is_elevation(seat.elevation, False, Ring.ROOT, 0) and seat.quarantined == 0 and seat.due == 0


def may_sit(before: Governance, a: SeatId, agent: AgentId) -> bool:
    """Is a seat free, and is the agent alive?"""
    return not before.seat[a].taken and not before.agent[agent].killed
