"""Are remedies tried in order, and never too often, in whichever epochs failures come?"""

from hypothesis import given
from hypothesis import strategies as st

from corollary.spec.agent import Life
from corollary.spec.manager.limits import EPOCHS
from corollary.spec.manager.vocabulary import Remedy, Status, Step, Verb
from tests.manager.world import IMAGE, World

MOST = 3


def failing(end):
    """Let the agent fail, and the remedy be carried out; return it."""
    assert end.take("fail", 0) == Status.OK
    remedy = end.row(0).remedy
    end.work(0)
    if remedy == Remedy.REPLACE:
        assert end.row(0).state == Life.TERMINATED
        assert end.take("respawn", 0, end.kernel.badge()) == end.take("started", 0) == Status.OK
        end.kernel.pages[0] = IMAGE
    return remedy


def test_an_agent_is_restarted_three_times_then_more_is_done():
    end = World().source
    wanted = [*[Remedy.RESTART] * MOST, Remedy.RELOAD, Remedy.REPLACE, Remedy.REBOOT, Remedy.REBOOT]
    assert [failing(end) for _ in wanted] == wanted


def test_after_calm_epochs_it_begins_at_a_restart():
    end = World().source
    for _ in range(MOST + 2):
        failing(end)
    end.pass_epochs(EPOCHS - 1)
    assert failing(end) == Remedy.REBOOT
    end.pass_epochs(EPOCHS)
    assert failing(end) == Remedy.RESTART


def test_a_remedy_that_fails_is_a_failure():
    end = World().source
    for wanted in (Verb.RESTART, Verb.RESTART, Verb.RESTART, Verb.RELOAD, Verb.REPLACE, Verb.REBOOT):
        assert end.take("fail", 0) == Status.OK
        assert end.work(0, "refused") == wanted and end.row(0).state == Life.SUSPENDED


@given(st.lists(st.integers(0, EPOCHS + 2), max_size=40))
def test_no_sliding_window_has_more_than_three_restarts_and_remedies_grow_within_one(pauses):
    end, happened = World().source, []
    for pause in pauses:
        end.pass_epochs(pause)
        happened.append((int(end.manager.model.epoch), failing(end)))
    restarts = [epoch for epoch, remedy in happened if remedy == Remedy.RESTART]
    assert all(sum(first <= epoch < first + EPOCHS for epoch in restarts) <= MOST for first in restarts)
    for (epoch, remedy), (later, following) in zip(happened, happened[1:]):
        assert int(following) >= int(remedy) if later - epoch < EPOCHS else following == Remedy.RESTART
        assert int(following) - int(remedy) <= 1


@given(st.lists(st.integers(0, EPOCHS + 2), max_size=20))
def test_the_third_violation_in_a_sliding_window_hibernates(pauses):
    world = World()
    end, happened = world.source, []
    for pause in pauses:
        end.pass_epochs(pause)
        assert end.take("violate", 0) == Status.OK
        now = int(end.manager.model.epoch)
        happened.append(now)
        third = sum(now - epoch < EPOCHS for epoch in happened) >= MOST
        assert (end.row(0).step == Step.STOPPING) == third
        if third:
            assert end.take("violate", 0) == Status.BUSY
            world.come_to_rest()
            assert end.row(0).state == Life.HIBERNATED and not end.kernel.running
            return


def test_a_kernel_that_refuses_to_stop_an_agent_is_asked_again():
    world = World()
    for _ in range(MOST):
        assert world.source.take("violate", 0) == Status.OK
    assert world.source.work(0, "refused") == world.source.work(0) == Verb.SUSPEND
    assert world.source.row(0).step == Step.FREEZING


def test_what_is_remembered_of_an_agent_is_not_of_the_next_one_in_its_row():
    end = World().source
    for _ in range(MOST):
        failing(end)
    end.kernel.running.clear()
    assert end.take("terminated", 0) == Status.OK
    end.spawn(0)
    assert failing(end) == Remedy.RESTART
    assert end.take("register", 1, 1, 0, 0) == Status.BADGE_USED
    assert end.take("respawn", 1, 9) == Status.NOT_AWAITED
