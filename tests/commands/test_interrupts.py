"""Ctrl-C ends any command within a second, leaves no process behind, and loses nothing that was finished."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from wasmtime import wat2wasm

from codegen.workers import processes
from corollary.commands.start import INTERRUPTED, SIGNALED

ROOT = Path(__file__).resolve().parents[2]
PATIENT = 1.0       # s until a command has ended
TRIES = 3
ENDLESS = '(module (func (export "_start") (loop (br 0))))'


@pytest.fixture
def endless(tmp_path):
    """A module that never ends."""
    path = tmp_path / "endless.wasm"
    path.write_bytes(wat2wasm(ENDLESS))
    return path


def alive(session):
    """The processes of a session that have not ended."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(stat.parent.name)
    return found


def interrupted(command, after, cwd):
    """Start a command, interrupt it after so many seconds; its exit code, what it said, how long it took to end, who is left."""
    process = subprocess.Popen([sys.executable, "-m", "corollary.commands.start", *map(str, command)], cwd=cwd, text=True, start_new_session=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=os.environ | {"PYTHONPATH": str(ROOT)})
    time.sleep(after)
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    said = process.communicate()[0]
    took = time.monotonic() - start
    deadline = time.monotonic() + PATIENT
    while alive(process.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    return process.returncode, said, took, alive(process.pid)


@pytest.mark.parametrize("after", [1, 4])
@pytest.mark.parametrize("command", ["verify", "differential", "mutants", "qemu", "bench", "run"])
def test_a_command_ends_within_a_second(command, after, endless):
    for _ in range(TRIES):      # other tests run beside, and only add to what it takes
        code, said, took, left = interrupted([command, *([endless] if command == "run" else [])], after, ROOT)
        assert code in (INTERRUPTED, 0) and "Traceback" not in said, said     # a run that was through by then has ended well
        assert left == []
        if took < PATIENT:
            return
    raise AssertionError(f"it took {took:.1f} s to end")


def test_who_takes_the_steps_ends_the_one_that_runs():
    """Also where the signal reaches it alone, and not the step."""
    process = subprocess.Popen([sys.executable, "-m", "corollary.commands.steps"], cwd=ROOT, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while len(alive(process.pid)) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1)
    process.terminate()
    deadline = time.monotonic() + 5 * PATIENT       # the step ends after its parent, by itself
    while alive(process.pid) and time.monotonic() < deadline:
        process.poll()
        time.sleep(0.05)
    assert process.wait() == SIGNALED + signal.SIGTERM and alive(process.pid) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_request_to_end_is_heard_as_ctrl_c_is(number, endless):
    process = subprocess.Popen([sys.executable, "-m", "corollary.commands.start", "run", str(endless), "--invoke", "_start"], cwd=ROOT, text=True, start_new_session=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    time.sleep(3)
    process.send_signal(number)
    assert (process.communicate(timeout=20)[0], process.returncode) == ("interrupted\n", SIGNALED + number)


def sleeper():
    """A pool whose workers have started processes of their own, and a piece of work that never ends."""
    return ("import os, subprocess, sys, time\nfrom codegen.workers import processes\nfrom corollary.commands.start import ended\n"
            "def work():\n    subprocess.run(['sleep', '1000'])\n"
            "def main():\n    with processes(2) as pool:\n        print(pool.submit(work).result())\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_workers_do_not_outlive_who_began_them(number):
    process = subprocess.Popen([sys.executable, "-c", sleeper() + "sys.exit(ended(main))"], cwd=ROOT, start_new_session=True, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 20
    while len(alive(process.pid)) < 3 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(alive(process.pid)) >= 3
    process.send_signal(number)
    process.wait()
    time.sleep(PATIENT / 2)
    left = {pid: Path(f"/proc/{pid}/comm").read_text().strip() for pid in alive(process.pid)}
    for pid in left:
        os.kill(int(pid), signal.SIGKILL)
    # who is killed can end nobody: its workers end by themselves, what they have started goes on
    assert set(left.values()) <= ({"sleep"} if number == signal.SIGKILL else set())


def test_a_pool_that_is_left_by_an_exception_is_gone():
    with pytest.raises(RuntimeError), processes(2) as pool:
        job = pool.submit(time.sleep, 1000)
        time.sleep(0.2)
        raise RuntimeError
    assert job.done() or job.cancelled()
