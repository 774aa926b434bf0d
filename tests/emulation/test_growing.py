"""Does the file of a run hold the log at every moment as far as the records came, and the whole log at its end?"""

import io

import pytest

from corollary.emulation import growing
from corollary.emulation.growing import GrowingLog, complete
from corollary.emulation.verdict import Transcript, log_of
from corollary.record.audit import audit
from corollary.record.follow import Log
from corollary.record.witness_log import SEAL, UNIT
from corollary.spec.kernel.memory_map import PHASES
from tests.record.test_audit import sealed_run

SYSTEM = "of the run"


@pytest.fixture
def run(monkeypatch):
    """Return an empty transcript whose boot information is that of a run with a checkpoint, and that run."""
    whole, checkpoint, sequence = sealed_run()
    monkeypatch.setattr("corollary.emulation.verdict.information", lambda run, system: whole.information)
    return Transcript(bytes(32)), whole.records, checkpoint, sequence


def measured(run):
    """Let the kernel tell all that it measured."""
    run.said += [["measurement", str(phase), 64 * "0"] for phase in range(PHASES)]


def test_a_file_is_at_every_moment_the_log_so_far(run, tmp_path):
    run, records, checkpoint, sequence = run
    path = tmp_path / "run.log"
    path.write_bytes(b"of an earlier run")
    file = GrowingLog(run, SYSTEM, path)
    run.records.append(records[0])
    assert not file.grow() and path.read_bytes() == b"of an earlier run"
    measured(run)
    assert file.grow() and not file.grow()
    with Log(path) as log:
        told = [*log.records()]
        for number, record in enumerate(records[1:], 1):
            run.checkpoints += [checkpoint] if number == sequence else []
            run.records.append(record)
            assert not file.grow()
            told += log.records()
            assert [each.sequence for each in told] == [*range(number + 1)] and log.verdict.good
        complete(run, SYSTEM, path)
        assert [*log.records()] == [] and log.over and log.verdict.good and log.verdict.seals == 1
    assert path.read_bytes() == log_of(run, SYSTEM) and audit(io.BytesIO(path.read_bytes())).good


def test_a_checkpoint_that_comes_late_is_put_where_it_belongs_at_the_end(run, tmp_path):
    run, records, checkpoint, sequence = run
    file = GrowingLog(run, SYSTEM, path := tmp_path / "run.log")
    measured(run)
    for record in records:
        run.records.append(record)
        file.grow()
    run.checkpoints.append(checkpoint)
    before = path.read_bytes()
    complete(run, SYSTEM, path)
    assert not path.read_bytes().startswith(before) and path.read_bytes() == log_of(run, SYSTEM)
    assert audit(io.BytesIO(path.read_bytes())).seals == 1 and len(checkpoint) == SEAL and sequence < len(records)


def test_what_is_complete_is_not_written_twice(run, tmp_path, monkeypatch):
    run, records, _, _ = run
    measured(run)
    run.records += records
    complete(run, SYSTEM, path := tmp_path / "a folder" / "run.log")
    data = path.read_bytes()
    monkeypatch.setattr(growing, "write_whole", None)
    complete(run, SYSTEM, path)
    assert path.read_bytes() == data and len(data) % UNIT == 0
