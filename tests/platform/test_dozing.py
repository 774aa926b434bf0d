"""Does an agent come to a disk and back under QEMU whatever goes wrong, and would it be noticed if it did not?"""

import copy
import hashlib
from dataclasses import replace

import pytest

from corollary.emulation import agents, disk, dozing, mending, moving, package, rollback
from corollary.emulation.agents import Fault
from corollary.emulation.ending import Log
from corollary.emulation.machine import start
from corollary.emulation.verdict import Transcript
from corollary.spec.kernel.limits import SECTOR
from corollary.spec.manager.vocabulary import Status, Step, Verb

DOZER = agents.DOZING[0]
SHORT = ((Verb.NOTHING, Fault.NONE),) * 2
MUCH = "calls of more than its quota before it is stopped, by the log"


class Booted:
    """A boot with an agent that hibernates: what it told, the log, and what is on the disk in the end."""

    def __init__(self, folder, chosen=agents.DOZING, kind="good", attached=None):
        self.chosen, self.system = chosen, package.with_agents(chosen, folder)
        self.run = Transcript(bytes(range(32)), mending.names(chosen))
        with attached or disk.attached(disk.DISKS[kind]) as (drive, contents):
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


def refusal_of(receipt, old):
    """Return what becomes of an older block: the tasks that fail, and how the snapshot is not what the receipt says."""
    plain = dozing.unpacked_from(receipt, old)
    if len(plain) != receipt.plain:
        return [Verb.DECOMPRESS], []
    return [], [(Step.UNPACKING, Status.WRONG_HASH)] if hashlib.sha256(plain).digest() != receipt.hash else []


def older_or_another(number, old, new):
    """Return what was there before; after every second change, a block with another first literal instead."""
    if number % 2 == 0:
        return old
    at = 1 if new[0] >> 4 < 15 else next(at for at in range(1, len(new)) if new[at] < 255) + 1  # LZ4: after its number
    return new[:at] + bytes((new[at] ^ 1,)) + new[at + 1 :]


def test_a_snapshot_of_an_earlier_nap_is_refused_and_the_right_one_is_waited_for(tmp_path):
    """The disk gives back the block that was there before, which was good then, or another one of the same sizes."""
    chosen = (replace(DOZER, naps=SHORT * 2), agents.DOZING[1])
    memory = rollback.Memory(bytearray(disk.SIZE), older_or_another)
    booted = Booted(tmp_path, chosen, attached=rollback.attached(memory))
    (_, *receipts), given = dozing.receipts(booted.log), [old for _, old in memory.given]
    assert len(receipts) == len(given) == 3 and all(at == receipts[0].at * SECTOR for at, _ in memory.given)
    wanted = [refusal_of(receipt, old) for receipt, old in zip(receipts, given)]
    assert all(tasks or flaws for tasks, flaws in wanted) and ([], [(Step.UNPACKING, Status.WRONG_HASH)]) in wanted
    assert moving.refusals(booted.run, "rested") == [[], *(tasks for tasks, _ in wanted)]
    assert dozing.unfit(booted.run) == [flaw for _, flaws in wanted for flaw in flaws]
    assert booted.bad() == ({"a nap in which nothing goes wrong"} if any(tasks for tasks, _ in wanted) else set())
    assert all(ms > 0 for ms in dozing.rested(booted.run))


def test_an_agent_that_takes_too_much_is_hibernated_at_the_third_time_and_goes_on_later(tmp_path):
    greedy = Booted(tmp_path, agents.GREEDY)
    rows = dozing.verdict(greedy.run, greedy.system, greedy.chosen, greedy.contents)
    assert [row for row in rows if not row.good] == [] and MUCH in {row.attempt for row in rows}
    log = copy.deepcopy(greedy.log)
    (place,) = mending.partitions(greedy.run, 0)
    third = [record for record in log.calls[place] if dozing.is_greedy(record)][-1]
    third.sequence = len(greedy.run.records)  # as if the agent had been stopped at the second time
    assert greedy.bad(log=log) == {MUCH}


def test_a_disk_that_rolls_back_does_so_once_after_each_change():
    memory = rollback.Memory(bytearray(8))
    memory.write(0, b"one!")
    assert memory.read(0, 4) == b"one!" and memory.given == []
    memory.write(0, b"two!")
    assert [memory.read(0, 4) for _ in range(2)] == [b"one!", b"two!"] and memory.given == [(0, b"one!")]
    memory.write(0, b"two!")
    assert memory.read(0, 4) == b"two!" and memory.read(4, 4) == bytes(4)


def test_an_agent_whose_disk_takes_nothing_goes_on_and_loses_no_message(tmp_path):
    chosen = (replace(DOZER, naps=SHORT), agents.DOZING[1])
    refused = Booted(tmp_path, chosen, "read-only")
    assert dozing.rested(refused.run) == [0, 0]
    assert moving.refusals(refused.run, "rested") == [[Verb.WRITE]] * 2
    assert dozing.receipts(refused.log) == [] and not any(refused.contents)
    assert not {what for what in refused.bad() if "messages" in what or "outcome" in what or "numbers" in what}
