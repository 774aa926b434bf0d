"""Does a hibernated agent come back as it was, and only from what its receipt says?"""

import pytest

from corollary.compression import compress
from corollary.spec.agent import Life
from corollary.spec.manager.limits import EPOCHS
from corollary.spec.manager.vocabulary import Status, Step, Verb
from tests.manager.world import IMAGE, World

DOWN = (Verb.SNAPSHOT, Verb.COMPRESS, Verb.WRITE, Verb.RECORD, Verb.RELEASE)
UP = (Verb.READ, Verb.DECOMPRESS, Verb.RESTORE)


def suspended():
    """Return a world and the end where its agent is suspended."""
    world = World()
    end = world.source
    end.kernel.running.clear()
    assert end.take("suspended", 0) == Status.OK
    return world, end


def hibernated():
    """Return the same with the agent hibernated."""
    world, end = suspended()
    assert end.take("hibernate", 0) == Status.OK
    assert [end.work(0) for _ in DOWN] == [*DOWN]
    assert end.row(0).state == Life.HIBERNATED and not end.kernel.pages
    return world, end


def test_an_agent_is_hibernated_and_comes_back():
    world, end = hibernated()
    assert end.log == [(1, 0)] and end.disk == {0: compress(IMAGE)} and end.row(0).receipt.plain == len(IMAGE)
    assert end.take("reconstruct", 0) == Status.OK
    assert [end.work(0) for _ in UP] == [*UP]
    assert world.assert_one() == 1 and end.kernel.pages == {0: IMAGE}


@pytest.mark.parametrize("outcome", ["refused", "dropped", "lost", "twice"])
@pytest.mark.parametrize("verb", [*DOWN, *UP])
def test_a_fault_on_the_way_to_the_disk_or_back_loses_nothing(verb, outcome):
    world, end = suspended()
    assert end.take("hibernate", 0) == Status.OK
    struck = False
    for _ in range(40):
        if end.row(0).step == Step.NONE:
            names = {Life.SUSPENDED: "hibernate", Life.HIBERNATED: "reconstruct"}
            if end.row(0).state == Life.RUNNING:
                break
            end.take(names[end.row(0).state], 0)
        hits = not struck and end.next_verb(0) == verb
        struck = struck or hits
        end.work(0, outcome if hits else "done")
        kept = 0 in end.kernel.pages or end.disk.get(end.row(0).receipt.at) == compress(IMAGE)
        assert kept and (not end.kernel.running or end.row(0).state in (Life.RUNNING, Life.RECONSTRUCTING))
    assert struck and world.assert_one() == 1 and end.kernel.pages == {0: IMAGE}


def reading(end):
    """Begin to bring the agent back; return the number of the task."""
    assert end.take("reconstruct", 0) == end.take("assign", 0) == Status.OK
    return end.row(0).asked


def test_each_wrong_receipt_has_a_status_of_its_own_and_the_agent_stays_hibernated():
    _, end = hibernated()
    receipt, words = end.row(0).receipt, [getattr(end.row(0).hash, name) for name in type(end.row(0).hash).fields]
    number = reading(end)
    assert end.take("read", 0, number, receipt.at + 1, receipt.packed) == Status.WRONG_PLACE
    assert end.take("read", 0, number, receipt.at, receipt.packed + 1) == Status.WRONG_SIZE
    assert end.take("read", 0, number + 1, receipt.at, receipt.packed) == Status.OUTDATED
    assert end.take("read", 0, number, receipt.at, receipt.packed) == end.take("assign", 0) == Status.OK
    number = end.row(0).asked
    assert end.take("unpacked", 0, number, receipt.plain + 1, *words) == Status.WRONG_SIZE
    for at in range(4):
        wrong = [word ^ (at == other) for other, word in enumerate(words)]
        assert end.take("unpacked", 0, number, receipt.plain, *wrong) == Status.WRONG_HASH
    assert end.row(0).state == Life.HIBERNATED
    assert end.take("failed", 0, number) == Status.OK and end.row(0).step == Step.NONE


def test_what_was_changed_on_the_disk_does_not_run_and_after_three_times_nobody_tries_for_a_while():
    world, end = hibernated()
    right = end.disk[0]
    end.disk[0] = right[:-1] + bytes([right[-1] ^ 1])
    for _ in range(3):
        assert end.take("reconstruct", 0) == Status.OK
        world.come_to_rest()
        assert end.row(0).state == Life.HIBERNATED and not end.kernel.running
    assert end.take("reconstruct", 0) == Status.TOO_OFTEN
    end.pass_epochs(EPOCHS - 1)
    assert end.take("reconstruct", 0) == Status.TOO_OFTEN
    end.pass_epochs(1)
    end.disk[0] = right
    assert end.take("reconstruct", 0) == Status.OK
    world.come_to_rest()
    assert world.assert_one() == 1
