"""What does the kernel promise about time? It never runs back, whatever the clock says, and every step uses it."""

from corollary.language.builtins import implies, maximum
from corollary.language.property import invariant, theorem
from corollary.language.types import u64
from corollary.spec.kernel.ring import elevated
from corollary.spec.kernel.state import Call, Kernel, PartitionId, RecordId
from corollary.spec.kernel.witness import record_id


def later(last: u64, now: u64) -> u64:
    """Return what the clock says, or the last time used if the clock ran back."""
    return maximum(last, now)


@invariant("TIME-1", "no record is later than the last time that was used")
def records_are_past(s: Kernel, r: RecordId) -> bool:
    return s.log[r].time <= s.time


@theorem("TIME-10", "time never runs back, and a new record bears the time that its step used")
def time_runs_on(before: Kernel, after: Kernel) -> bool:
    joined = after.sequence != before.sequence
    return after.time >= before.time and implies(joined, after.log[record_id(before.sequence)].time == after.time)


@theorem("TIME-11", "a call uses what the clock says, or the last time that was used if the clock ran back")
def calls_use_the_later_time(before: Kernel, asked: Call, call: Call, after: Kernel) -> bool:
    return call.now == maximum(asked.now, before.time) and after.time == call.now


@theorem("TIME-12", "so does what the kernel does by itself", about=("preempt", "contain"))
def actions_use_the_later_time(before: Kernel, now: u64, after: Kernel) -> bool:
    return after.time == maximum(now, before.time)


@theorem(
    "TIME-13",
    "an elevation that was over stays over: only another one, with another end, ring or attestation, counts again",
)
def elevations_stay_over(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    ended = before.partition[p].elevation.active and not elevated(before, p, before.time)
    old = before.partition[p].elevation
    new = after.partition[p].elevation
    same = new.expires == old.expires and new.attestation == old.attestation and new.ring == old.ring
    return implies(ended and same, not elevated(after, p, after.time))
