"""Does everybody get its turn, whatever the others do, and does who rests wake when it should?"""

import random

import pytest

from corollary.model.kernel.action import preempt
from corollary.model.kernel.schedule import proceed, wait
from corollary.spec.kernel.claim import READY
from corollary.spec.kernel.limits import DEADLINE_LIMIT, PATIENCE_LIMIT, QUANTUM, SECOND, SELF, SHARE_NS
from corollary.spec.kernel.schedule import turns_to_wait
from corollary.spec.kernel.vocabulary import Awaited, Mode, PartitionState, Right
from tests.model.world import SLOT_OWN, SLOT_SCHEDULER, Status, World

EDGE_SLOT, BITS_SLOT = 40, 41


class Channels(World):
    """A world in which partitions run, and root holds an edge and a notification of its own."""

    def __init__(self, *others):
        super().__init__()
        self.edge = self.must("edge_create", SLOT_SCHEDULER, 0, EDGE_SLOT, 0)
        self.bits = self.must("notification_create", SLOT_SCHEDULER, 0, BITS_SLOT)
        let_run(self, others)


def let_run(w, others):
    """Let these partitions run."""
    for p in others:
        w.s.partition[p].state = PartitionState.RUNNING


def running(*others):
    """Return a world in which root and these partitions run."""
    w = World()
    let_run(w, others)
    return w


def turn(w, now=None):
    """End a quantum; return who runs then, or None if nobody can."""
    w.preempt(w.now + QUANTUM if now is None else now)
    return None if w.s.idle else int(w.s.current)


# ---- the lanes


def test_without_urgency_all_follow_each_other():
    w = running(3, 7, 60)
    assert [turn(w) for _ in range(8)] == [3, 7, 60, 0, 3, 7, 60, 0]


def test_every_second_turn_is_that_of_the_most_urgent():
    w = running(3, 7, 60)
    w.s.partition[7].pressure, w.s.partition[3].pressure = 900_000, 500_000
    assert [turn(w) for _ in range(9)] == [3, 7, 7, 7, 60, 7, 0, 7, 3]


def test_the_nearer_a_deadline_the_more_urgent():
    w = running(3, 7)
    w.s.partition[3].deadline, w.s.partition[7].deadline = w.now + SECOND, w.now + SECOND // 4
    turns = [turn(w) for _ in range(10)]
    assert turns[1::2] == [7] * 5 and turns[::2] == [3, 7, 0, 3, 7]


def test_a_deadline_beyond_the_horizon_is_not_urgent():
    w = running(3)
    w.s.partition[3].deadline = w.now + 100 * SECOND
    assert [turn(w) for _ in range(4)] == [3, 0, 3, 0]


def test_reflex_serves_deadlines_alone():
    w = running(3, 7)
    w.s.partition[3].pressure = 1_000_000
    assert w.call("schedule_mode", SLOT_SCHEDULER, Mode.REFLEX) == Status.OK
    assert [turn(w) for _ in range(6)] == [3, 7, 0, 3, 7, 0]
    w.s.partition[7].deadline = w.now + 10 * QUANTUM
    assert [turn(w) for _ in range(4)] == [7, 3, 7, 7]


def test_in_recovery_only_wardens_run():
    w = running(3, 7)
    w.s.partition[7].warden = True
    assert w.call("schedule_mode", SLOT_SCHEDULER, Mode.RECOVERY) == Status.OK
    assert [turn(w) for _ in range(4)] == [7, 0, 7, 0]
    assert w.call("schedule_mode", SLOT_SCHEDULER, Mode.FLOW) == Status.OK
    assert {turn(w) for _ in range(3)} == {0, 3, 7}


def test_nobody_shuts_itself_out_or_halts_all():
    w = running()
    w.s.partition[0].warden = False
    assert w.call("schedule_mode", SLOT_SCHEDULER, Mode.RECOVERY) == Status.WRONG_STATE
    assert w.call("schedule_mode", SLOT_SCHEDULER, Mode.HALTED) == Status.BAD_ARGUMENT
    assert w.s.mode == Mode.FLOW


def waits(w, steps, seed):
    """Return the longest wait of anybody that could run, in turns, and the bound for so many that can run."""
    source, waited, worst, bound = random.Random(seed), {}, 0, 0
    for _ in range(steps):
        for row in w.s.partition.rows.values():
            if source.random() < 0.2:
                row.pressure = source.choice((0, 1 << 17, 1 << 19))
                row.deadline = source.choice((0, w.now, w.now + SECOND // 2))
        (preempt if source.random() < 0.5 else lambda s, now: wait(s))(w.s, w.now)
        proceed(w.s)
        w.now += source.randrange(QUANTUM)
        ready = [p for p in w.s.claim.rows if w.s.claim[p] >= READY]
        waited = {p: waited.get(p, 0) + 1 for p in ready if p != w.s.current}
        worst, bound = max([worst, *waited.values()]), 2 * (len(ready) - 1) + 1
        assert all(turns <= 2 * (len(ready) - 1) + 1 for turns in waited.values())
        assert all(turns_to_wait(w.s, p) <= 128 for p in ready)
    return worst, bound


@pytest.mark.parametrize("others", [1, 2, 5, 20, 63])
def test_the_wait_is_bounded_whatever_the_priorities(others):
    worst, bound = waits(running(*range(1, others + 1)), 1500, others)
    print(f"\n{others + 1} partitions: the longest wait was {worst} turns, the bound is {bound}")
    assert bound // 2 <= worst <= bound


# ---- shares


@pytest.mark.parametrize("shares", [[500, 500], [900, 80, 20], [600, 5, 5, 390], [5] * 64])
def test_who_is_busy_runs_as_long_as_its_share_says(shares):
    w, ran = running(*range(1, len(shares))), dict.fromkeys(range(len(shares)), 0)
    for p, share in enumerate(shares):
        w.s.partition[p].share = share
    begun = w.now
    for _ in range(100 * len(shares)):
        slice_ = w.own().share * SHARE_NS
        ran[int(w.s.current)] += slice_
        w.preempt(w.now + slice_)
    errors = [abs(ran[p] / (w.now - begun) * sum(shares) / share - 1) for p, share in enumerate(shares)]
    print(f"\n{len(shares)} partitions: at most {max(errors):.2%} beside their shares")
    assert max(errors) <= 0.02


# ---- epochs


def test_slices_that_are_not_the_last_of_an_epoch_leave_no_record():
    w = running(3)
    used = w.used
    for _ in range(9):
        w.preempt(w.now + QUANTUM // 10)
    assert (w.used, w.s.epoch, w.s.switches) == (used, 0, 9)
    w.preempt(w.now + QUANTUM // 10)
    assert (w.used, w.s.epoch, w.s.epoch_began) == (used + 1, 1, w.now)
    assert w.newest.object == 9


# ---- rests


@pytest.mark.parametrize("operation", ["edge_await", "notification_await"])
def test_who_rests_does_not_run_until_its_time(operation):
    w = Channels()
    assert w.call(operation, w.edge if operation == "edge_await" else w.bits, 5 * QUANTUM) == Status.OK
    assert w.last.result[0] == 0 and w.s.idle and w.s.current == 0
    begun = w.now
    assert [turn(w) for _ in range(4)] == [None] * 4
    assert turn(w, begun + 5 * QUANTUM - 1) is None and turn(w, begun + 5 * QUANTUM) == 0
    assert w.call("yield_now") == Status.OK and w.s.partition[0].awaited == Awaited.NOTHING


def test_a_signal_wakes_who_rests():
    w = Channels(3)
    w.call("notification_await", w.bits, PATIENCE_LIMIT)
    assert w.s.current == 3 and turn(w) == 3
    w.s.notification[0].bits = 4
    assert turn(w) == 0 and w.must("notification_wait", w.bits) == 4


def test_a_message_wakes_who_rests():
    w = Channels(3)
    w.call("edge_await", w.edge, PATIENCE_LIMIT)
    assert turn(w) == 3
    w.s.edge[0].waiting = 1
    assert turn(w) == 0


def test_nobody_rests_for_what_is_there():
    w = Channels(3)
    w.s.edge[0].waiting, w.s.notification[0].bits = 1, 1
    assert w.must("edge_await", w.edge, SECOND) == 1 and w.must("notification_await", w.bits, SECOND) == 1
    assert w.s.current == 0 and w.s.partition[0].awaited == Awaited.NOTHING


@pytest.mark.parametrize("operation", ["edge_await", "notification_await"])
def test_a_rest_without_end_is_refused(operation):
    w = Channels()
    handle = w.edge if operation == "edge_await" else w.bits
    assert w.call(operation, handle, PATIENCE_LIMIT + 1) == Status.BAD_ARGUMENT and not w.s.idle
    assert w.call(operation, handle, PATIENCE_LIMIT) == Status.OK and w.s.idle


# ---- who may say what is urgent


def test_urgency_is_said_of_a_partition_that_the_caller_commands():
    w = running()
    assert w.call("schedule_prioritize", SLOT_SCHEDULER, SELF, 7, True, SECOND) == Status.OK
    own = w.s.partition[0]
    assert (own.pressure, own.warden, own.deadline) == (7, True, w.s.time + SECOND)
    assert w.call("schedule_prioritize", SLOT_SCHEDULER, SELF, 0, True, 0) == Status.OK and own.deadline == 0
    assert w.call("schedule_prioritize", SLOT_SCHEDULER, SELF, 0, True, DEADLINE_LIMIT + 1) == Status.BAD_ARGUMENT
    assert w.call("schedule_prioritize", SLOT_SCHEDULER, 63, 0, True, 0) == Status.INSUFFICIENT_RIGHTS
    assert w.call("schedule_prioritize", SLOT_OWN, SELF, 0, True, 0) == Status.WRONG_OBJECT


@pytest.mark.parametrize("operation", ["schedule_prioritize", "schedule_mode"])
def test_turns_are_commanded_with_execute_only(operation):
    w = running()
    w.s.capability[SLOT_SCHEDULER].rights = Right.WRITE
    assert w.call(operation, SLOT_SCHEDULER, SELF if operation != "schedule_mode" else Mode.FLOW) == (
        Status.INSUFFICIENT_RIGHTS
    )
