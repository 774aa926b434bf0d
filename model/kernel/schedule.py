"""Who runs next, and who rests? Two lanes: all in turn, and the most urgent first."""

from corollary.language.builtins import maximum, wrapping_sub
from corollary.language.types import u32, u64
from corollary.model.kernel.capability import may_act_on, partition_of_handle
from corollary.model.kernel.lane import foremost_in_row
from corollary.model.kernel.operation import operation
from corollary.spec.kernel.claim import READY, claim_of
from corollary.spec.kernel.edge import named_edge, named_notification
from corollary.spec.kernel.limits import CLOCK_LIMIT, DEADLINE_LIMIT, LANE_ROWS, PARTITIONS, PATIENCE_LIMIT
from corollary.spec.kernel.partition import eligible
from corollary.spec.kernel.schedule import SWITCHES_LIMIT
from corollary.spec.kernel.state import Call, Handle, Kernel, LaneRow, PartitionId, Pressure
from corollary.spec.kernel.vocabulary import Awaited, Mode, Right, Status


def rouse(s: Kernel) -> None:
    """Let the partition that runs rest no more."""
    if not s.idle:
        s.partition[s.current].awaited = Awaited.NOTHING


def survey(s: Kernel) -> None:
    """Look at how much each partition claims the processor."""
    for i in range(PARTITIONS):
        s.claim[PartitionId(i)] = claim_of(s, PartitionId(i))


def foremost(s: Kernel, fair: bool) -> u32:
    """Return the best standing of any partition in a lane."""
    best: u32 = 0
    for i in range(LANE_ROWS):
        best = maximum(best, foremost_in_row(s, LaneRow(i), fair))
    return best


def switch_to(s: Kernel, chosen: PartitionId) -> None:
    """Let another partition be the current one, and count that."""
    if s.switches < SWITCHES_LIMIT and chosen != s.current:
        s.switches += 1
    s.current = chosen


def rotate(s: Kernel) -> None:
    """Give the processor to the most urgent partition if it is its lane's turn, or else to the first in turn.

    While nobody can run, nobody gets it, and one that rests is the current one. A claim may be older than the state.
    """
    s.partition[s.current].fresh = False  # it has run
    urgent: u32 = foremost(s, False) if s.urges else u32(0)
    best: u32 = urgent if urgent != 0 else foremost(s, True)
    if best == 0:
        s.idle = True
        return
    chosen = wrapping_sub(PartitionId, s.turn, PartitionId.truncate(best))
    switch_to(s, chosen)
    s.idle = s.claim[chosen] < READY or not eligible(s, chosen)
    if s.idle:
        return
    s.urges = urgent == 0
    if urgent == 0:
        s.turn = chosen


def proceed(s: Kernel) -> None:
    """Give the processor on if it is free, as the platform does before a partition goes on."""
    if s.idle:
        survey(s)
        rotate(s)


def reschedule(s: Kernel, yields: bool) -> None:
    """Leave the processor free when the current partition gives way or can no longer run."""
    s.idle = yields or not eligible(s, s.current)


def wait(s: Kernel) -> None:
    """Leave the processor free: who runs has nothing to do."""
    rouse(s)
    s.idle = True


@operation
def yield_now(s: Kernel, call: Call) -> Status:
    """Give the rest of the quantum away, once the call is recorded."""
    call.yields = True
    return Status.OK


def rest(s: Kernel, call: Call, what: Awaited, patience: u64) -> None:
    """Let the caller give way, and rest."""
    s.partition[s.current].awaited = what
    s.partition[s.current].rest.until = call.now + patience
    call.yields = True


def bearable(call: Call, patience: u64) -> bool:
    """Is a rest not too long, and does the clock not end before it?"""
    return patience <= PATIENCE_LIMIT and call.now <= CLOCK_LIMIT


@operation
def edge_await(s: Kernel, call: Call, patience: u64) -> Status:
    """Rest until a message waits in the edge, for `patience` ns at most; return 1 at once if one waits already."""
    if not bearable(call, patience):
        return Status.BAD_ARGUMENT
    e = named_edge(s, call)
    if s.edge[e].waiting != 0:
        call.result[0] = 1
    else:
        s.partition[s.current].rest.edge = e
        rest(s, call, Awaited.MESSAGE, patience)
    return Status.OK


@operation
def notification_await(s: Kernel, call: Call, patience: u64) -> Status:
    """Rest until a bit is set, for `patience` ns at most; return 1 at once if one is set already."""
    if not bearable(call, patience):
        return Status.BAD_ARGUMENT
    n = named_notification(s, call)
    if s.notification[n].bits != 0:
        call.result[0] = 1
    else:
        s.partition[s.current].rest.notification = n
        rest(s, call, Awaited.BITS, patience)
    return Status.OK


@operation
def schedule_prioritize(s: Kernel, call: Call, of: Handle, pressure: Pressure, warden: bool, within: u64) -> Status:
    """Say how urgent a partition is: its deadline `within` so many ns, or 0 for none, and how much its edges are cut.

    A warden runs in recovery, too.
    """
    if not may_act_on(s, s.current, of, Right.WRITE):
        return Status.INSUFFICIENT_RIGHTS
    if within > DEADLINE_LIMIT or call.now > CLOCK_LIMIT:
        return Status.BAD_ARGUMENT
    named = s.partition[partition_of_handle(s, s.current, of)]
    named.pressure = pressure
    named.warden = warden
    named.deadline = call.now + within if within != 0 else u64(0)
    return Status.OK


@operation
def schedule_mode(s: Kernel, call: Call, mode: Mode) -> Status:
    """Change who may run, and by which lanes; only a warden may let nobody but wardens run."""
    if mode == Mode.HALTED:
        return Status.BAD_ARGUMENT
    if mode == Mode.RECOVERY and not s.partition[s.current].warden:
        return Status.WRONG_STATE
    s.mode = mode
    return Status.OK
