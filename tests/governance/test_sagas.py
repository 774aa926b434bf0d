"""Are all steps of a saga taken, or all completed ones undone, the last first, and is it named what was not?"""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corollary.governance import Governor, Phase, Refused, SagaFailed, SagaOrchestrator, SagaStep, Status
from corollary.governance.sagas import DEFAULT_MAX_RETRIES, DEFAULT_RETRY_DELAY, DEFAULT_STEP_TIMEOUT
from corollary.spec.governance.limits import STEPS
from tests.governance.clauses import clause
from tests.runtime.stores import run


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

    async def nothing():
        pass

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
