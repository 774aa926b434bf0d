"""Are all steps of a saga taken, or all completed ones undone, the last first, and is it named what was not?"""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corollary.governance import (
    EventBus,
    EventType,
    Governor,
    Phase,
    Refused,
    SagaFailed,
    SagaOrchestrator,
    SagaStep,
    Status,
)
from corollary.governance.sagas import DEFAULT_MAX_RETRIES, DEFAULT_RETRY_DELAY, DEFAULT_STEP_TIMEOUT, UNDO_TRIES
from corollary.spec.governance.limits import STEPS
from tests.governance.clauses import clause
from tests.runtime.stores import run

SOON = 0.05  # s


class World:
    """Notes what is done, undone and waited for; step i fails as often as `failures` says, and is undone or not."""

    def __init__(self, failures, can_undo=None):
        self.left, self.can_undo, self.done, self.waits = list(failures), can_undo or [True] * len(failures), [], []

    async def sleep(self, seconds):
        """Note a wait."""
        self.waits.append(seconds)

    def step(self, at):
        """Return a step."""

        async def execute():
            self.done.append(("try", at))
            if self.left[at] > 0:
                self.left[at] -= 1
                raise OSError(f"no {at}")
            self.done.append(("do", at))
            return at

        async def undo():
            self.done.append(("undo", at))
            if self.can_undo[at] is False:
                raise OSError(f"stuck {at}")

        return SagaStep(str(at), execute, None if self.can_undo[at] is None else undo)

    def run(self, **given_):
        """Run all steps; return the outcome."""
        orchestrator = SagaOrchestrator(Governor(), sleep=self.sleep, **given_)
        try:
            return run(orchestrator.run([self.step(at) for at in range(len(self.left))]))
        except SagaFailed as problem:
            return problem.outcome


async def nothing():
    """Do nothing."""


@clause("S15.2", "B5")
def test_defaults():
    assert (DEFAULT_MAX_RETRIES, DEFAULT_RETRY_DELAY, DEFAULT_STEP_TIMEOUT) == (2, 1.0, 300.0)
    world = World([0, 2, 0])
    assert world.run().results == (0, 1, 2) and world.waits == [1.0, 2.0]


@clause("S15.3", "B5")
def test_a_step_that_fails_for_good_undoes_all_others_in_reverse():
    world = World([0, 0, 3, 0])
    found = world.run()
    assert found.phase is Phase.COMPENSATED and found.undone == ("1", "0") and found.lost == ()
    assert [each for each in world.done if each[0] != "try"] == [("do", 0), ("do", 1), ("undo", 1), ("undo", 0)]
    assert [each for each in world.done if each == ("try", 2)] == [("try", 2)] * 3 and "no 2" in str(found)


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from([True, False, None])), min_size=1, max_size=8))
def test_nothing_that_was_completed_is_forgotten(steps):
    world = World([failures for failures, _ in steps], [can for _, can in steps])
    found = world.run()
    failed = next((at for at, (failures, _) in enumerate(steps) if failures > DEFAULT_MAX_RETRIES), None)
    completed = range(len(steps)) if failed is None else range(failed)
    assert [at for what, at in world.done if what == "do"] == list(completed)
    if failed is None:
        assert found.phase is Phase.COMPLETED and found.results == tuple(completed)
        return
    lost = [str(at) for at in completed if not steps[at][1]]
    assert list(found.lost) == lost and found.phase is (Phase.ESCALATED if lost else Phase.COMPENSATED)
    assert [at for what, at in world.done if what == "undo"] == [
        at for at in reversed(completed) if steps[at][1] is not None
    ]
    assert all(name in str(found) for name in lost)


@clause("S15.2")
def test_a_step_that_takes_too_long_fails():
    async def forever():
        await asyncio.sleep(3600)

    orchestrator = SagaOrchestrator(Governor(), max_retries=0)
    with pytest.raises(SagaFailed) as told:
        run(orchestrator.run([SagaStep("slow", forever, timeout_seconds=0.01)]))
    assert told.value.outcome.phase is Phase.COMPENSATED and "TimeoutError" in str(told.value)


def test_who_is_cancelled_undoes_what_was_completed():
    world, begun = World([0, 0]), asyncio.Event()

    async def forever():
        begun.set()
        await asyncio.sleep(3600)

    async def cancelled():
        orchestrator = SagaOrchestrator(Governor(), sleep=world.sleep)
        task = asyncio.create_task(orchestrator.run([world.step(0), world.step(1), SagaStep("last", forever)]))
        await begun.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return task.cancelled()

    assert run(cancelled())
    assert [each for each in world.done if each[0] == "undo"] == [("undo", 1), ("undo", 0)]


def test_who_is_cancelled_again_undoes_all_the_same():
    undone, begun, undoing = [], asyncio.Event(), asyncio.Event()

    async def forever():
        begun.set()
        await asyncio.sleep(3600)

    async def slowly():
        undoing.set()
        await asyncio.sleep(0.05)
        undone.append(1)

    async def cancelled():
        steps = [SagaStep("a", nothing, slowly), SagaStep("b", nothing, slowly), SagaStep("c", forever)]
        task = asyncio.create_task(SagaOrchestrator(Governor()).run(steps))
        await begun.wait()
        task.cancel()
        await undoing.wait()
        for _ in range(3):
            task.cancel()
            await asyncio.sleep(0)
        await asyncio.gather(task, return_exceptions=True)
        return task.cancelled()

    assert run(cancelled()) and undone == [1, 1]


@pytest.mark.parametrize("ticks", range(6))
def test_a_saga_whose_loop_ends_undoes_what_was_completed(ticks):
    governor, undone, begun = Governor(), [], asyncio.Event()

    async def undo():
        await asyncio.sleep(SOON)
        undone.append(1)

    async def fail():
        begun.set()
        for _ in range(ticks):
            await asyncio.sleep(0)
        raise OSError("no")

    async def leave_it():
        steps = [SagaStep("pay", nothing, undo), SagaStep("ship", fail)]
        task = asyncio.create_task(SagaOrchestrator(governor, max_retries=0).run(steps))
        await begun.wait()
        return task

    assert run(leave_it()).cancelled() and undone == [1] and governor.over.back == [0]


@pytest.mark.parametrize(("cancels", "lost"), [(1, ()), (UNDO_TRIES - 1, ()), (UNDO_TRIES, ("pay",))])
def test_an_undo_that_others_cancel_is_called_again_a_few_times(cancels, lost):
    bus, begun = EventBus(), asyncio.Queue()

    async def fail():
        raise OSError("no")

    async def undo():
        begun.put_nowait(1)
        await asyncio.sleep(SOON)

    async def cancelled():
        others = asyncio.all_tasks()
        steps = [SagaStep("pay", nothing, undo), SagaStep("ship", fail)]
        task = asyncio.create_task(SagaOrchestrator(Governor(events=bus), max_retries=0).run(steps))
        for _ in range(cancels):
            await begun.get()
            for each in asyncio.all_tasks() - others:  # as `asyncio.run` does at its end
                each.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    assert run(cancelled()) and bus.events[-1].payload["lost"] == lost


def test_what_could_not_be_undone_is_named_to_who_is_cancelled():
    bus, begun = EventBus(), asyncio.Event()

    async def forever():
        begun.set()
        await asyncio.sleep(3600)

    async def cancelled():
        steps = [SagaStep("pay", nothing), SagaStep("ship", forever)]
        task = asyncio.create_task(SagaOrchestrator(Governor(events=bus)).run(steps))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError) as told:
            await task
        return told.value.__notes__

    [note] = run(cancelled())
    [event] = bus.query(EventType.SAGA_ESCALATED)
    assert "look at it: pay" in note and event.payload["lost"] == ("pay",)
    assert event.payload["reasons"] == ("ship: was cancelled", "pay: has no way to be undone")


async def deaf():
    """Catch that it is cancelled."""
    try:
        await asyncio.sleep(SOON)
    except asyncio.CancelledError:
        pass


@pytest.mark.parametrize("first", [deaf, lambda: asyncio.sleep(SOON / 5)])
def test_a_saga_goes_on_with_no_step_after_it_was_cancelled(first):
    done = []

    async def undo():
        done.append("undo")

    async def second():
        await asyncio.sleep(0)
        done.append("second")

    async def cancelled():
        steps = [SagaStep("first", first, undo), SagaStep("second", second)]
        task = asyncio.create_task(SagaOrchestrator(Governor()).run(steps))
        await asyncio.sleep(0)
        asyncio.get_running_loop().call_later(SOON / 5, asyncio.get_running_loop().call_soon, task.cancel)
        await asyncio.wait([task])
        return task.cancelled()

    assert run(cancelled()) and done == ["undo"]


def test_an_undo_whose_failure_cannot_be_told_stops_no_other():
    governor, undone = Governor(), []

    class Untold(Exception):
        def __str__(self):
            raise RuntimeError

    async def undo():
        undone.append(1)

    async def untold():
        raise Untold

    steps = [SagaStep("pay", nothing, undo), SagaStep("book", nothing, untold), SagaStep("ship", untold)]
    with pytest.raises(SagaFailed, match="undoing book: Untold") as told:
        run(SagaOrchestrator(governor, max_retries=0).run(steps))
    assert undone == [1] and told.value.outcome.lost == ("book",) and governor.over.back == [0]


@pytest.mark.parametrize("count", [0, STEPS + 1])
def test_a_saga_has_some_steps(count):
    world = World([0] * count)
    with pytest.raises(ValueError, match="steps"):
        world.run()
    assert world.done == []


def test_rows_of_sagas_that_are_over_are_free_again():
    made = Governor()
    with made.saga(1, 0) as first:
        made.do("begin_step", first)
        with made.saga(1, 0) as second:
            assert first != second
            made.do("abandon", second)
        made.do("complete_step", first)
        with pytest.raises(Refused) as told:
            made.do("undo_step", first, True)
    assert told.value.status is Status.WRONG_STAGE and made.over.next == 2 and sorted(made.over.back) == [0, 1]
