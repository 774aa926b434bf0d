"""Do the workers of a Dask cluster give the same rows? Is nothing lost when workers or their scheduler disappear?"""

import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console
from typer.testing import CliRunner

from corollary.commands.cli import app
from corollary.commands.exits import USAGE
from corollary.model.kernel.component import KERNEL
from corollary.proofs import cache, cluster, fingerprint, steps, verify
from corollary.proofs.machine import steps as machine

distributed = pytest.importorskip("distributed")
COMPARED = ("id", "level", "property", "operation", "result", "sentence", "assumptions", "solver", "reason")
STEP = "tool_release"
ONLY = f"{STEP}/CAP"


@pytest.fixture
def folders(monkeypatch, tmp_path):
    """Use a cache of its own. There is only one step, and no image is needed."""
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "proofs")
    monkeypatch.setattr(cache, "RUNNING", tmp_path / "running")
    monkeypatch.setattr(cache, "STOPPED", [])
    monkeypatch.setattr(machine, "build", lambda: None)
    monkeypatch.setattr(steps, "names", lambda component: [STEP])
    return tmp_path


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@contextmanager
def scheduler(workers=2):
    """Start a scheduler and some workers, each a process of its own without a nanny.

    Gives their address and the workers' processes.
    """
    address, environment = f"tcp://127.0.0.1:{free_port()}", os.environ | {"PYTHONPATH": str(fingerprint.ROOT)}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment, "cwd": fingerprint.ROOT}
    command = [
        sys.executable,
        "-m",
        "distributed.cli.dask_scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        address.rsplit(":")[-1],
        "--no-dashboard",
    ]
    first = subprocess.Popen(command, **quiet)
    others = [
        subprocess.Popen(
            [
                sys.executable,
                "-m",
                "distributed.cli.dask_worker",
                address,
                "--no-nanny",
                "--no-dashboard",
                "--nthreads",
                "1",
                "--death-timeout",
                "60",
            ],
            **quiet,
        )
        for _ in range(workers)
    ]
    try:
        with distributed.Client(address, timeout=60) as client:
            client.wait_for_workers(workers, 60)
        yield SimpleNamespace(address=address, process=first, workers=others)
    finally:
        for process in (first, *others):
            process.kill()
            process.wait()


def by_id(rows):
    return {row["id"]: {key: row[key] for key in COMPARED} for row in rows}


def said(action):
    """Return the result of an action, and its output."""
    console = Console(record=True, width=200, quiet=False, file=open(os.devnull, "w"))
    return action(console), console.export_text()


# ---- with real workers


def test_a_cluster_gives_the_same_rows_and_what_it_proves_is_kept_here(folders):
    with scheduler() as found:
        rows, text = said(lambda console: verify.verify_there(found.address, KERNEL, ONLY, console))
    assert "gone" not in text and "not used" not in text
    kept, _ = said(lambda console: verify.verify(KERNEL, ONLY, 2, console))
    assert by_id(kept) == by_id(rows) and all(row["cached"] for row in kept)
    for path in cache.FOLDER.iterdir():
        path.unlink()
    here, _ = said(lambda console: verify.verify(KERNEL, ONLY, 2, console))
    assert by_id(here) == by_id(rows) and {row["result"] for row in here} == {"proved"}


@pytest.mark.parametrize("whom", ["worker", pytest.param("scheduler", marks=pytest.mark.full)])
def test_what_is_lost_in_the_middle_is_decided_here(folders, monkeypatch, whom):
    monkeypatch.setattr(verify, "LOOK", 0.2)
    with scheduler() as found:
        usual, killed = cluster.There.submit, []

        def submit(worker, function, *arguments):
            future = usual(worker, function, *arguments)
            if function is verify.decide_rows and not killed:
                killed.append(found.process if whom == "scheduler" else named(found, worker))
                killed[0].send_signal(signal.SIGKILL)
            return future

        monkeypatch.setattr(cluster.There, "submit", submit)
        rows, text = said(lambda console: verify.verify_there(found.address, KERNEL, STEP + "/MEM-1", console))
    assert killed and "is gone: what it was busy with is decided here" in text
    here, _ = said(lambda console: verify.verify(KERNEL, STEP + "/MEM-1", 2, console))
    assert rows and by_id(rows) == by_id(here) and {row["result"] for row in rows} == {"proved"}


def named(found, worker):
    """Return the process of a worker."""
    port = worker.name.rsplit(":")[-1]
    for process in found.workers:
        listening = subprocess.run(["ls", "-l", f"/proc/{process.pid}/fd"], capture_output=True, text=True).stdout
        inodes = {line.split("socket:[")[1].rstrip("]") for line in listening.splitlines() if "socket:[" in line}
        if any(
            line.split()[1].endswith(f":{int(port):04X}") and line.split()[9] in inodes
            for line in open("/proc/net/tcp").readlines()[1:]
            if line.split()[3] == "0A"
        ):
            return process
    raise LookupError(worker.name)


# ---- without any


def test_where_nobody_listens_it_is_said_and_all_is_decided_here(folders, monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    address = f"tcp://127.0.0.1:{free_port()}"
    rows, text = said(lambda console: verify.verify_there(address, KERNEL, ONLY, console))
    assert {row["result"] for row in rows} == {"proved"}
    (line,) = [line for line in text.splitlines() if "scheduler" in line]
    assert line.startswith(f"no scheduler answers at {address}") and line.endswith("all is decided here")


def asked(where):
    """Return the command's exit code and output when there is nothing to verify."""
    done = CliRunner().invoke(app, ["verify", "--only", "nothing at all", "--dask", where])
    return done.exit_code, done.stderr


@pytest.mark.parametrize("where", ["local:", "local:none", "local:0", "local:-1"])
def test_a_number_of_workers_that_is_none_is_refused(where):
    assert asked(where) == (
        USAGE,
        f"--dask: {where} names no number of workers: write `local:4`, or the address of a scheduler\n",
    )


def test_without_the_extra_it_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    code, told = asked("tcp://127.0.0.1:1")
    assert code == USAGE and "pip install -e .[cluster] -c constraints.txt" in told


# ---- workers with other sources


class Answers:
    """A client of workers that each answer something when asked for their identity."""

    status = "running"

    def __init__(self, **answers):
        self.answers = answers

    def scheduler_info(self, n_workers):
        return {"workers": self.answers}

    def submit(self, function, option, workers, **more):
        def result(patience):
            if isinstance(self.answers[workers[0]], Exception):
                raise self.answers[workers[0]]
            return self.answers[workers[0]]

        return SimpleNamespace(result=result)

    def get_executor(self, **options):
        return SimpleNamespace(**options)


def test_a_worker_with_other_sources_is_refused_by_name_and_the_others_are_used(monkeypatch):
    monkeypatch.setattr(cluster, "identity", lambda: "mine")
    told = []
    client = Answers(
        same="mine",
        other="another",
        old=LookupError("corollary.spec.kernel.ring was written since the worker began: start it again"),
        bare=ModuleNotFoundError("No module named 'corollary.proofs'"),
    )
    found = list(cluster.usable(client, told.append))
    assert [worker.name for worker in found] == ["same"] and found[0].executor.workers == ["same"]
    assert told == [
        "other is not used: its sources are others than those here",
        "old is not used: LookupError: corollary.spec.kernel.ring was written since the worker began: start it again",
        "bare is not used: ModuleNotFoundError: No module named 'corollary.proofs'",
    ]


def test_asking_who_is_usable_leaves_the_callers_process_as_it_is(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    before = dict(os.environ)
    assert list(cluster.usable(Answers(other="another"), lambda why: None)) == []
    assert (Path.cwd(), dict(os.environ)) == (tmp_path, before)


def test_who_a_worker_is_changes_with_its_sources_and_with_what_it_decides_with(monkeypatch):
    first = cluster.identity()
    assert first == cluster.identity()
    for name, other in (("of_sources", lambda: "others"), ("of_code", lambda root: "another")):
        with monkeypatch.context() as patch:
            patch.setattr(fingerprint, name, other)
            assert cluster.identity() != first
    monkeypatch.setattr(fingerprint, "rewritten", lambda: ["corollary.spec.kernel.ring"])
    with pytest.raises(LookupError, match="corollary.spec.kernel.ring was written"):
        cluster.identity()


def test_a_worker_is_gone_when_its_scheduler_knows_it_no_more_or_does_not_answer():
    client = Answers(one="mine")
    worker = cluster.There(client, "one")
    assert not worker.is_gone()
    client.answers = {"two": "mine"}
    assert worker.is_gone()
    client.scheduler_info = lambda n_workers: (_ for _ in ()).throw(OSError("closed"))
    assert worker.is_gone()
    client.status = "closed"
    assert worker.is_gone()


def test_what_a_worker_kept_is_kept_here(folders):
    row = {"id": "step/A", "result": "proved", "seconds": 0.0}
    cache.remember("step/A", {("option", "AN_OPTION")}, row)
    answer = cluster.done(lambda: ([row, row | {"id": "step/B"}, row | {"id": "step/C", "result": "unknown"}], []))
    assert list(answer[1]) == ["step/A"] and json.loads(json.dumps(answer[1])) == answer[1]
    cache.path_of("step/A").unlink()
    assert cluster.There(Answers(one=""), "one").taken(answer) == answer[0] and cache.recall("step/A") == row
    assert cluster.done(lambda: ["step/A"]) == (["step/A"], {})
