"""When do the operations on seats succeed, and what do they do then?"""

from corollary.language.builtins import maximum, minimum, saturating_sub
from corollary.language.property import ensures, succeeds
from corollary.language.types import u32, u64
from corollary.spec.governance.limits import ANCESTRY_LIMIT, CLOCK_LIMIT, LAST, TIME_LIMIT, WEIGHT_LIMIT, WINDOW
from corollary.spec.governance.outcome.words import (
    is_below,
    is_breach,
    is_elevation,
    is_fresh,
    is_same,
    is_same_breach,
    is_same_elevation,
    is_trusted,
    may_sit,
)
from corollary.spec.governance.state import AgentId, Governance, SeatId
from corollary.spec.governance.vocabulary import Severity
from corollary.spec.governance.words import (
    amplifier,
    due_after,
    effective_ring,
    is_elevated,
    is_quarantined,
    is_rate,
    severity_of,
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
    ring_for,
)


def may_act(before: Governance, a: SeatId, now: u64) -> bool:
    """Is an agent in its seat, alive and not in quarantine?"""
    alive = before.seat[a].taken and not before.agent[before.seat[a].agent].killed
    return alive and not is_quarantined(before, a, now) and not before.seat[a].breach.tripped


def is_numbered(before: Governance, a: SeatId, score: u32) -> bool:
    """Is the score one, and can the seat be numbered?"""
    return score <= PPM and before.seat[a].generation < LAST - 1


def is_seated(before: Governance, after: Governance, a: SeatId, agent: AgentId, score: u32, consensus: bool) -> bool:
    """Has an agent a seat, with nothing due and the ring of its trust?"""
    new = after.seat[a]
    old = before.seat[a].generation
    who = new.taken and new.agent == agent and new.generation == (old + 1 if old < LAST - 1 else 0)
    trusted = is_trusted(new, score, consensus, ring_for(score, consensus))
    return who and trusted and is_fresh(new)


@succeeds("enrol")
def may_enrol(before: Governance, a: SeatId, agent: AgentId, score: u32) -> bool:
    return may_sit(before, a, agent) and is_numbered(before, a, score)


@ensures("enrol", "the agent has the seat, the ring of its trust, and nothing due", changes=("seat",))
def is_enrolled(
    before: Governance, after: Governance, a: SeatId, agent: AgentId, score: u32, consensus: bool, i: SeatId
) -> bool:
    if i != a:
        return is_same(after.seat[i], before.seat[i])
    alone = is_below(after.seat[a], 0, SeatId(0), 0)
    return alone and is_seated(before, after, a, agent, score, consensus)


@succeeds("register_child")
def may_have_child(before: Governance, a: SeatId, agent: AgentId, parent: SeatId, score: u32, now: u64) -> bool:
    above = may_act(before, parent, now) and before.seat[parent].ancestry < ANCESTRY_LIMIT
    return may_sit(before, a, agent) and is_numbered(before, a, score) and above


@ensures("register_child", "the agent has the seat, below its parent", changes=("seat",))
def is_child(
    before: Governance,
    after: Governance,
    a: SeatId,
    agent: AgentId,
    parent: SeatId,
    score: u32,
    consensus: bool,
    i: SeatId,
) -> bool:
    if i != a:
        return is_same(after.seat[i], before.seat[i])
    above = before.seat[parent]
    if above.ancestry >= ANCESTRY_LIMIT:
        return False
    below = is_below(after.seat[a], above.ancestry + 1, parent, above.generation)
    return below and is_seated(before, after, a, agent, score, consensus)


@succeeds("dismiss")
def may_dismiss(before: Governance, a: SeatId) -> bool:
    return before.seat[a].taken


@ensures("dismiss", "nobody sits there, and who sits there next is another one", changes=("seat",))
def is_dismissed(before: Governance, after: Governance, a: SeatId, i: SeatId) -> bool:
    new = after.seat[i]
    if i != a:
        return is_same(new, before.seat[i])
    nobody = not new.taken and new.agent == 0 and new.generation == before.seat[i].generation
    blank = is_trusted(new, 0, False, Ring.ROOT) and is_below(new, 0, SeatId(0), 0)
    return nobody and blank and is_fresh(new)


@succeeds("assign")
def may_assign(before: Governance, a: SeatId, score: u32) -> bool:
    return before.seat[a].taken and score <= PPM


@ensures(
    "assign",
    "the agent has the trust and the ring that follows, and no elevation",
    changes=("seat.score", "seat.consensus", "seat.ring", "seat.elevation.active"),
)
def is_assigned(before: Governance, after: Governance, a: SeatId, score: u32, consensus: bool, i: SeatId) -> bool:
    old = before.seat[i]
    new = after.seat[i]
    if i != a:
        return is_trusted(new, old.score, old.consensus, old.ring) and new.elevation.active == old.elevation.active
    return is_trusted(new, score, consensus, ring_for(score, consensus)) and not new.elevation.active


@succeeds("elevate")
def may_rise(before: Governance, a: SeatId, target: Ring, score: u32, attested: bool, now: u64) -> bool:
    better = u64(target) < u64(effective_ring(before, a, now)) and not is_elevated(before.seat[a].elevation, now)
    first = target == Ring.PRIVILEGED and score >= ELEVATE_1_SCORE and attested
    second = target == Ring.STANDARD and score >= ELEVATE_2_SCORE
    return may_act(before, a, now) and better and (first or second) and score <= PPM and now <= CLOCK_LIMIT


@ensures("elevate", "the agent has the ring for as long as it asked, up to the limit", changes=("seat.elevation",))
def has_risen(before: Governance, after: Governance, a: SeatId, target: Ring, time: u64, now: u64, i: SeatId) -> bool:
    new = after.seat[i].elevation
    if i != a:
        return is_same_elevation(new, before.seat[i].elevation)
    asked = u64(ELEVATION_DEFAULT) * SECOND if time == 0 else minimum(time, u64(ELEVATION_LIMIT) * SECOND)
    return is_elevation(new, True, target, now + asked) if now <= CLOCK_LIMIT else False


def has_fallen(before: Governance, after: Governance, a: SeatId, i: SeatId) -> bool:
    """Is there no elevation of a seat, and is every other one as before?"""
    return after.seat[i].elevation.active == (before.seat[i].elevation.active and i != a)


@succeeds("revoke")
def may_revoke(before: Governance, a: SeatId) -> bool:
    return before.seat[a].elevation.active


@ensures("revoke", "the elevation is over", changes=("seat.elevation.active",))
def is_revoked(before: Governance, after: Governance, a: SeatId, i: SeatId) -> bool:
    return has_fallen(before, after, a, i)


@succeeds("expire")
def may_expire(before: Governance, a: SeatId, now: u64) -> bool:
    return before.seat[a].elevation.active and now >= before.seat[a].elevation.expires


@ensures("expire", "the elevation that is over is cleared", changes=("seat.elevation.active",))
def is_expired(before: Governance, after: Governance, a: SeatId, i: SeatId) -> bool:
    return has_fallen(before, after, a, i)


@succeeds("check")
def may_do(before: Governance, a: SeatId, required: Ring, now: u64) -> bool:
    enough = u64(effective_ring(before, a, now)) <= u64(required)
    return required != Ring.ROOT and may_act(before, a, now) and enough


@ensures("check", "nothing changes", changes=())
def is_checked(before: Governance, after: Governance) -> bool:
    return True


@succeeds("spend")
def may_spend(before: Governance, a: SeatId, price: u64, span: u64, now: u64) -> bool:
    if not is_rate(price, span, now):
        return False
    return may_act(before, a, now) and due_after(before.seat[a].due, price, now) <= now + span


@ensures("spend", "the calls are paid", changes=("seat.due",))
def is_paid(before: Governance, after: Governance, a: SeatId, price: u64, now: u64, i: SeatId) -> bool:
    old = before.seat[i].due
    return after.seat[i].due == (due_after(old, price, now) if i == a else old)


@succeeds("quarantine")
def may_quarantine(before: Governance, a: SeatId, time: u64, now: u64) -> bool:
    return before.seat[a].taken and 0 < time and time <= TIME_LIMIT and now <= CLOCK_LIMIT


@ensures("quarantine", "the agent does not act until then, or for longer", changes=("seat.quarantined",))
def is_set_apart(before: Governance, after: Governance, a: SeatId, time: u64, now: u64, i: SeatId) -> bool:
    old = before.seat[i].quarantined
    if i != a:
        return after.seat[i].quarantined == old
    return after.seat[i].quarantined == maximum(old, now + time) if time <= TIME_LIMIT and now <= CLOCK_LIMIT else False


@succeeds("release")
def may_release(before: Governance, a: SeatId) -> bool:
    return before.seat[a].quarantined != 0


@ensures("release", "the quarantine is over", changes=("seat.quarantined",))
def is_released(before: Governance, after: Governance, a: SeatId, i: SeatId) -> bool:
    return after.seat[i].quarantined == (0 if i == a else before.seat[i].quarantined)


@succeeds("record_call")
def may_be_counted(before: Governance, a: SeatId) -> bool:
    return before.seat[a].taken


@ensures("record_call", "the call is counted, and too many of them trip the breaker", changes=("seat.breach",))
def is_counted(before: Governance, after: Governance, a: SeatId, called: Ring, now: u64, i: SeatId) -> bool:
    old = before.seat[i].breach
    new = after.seat[i].breach
    if i != a:
        return is_same_breach(new, old)
    weight = weight_after(old, amplifier(effective_ring(before, a, now), called), now)
    severity = severity_of(weight, called)
    since = now if saturating_sub(now, old.since) >= WINDOW else old.since
    tripped = old.tripped or u64(severity) >= u64(Severity.HIGH)
    return is_breach(new, since, minimum(weight, WEIGHT_LIMIT), severity, tripped)


@succeeds("reset_breaker")
def may_reset(before: Governance, a: SeatId) -> bool:
    return before.seat[a].breach.tripped


@ensures("reset_breaker", "the agent may act again, and has called nothing", changes=("seat.breach",))
def is_reset(before: Governance, after: Governance, a: SeatId, i: SeatId) -> bool:
    if i != a:
        return is_same_breach(after.seat[i].breach, before.seat[i].breach)
    return is_breach(after.seat[i].breach, 0, 0, Severity.NONE, False)
