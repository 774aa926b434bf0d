"""What does the kernel promise about faults? The cause stops and pays for its record; the others go on."""

from corollary.language.builtins import implies, maximum, minimum
from corollary.language.property import theorem
from corollary.language.types import u8, u16, u64
from corollary.spec.kernel.state import Kernel, PartitionId
from corollary.spec.kernel.vocabulary import Action, FailureClass, PartitionState, Status, Tier
from corollary.spec.kernel.witness import KERNEL_OPERATION, TOLD_LIMIT, owed_with, own_room, record_id


@theorem(
    "FAULT-10",
    "a fault stops the partition that runs, and makes its failure one class worse, up to the last",
    about=("contain",),
)
def fault_stops(before: Kernel, after: Kernel) -> bool:
    old = before.partition[before.current]
    new = after.partition[before.current]
    return implies(
        not before.idle,
        new.state == PartitionState.SUSPENDED
        and u8(new.failure) == minimum(u8(old.failure) + 1, u8(FailureClass.CATASTROPHIC)),
    )


@theorem(
    "FAULT-11",
    (
        "a fault is recorded within the share of whoever caused it, or else counted there; nobody else pays, "
        "nor does the kernel"
    ),
    about=("contain",),
)
def fault_is_charged_to_its_cause(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    old = before.partition[p]
    new = after.partition[p]
    recorded = not before.idle and own_room(before, before.current)
    told = minimum(old.refused, u64(TOLD_LIMIT))
    cause = p == before.current and not before.idle
    refused = old.refused if not cause else old.refused - told if recorded else owed_with(old.refused, 1)
    return (
        new.records == old.records + (u16(1) if cause and recorded else u16(0))
        and new.refused == refused
        and after.kernel_records == before.kernel_records
        and after.drained == before.drained
        and after.sequence == before.sequence + (1 if recorded else 0)
    )


@theorem(
    "FAULT-12",
    (
        "the record of a fault tells who caused it, when, of which kind and where, "
        "and what of the same was not recorded before"
    ),
    about=("contain",),
)
def fault_is_told(before: Kernel, now: u64, syndrome: u64, address: u64, after: Kernel) -> bool:
    record = after.log[record_id(before.sequence)]
    told = minimum(before.partition[before.current].refused, u64(TOLD_LIMIT))
    exact = (
        record.sequence == before.sequence
        and record.time == maximum(now, before.time)
        and record.kind == Action.TASK_TERMINATE
        and record.tier == Tier.NONE
        and record.status == Status.OK
        and record.operation == KERNEL_OPERATION
        and record.actor == before.current
        and u64(record.refused) == told
        and record.object == syndrome
        and record.capability == 0
        and record.payload == address
    )
    return implies(after.sequence != before.sequence, exact)
