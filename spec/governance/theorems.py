"""What does each step leave alone, and what can nobody do?"""

from corollary.language.builtins import implies, maximum, saturating_sub
from corollary.language.property import theorem
from corollary.language.types import u32, u64
from corollary.spec.governance.state import AgentId, Governance, SagaId, SeatId, SessionId
from corollary.spec.governance.vocabulary import Phase, Stage, Status
from corollary.spec.governance.words import effective_ring
from corollary.spec.ring import ELEVATE_1_SCORE, ELEVATE_2_SCORE, ELEVATION_LIMIT, PPM, SECOND, Ring

ACTING = ("check", "spend", "elevate")
"""The operations that an agent asks for."""


# ---- kills


@theorem("KILL-2", "who was killed stays killed, and a report is final")
def death_is_final(before: Governance, after: Governance, i: AgentId) -> bool:
    old = before.agent[i]
    new = after.agent[i]
    told = implies(old.reported, new.reported and new.terminated == old.terminated)
    return implies(old.killed, new.killed) and implies(old.asked, new.asked) and told


@theorem("KILL-3", "who was killed, or stood in for it, never acts again, and never rises", about=ACTING)
def the_dead_do_nothing(before: Governance, after: Governance, status: Status, a: SeatId) -> bool:
    return implies(before.agent[before.seat[a].agent].killed, status != Status.OK)


@theorem("KILL-4", "who was killed takes no seat again", about=("enrol", "register_child"))
def the_dead_take_no_seat(before: Governance, after: Governance, status: Status, agent: AgentId) -> bool:
    return implies(before.agent[agent].killed, status != Status.OK)


@theorem("KILL-5", "a kill reaches the agent and its substitute, and is taken to have ended nothing", about=("kill",))
def kill_reaches_both(
    before: Governance, after: Governance, status: Status, agent: AgentId, substitute: AgentId
) -> bool:
    both = after.agent[agent].killed and after.agent[substitute].killed
    return implies(status == Status.OK, both and not after.agent[agent].terminated)


@theorem("KILL-6", "nobody who was killed has children from then on", about=("register_child",))
def the_dead_have_no_children(before: Governance, after: Governance, status: Status, parent: SeatId) -> bool:
    return implies(before.agent[before.seat[parent].agent].killed, status != Status.OK)


# ---- rings


@theorem("RING-8", "ring 0 is refused to everybody, who is told what it would take", about=("check",))
def ring_0_is_refused(before: Governance, after: Governance, status: Status, required: Ring) -> bool:
    return (required == Ring.ROOT) == (status == Status.NEEDS_SRE_WITNESS)


@theorem("RING-9", "what needs a ring is done in that ring, or in a more privileged one", about=("check",))
def ring_is_enough(before: Governance, after: Governance, status: Status, a: SeatId, required: Ring, now: u64) -> bool:
    ring = effective_ring(before, a, now)
    return implies(status == Status.OK, ring != Ring.ROOT and int_of(ring) <= int_of(required))


def int_of(ring: Ring) -> u64:
    """Return the number of a ring; the smaller, the more privileged."""
    return u64(ring)


@theorem("RING-10", "who rises has the score for it, to ring 1 an attestation, and an end in sight", about=("elevate",))
def elevation_is_earned(
    before: Governance, after: Governance, status: Status, a: SeatId, score: u32, attested: bool, now: u64
) -> bool:
    held = after.seat[a].elevation
    first = held.ring == Ring.PRIVILEGED and ELEVATE_1_SCORE <= score and attested
    second = held.ring == Ring.STANDARD and ELEVATE_2_SCORE <= score
    ends = now < held.expires and held.expires - now <= ELEVATION_LIMIT * SECOND if now < held.expires else False
    return implies(status == Status.OK, (first or second) and score <= PPM and ends)


@theorem(
    "RING-11",
    "nobody rises but by asking, or by the trust that is assigned",
    about=lambda operation: operation.name not in ("elevate", "assign", "enrol", "register_child"),
)
def nobody_rises(before: Governance, after: Governance, i: SeatId) -> bool:
    old = before.seat[i]
    new = after.seat[i]
    held = implies(new.elevation.active, old.elevation.active and new.elevation.ring == old.elevation.ring)
    return held and implies(
        new.taken, old.taken and new.ring == old.ring and new.elevation.expires <= old.elevation.expires
    )


# ---- rates


@theorem("RATE-2", "what is due is never forgiven, as long as an agent keeps its seat")
def nothing_is_forgiven(before: Governance, after: Governance, i: SeatId) -> bool:
    old = before.seat[i]
    new = after.seat[i]
    return implies(old.taken and new.taken and old.generation == new.generation, new.due >= old.due)


@theorem("RATE-3", "each price is added to what is due, and nobody owes more than a bucket holds", about=("spend",))
def prices_are_paid(
    before: Governance, after: Governance, status: Status, a: SeatId, price: u64, span: u64, now: u64
) -> bool:
    due = after.seat[a].due
    paid = saturating_sub(due, maximum(before.seat[a].due, now)) == price
    return implies(status == Status.OK, paid and saturating_sub(due, now) <= span)


# ---- breaches


@theorem("BREACH-1", "whose breaker has tripped does nothing, and does not rise", about=ACTING)
def the_tripped_do_nothing(before: Governance, after: Governance, status: Status, a: SeatId) -> bool:
    return implies(before.seat[a].breach.tripped, status != Status.OK)


@theorem(
    "BREACH-2",
    "a breaker that has tripped stays so until somebody resets it, or the seat is given up",
    about=lambda operation: operation.name not in ("reset_breaker", "dismiss"),
)
def breakers_are_sticky(before: Governance, after: Governance, i: SeatId) -> bool:
    return implies(before.seat[i].taken and before.seat[i].breach.tripped, after.seat[i].breach.tripped)


@theorem("BREACH-3", "whoever calls ring 0 is stopped at once", about=("record_call",))
def ring_0_trips(before: Governance, after: Governance, status: Status, a: SeatId, called: Ring) -> bool:
    return implies(status == Status.OK and called == Ring.ROOT, after.seat[a].breach.tripped)


# ---- sessions and chains


@theorem("SESSION-1", "a session goes from stage to stage, or its row is taken or freed")
def stages_follow(before: Governance, after: Governance, i: SessionId) -> bool:
    old = u64(before.session[i].stage)
    new = u64(after.session[i].stage)
    last = u64(Stage.ARCHIVED)
    return new == old or (old < last and new == old + 1) or (old == last and new == 0)


@theorem(
    "CHAIN-2",
    "a chain only grows, by one delta, and never changes otherwise",
    about=lambda operation: operation.name != "open_session",
)
def chain_grows(before: Governance, after: Governance, i: SessionId) -> bool:
    old = before.session[i]
    new = after.session[i]
    same = new.first == old.first and new.second == old.second and new.third == old.third and new.fourth == old.fourth
    return (new.deltas == old.deltas and same) or (old.deltas < new.deltas and new.deltas - old.deltas == 1)


@theorem("CHAIN-3", "no delta is added twice, or out of order", about=("append",))
def deltas_are_in_order(before: Governance, after: Governance, status: Status, c: SessionId, number: u64) -> bool:
    next = before.session[c].deltas < number and number - before.session[c].deltas == 1
    return implies(status == Status.OK, next and after.session[c].deltas == number)


# ---- sagas


@theorem(
    "SAGA-4",
    "completed steps are undone one by one, the last first, and never passed over",
    about=lambda operation: operation.name != "open_saga",
)
def undone_in_reverse(before: Governance, after: Governance, i: SagaId) -> bool:
    old = before.saga[i]
    new = after.saga[i]
    back = old.phase == Phase.COMPENSATING and new.done < old.done
    ahead = old.phase == Phase.EXECUTING and old.done < new.done
    one = (back and old.done - new.done == 1) or (ahead and new.done - old.done == 1) if back or ahead else False
    return new.done == old.done or one


@theorem("SAGA-5", "a saga that turns back never completes a step again, and is over when all are undone")
def no_way_back(before: Governance, after: Governance, i: SagaId) -> bool:
    old = before.saga[i]
    new = after.saga[i]
    goes_on = new.phase == Phase.COMPENSATING and 0 < new.done
    over = new.phase == Phase.COMPENSATED or new.phase == Phase.ESCALATED
    return implies(old.phase == Phase.COMPENSATING, goes_on or (over and new.done == 0))


@theorem("SAGA-6", "what could not be undone stays named", about=lambda operation: operation.name != "open_saga")
def losses_stay(before: Governance, after: Governance, i: SagaId) -> bool:
    return after.saga[i].lost & before.saga[i].lost == before.saga[i].lost
