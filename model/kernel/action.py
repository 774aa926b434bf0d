"""What does the kernel do without being called? Timer ticks and the faults of guests."""

from corollary.language.types import u8, u64
from corollary.language.values import local
from corollary.model.kernel.clock import advance
from corollary.model.kernel.ring import expire
from corollary.model.kernel.schedule import reschedule, rouse
from corollary.model.kernel.witness import append_for_kernel, append_for_partition, count_refusal
from corollary.spec.kernel.hardware import VTCR, GuestAddress, Walk, stage2_walk, vttbr
from corollary.spec.kernel.partition import eligible
from corollary.spec.kernel.schedule import EPOCH_LIMIT, epoch_and_runner, epoch_is_over
from corollary.spec.kernel.state import Kernel, PartitionId
from corollary.spec.kernel.vocabulary import Access, Action, FailureClass, PartitionState, Status, Tier
from corollary.spec.kernel.witness import KERNEL_OPERATION, kernel_room, own_room


def preempt(s: Kernel, now: u64) -> None:
    """End a slice: leave the processor free; if an epoch is over, record who ran and how many switches there were.

    An epoch leaves no record if it had no switch, or while the kernel's reserve is used up. The next record sums up.
    """
    time = advance(s, now)
    rouse(s)
    expire(s, s.current, time)
    s.idle = True
    if not epoch_is_over(s, time):
        return
    s.epoch_began = time
    if s.epoch < EPOCH_LIMIT:
        s.epoch += 1
    if s.switches != 0 and kernel_room(s):
        append_for_kernel(s, time, Action.SCHEDULER_EPOCH, s.switches, epoch_and_runner(s.epoch, s.current))
        s.switches = 0


def worse(failure: FailureClass) -> FailureClass:
    """Return the next failure class, up to the last."""
    if failure == FailureClass.CATASTROPHIC:
        return FailureClass.CATASTROPHIC
    return FailureClass(u8(failure) + 1)


def contain(s: Kernel, now: u64, syndrome: u64, address: u64) -> None:
    """Stop the partition that caused an exception it has no right to.

    Record that within the partition's own share of the log, or count it if the share has no room.
    """
    time = advance(s, now)
    rouse(s)
    p = s.current
    if not s.idle and eligible(s, p):
        s.partition[p].state = PartitionState.SUSPENDED
        s.partition[p].failure = worse(s.partition[p].failure)
        if own_room(s, p):
            append_for_partition(
                s, time, p, Action.TASK_TERMINATE, Tier.NONE, Status.OK, KERNEL_OPERATION, syndrome, 0, address
            )
        else:
            count_refusal(s, p)
    reschedule(s, False)


def guest_store(s: Kernel, p: PartitionId, ipa: u64, value: u64) -> None:
    """Do what a guest can do to memory by itself: write where its stage-2 tables let the hardware write."""
    walk = local(Walk)
    stage2_walk(s, VTCR, vttbr(s, p), ipa, walk)
    reached = s.partition[p].rooted and not walk.fault and not walk.outside
    if reached and not walk.large and walk.access & Access.WRITE != 0:  # what lies in units is no part of the state
        s.memory[walk.page].word[GuestAddress(ipa).word] = value
