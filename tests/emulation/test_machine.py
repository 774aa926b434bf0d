"""Is a machine that does not answer given up, with what it said last, and does none outlive who started it?"""

import mmap
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from corollary.emulation import installed, machine
from corollary.emulation.machine import PATIENCE, Server
from corollary.spec.kernel import memory_map


@pytest.fixture
def silent():
    """Return a server whose machine runs, and never answers."""
    server = Server(kernel="none")
    server.memory = mmap.mmap(-1, memory_map.MAILBOX.end - memory_map.RAM)
    server.console = tempfile.TemporaryFile()
    server.console.write(b"kernel: this is the last that it said")
    with server.console, subprocess.Popen(["sleep", "600"], text=True) as server.process:
        yield server
        server.process.kill()


def test_who_waits_for_a_command_in_vain_is_told_for_which(silent, monkeypatch):
    monkeypatch.setattr(machine, "LONGEST", 0.2)
    with pytest.raises(TimeoutError, match=r"RUN was not done within 0.2 s; .*: kernel: this is the last that it said"):
        silent.run([])


def test_a_machine_that_ended_is_not_waited_for(silent):
    silent.process.kill()
    with pytest.raises(RuntimeError, match="the kernel stopped: kernel: this is the last"):
        silent.reset()


STARTING = """
import subprocess
from corollary.emulation.installed import command
subprocess.run(command())
"""


@pytest.mark.skipif(shutil.which(installed.TIED[0]) is None, reason="only Linux ends what nobody is left to end")
def test_qemu_ends_though_who_started_it_was_killed(tmp_path):
    emulator = tmp_path / installed.QEMU
    emulator.write_text("#!/bin/sh\necho $$\nexec sleep 600\n")  # it says who it is once it is tied
    emulator.chmod(0o755)
    found = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    with subprocess.Popen([sys.executable, "-c", STARTING], stdout=subprocess.PIPE, env=found) as starting:
        emulated = int(starting.stdout.readline())
        starting.kill()
    deadline = time.monotonic() + PATIENCE
    while is_running(emulated):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def is_running(process):
    """Does a process still run? One that ended may stay until somebody asks how."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False
