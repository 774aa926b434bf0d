"""What does the kernel do without being called? Timer ticks and the faults of guests."""

from model.ring import expire
from model.schedule import rotate, settle
from model.witness import append_for_kernel
from spec.hardware import VTCR, Walk, stage2_walk, vttbr
from spec.language.types import u8, u64
from spec.language.values import local
from spec.limits import EPOCH_SHARE
from spec.state import EntryId, Kernel, PartitionId
from spec.vocabulary import Access, Action, FailureClass, PartitionState
from spec.witness import log_room

EPOCH_LIMIT = 0xFFFFFFFFFFFFFFFF


def preempt(s: Kernel, now: u64) -> None:
    """The quantum is over: let the next partition run, and record who ran and how many switches there were.

    A quantum without a switch, or while as many sums wait to be drained as may, leaves no record; the next one sums up.
    """
    if s.epoch < EPOCH_LIMIT:
        s.epoch += 1
    expire(s, s.current, now)
    if s.switches != 0 and log_room(s) and s.kernel_records < EPOCH_SHARE:
        append_for_kernel(s, now, Action.SCHEDULER_EPOCH, s.epoch, (u64(s.current) << 16) | u64(s.switches))
        s.switches = 0
    rotate(s)


def worse(failure: FailureClass) -> FailureClass:
    """The next failure class, up to the last."""
    if failure == FailureClass.CATASTROPHIC:
        return FailureClass.CATASTROPHIC
    return FailureClass(u8(failure) + 1)


def contain(s: Kernel, now: u64, syndrome: u64, address: u64) -> None:
    """Stop the partition that caused an exception it has no right to; the others go on."""
    faulty = s.partition[s.current]
    if faulty.state == PartitionState.RUNNING:
        faulty.state = PartitionState.SUSPENDED
        faulty.failure = worse(faulty.failure)
    append_for_kernel(s, now, Action.TASK_TERMINATE, (u64(s.current) << 32) | (syndrome & 0xFFFFFFFF), address)
    settle(s, False)


def guest_store(s: Kernel, p: PartitionId, ipa: u64, value: u64) -> None:
    """What a guest can do to memory by itself: write where its stage-2 tables let the hardware write."""
    walk = local(Walk)
    stage2_walk(s, VTCR, vttbr(s, p), ipa, walk)
    if s.partition[p].rooted and not walk.fault and not walk.outside and walk.access & Access.WRITE != 0:
        s.memory[walk.page].word[EntryId.truncate(ipa >> 3)] = value
