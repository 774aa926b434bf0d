"""What does the kernel promise about turns? Who is next, that every switch is counted, what a quantum's end records."""

from corollary.language.builtins import implies, maximum, minimum, wrapping_sub
from corollary.language.property import invariant, theorem
from corollary.language.types import Index, u16, u32, u64
from corollary.language.word import Word, at
from corollary.spec.kernel.limits import CLOCK_LIMIT, KERNEL_RESERVE, QUANTUM, RECORDS
from corollary.spec.kernel.partition import runnable
from corollary.spec.kernel.state import Call, Kernel, PartitionId
from corollary.spec.kernel.vocabulary import Action, Status, Tier
from corollary.spec.kernel.witness import KERNEL_ACTOR, KERNEL_OPERATION, SEQUENCE_LIMIT, record_id

SWITCHES_LIMIT = 0xFFFF_FFFF_FFFF_FFFF  # more than the clock has nanoseconds
EPOCH_BITS = 48  # in the payload of an epoch's record, above who ran
RUNNER_BITS = 16
EpochNumber = Index("EpochNumber", 1 << EPOCH_BITS)
EPOCH_LIMIT = (1 << EPOCH_BITS) - 1

assert CLOCK_LIMIT <= SWITCHES_LIMIT and CLOCK_LIMIT // QUANTUM <= EPOCH_LIMIT, (
    "neither count ends before the clock does"
)


class Turn(Word[u64]):
    """What the record of a quantum's end keeps: which epoch ended, and who ran then."""

    runner: u16 = at(0)
    epoch: EpochNumber = at(RUNNER_BITS)


def epoch_and_runner(epoch: u64, p: PartitionId) -> u64:
    """Pack which epoch ended, and who ran then, as a record keeps them."""
    return Turn(epoch=EpochNumber(epoch), runner=u16(p))


@invariant("TURN-1", "epochs are counted no further than a record can tell")
def epochs_are_bounded(s: Kernel) -> bool:
    return s.epoch <= EPOCH_LIMIT


def counted_switch(before: Kernel, after: Kernel, left: u64) -> u64:
    """Add to a count of switches the one that a step may have made; the count stops at its limit."""
    switched = u64(1) if after.current != before.current else u64(0)
    return left + minimum(switched, SWITCHES_LIMIT - left)


@theorem("TURN-10", "every switch is counted, until a record of the kernel tells of it")
def switches_are_counted(before: Kernel, after: Kernel) -> bool:
    told = after.sequence != before.sequence and after.log[record_id(before.sequence)].actor == KERNEL_ACTOR
    return after.switches == counted_switch(before, after, u64(0) if told else before.switches)


@theorem(
    "TURN-11",
    (
        "the end of a quantum is recorded, with how many switches there were, "
        "as soon as there are any and the kernel's reserve has room"
    ),
    about=("preempt",),
)
def quantum_is_summed_up(before: Kernel, now: u64, after: Kernel) -> bool:
    record = after.log[record_id(before.sequence)]
    epoch = minimum(before.epoch, EPOCH_LIMIT - 1) + 1
    exact = (
        record.sequence == before.sequence
        and record.time == maximum(now, before.time)
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
    summed = before.switches != 0 and place and before.kernel_records < KERNEL_RESERVE
    left = before.kernel_records
    if summed:
        return (
            exact
            and after.sequence == before.sequence + 1
            and after.kernel_records == left + 1
            and after.epoch == epoch
        )
    return after.sequence == before.sequence and after.kernel_records == left and after.epoch == epoch


@theorem("TURN-13", "whoever gives way or can no longer run is followed by the first in turn; else it runs on")
def turns_are_kept(before: Kernel, call: Call, after: Kernel, p: PartitionId) -> bool:
    if not call.yields and runnable(after, before.current):
        return after.current == before.current
    waits = runnable(before, p) and runnable(after, p) and p != before.current
    gone = u32(wrapping_sub(PartitionId, after.current, before.current))
    return implies(waits, gone != 0 and gone <= u32(wrapping_sub(PartitionId, p, before.current)))


@theorem("TURN-14", "whose turn is over has run: its saved registers are not taken for those of a start")
def who_ran_is_not_fresh(before: Kernel, after: Kernel) -> bool:
    over = after.current != before.current or after.idle and not before.idle
    return implies(over, not after.partition[before.current].fresh)


@theorem("TURN-12", "when a quantum is over, the processor goes to the first in turn", about=("preempt",))
def first_in_turn_runs(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    waits = runnable(before, p) and p != before.current
    gone = u32(wrapping_sub(PartitionId, after.current, before.current))
    nearer = gone != 0 and gone <= u32(wrapping_sub(PartitionId, p, before.current))
    return implies(waits, not after.idle and runnable(after, after.current) and nearer)
