"""What does a module say in a process of its own? One that does not end in time is killed, and has said nothing."""

import signal
import subprocess
import sys

from corollary.codegen.folders import ROOT

KILLED = -signal.SIGKILL  # as an exit code


def taken(module, *arguments, seconds):
    """Run a module with some arguments; return the completed process, with what it said."""
    command = [sys.executable, "-m", module, *arguments]
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, KILLED, "", "")
