"""How does a command run in a process of its own that has imported the kernel already? Importing takes most of a run.

`python tests/commands/ahead.py` reads lines of JSON: a folder, the arguments of a command, where to find modules, and a
folder for what is printed. For each line it forks a process, which runs the command and ends as usual; and it prints
the exit code. No module of the folder is imported before the fork.
"""

import importlib
import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

from corollary.commands import start
from corollary.language import reads

WIDTH = {"COLUMNS": "160"}
MODULES = (
    "corollary.commands.cli",
    "corollary.codegen.__main__",
    "corollary.commands.trial",
    "corollary.proofs.verify",
    "corollary.proofs.steps",
    "corollary.proofs.mutants.model",
    "corollary.report.component",
)
"""What commands about a component import."""


class Ahead:
    """A process that runs commands in forks of itself."""

    def __init__(self, process, said):
        self.process, self.said = process, said

    def asked(self, folder, *arguments, paths):
        """Run a command in a folder; return its exit code and all that it prints."""
        self.process.stdin.write(json.dumps([str(folder), arguments, paths, str(self.said)]) + "\n")
        self.process.stdin.flush()
        code = int(self.process.stdout.readline())
        return code, "".join((self.said / name).read_text() for name in ("stdout", "stderr"))


@contextmanager
def begun(said, paths):
    """Begin a process that runs commands, and end it in the end. What they print comes into the folder `said`."""
    command, environment = [sys.executable, __file__], os.environ | WIDTH | {"PYTHONPATH": paths}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=environment, **pipes) as process:
        yield Ahead(process, said)
        process.stdin.close()


def serve():
    """Fork a process for each line. Returns in each of these, and at the end of the input."""
    for line in iter(sys.stdin.readline, ""):
        child = os.fork()
        if child == 0:
            become(*json.loads(line))
            return True
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
    return False


def become(folder, arguments, paths, said):
    """Make this process what `python -m corollary.commands.start` is in a folder, before it imports anything there."""
    os.chdir(folder)
    os.environ["PYTHONPATH"] = paths
    sys.path[:1] = [folder, *paths.split(os.pathsep)]
    sys.argv[1:] = arguments
    for number, name, flags in ((0, os.devnull, os.O_RDONLY), (1, "stdout", os.O_WRONLY), (2, "stderr", os.O_WRONLY)):
        opened = os.open(Path(said) / name, flags | (os.O_CREAT | os.O_TRUNC if flags else 0))
        os.dup2(opened, number)
        os.close(opened)
    reads.BEGAN = time.time()  # what is written from now on is written while the run goes on


if __name__ == "__main__":
    for name in MODULES:
        importlib.import_module(name)
    if serve():
        start.main()
