"""What comes of instructions for newcomers? They are followed as written, in place or in a copy of the tree."""

import fcntl
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager

from corollary.codegen.build import BUILD
from corollary.proofs import cache
from corollary.report.ledger import ROOT
from docs import blocks  # pyright: ignore[reportAttributeAccessIssue] - not `tests/docs`

LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "build", "__pycache__", ".hypothesis", ".pytest_cache", "*.egg-info", "prebuilt"
)
EXITS = {"passes": 0, "fails": 1}
"""The exit code of each command in a transcript, by its mark."""


def copied(target):
    """Copy the tree, and the proofs that are kept; return the copy."""
    shutil.copytree(ROOT, target, symlinks=True, ignore=LEFT_OUT)
    if (ROOT / cache.FOLDER).exists():
        unfinished = shutil.ignore_patterns("tmp*")  # other processes may be writing
        shutil.copytree(ROOT / cache.FOLDER, target / cache.FOLDER, ignore=unfinished, copy_function=linked)
    return target


def linked(source, target):
    """Link a file, which is quicker than to copy it: what is kept is replaced as a whole, and never written to."""
    try:
        os.link(source, target)
    except OSError:  # another disk
        shutil.copy2(source, target)


def corollary(tree, arguments):
    """Run a command of a copy; return its exit code and its output."""
    command = [sys.executable, "-m", "corollary.commands.cli", *arguments]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, env=wide(), check=False)
    return done.returncode, done.stdout + done.stderr


def wide():
    """Return an environment in which lines are not broken and the copy finds only itself."""
    return os.environ | {"COLUMNS": "120", "PYTHONPATH": ""}


def check_in_order(text, parts):
    """Check that the output contains each expected text, in this order."""
    for part in parts:
        assert part in text, f"{part!r} is not in\n{text}"
        text = text.split(part, 1)[1]


def edit(tree, text):
    """Make every change to files of a copy that a text tells."""
    for path, lines in blocks.edits(text, "remove from"):
        source = (tree / path).read_text()
        assert source.count(lines) == 1
        (tree / path).write_text(source.replace(lines, ""))
    for path, code in blocks.edits(text, "append to"):
        (tree / path).write_text(f"{(tree / path).read_text()}\n\n{code}")


def follow(tree, text):
    """Type what the transcripts of a text tell in a copy, and check what they show; return the last output."""
    said = ""
    for block in blocks.blocks(text):
        for command, parts in blocks.commands(block.text) if block.mark in EXITS else ():
            code, said = corollary(tree, command)
            assert code == EXITS[block.mark], said
            check_in_order(said, parts)
    return said


@contextmanager
def alone():
    """Let no other test run a command in the root of the tree meanwhile: both would write the same results and logs."""
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / "alone").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def type_in(transcript):
    """Type what a transcript tells in the root of the tree, and check that it shows what is told."""
    typed, parts = blocks.script(transcript)
    with alone():
        done = subprocess.run(
            ["bash", "-c", typed],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | {"COLUMNS": "160"},
            check=False,
        )
    assert "Traceback" not in done.stdout
    check_in_order(done.stdout, parts)


def written(console) -> str:
    """Return what was written to a console whose file is in memory."""
    return console.file.getvalue()
