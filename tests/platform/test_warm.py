"""Does the kernel start again after a failure, with its log kept, and is what nobody vouches for never believed?"""

import copy
import io

import pytest

from corollary.emulation import disk, failing, package
from corollary.emulation.machine import start
from corollary.emulation.verdict import log_of
from corollary.language.layout import decode
from corollary.record.audit import audit
from corollary.record.continued import gap
from corollary.spec.kernel.kept import DAMAGED
from corollary.spec.kernel.limits import RESTARTS, ROOT
from corollary.spec.kernel.state import WitnessRecord
from corollary.spec.kernel.vocabulary import Action

KEY = bytes(range(32))
pytestmark = pytest.mark.long


class Failed:
    """A machine that failed: what was booted, what it told, and the rows about it."""

    def __init__(self, kind):
        self.failure, self.system = failing.FAILURES[kind], package.with_lasting_agents()
        self.boots = failing.Boots(KEY)
        with disk.attached(disk.DISKS["good"]) as (drive, _), failing.failing(self.system, self.failure) as more:
            for line in start(self.system, KEY, *drive, *more, **failing.PACE):
                self.boots.take(line)

    def bad(self, boots=None):
        """Return which rows are not as expected."""
        rows = failing.verdict(boots or self.boots, self.system, self.failure)
        return {(row.who, row.attempt) for row in rows if not row.good}

    def audited(self):
        """Return the verdict of an audit of the log of each boot."""
        return [audit(io.BytesIO(log_of(run, self.system)), KEY) for run in self.boots.runs]

    def records(self, boot):
        """Return the records of a boot."""
        return [decode(data, WitnessRecord) for data in self.boots.runs[boot].records]


@pytest.fixture(scope="module")
def kernel():
    return Failed("kernel")


@pytest.fixture(scope="module")
def often():
    return Failed("often")


def test_after_a_fault_of_the_kernel_agents_go_on_from_their_snapshots(kernel):
    assert kernel.bad() == set()


def test_an_agent_that_begins_anew_is_noticed(kernel):
    changed = copy.deepcopy(kernel.boots)
    changed.runs[1].told[failing.FIRST_AGENT].insert(0, ["said", failing.LASTING[0].whole[0]])
    assert ("lasting", "it begins once, and goes on in each boot after that") in kernel.bad(changed)


def test_a_line_that_is_left_out_is_noticed(kernel):
    changed = copy.deepcopy(kernel.boots)
    said = [line for line in changed.runs[1].told[failing.FIRST_AGENT] if line[0] == "said"]
    for line in said[: len(said) // 2]:
        changed.runs[1].told[failing.FIRST_AGENT].remove(line)
    assert ("lasting", "what it says from boot to boot") in kernel.bad(changed)


def test_a_record_that_was_kept_otherwise_is_noticed(kernel):
    changed = copy.deepcopy(kernel.boots)
    changed.overlaps.append(False)
    assert kernel.bad(changed) == {("kernel", "records that were both drained and kept")}


def test_a_log_without_its_end_is_noticed(kernel):
    changed = copy.deepcopy(kernel.boots)
    del changed.runs[0].records[-1]
    assert ("kernel", "boot 0: hash chain of the drained log") in kernel.bad(changed)


def test_a_fault_of_root_starts_it_again_from_its_package():
    failed = Failed("root")
    assert failed.bad() == set()
    last = failed.records(0)[-1]
    assert (last.kind, last.actor) == (Action.TASK_TERMINATE, ROOT)


def test_three_restarts_are_all(often):
    assert often.bad() == set()
    assert len(often.boots.runs) == 1 + RESTARTS


def test_each_log_goes_on_from_the_one_before_and_from_no_other(often):
    found = often.audited()
    follows = {(a, b) for a in range(len(found)) for b in range(len(found)) if not gap(found[a], found[b])}
    assert follows == {(boot, boot + 1) for boot in range(RESTARTS)}


def test_a_log_of_the_right_number_from_another_machine_is_refused(kernel, often):
    assert "another SHA-256" in gap(kernel.audited()[0], often.audited()[1])


@pytest.mark.parametrize("kind", ["damaged", "forged"])
def test_what_was_changed_in_between_leads_to_a_cold_start_that_is_told(kind):
    failed = Failed(kind)
    assert failed.bad() == set()
    assert failed.audited()[1].information.restarts == DAMAGED
    assert "was damaged" in gap(failed.audited()[1], failed.audited()[1])
