"""Does an agent move between partitions under QEMU whatever goes wrong, and would it be noticed if it did not?"""

import copy

import pytest

from corollary.emulation import agents, mending, moving
from corollary.emulation.ending import name_of
from corollary.emulation.layout import Fault
from corollary.language.layout import decode
from corollary.spec.kernel.state import Kernel
from corollary.spec.kernel.vocabulary import PageKind, Status
from corollary.spec.manager.vocabulary import Verb
from tests.platform.booted import Booted

CHOSEN = agents.MOVING
MOVER = CHOSEN[0]


@pytest.fixture(scope="module")
def booted(tmp_path_factory):
    """Return the boot with the agent that moves."""
    return Booted(CHOSEN, moving, tmp_path_factory.mktemp("boot"))


def test_every_row_of_the_verdict_is_as_expected(booted):
    assert booted.wrong() == []


def test_each_step_is_refused_once_and_the_manager_is_killed_once_at_each():
    struck = {fault: {verb for verb, each in MOVER.moves if each == fault} for fault in Fault}
    assert struck[Fault.REFUSED] == struck[Fault.LOST] == set(agents.STEPS)
    assert struck[Fault.DROPPED] == {Verb.SUSPEND} and struck[Fault.NONE] == {Verb.NOTHING}


@pytest.mark.parametrize("number", range(len(MOVER.moves)))
def test_an_agent_that_is_in_another_place_is_noticed(booted, number):
    run = copy.deepcopy(booted.run)
    lines = [line for line in run.told[moving.MANAGER] if line[0] == "settled"]
    places = [f"{p:x}" for p in mending.partitions(run, 0)]
    lines[number][2] = places[0] if lines[number][2] != places[0] else places[-1]
    assert booted.bad() == set() and any(what.startswith("a move in which") for what in what_is_bad(booted, run=run))


def test_a_fault_that_does_not_strike_is_noticed(booted):
    run = copy.deepcopy(booted.run)
    line = next(line for line in run.told[moving.MANAGER] if line[0] == "task" and line[3] == "0")
    line[3] = "1"
    assert what_is_bad(booted, run=run) == {f"a move in which {Verb(int(line[2], 16)).name}: REFUSED"}


def what_is_bad(booted, **instead):
    """Return which rows are not as expected."""
    return {attempt for _, attempt in booted.bad(**instead)}


def without(log, number, actor, operation):
    """Return a log without one of the calls of an operation that were allowed, counted from 0."""
    other = copy.copy(log)
    calls = log.calls[actor]
    found = [n for n, each in enumerate(calls) if (name_of(each), each.status) == (operation, Status.OK)]
    other.calls = log.calls | {actor: [each for n, each in enumerate(calls) if n != found[number]]}
    return other


def test_a_message_that_is_lost_is_noticed(booted):
    place, _ = moving.where(booted.run)[-1]
    assert "messages, by the log" in what_is_bad(booted, log=without(booted.log, 0, place, "edge_receive"))


def test_a_message_that_two_places_get_in_turn_is_noticed(booted):
    first, *_, last = (p for p, _ in moving.where(booted.run))
    log = copy.copy(booted.log)
    late = copy.deepcopy(next(each for each in log.calls[first] if name_of(each) == "edge_receive" and not each.status))
    late.sequence = max(each.sequence for each in log.calls[last])
    log.calls = log.calls | {first: [*log.calls[first], late]}
    assert {"messages, by the log", "who receives, by the log"} <= what_is_bad(booted, log=log)


def test_an_agent_that_stands_still_for_long_is_noticed(booted):
    log, calls = copy.copy(booted.log), list(booted.log.calls[moving.MANAGER])
    n = next(n for n, each in enumerate(calls) if name_of(each) == "partition_destroy")
    calls[n] = copy.deepcopy(calls[n])
    calls[n].time += moving.LIMIT[False]
    log.calls = log.calls | {moving.MANAGER: calls}
    assert what_is_bad(booted, log=log) == {"time of a move"}


def test_a_manager_that_is_not_killed_is_noticed(booted):
    assert what_is_bad(booted, log=without(booted.log, 0, 0, "partition_reconstruct")) == {
        "kills of its manager, by the log"
    }


@pytest.mark.parametrize(
    ("beginning", "instead", "what"),
    [
        ("begins with 0", "begins with 1", "how often it begins"),
        ("numbers received", "numbers received: 1", "numbers sent and received"),
        ("out of order", "out of order, lost or doubled: 1", "its last words"),
    ],
)
def test_other_words_of_the_agent_are_noticed(booted, beginning, instead, what):
    run = copy.deepcopy(booted.run)
    lines = [line for p in mending.partitions(run, 0) for line in run.told.get(p, []) if line[0] == "said"]
    next(line for line in lines if line[1].startswith(beginning))[1] = instead
    assert what_is_bad(booted, run=run) == {what}


def test_what_is_left_of_a_place_is_noticed(booted):
    first = next(iter(mending.partitions(booted.run, 0)))
    kernel = decode(booted.state, Kernel)
    kernel.page[1000].kind, kernel.page[1000].owner = PageKind.DATA, first
    assert what_is_bad(booted, kernel=kernel) == {f"left of partition {first} in the end"}
