"""Is a second run that would write the same files refused, by name, and only as long as the first one runs?"""

import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from corollary.emulation import exclusive, qemu
from corollary.emulation.exclusive import Busy, alone

HOLDS = """
import sys, time
from pathlib import Path
from corollary.emulation.exclusive import alone
with alone(Path(sys.argv[1])):
    print("holds", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def holder(tmp_path):
    """Return a process that writes the file `log`."""
    process = subprocess.Popen([sys.executable, "-c", HOLDS, tmp_path / "log"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "holds\n"
    with process:
        yield process
        process.kill()


@pytest.fixture
def boots(monkeypatch, tmp_path):
    """Return a list of the logs of the runs that were made; their results go to another folder, too."""
    logs, result = [], tmp_path / "qemu.json"
    monkeypatch.setattr(qemu, "result_of", lambda names: result)
    monkeypatch.setattr(qemu, "LOGS", {result: tmp_path / "usual"})
    monkeypatch.setattr(qemu, "run_demonstration", lambda console, everything, state, log: not logs.append(log))
    return logs


def test_a_second_run_is_refused_by_the_name_of_the_first(holder, boots, tmp_path, capsys):
    (tmp_path / "log").write_text("of the first")
    assert qemu.main(["--log", "log"], tmp_path) == 1 and boots == []
    said = "".join(capsys.readouterr().out.split("\n"))
    assert f"{tmp_path / 'log'} is being written by process {holder.pid}: -c {tmp_path / 'log'}" in said
    assert (tmp_path / "log").read_text() == "of the first"


def test_a_run_with_another_log_is_made(holder, boots, tmp_path):
    assert qemu.main(["--log", "other"], tmp_path) == 0 and boots == [tmp_path / "other"]


def test_a_run_with_the_same_result_or_the_same_state_is_refused(boots, tmp_path):
    for written in ("qemu.json", "usual", "state"):
        with alone(tmp_path / written):
            assert qemu.main(["--state", "state"], tmp_path) == 1 and boots == []
    assert qemu.main(["--state", "state"], tmp_path) == 0 and boots == [tmp_path / "usual"]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_the_lock_ends_with_the_process_however_that_ends(holder, boots, tmp_path, how):
    holder.send_signal(how)
    holder.wait()
    assert qemu.main(["--log", "log"], tmp_path) == 0 and boots == [tmp_path / "log"]
    assert not (tmp_path / "log.lock").exists()


def test_nothing_is_left_of_a_lock(tmp_path):
    with pytest.raises(KeyError), alone(tmp_path / "log", tmp_path / "more"):
        assert sorted(path.name for path in tmp_path.iterdir()) == ["log.lock", "more.lock"]
        raise KeyError
    assert [*tmp_path.iterdir()] == []


def test_of_two_files_none_is_held_when_one_is_being_written(tmp_path):
    with alone(tmp_path / "second"):
        with pytest.raises(Busy, match=f"second is being written by .*{shlex.quote(sys.argv[0])}"):
            with alone(tmp_path / "first", tmp_path / "second"):
                raise AssertionError
        with alone(tmp_path / "first"):
            assert (tmp_path / "first.lock").exists()


def test_a_lock_that_was_removed_after_it_was_opened_is_not_one(tmp_path, monkeypatch):
    """Who waits for nobody may still open a lock just before its holder removes it."""
    seen = []

    def removed_once(lock, file):
        if not seen:
            lock.unlink()
        seen.append(found := is_still(lock, file))
        return found

    is_still = exclusive.is_still
    monkeypatch.setattr(exclusive, "is_still", removed_once)
    with alone(tmp_path / "log"):
        assert seen == [False, True] and Path(tmp_path / "log.lock").exists()
        with pytest.raises(Busy), alone(tmp_path / "log"):
            raise AssertionError
