"""Does an agent come to a disk and back under QEMU whatever goes wrong, and would it be noticed if it did not?"""

import copy
from dataclasses import replace

import pytest

from corollary.emulation import agents, disk, dozing, mending, moving, package
from corollary.emulation.agents import Fault
from corollary.emulation.ending import Log
from corollary.emulation.machine import start
from corollary.emulation.verdict import Transcript
from corollary.spec.kernel.limits import SECTOR
from corollary.spec.manager.vocabulary import Verb

DOZER = agents.DOZING[0]
SHORT = ((Verb.NOTHING, Fault.NONE),) * 2


class Booted:
    """A boot with an agent that hibernates: what it told, the log, and what is on the disk in the end."""

    def __init__(self, folder, chosen=agents.DOZING, kind="good"):
        self.chosen, self.system = chosen, package.with_agents(chosen, folder)
        self.run = Transcript(bytes(range(32)), mending.names(chosen))
        with disk.attached(disk.DISKS[kind]) as (drive, contents):
            for line in start(self.system, self.run.key, *drive, **agents.PACE):
                self.run.take(line)
            self.contents = contents()
        self.log = Log(self.run.records)

    def bad(self, run=None, log=None, contents=None):
        """Return which rows are not as expected."""
        rows = dozing.rows_of_agents(run or self.run, log or self.log, self.chosen, contents or self.contents)
        return {row.attempt for row in rows if not row.good}


@pytest.fixture(scope="module")
def booted(tmp_path_factory):
    """Return the boot with the agent that hibernates."""
    return Booted(tmp_path_factory.mktemp("boot"))


def test_every_row_of_the_verdict_is_as_expected(booted):
    rows = dozing.verdict(booted.run, booted.system, booted.chosen, booted.contents)
    assert [row for row in rows if not row.good] == []


def test_each_step_is_refused_once_and_the_manager_is_killed_once_at_each():
    struck = {fault: {verb for verb, each in DOZER.naps if each == fault} for fault in Fault}
    assert struck[Fault.REFUSED] == struck[Fault.LOST] == set(agents.KEPT)
    assert struck[Fault.DROPPED] == {Verb.SNAPSHOT} and struck[Fault.ALTERED] == {Verb.READ}


def test_an_altered_byte_on_the_disk_is_noticed_unless_it_means_the_same(booted):
    last = dozing.receipts(booted.log)[-1]
    snapshot, noticed = dozing.unpacked(last, booted.contents), 0
    for at in range(last.at * SECTOR, last.at * SECTOR + last.packed):
        altered = bytearray(booted.contents)
        altered[at] ^= 1
        if dozing.unpacked(last, bytes(altered)) != snapshot:
            assert booted.bad(contents=bytes(altered)) == {"what is on the disk"}
            noticed += 1
    assert noticed > last.packed // 2


def test_a_receipt_that_the_log_does_not_tell_is_noticed(booted):
    log = copy.deepcopy(booted.log)
    calls = log.calls[mending.MANAGER]
    words = [at for at, record in enumerate(calls) if dozing.is_word(record)]
    for at in words[:7][::-1]:
        del calls[at]
    assert booted.bad(log=log) == {"receipts in the log"}


@pytest.mark.parametrize("number", range(len(DOZER.naps)))
def test_an_agent_that_sleeps_when_it_must_not_or_does_not_when_it_must_is_noticed(booted, number):
    run = copy.deepcopy(booted.run)
    line = [line for line in run.told[moving.MANAGER] if line[0] == "rested"][number]
    line[3] = "0" if line[3] != "0" else "1"
    (what,) = booted.bad(run)
    assert what.startswith("a nap in which")


def test_a_nap_that_is_missing_is_noticed(booted):
    run = copy.deepcopy(booted.run)
    lines = run.told[moving.MANAGER]
    lines.remove(next(line for line in lines if line[0] == "rested"))
    assert booted.bad(run) == {"its naps"}


def test_an_agent_whose_disk_takes_nothing_goes_on_and_loses_no_message(tmp_path):
    chosen = (replace(DOZER, naps=SHORT), agents.DOZING[1])
    refused = Booted(tmp_path, chosen, "read-only")
    assert dozing.rested(refused.run) == [0, 0]
    assert moving.refusals(refused.run, "rested") == [[Verb.WRITE]] * 2
    assert dozing.receipts(refused.log) == [] and not any(refused.contents)
    assert not {what for what in refused.bad() if "messages" in what or "outcome" in what or "numbers" in what}
