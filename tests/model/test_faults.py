"""Does a partition that faults stop and pay for its record?

The record comes out of its share of the log; beyond the share, a count replaces it. No other partition pays.
"""

import pytest

from corollary.model.kernel.action import contain
from corollary.spec.kernel.limits import ROOT_QUOTA, SECOND
from corollary.spec.kernel.vocabulary import Action, FailureClass, PartitionState, Tier
from corollary.spec.kernel.witness import KERNEL_OPERATION, REFUSED_LIMIT
from tests.model.properties import miscounted
from tests.model.world import ROOT, Status, World

MANAGER, CHILD, VICTIM = 1, 2, 3
QUOTA = 40


def world():
    """Return a manager with a child that faults, and a victim, each with a share of its own."""
    w = World()
    w.spawn(CHILD, quota=QUOTA)
    w.spawn(VICTIM)
    return w


def fault_again(w):
    """Let the child fault, and resume it without a record of its own."""
    w.run(CHILD).fault()
    w.own(CHILD).state = PartitionState.RUNNING


def test_a_fault_is_a_record_of_the_partition_that_caused_it():
    w = world()
    w.run(CHILD).fault()
    assert (w.newest.actor, w.newest.operation, w.newest.kind, w.newest.tier, w.newest.status) == (
        CHILD,
        KERNEL_OPERATION,
        Action.TASK_TERMINATE,
        Tier.NONE,
        Status.OK,
    )
    assert (w.newest.object, w.newest.payload, w.newest.capability) == (0x9200_0000, 0xDEAD, 0)
    assert w.own(CHILD).records == 1 and miscounted(w.s) is None


def test_a_syndrome_is_recorded_whole():
    w = world()
    contain(w.run(CHILD).s, w.now, (1 << 64) - 1, (1 << 64) - 2)
    assert (w.newest.object, w.newest.payload) == ((1 << 64) - 1, (1 << 64) - 2)


def test_a_fault_stops_its_partition_and_makes_its_failure_worse():
    w = world()
    for failure in (
        FailureClass.TRANSIENT,
        FailureClass.RECOVERABLE,
        FailureClass.PERMANENT,
        FailureClass.CATASTROPHIC,
        FailureClass.CATASTROPHIC,
    ):
        w.run(CHILD).fault()
        assert (w.own(CHILD).state, w.own(CHILD).failure) == (PartitionState.SUSPENDED, failure)
        w.run(ROOT).must("partition_resume", w.handle(30 + CHILD))


def test_no_fault_takes_room_of_the_kernel_or_of_others():
    w = world()
    for _ in range(3 * QUOTA):
        w.run(CHILD)
        kernels, others = w.s.kernel_records, w.own(ROOT).records
        w.fault()
        assert (w.s.kernel_records, w.own(ROOT).records, w.own(VICTIM).records) == (kernels, others, 0)
        w.own(CHILD).state = PartitionState.RUNNING
    assert w.own(CHILD).records == QUOTA and miscounted(w.s) is None


def test_faults_beyond_a_share_are_counted_and_told_by_the_next_record():
    w = world()
    for _ in range(QUOTA + 7):
        fault_again(w)
    assert (w.own(CHILD).records, w.own(CHILD).refused) == (QUOTA, 7)
    w.own(CHILD).quota += 1
    assert w.run(CHILD).call("yield_now") == Status.OK
    record = next(record for record in reversed(w.records) if record.actor == CHILD)
    assert record.refused == 7 and w.own(CHILD).refused == 0


def test_a_fault_tells_of_calls_that_were_refused_before():
    w = world()
    w.own(CHILD).refused = 3
    w.run(CHILD).fault()
    assert (w.newest.refused, w.own(CHILD).refused) == (3, 0)


def test_a_count_that_is_full_stays_so():
    w = world()
    w.own(CHILD).quota, w.own(CHILD).refused = 0, REFUSED_LIMIT
    w.run(CHILD).fault()
    assert w.own(CHILD).refused == REFUSED_LIMIT and w.own(CHILD).state == PartitionState.SUSPENDED


def test_a_manager_gets_no_second_share_from_the_faults_of_its_children(unchained):
    """With quota q for itself and its child, it gets no more than q records.

    A victim keeps its whole promised share.
    """
    w = World()
    w.spawn(MANAGER, quota=ROOT_QUOTA - 600)
    w.spawn(VICTIM, quota=200)
    for _ in range(2 * ROOT_QUOTA):
        w.run(MANAGER).fault()
        w.own(MANAGER).state = PartitionState.RUNNING
    allowed = 0
    while w.run(VICTIM).call("proof_inspect", now=w.now + SECOND) == Status.OK:
        allowed += 1
    assert allowed == 200


@pytest.mark.parametrize("others", [0, 1])
def test_when_whoever_ran_is_stopped_the_next_runs_or_nobody(others):
    w = World()
    if others:
        w.spawn(1)
    w.run(ROOT).fault()
    assert w.s.idle == (not others) and w.s.current == others
