"""What does the kernel promise about turns? Who is next, how long anybody waits, what is counted and recorded.

Whoever has its turn runs for a slice: its share of a quantum. So all in turn have run after a quantum at most, each as
long as its share says. There are two lanes. In the fair one, all that can run follow each other. In the priority lane,
the most urgent one runs. If anybody is urgent, the lanes take turns.
"""

from corollary.language.builtins import implies, maximum, minimum, saturating_sub, wrapping_sub
from corollary.language.property import corollary, invariant, theorem
from corollary.language.types import Index, u16, u32, u64
from corollary.language.word import Word, at
from corollary.spec.kernel.claim import READY, RESTING
from corollary.spec.kernel.gate import EDGE_AWAIT, NOTIFICATION_AWAIT
from corollary.spec.kernel.limits import CLOCK_LIMIT, KERNEL_RESERVE, LEAST_SHARE, PARTITIONS, QUANTUM, RECORDS, SHARES
from corollary.spec.kernel.partition import eligible, runnable
from corollary.spec.kernel.state import Call, Kernel, PartitionId
from corollary.spec.kernel.vocabulary import Action, Awaited, Mode, PartitionState, Status, Tier
from corollary.spec.kernel.witness import KERNEL_ACTOR, KERNEL_OPERATION, SEQUENCE_LIMIT, record_id

SWITCHES_LIMIT = 0xFFFF_FFFF_FFFF_FFFF  # more than the clock has nanoseconds
EPOCH_BITS = 48  # in the payload of an epoch's record, above who ran
RUNNER_BITS = 16
EpochNumber = Index("EpochNumber", 1 << EPOCH_BITS)
EPOCH_LIMIT = (1 << EPOCH_BITS) - 1

assert CLOCK_LIMIT <= SWITCHES_LIMIT and CLOCK_LIMIT // QUANTUM <= EPOCH_LIMIT, (
    "neither count ends before the clock does"
)
assert PARTITIONS * LEAST_SHARE <= SHARES, "there is a share for everybody"


class Turn(Word[u64]):
    """What the record of an epoch's end keeps: which epoch ended, and who ran then."""

    runner: u16 = at(0)
    epoch: EpochNumber = at(RUNNER_BITS)


def epoch_and_runner(epoch: u64, p: PartitionId) -> u64:
    """Pack which epoch ended, and who ran then, as a record keeps them."""
    return Turn(epoch=EpochNumber(epoch), runner=u16(p))


@invariant("TURN-1", "epochs are counted no further than a record can tell")
def epochs_are_bounded(s: Kernel) -> bool:
    return s.epoch <= EPOCH_LIMIT


@invariant("TURN-2", "the epoch has begun")
def epoch_has_begun(s: Kernel) -> bool:
    return s.epoch_began <= s.time


def epoch_is_over(s: Kernel, now: u64) -> bool:
    """Is the epoch as old as a quantum?"""
    return saturating_sub(now, s.epoch_began) >= QUANTUM


def counted_switch(before: Kernel, after: Kernel, left: u64) -> u64:
    """Add to a count of switches the one that a step may have made; the count stops at its limit."""
    switched = u64(1) if after.current != before.current else u64(0)
    return left + minimum(switched, SWITCHES_LIMIT - left)


@theorem("TURN-10", "every switch is counted, until the record of an epoch tells of it")
def switches_are_counted(before: Kernel, after: Kernel) -> bool:
    record = after.log[record_id(before.sequence)]
    told = after.sequence != before.sequence and record.kind == Action.SCHEDULER_EPOCH and record.actor == KERNEL_ACTOR
    return after.switches == counted_switch(before, after, u64(0) if told else before.switches)


@theorem(
    "TURN-11",
    (
        "the end of an epoch is recorded, with how many switches there were, "
        "as soon as there are any and the kernel's reserve has room"
    ),
    about=("preempt",),
)
def epoch_is_summed_up(before: Kernel, now: u64, after: Kernel) -> bool:
    record = after.log[record_id(before.sequence)]
    over = maximum(now, before.time) >= QUANTUM and maximum(now, before.time) - QUANTUM >= before.epoch_began
    epoch = minimum(before.epoch, EPOCH_LIMIT - 1) + 1 if over else before.epoch
    exact = (
        record.sequence == before.sequence
        and record.time == after.time
        and record.kind == Action.SCHEDULER_EPOCH
        and record.tier == Tier.NONE
        and record.status == Status.OK
        and record.operation == KERNEL_OPERATION
        and record.actor == KERNEL_ACTOR
        and record.refused == 0
        and record.object == before.switches
        and record.capability == 0
        and Turn(record.payload).epoch == epoch
        and Turn(record.payload).runner == before.current
    )
    place = before.sequence - before.drained < RECORDS and before.sequence < SEQUENCE_LIMIT
    summed = over and before.switches != 0 and place and before.kernel_records < KERNEL_RESERVE
    left = before.kernel_records
    if after.epoch != epoch or after.epoch_began != (after.time if over else before.epoch_began):
        return False
    if summed:
        return exact and after.sequence == before.sequence + 1 and after.kernel_records == left + 1
    return after.sequence == before.sequence and after.kernel_records == left


# ---- the lanes


def dozes(s: Kernel) -> bool:
    """While nobody runs, does anybody rest who will run again?"""
    return s.idle and eligible(s, s.current)


def places_behind(s: Kernel, p: PartitionId) -> u32:
    """Return how many places of the fair lane there are up to the partition: from 1 to all of them."""
    return u32(wrapping_sub(PartitionId, wrapping_sub(PartitionId, p, s.turn), 1)) + 1


def turns_to_wait(s: Kernel, p: PartitionId) -> u32:
    """Return how many turns the partition waits at most: two for each place, or one less."""
    return 2 * places_behind(s, p) - (u32(0) if s.urges else u32(1))


def is_ready(s: Kernel, p: PartitionId) -> bool:
    """Could the partition run when the processor was last given on?"""
    return s.claim[p] >= READY


def is_ahead(s: Kernel, q: PartitionId, p: PartitionId) -> bool:
    """Can another partition run, and does its turn in the fair lane come before that of `p`?"""
    return is_ready(s, q) and places_behind(s, q) < places_behind(s, p)


def is_passed_over(after: Kernel, p: PartitionId) -> bool:
    """Could the partition run, and does another one run?"""
    return not after.idle and after.current != p and is_ready(after, p)


def gave_way(before: Kernel, call: Call, after: Kernel) -> bool:
    """Did the caller give way, or can it no longer run?"""
    return call.yields or not eligible(after, before.current)


@theorem("TURN-13", "whoever gives way or can no longer run leaves the processor free; else it runs on")
def turns_are_kept(before: Kernel, call: Call, after: Kernel) -> bool:
    return (
        after.idle == gave_way(before, call, after)
        and after.current == before.current
        and after.turn == before.turn
        and after.urges == before.urges
    )


@theorem(
    "TURN-20", "when a slice is over, or who runs has nothing to do, the processor is free", about=("preempt", "wait")
)
def turns_end(before: Kernel, after: Kernel) -> bool:
    return after.idle and after.current == before.current and after.turn == before.turn and after.urges == before.urges


@theorem(
    "TURN-21",
    "before the processor is given on, each partition's claim on it is looked at, and nothing else is changed",
    about=("survey",),
)
def claims_are_current(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    deadline = after.partition[p].deadline
    near = saturating_sub(deadline, after.time)
    far = deadline == 0 or near >= 1 << 30
    calm = far and after.partition[p].pressure < 1 << 17
    claim = after.claim[p]
    runs = after.partition[p].state == PartitionState.RUNNING
    waits = after.partition[p].awaited != Awaited.NOTHING and after.partition[p].rest.until > after.time
    return (
        implies(not runs, claim == 0)
        and implies(eligible(after, p), claim != 0)
        and implies(runnable(after, p), is_ready(after, p))
        and implies(is_ready(after, p), runnable(after, p))
        and implies(calm, claim <= READY)
        and implies(runs and not waits and after.mode == Mode.FLOW, claim >= READY)
        and after.idle == before.idle
        and after.current == before.current
        and after.turn == before.turn
        and after.urges == before.urges
    )


@theorem(
    "TURN-12",
    "in the fair lane the processor goes to the first in turn that can run, if the other lane has nobody who is urgent",
    about=("rotate",),
)
def first_in_turn_runs(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    claim = before.claim[p]
    chosen = after.current
    first = implies(claim >= READY, places_behind(before, chosen) <= places_behind(before, p))
    unhurried = not before.urges or claim <= READY
    return implies(not after.idle and after.urges, is_ready(before, chosen) and first and unhurried)


@theorem(
    "TURN-16",
    "in the priority lane the processor goes to the most urgent, every second time at most, and the other lane stands",
    about=("rotate",),
)
def most_urgent_runs(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    most = before.claim[after.current]
    told = before.urges and most > READY and before.claim[p] <= most and after.turn == before.turn
    return implies(not after.idle and not after.urges, told)


@theorem("TURN-22", "nobody runs only if nobody can; then one that rests is the current one", about=("rotate",))
def somebody_runs(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    chosen = before.claim[after.current]
    unable = before.claim[p] < READY and implies(before.claim[p] == RESTING, chosen == RESTING)
    outdated = not eligible(after, after.current) and chosen >= READY
    return implies(after.idle, (unable or outdated) and after.turn == before.turn and after.urges == before.urges)


@theorem("TURN-23", "the fair lane goes on from who ran in it last", about=("rotate",))
def fair_lane_goes_on(before: Kernel, after: Kernel) -> bool:
    return implies(not after.idle and after.urges, after.turn == after.current)


@theorem(
    "TURN-15",
    "bounded waiting: who is passed over waits fewer turns than before, and nobody gets ahead of it",
    about=("rotate",),
)
def waiting_is_bounded(before: Kernel, after: Kernel, p: PartitionId, q: PartitionId) -> bool:
    nearer = turns_to_wait(after, p) < turns_to_wait(before, p)
    overtaken = is_ahead(after, q, p) and not is_ahead(before, q, p)
    served = implies(after.urges, not is_ahead(after, after.current, p))
    return implies(is_passed_over(after, p), nearer and not overtaken and served)


@theorem(
    "TURN-17",
    "nothing but a turn of the fair lane changes whose turn is next there",
    about=lambda operation: operation is not None,
    unknown=True,
)
def waiting_stands(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    return turns_to_wait(after, p) == turns_to_wait(before, p)


@theorem("TURN-14", "whose turn is over has run: its saved registers are not taken for those of a start")
def who_ran_is_not_fresh(before: Kernel, after: Kernel) -> bool:
    return implies(after.current != before.current, not after.partition[before.current].fresh)


def asks_to_rest(call: Call) -> bool:
    """Is the operation one that its caller may rest in?"""
    return call.operation == EDGE_AWAIT or call.operation == NOTIFICATION_AWAIT


@theorem("TURN-18", "whoever calls rests no more, unless it asks to rest: then it waits for that, and not beyond")
def rests_as_asked(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    awaited = after.partition[before.current].awaited
    asked = status == Status.OK and asks_to_rest(call) and call.result[0] == 0
    return (awaited != Awaited.NOTHING) == asked


@corollary("TURN-19", "in recovery only wardens run, and nobody does once all is halted")
def modes_are_kept(s: Kernel) -> bool:
    runner = s.partition[s.current]
    allowed = s.mode == Mode.FLOW or s.mode == Mode.REFLEX or s.mode == Mode.RECOVERY and runner.warden
    return implies(not s.idle, runner.state == PartitionState.RUNNING and allowed)


@corollary("TURN-24", "whoever runs has a slice, which is never less than the least")
def runs_for_a_slice(s: Kernel) -> bool:
    return implies(not s.idle, LEAST_SHARE <= s.partition[s.current].share <= SHARES)
