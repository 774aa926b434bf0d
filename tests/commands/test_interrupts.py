"""Does Ctrl-C end any command within a second, leave no process behind, and lose no finished work?"""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from wasmtime import wat2wasm

from corollary.codegen.workers import processes
from corollary.commands.exits import INTERRUPTED, SIGNALED
from tests.told import alone

ROOT = Path(__file__).resolve().parents[2]
PATIENT = 1.0  # s within which a command must end
STUCK = 60  # s after which a command will not end any more
TELLS = {"PYTHONFAULTHANDLER": "1"}  # a process that is aborted says where each of its threads was
TRIES = 3
ENDLESS = '(module (func (export "_start") (loop (br 0))))'


@pytest.fixture
def endless(tmp_path):
    """Return a module that never ends."""
    path = tmp_path / "endless.wasm"
    path.write_bytes(wat2wasm(ENDLESS))
    return path


def alive(session):
    """Return the processes of a session that have not ended."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(stat.parent.name)
    return found


def output(process):
    """Return what a process says until it has ended; one that is stuck is aborted, and says where it was."""
    with suppress(subprocess.TimeoutExpired):
        return process.communicate(timeout=STUCK)[0]
    process.send_signal(signal.SIGABRT)
    return process.communicate()[0]


def begun(command, cwd):
    """Start a command in a session of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "corollary.commands.start", *map(str, command)],
        cwd=cwd,
        text=True,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=os.environ | TELLS | {"PYTHONPATH": str(ROOT)},
    )


def ended(process):
    """Interrupt a command.

    Returns its exit code, its output from then on, the time that it took to end, and the processes left behind.
    """
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    said = output(process)
    took = time.monotonic() - start
    deadline = time.monotonic() + PATIENT
    while alive(process.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    return process.returncode, said, took, alive(process.pid)


def interrupted(command, after, cwd):
    """Start a command and interrupt it after this many seconds; return what `ended` does."""
    process = begun(command, cwd)
    time.sleep(after)
    return ended(process)


def test_both_machines_end_with_the_command_that_boots_them():
    process = begun(["qemu", "--agents", "traveller", "--wire", "good", "--moves", "1000"], ROOT)
    for _ in range(2):
        assert any("invariants hold" in line for line in process.stdout)
    code, said, _, left = ended(process)
    assert (code, left) == (INTERRUPTED, []), said


@pytest.mark.parametrize("after", [1, pytest.param(4, marks=pytest.mark.full)])
@pytest.mark.parametrize("command", ["verify", "differential", "mutants", "qemu", "bench", "run"])
def test_a_command_ends_within_a_second(command, after, endless):
    for _ in range(TRIES):  # other tests run at the same time and can only add to the time
        with alone():
            code, said, took, left = interrupted([command, *([endless] if command == "run" else [])], after, ROOT)
        assert code in (INTERRUPTED, 0) and "Traceback" not in said, (
            said
        )  # a run that was already through has ended well
        assert left == []
        if took < PATIENT:
            return
    raise AssertionError(f"it took {took:.1f} s to end")


def test_who_takes_the_steps_ends_the_one_that_runs():
    """This also holds when the signal reaches only this process, and not the step."""
    process = subprocess.Popen(
        [sys.executable, "-m", "corollary.commands.steps"],
        cwd=ROOT,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while len(alive(process.pid)) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1)
    process.terminate()
    deadline = time.monotonic() + 5 * PATIENT  # the step ends by itself, after its parent
    while alive(process.pid) and time.monotonic() < deadline:
        process.poll()
        time.sleep(0.05)
    assert process.wait() == SIGNALED + signal.SIGTERM and alive(process.pid) == []


def test_ctrl_c_ends_what_a_compiler_has_started():
    """The signal reaches only this process, and neither the compiler nor its linker."""
    compiler = ["sh", "-c", "sleep 1000 & sh -c 'sleep 1000 & wait' & wait"]
    process = subprocess.Popen(
        [sys.executable, "-c", f"from corollary.codegen.build import run\nrun({compiler})"],
        cwd=ROOT,
        text=True,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    deadline = time.monotonic() + 20
    while list(names(process.pid).values()).count("sleep") < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(alive(process.pid)) == 5  # and thus something could be left
    _, said, _, left = ended(process)
    assert "KeyboardInterrupt" in said and left == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_request_to_end_is_heard_as_ctrl_c_is(number, endless):
    process = subprocess.Popen(
        [sys.executable, "-m", "corollary.commands.start", "run", str(endless), "--invoke", "_start"],
        cwd=ROOT,
        text=True,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    time.sleep(3)
    process.send_signal(number)
    assert (process.communicate(timeout=20)[0], process.returncode) == ("interrupted\n", SIGNALED + number)


def names(session):
    """Return the names of the living processes of a session by process id."""
    found = {}
    for pid in alive(session):
        with suppress(FileNotFoundError, ProcessLookupError):  # it has ended since
            found[pid] = Path(f"/proc/{pid}/comm").read_text().strip()
    return found


def sleeper():
    """Return a program with a pool whose workers start processes of their own and whose work never ends."""
    return (
        "import os, subprocess, sys, time\n"
        "from corollary.codegen.workers import processes\nfrom corollary.commands.start import ended\n"
        "def work():\n    subprocess.run(['sleep', '1000'])\n"
        "def main():\n    with processes(2) as pool:\n        print(pool.submit(work).result())\n"
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_workers_do_not_outlive_who_began_them(number, tmp_path):
    told = tmp_path / "told"  # a pipe would stay open as long as what a killed worker had started
    with told.open("w") as file:
        process = subprocess.Popen(
            [sys.executable, "-c", sleeper() + "sys.exit(ended(main))"],
            cwd=ROOT,
            start_new_session=True,
            stderr=file,
            env=os.environ | TELLS,
        )
    deadline = time.monotonic() + 20
    while len(alive(process.pid)) < 3 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(alive(process.pid)) >= 3
    process.send_signal(number)
    with suppress(subprocess.TimeoutExpired):
        process.wait(STUCK)
    process.send_signal(signal.SIGABRT)  # nothing, if it has ended
    assert process.wait() == (-number if number == signal.SIGKILL else INTERRUPTED), told.read_text()
    # A killed process can end no other: its workers end by themselves, and the processes they started go on
    allowed = {"sleep"} if number == signal.SIGKILL else set()
    deadline = time.monotonic() + 20
    while not set((left := names(process.pid)).values()) <= allowed and time.monotonic() < deadline:
        time.sleep(0.05)
    for pid in left:
        os.kill(int(pid), signal.SIGKILL)
    assert set(left.values()) <= allowed


def test_ctrl_c_while_workers_begin_leaves_none_behind():
    for _ in range(5):
        process = subprocess.Popen(
            [sys.executable, "-c", sleeper() + "sys.exit(ended(main))"],
            cwd=ROOT,
            start_new_session=True,
            stderr=subprocess.DEVNULL,
        )
        while len(alive(process.pid)) < 2 and process.poll() is None:
            pass
        process.send_signal(signal.SIGINT)
        assert process.wait(STUCK) == INTERRUPTED
        deadline = time.monotonic() + 5 * PATIENT
        while (left := alive(process.pid)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not left


def test_a_pool_that_is_left_by_an_exception_is_gone():
    with pytest.raises(RuntimeError), processes(2) as pool:
        job = pool.submit(time.sleep, 1000)
        time.sleep(0.2)
        raise RuntimeError
    assert job.done() or job.cancelled()
