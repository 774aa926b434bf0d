"""Does placement bring agents together under QEMU that talk much, and would it be noticed if it did otherwise?"""

import copy

import pytest

from corollary.bench.placement import least_cut
from corollary.emulation import agents, mending, placing
from corollary.emulation.ending import name_of
from corollary.language.layout import decode
from corollary.spec.kernel.state import Kernel
from corollary.spec.kernel.vocabulary import PageKind
from corollary.spec.placement.vocabulary import Status
from tests.platform.booted import Booted

CHOSEN = agents.PLACED
NAMES = [agent.name for agent in CHOSEN]
SEEN = {"traffic that it sees, by the log", "epochs in which the model decides the same"}


@pytest.fixture(scope="module")
def booted(tmp_path_factory):
    """Return the boot with the agents that are placed."""
    return Booted(CHOSEN, placing, tmp_path_factory.mktemp("boot"))


def test_every_row_of_the_verdict_is_as_expected(booted):
    assert booted.wrong() == []


def test_who_must_come_together_is_said_by_who_sends_to_whom():
    assert placing.wanted(CHOSEN) == [(NAMES.index("hearing"), CHOSEN[NAMES.index("chatty")].house)]
    assert agents.boots(CHOSEN) == [CHOSEN] and agents.houses_of(CHOSEN) == (0, 1, 0, 0, 1, 1)


def test_complete_cuts_have_the_value_that_networkx_finds(booted):
    epochs, compared = placing.epochs_of(booted.run), 0
    for epoch, (_, weight) in zip(epochs, placing.replayed(CHOSEN, epochs), strict=True):
        status, value, _ = epoch.one("cut")
        if status == Status.OK:
            assert value == least_cut(len(CHOSEN), weight)
            compared += value > 0
    assert compared > 20


# ---- what would be noticed


def what_is_bad(booted, **instead):
    """Return which rows are not as expected."""
    return {attempt for _, attempt in booted.bad(**instead)}


def lines_of(run, word, partition=placing.PLACER):
    """Return the lines of a partition that begin with a word, to be changed."""
    return [line for line in run.told[partition] if line[0] == word]


@pytest.mark.parametrize(
    ("word", "number", "at", "value", "what"),
    [
        ("seen", -1, 2, "1", SEEN),
        ("considered", -1, 3, f"{Status.OK:x}", {"epochs in which the model decides the same"}),
        ("epoch", 5, 3, "1", {"epochs in which the model decides the same"}),
        ("advises", 0, 3, "1", {"epochs in which the model decides the same"}),
        ("advises", 0, 1, "2", {"epochs in which the model decides the same", "what it recommends"}),
        ("told", -1, 2, "1", {"epochs in which the model decides the same", "the cut that stands in the end"}),
    ],
)
def test_other_words_of_the_guest_that_places_are_noticed(booted, word, number, at, value, what):
    run = copy.deepcopy(booted.run)
    line = lines_of(run, word)[number]
    assert line[at] != value
    line[at] = value
    assert booted.bad() == set() and what <= what_is_bad(booted, run=run)


def test_advice_about_nobody_and_nowhere_is_answered_and_moves_nobody(booted):
    made = placing.errors(CHOSEN)
    assert {(len(CHOSEN), 0), (NAMES.index("hearing"), 2), (NAMES.index("chatty"), 0)} <= {*made}
    assert (NAMES.index("hearing"), 1) not in made
    moved = copy.deepcopy(booted.run)
    line = next(line for line in lines_of(moved, "erred") if line[3] == "0")
    line[3] = "1"
    assert what_is_bad(booted, run=moved) == {"advice that makes no sense"}


def test_a_cut_that_is_not_the_least_is_noticed(booted):
    run = copy.deepcopy(booted.run)
    line = [line for line in lines_of(run, "cut") if line[1] == f"{Status.OK:x}" and line[2] != "0"][-1]
    line[2] = f"{int(line[2], 16) + 1:x}"
    assert "complete cuts that are the least of all" in what_is_bad(booted, run=run)


def test_a_cut_over_its_budget_that_takes_the_place_of_the_last_one_is_noticed(booted):
    run = copy.deepcopy(booted.run)
    line = [line for line in lines_of(run, "cut") if line[1] == f"{Status.OVER_BUDGET:x}"][-1]
    line[3] = "1"
    assert "cuts over their budget: the last one stands" in what_is_bad(booted, run=run)


def test_a_second_recommendation_is_noticed(booted):
    run = copy.deepcopy(booted.run)
    lines = run.told[placing.PLACER]
    lines.insert(lines.index(lines_of(run, "told")[-1]), ["advises", "2", "1", "1"])
    assert "what it recommends" in what_is_bad(booted, run=run)


def test_a_house_that_does_not_rest_is_noticed(booted):
    run = copy.deepcopy(booted.run)
    lines = run.told[placing.PLACER]
    after = lines.index(lines_of(run, "answered")[0])
    next(line for line in lines[after:] if line[0] == "considered")[3] = f"{Status.TOO_LITTLE:x}"
    assert "epochs in which houses rest after the move" in what_is_bad(booted, run=run)


def test_a_quiet_agent_that_is_worth_a_move_is_noticed(booted):
    run = copy.deepcopy(booted.run)
    lines_of(run, "considered")[-1][3] = f"{Status.OK:x}"
    assert "changes that it considers then" in what_is_bad(booted, run=run)


def test_a_quiet_agent_that_moves_is_noticed(booted):
    run = copy.deepcopy(booted.run)
    run.told[0].append(["spawned", f"{NAMES.index('idling'):x}", "9", "99"])
    assert ("idling", "partitions that it had") in booted.bad(run=run)


def test_an_agent_that_does_not_move_is_noticed(booted):
    run = copy.deepcopy(booted.run)
    run.told[placing.MANAGER].remove(lines_of(run, "settled", placing.MANAGER)[0])
    assert "its move" in what_is_bad(booted, run=run)


def test_a_message_that_is_lost_is_noticed(booted):
    place = list(mending.partitions(booted.run, NAMES.index("hearing")))[-1]
    log = changed(booted.log, place, lambda calls: calls[: calls.index(last(calls, "edge_receive"))])
    assert "messages, by the log" in what_is_bad(booted, log=log)


def test_traffic_that_the_kernel_counts_and_nobody_sent_is_noticed(booted):
    sender = list(mending.partitions(booted.run, NAMES.index("chatty")))[0]
    first = next(record for record in booted.log.calls[sender] if name_of(record) == "edge_send")
    log = changed(booted.log, sender, lambda calls: [record for record in calls if record is not first])
    assert "traffic that it sees, by the log" in what_is_bad(booted, log=log)


def test_a_call_that_acts_on_others_is_noticed(booted):
    act = last(booted.log.calls[placing.MANAGER], "agent_change")
    log = changed(booted.log, placing.PLACER, lambda calls: [act, *calls])
    assert "what it calls, by the log" in what_is_bad(booted, log=log)


def test_who_places_agents_and_lives_on_is_noticed(booted):
    log = changed(booted.log, 0, lambda calls: [each for each in calls if name_of(each) != "partition_destroy"])
    assert {"its end, by the log", "messages after that, by the log"} <= what_is_bad(booted, log=log)


@pytest.mark.parametrize(
    ("partition", "operation", "what"),
    [
        (placing.MANAGER, "agent_change", "agents that it ends after that"),
        (6, "edge_receive", "messages after that, by the log"),
    ],
)
def test_others_that_do_not_go_on_are_noticed(booted, partition, operation, what):
    (death,) = [each.sequence for each in booted.log.calls[0] if name_of(each) == "partition_destroy"]

    def until_then(calls):
        return [each for each in calls if each.sequence < death or name_of(each) != operation]

    assert what in what_is_bad(booted, log=changed(booted.log, partition, until_then))


def test_another_cut_of_the_manager_is_noticed(booted):
    run = copy.deepcopy(booted.run)
    lines_of(run, "stands", placing.MANAGER)[0][2] = "1"
    assert what_is_bad(booted, run=run) == {"the cut that stands in the end"}


def test_what_is_left_of_who_places_agents_is_noticed(booted):
    kernel = decode(booted.state, Kernel)
    kernel.page[1000].kind, kernel.page[1000].owner = PageKind.DATA, placing.PLACER
    assert what_is_bad(booted, kernel=kernel) == {f"left of partition {placing.PLACER} in the end"}


def changed(log, actor, change):
    """Return a log in which the calls of a partition are others."""
    other = copy.copy(log)
    other.calls = log.calls | {actor: change(log.calls[actor])}
    return other


def last(calls, operation):
    """Return the last call of an operation that was allowed."""
    return [each for each in calls if name_of(each) == operation and not each.status][-1]
