"""Is a machine that does not answer given up, and does one learn what it said last?"""

import mmap
import subprocess
import tempfile

import pytest

from corollary.emulation import machine
from corollary.emulation.machine import Server
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
