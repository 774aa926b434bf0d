"""Is an agent that moves in one place, whatever fails at whichever step, at either end?"""

import random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from corollary.spec.agent import Life
from corollary.spec.manager.limits import EPOCHS, LANES
from corollary.spec.manager.vocabulary import Status, Step, Verb
from tests.manager.world import IMAGE, World

OF_SOURCE = {
    1: None,  # admit
    2: Verb.SUSPEND,
    3: Verb.SNAPSHOT,
    4: Verb.SEND_RESERVE,
    5: Verb.SEND_CHUNK,
    6: Verb.DECIDE,
    7: Verb.RELEASE,
}
OF_TARGET = {4: Verb.ASK_CHUNK, 5: Verb.ASK_CHUNK, 6: Verb.SEND_FILLED, 7: Verb.RESTORE}
"""What each end does in each of the seven steps."""
FAULTS = ("refused", "dropped", "lost", "twice")
RUNS = 100


def admitted(world):
    """Let the agent of a world move to the other end."""
    assert world.source.take("admit", 0, 2, 0) == Status.OK


def test_an_agent_moves_in_seven_steps():
    world = World()
    admitted(world)
    assert world.come_to_rest() < 20 and world.assert_one() == 2
    assert world.target.kernel.pages == {0: IMAGE} and world.source.row(0).state == Life.TERMINATED
    kinds = [told[0] for _, _, told in world.sent]
    assert list(dict.fromkeys(kinds)) == ["reserve", "want", "chunk", "filled", "commit", "done"]


def test_an_agent_moves_within_a_machine():
    world = World()
    assert world.source.take("admit", 0, 1, 0) == Status.OK
    world.come_to_rest()
    assert world.assert_one() == 1 and world.source.kernel.running == {1}


def disturbed(world, chosen, side, verb, fault):
    """Move the agent of a world until a fault has struck; messages come late and again. Return whether it has."""
    while busy := list(world.busy()):
        for end, a in busy:
            if end is side and verb in (None, end.next_verb(a)):
                end.work(a, fault)
                world.check()
                return True
            end.work(a)
            world.check()
        if chosen.random() < 0.7:
            world.deliver_new()
        if world.sent:
            world.deliver(chosen.randrange(len(world.sent)))
            world.check()
    return False


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize(("side", "step"), [*((0, step) for step in OF_SOURCE), *((1, step) for step in OF_TARGET)])
def test_a_fault_at_any_step_leaves_the_agent_in_one_place(side, step, fault):
    chosen, struck, ended = random.Random(f"{side} {step} {fault}"), 0, set()
    for _ in range(RUNS // len(FAULTS)):
        world = World()
        admitted(world)
        struck += disturbed(world, chosen, world.ends[side], (OF_SOURCE, OF_TARGET)[side][step], fault)
        world.come_to_rest()
        ended.add(world.assert_one())
    assert struck == RUNS // len(FAULTS) and ended <= {1, 2, None}


def test_before_the_decision_a_refusal_brings_the_agent_back_and_after_it_takes_it_on():
    for verb, where in (*((OF_SOURCE[step], 1) for step in (2, 3, 4, 5, 6)), (Verb.SEND_COMMIT, 2), (Verb.RELEASE, 2)):
        world = World()
        admitted(world)
        assert disturbed(world, random.Random(1), world.source, verb, "refused")
        world.come_to_rest()
        assert world.assert_one() == where, verb


def test_a_target_that_refuses_loses_nothing():
    world = World()
    admitted(world)
    while world.target.row(0).step != Step.PROMISED:
        world.source.work(0)
        if world.sent:
            world.deliver(len(world.sent) - 1)
    assert world.target.take("refuse", 0) == Status.OK and world.target.take("hear_commit", 0, 1, 1) == Status.DONE
    assert world.source.take("hear_done", 0, 1) == Status.WRONG_STEP
    assert world.source.take("abort", 0) == Status.OK
    world.come_to_rest()
    assert world.assert_one() == 1


def test_a_damaged_chunk_is_found_and_the_agent_stays():
    world = World()
    admitted(world)
    while not world.target.stored.get(0):
        world.come_nearer()
    world.target.stored[0][0] = b"evil"
    while world.target.row(0).step == Step.PROMISED:
        world.come_nearer()
    assert world.target.row(0).state == Life.TERMINATED
    assert world.source.take("abort", 0) == Status.OK
    world.come_to_rest()
    assert world.assert_one() == 1 and world.source.kernel.pages == {0: IMAGE}


def test_an_agent_rests_after_a_move_and_after_an_attempt():
    world = World()
    admitted(world)
    world.come_to_rest()
    assert world.target.take("admit", 0, 1, 0) == Status.RESTING
    world.target.pass_epochs(EPOCHS - 1)
    assert world.target.take("admit", 0, 1, 0) == Status.RESTING
    world.target.pass_epochs(1)
    assert world.target.take("admit", 0, 1, 0) == Status.OK
    assert world.target.take("abort", 0) == Status.OK and world.target.work(0) == Verb.RESUME
    assert world.target.take("admit", 0, 1, 0) == Status.RESTING


def test_an_agent_that_failed_lately_stays_where_it_is_known():
    world = World()
    assert world.source.take("violate", 0) == Status.OK
    assert world.source.take("admit", 0, 2, 0) == Status.UNSTEADY


def test_only_so_many_move_at_once():
    world = World()
    for a in range(1, LANES + 1):
        world.source.spawn(a)
    assert [world.source.take("admit", a, 2, a % LANES) for a in range(LANES)] == [Status.OK] * LANES
    assert world.source.take("admit", LANES, 2, 0) == Status.LANE_TAKEN


class Ends(RuleBasedStateMachine):
    """Two ends, a link that keeps nothing but makes nothing up, kernels that refuse, and crashes."""

    @initialize()
    def begin(self):
        self.world = World()

    def movable(self):
        """Return where the agent is in the middle of nothing: an end and a row, or None."""
        rows = ((end, a) for end in self.world.ends for a in range(2))
        return next(((e, a) for e, a in rows if e.row(a).state in (Life.RUNNING, Life.SUSPENDED)), None)

    @rule(epochs=st.booleans())
    def admit(self, epochs):
        if (there := self.movable()) is not None:
            end, a = there
            if epochs:
                end.pass_epochs()
            end.take("admit", a, 3 - end.number, 0)

    @rule(number=st.integers(0, 3), outcome=st.sampled_from(("done", "done", "done", *FAULTS)))
    def work(self, number, outcome):
        if busy := list(self.world.busy()):
            end, a = busy[number % len(busy)]
            end.work(a, outcome)

    @precondition(lambda self: self.world.sent)
    @rule(back=st.integers(0, 20))
    def deliver(self, back):
        self.world.deliver(max(0, len(self.world.sent) - 1 - back))

    @rule(side=st.integers(0, 1), a=st.integers(0, 1), name=st.sampled_from(("abort", "refuse")))
    def give_up(self, side, a, name):
        self.world.ends[side].take(name, a)

    @rule(side=st.integers(0, 1), a=st.integers(0, 1), number=st.integers(1, 40))
    def tell_what_nobody_asked(self, side, a, number):
        end = self.world.ends[side]
        if end.row(a).asked != number:
            for name in ("stopped", "released", "returned", "restored", "failed"):
                assert end.take(name, a, number) == Status.OUTDATED

    @rule(side=st.integers(0, 1))
    def crash(self, side):
        self.world.ends[side].crash()

    @invariant()
    def runs_once(self):
        self.world.check()

    def teardown(self):
        if hasattr(self, "world"):
            self.world.come_to_rest()
            self.world.assert_one()


Ends.TestCase.settings = settings(max_examples=150, stateful_step_count=60)
TestEnds = Ends.TestCase
