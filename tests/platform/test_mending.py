"""Does a manager under QEMU mend agents that fail, and would it be noticed if it did not?"""

import copy

import pytest

from corollary import HostCall, Instance, Returned
from corollary.emulation import agents, mending
from corollary.emulation.ending import name_of
from corollary.language.layout import decode
from corollary.spec.agent import Life
from corollary.spec.kernel.state import Kernel
from corollary.spec.kernel.vocabulary import ObjectKind, PageKind, Status
from corollary.spec.manager.vocabulary import Remedy
from tests.platform.booted import Booted

CHOSEN = agents.MANAGED
ROW = {agent.name: number for number, agent in enumerate(CHOSEN)}


@pytest.fixture(scope="module")
def booted(tmp_path_factory):
    """Return the boot of all agents that have a manager."""
    return Booted(CHOSEN, mending, tmp_path_factory.mktemp("boot"))


def test_every_row_of_the_verdict_is_as_expected(booted):
    assert booted.wrong() == []


def test_what_is_expected_of_an_agent_is_what_it_says_here_if_nothing_makes_it_fail():
    said, instance = [], Instance(CHOSEN[0].module, host_calls=True)
    outcome = instance.call("run")
    while isinstance(outcome, HostCall):
        if outcome.name == "print":
            said.append(instance.export("memory").read(*outcome.arguments).decode())
        outcome = instance.resume(int(Status.WOULD_BLOCK))
    assert outcome == Returned((0,)) and tuple(said) == CHOSEN[0].whole


def test_remedies_only_grow_and_every_class_is_there(booted):
    found = {name: mending.remedies_of(booted.run, number) for name, number in ROW.items()}
    assert all(list(remedies) == sorted(remedies) for remedies in found.values())
    assert set(found["hopeless"]) == {Remedy.RESTART, Remedy.RELOAD, Remedy.REPLACE, Remedy.REBOOT}


def test_an_agent_that_goes_on_at_its_checkpoint_had_come_further_than_its_beginning(booted):
    *_, last = mending.lives_of(booted.run, ROW["reloaded"])
    assert last[0] in CHOSEN[0].whole[2:] and last[-1] == CHOSEN[0].whole[-1]


def test_only_who_may_be_spawned_again_is_and_has_as_much_as_before(booted):
    again = {name: len(booted.partitions(ROW[name])) == 2 for name in ROW}
    assert again == {agent.name: agent.respawns for agent in CHOSEN}
    first, second = booted.partitions(ROW["restarted"])[0], booted.partitions(ROW["replaced"])[1]
    pages = [mending.left_of(booted.kernel, p)["pages"] for p in (first, second)]
    assert pages[0] == pages[1] > 0


@pytest.mark.parametrize(
    ("name", "change", "what"),
    [
        ("restarted", lambda lines: lines[:-1], "its remedies"),
        ("replaced", lambda lines: [*lines[:3], *lines[4:]], "its remedies"),
        ("reloaded", lambda lines: lines[::-1], "its remedies"),
    ],
)
def test_remedies_that_differ_are_noticed(booted, name, change, what):
    run = copy.deepcopy(booted.run)
    mine = [line for line in run.told[mending.MANAGER] if line[:2] == ["failed", f"{ROW[name]:x}"]]
    others = [line for line in run.told[mending.MANAGER] if line not in mine]
    run.told[mending.MANAGER] = others + change(mine)
    assert booted.bad() == set() and booted.bad(run) == {(name, what)}


@pytest.mark.parametrize(
    ("name", "line", "instead", "what"),
    [
        ("reloaded", "sum: ", "sum: 1", "what it says last"),
        ("reloaded", "rounds: 10", "rounds: 11", "what it says in each life"),
        ("restarted", "begins with 0", "begins with 1", "its lives begin anew, or go on"),
        ("gone", "rounds: 6", CHOSEN[0].whole[-1], "what it says in each life"),
    ],
)
def test_other_words_of_an_agent_are_noticed(booted, name, line, instead, what):
    run = copy.deepcopy(booted.run)
    lines = run.told[booted.partitions(ROW[name])[-1]]
    at = max(n for n, found in enumerate(lines) if found[0] == "said" and found[1].startswith(line))
    lines[at] = ["said", instead]
    assert (name, what) in booted.bad(run)


@pytest.mark.parametrize("operation", ["partition_start", "partition_reconstruct", "partition_destroy", "agent_change"])
def test_a_call_that_the_log_does_not_tell_is_noticed(booted, operation):
    handle = next(iter(mending.partitions(booted.run, ROW["replaced"]).values()))
    calls = booted.log.calls[mending.MANAGER]
    at = next(
        n for n, each in enumerate(calls) if (each.capability, name_of(each), each.status) == (handle, operation, 0)
    )
    record = calls.pop(at)
    noticed = booted.bad()
    calls.insert(at, record)
    shown = Life.SUSPENDED.name if operation == "agent_change" else operation
    assert ("replaced", f"{shown}, by the log") in noticed and booted.bad() == set()


def leave_page(kernel, p):
    kernel.page[1000].kind, kernel.page[1000].owner = PageKind.DATA, p


def leave_capability(kernel, p):
    kernel.capability[64 * p + 9].kind = ObjectKind.DEVICE


def leave_handle(kernel, p):
    slot = kernel.capability[63]
    slot.kind, slot.object, slot.incarnation = ObjectKind.PARTITION, p, kernel.partition[p].generation


def leave_lease(kernel, p):
    kernel.device[0].leased, kernel.device[0].holder = True, p


@pytest.mark.parametrize("leave", [leave_page, leave_capability, leave_handle, leave_lease])
def test_whatever_is_left_of_a_destroyed_partition_is_noticed(booted, leave):
    (p,) = booted.partitions(ROW["gone"])
    kernel = decode(booted.state, Kernel)
    leave(kernel, p)
    assert not mending.rest_row(kernel, CHOSEN[ROW["gone"]], p).good
    assert mending.rest_row(booted.kernel, CHOSEN[ROW["gone"]], p).good
