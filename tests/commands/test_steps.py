"""Does `make` take every step, the kernel before the proofs, announce the next steps, and end as its steps do?"""

import io
import re
import subprocess
import sys

import pytest
from rich.console import Console

from corollary.commands import cli, steps
from corollary.commands.exits import INTERRUPTED
from corollary.report.ledger import ROOT


@pytest.fixture(scope="module")
def short():
    """Return every step of `make`, with little to do."""
    return subprocess.run(
        [sys.executable, "-m", "corollary.commands.steps", "--short"], cwd=ROOT, capture_output=True, text=True
    )


def test_each_step_is_taken_and_ends_well(short):
    assert short.returncode == 0, short.stdout + short.stderr
    assert re.findall(r"^== corollary (\w+)", short.stdout, re.M) == [step.command.split()[0] for step in steps.STEPS]
    assert (
        len(re.findall(r"│ good +│", short.stdout)) == len(steps.STEPS)
        and "Traceback" not in short.stdout + short.stderr
    )


def test_the_kernel_has_its_verdict_before_anything_is_proved(short):
    assert "0 not as expected" in short.stdout.split("corollary verify")[0]


def test_make_takes_these_steps():
    makefile = (ROOT / "Makefile").read_text()
    assert re.search(r"^all:.*\n\t@\S+ -m corollary.commands.steps --begun", makefile, re.M) and re.search(
        r"^full:.*\n\t@\S+ -m corollary.commands.steps --full", makefile, re.M
    )


@pytest.mark.parametrize("step", steps.STEPS, ids=lambda step: step.command.split()[0])
@pytest.mark.parametrize("extent", ["", "short", "full"])
def test_each_step_is_a_command(step, extent):
    assert step.arguments(extent)[0] in {command.callback.__name__ for command in cli.app.registered_commands}


def taken(monkeypatch, codes):
    """Return the result and output of `main` when the steps end with these codes."""
    console, left = Console(file=io.StringIO(), width=160), iter(codes)
    monkeypatch.setattr(steps, "run", lambda arguments: next(left))
    monkeypatch.setattr(steps, "Console", lambda: console)
    return steps.main([]), console.file.getvalue()


def test_a_step_that_fails_does_not_keep_the_others_from_being_taken(monkeypatch):
    code, said = taken(monkeypatch, [0, 1, *[0] * (len(steps.STEPS) - 2)])
    assert code == 1 and said.count("==") == len(steps.STEPS) and "exit 1" in said


def test_each_step_says_how_long_it_takes_and_what_is_to_come(monkeypatch):
    said = taken(monkeypatch, [0] * len(steps.STEPS))[1]
    assert len(re.findall(r"^== .*, about \d+ (?:s|min)$", said, re.M)) == len(steps.STEPS)
    assert len(re.findall(r"^   then .*: about \d+ (?:s|min)$", said, re.M)) == len(steps.STEPS) - 1


def test_an_interrupted_step_is_the_last(monkeypatch):
    code, said = taken(monkeypatch, [0, INTERRUPTED])
    assert code == INTERRUPTED and said.count("==") == 2
