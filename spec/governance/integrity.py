"""What always holds of seats, agents, sessions and sagas?"""

from corollary.language.builtins import implies, shift_right
from corollary.language.property import corollary, invariant
from corollary.language.types import u64
from corollary.spec.governance.limits import ANCESTRY_LIMIT, CLOCK_LIMIT, LAST, SPAN_LIMIT, STEPS
from corollary.spec.governance.state import AgentId, Governance, SagaId, SeatId, SessionId
from corollary.spec.governance.vocabulary import Phase
from corollary.spec.governance.words import effective_ring, has_parent
from corollary.spec.ring import PPM, RING_1_SCORE, RING_2_SCORE, Ring, more_privileged

# ---- rings


@invariant("RING-1", "nobody is in ring 0, by trust or by elevation")
def ring_0_is_empty(s: Governance, a: SeatId) -> bool:
    held = s.seat[a].elevation
    seated = implies(s.seat[a].taken, s.seat[a].ring != Ring.ROOT)
    return seated and implies(held.active, held.ring != Ring.ROOT)


@invariant("RING-2", "the ring of an agent is the one that its score and its consensus give")
def ring_follows_trust(s: Governance, a: SeatId) -> bool:
    own = s.seat[a]
    first = (own.ring == Ring.PRIVILEGED) == (own.score > RING_1_SCORE and own.consensus)
    last = (own.ring == Ring.SANDBOX) == (own.score <= RING_2_SCORE)
    return implies(own.taken, own.score <= PPM and first and last)


@invariant("RING-3", "whose parent is still there is one step further from the top than the parent")
def ancestry_counts(s: Governance, a: SeatId) -> bool:
    above = s.seat[s.seat[a].parent]
    child = s.seat[a].ancestry != 0 and above.generation == s.seat[a].born and above.taken
    return s.seat[a].ancestry <= ANCESTRY_LIMIT and implies(child, s.seat[a].ancestry == above.ancestry + 1)


@invariant("RING-4", "no parent is still to come: who sits where it sat is another one")
def parent_is_past(s: Governance, a: SeatId) -> bool:
    above = s.seat[s.seat[a].parent]
    born = implies(s.seat[a].ancestry != 0, s.seat[a].born <= above.generation)
    return born and s.seat[a].generation < LAST and implies(s.seat[a].taken, s.seat[a].generation > 0)


@corollary("RING-5", "a child never acts in a more privileged ring than its parent does at that moment")
def child_never_exceeds_parent(s: Governance, a: SeatId, now: u64) -> bool:
    child = s.seat[a].taken and s.seat[a].ancestry != 0 and has_parent(s, a)
    parent = s.seat[a].parent
    return implies(child, not more_privileged(effective_ring(s, a, now), effective_ring(s, parent, now)))


@corollary("RING-6", "whose parent has gone, or was killed, acts in the sandbox")
def orphan_is_in_sandbox(s: Governance, a: SeatId, now: u64) -> bool:
    orphan = s.seat[a].ancestry != 0 and not has_parent(s, a)
    return implies(orphan, effective_ring(s, a, now) == Ring.SANDBOX)


@corollary("RING-7", "nobody acts in ring 0")
def nobody_acts_in_ring_0(s: Governance, a: SeatId, now: u64) -> bool:
    return implies(s.seat[a].taken, effective_ring(s, a, now) != Ring.ROOT)


@invariant("RATE-1", "whatever is due has a time")
def debt_is_bounded(s: Governance, a: SeatId) -> bool:
    return s.seat[a].due <= CLOCK_LIMIT + SPAN_LIMIT


# ---- kills


@invariant("KILL-1", "who was killed by name was killed, and only then there is a report; none is that nothing ended")
def kills_are_in_order(s: Governance, i: AgentId) -> bool:
    g = s.agent[i]
    return implies(g.asked, g.killed) and implies(g.reported, g.asked) and implies(g.terminated, g.reported)


# ---- sagas


@invariant(
    "SAGA-1", "a saga has completed no more steps than it has, all of them in the end, and none if it was undone"
)
def steps_are_counted(s: Governance, i: SagaId) -> bool:
    saga = s.saga[i]
    going = saga.phase == Phase.READY or saga.phase == Phase.EXECUTING
    undone = saga.phase == Phase.COMPENSATED or saga.phase == Phase.ESCALATED
    some = implies(saga.phase == Phase.COMPENSATING, 0 < saga.done and saga.done < saga.steps)
    whole = implies(saga.phase == Phase.COMPLETED, saga.done == saga.steps)
    return (
        saga.steps <= STEPS
        and implies(going, saga.done < saga.steps)
        and some
        and whole
        and implies(undone, saga.done == 0)
    )


@invariant("SAGA-2", "no step is tried more often than allowed")
def tries_are_counted(s: Governance, i: SagaId) -> bool:
    return s.saga[i].failures <= s.saga[i].retries


@invariant("SAGA-3", "a saga escalates if a step could not be undone, and only then; the step is named")
def escalation_is_named(s: Governance, i: SagaId) -> bool:
    saga = s.saga[i]
    lost = saga.phase == Phase.COMPENSATING or saga.phase == Phase.ESCALATED
    named = shift_right(u64, saga.lost, saga.done) != 0 or saga.lost == 0
    return implies(saga.lost != 0, lost and named) and implies(saga.phase == Phase.ESCALATED, saga.lost != 0)


# ---- chains


@invariant("CHAIN-1", "the number of a delta has an end, which is not reached")
def deltas_are_bounded(s: Governance, c: SessionId) -> bool:
    return s.session[c].deltas < LAST
