"""Does `make` take every step, the kernel before the proofs, announce the next steps, and end as its steps do?

Does it say what it took, and what it took the last time?
"""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from corollary.commands import cli, doctor, measured, steps
from corollary.commands.exits import INTERRUPTED
from corollary.commands.shapes import SHAPES, misfit
from corollary.commands.steps import COROLLARY, PYTEST, TARGETS, Took
from corollary.report.ledger import ROOT
from tests.told import alone, written

MAKE = TARGETS["make"]


@pytest.fixture(scope="module")
def short():
    """Return every step of `make`, with little to do."""
    with alone():
        return subprocess.run(
            [sys.executable, "-m", "corollary.commands.steps", steps.SHORT], cwd=ROOT, capture_output=True, text=True
        )


def test_each_step_is_taken_and_ends_well(short):
    assert short.returncode == 0, short.stdout + short.stderr
    assert re.findall(r"^== corollary (\w+)", short.stdout, re.M) == [each.name for each in MAKE]
    assert len(re.findall(r"│ good +│", short.stdout)) == len(MAKE) and "Traceback" not in short.stdout + short.stderr


def test_the_kernel_has_its_verdict_before_anything_is_proved(short):
    assert "0 not as expected" in short.stdout.split("corollary verify")[0]


def test_the_run_says_what_it_took_and_the_doctor_can_tell(short):
    pattern = r"^short took \d+ (?:s|min), [\d.]+ GiB of memory at most, and [\d.]+ GiB of disk \(build and \S+\)$"
    assert re.search(pattern, short.stdout, re.M), short.stdout
    took = steps.last(steps.SHORT)
    assert took.seconds > 5 and took.memory > 100 << 20 and took.disk > 100 << 20


@pytest.mark.parametrize(
    "command, file",
    [("verify", "verify-only"), ("qemu", "qemu"), ("differential", "differential"), ("mutants", "mutants-only")],
)
def test_each_result_has_the_shape_that_the_documents_show(short, command, file):
    assert misfit(SHAPES[command], json.loads((ROOT / "build" / f"{file}.json").read_text())) == ""


def test_the_makefile_takes_these_steps():
    makefile = (ROOT / "Makefile").read_text()
    assert re.search(r"^STEPS = \S+ -m corollary.commands.steps --begun", makefile, re.M)
    taken = dict(re.findall(r"^(\w+):.*\n\t@\$\(STEPS\) (\w+)$", makefile, re.M))
    assert taken == {"all": "make"} | {name: name for name in TARGETS if name not in ("make", steps.SHORT)}


@pytest.mark.parametrize("target", TARGETS)
def test_each_step_is_a_command(target):
    known = {command.callback.__name__ for command in cli.app.registered_commands}
    for each in TARGETS[target]:
        assert each.module == PYTEST or each.module == COROLLARY and each.name in known
        assert each.module == COROLLARY or all((ROOT / path).exists() for path in each.command if "/" in path)


def test_little_is_done_of_every_step_of_make():
    assert [each.name for each in TARGETS[steps.SHORT]] == [each.name for each in MAKE]


@pytest.fixture
def taken(monkeypatch, tmp_path):
    """Return a function that returns the result and output of `main` when the steps end with some codes."""
    monkeypatch.setattr(steps, "KEPT", tmp_path / "steps.json")
    monkeypatch.setattr(steps, "size_of", lambda folder: 3 << 30)

    def take(codes, target="make"):
        console, left = Console(file=io.StringIO(), width=160), iter(codes)
        monkeypatch.setattr(steps, "run", lambda each: next(left))
        monkeypatch.setattr(steps, "Console", lambda: console)
        return steps.main([target]), written(console)

    return take


def test_a_step_that_fails_does_not_keep_the_others_from_being_taken(taken):
    code, said = taken([0, 1, *[0] * (len(MAKE) - 2)])
    assert code == 1 and said.count("==") == len(MAKE) and "exit 1" in said and steps.last("make") is None


def test_each_step_says_how_long_it_takes_and_what_is_to_come(taken):
    said = taken([0] * len(MAKE))[1]
    assert len(re.findall(r"^== .*, about \d+ (?:s|min)$", said, re.M)) == len(MAKE)
    assert len(re.findall(r"^   then .*: about \d+ (?:s|min)$", said, re.M)) == len(MAKE) - 1


@pytest.mark.parametrize("target", TARGETS)
def test_the_next_run_says_how_long_the_last_one_took(taken, target):
    count = len(TARGETS[target])
    taken([0] * count, target)
    said = taken([0] * count, target)[1]
    assert len(re.findall(r"about \d+ (?:s|min) when nothing is kept, 0 s the last time$", said, re.M)) == 2 * count - 1
    assert steps.last(target).disk == 6 << 30


@pytest.mark.parametrize("text", ["", "{", "[]", '{"make": {}}', '{"make": {"took": {"seconds": 1}}}', '{"make": 3}'])
def test_what_was_kept_by_another_version_is_as_nothing(taken, text):
    steps.KEPT.write_text(text)
    assert steps.last("make") is None and steps.last_seconds("make", MAKE[0]) is None
    assert taken([0] * len(MAKE))[0] == 0 and steps.last("make")


def test_an_interrupted_step_is_the_last(taken):
    code, said = taken([0, INTERRUPTED])
    assert code == INTERRUPTED and said.count("==") == 2


def test_the_doctor_says_what_each_target_takes(taken, monkeypatch):
    monkeypatch.setattr(doctor, "IN_TREE", True)
    taken([0] * len(MAKE))
    found = {each["target"]: each for each in doctor.as_data([])["takes"]}
    assert found["make"]["last"]["disk"] == 6 << 30 and found["test"]["last"] is None
    console = Console(file=io.StringIO(), width=160)
    console.print(doctor.times())
    said = written(console)
    assert "make test" in said and "not run yet" in said and "6.0 GiB of disk" in said


# ---- what is measured


def test_the_memory_of_what_was_started_counts():
    program = "import time; kept = bytearray(200 << 20); time.sleep(4)"
    with measured.Memory(every=0.1) as memory:
        before = memory.most
        child = subprocess.Popen([sys.executable, "-c", f"import subprocess, sys; {program}"])
        child.wait()
    assert memory.most > max(before, 200 << 20)


def test_the_memory_of_others_does_not_count():
    assert {*measured.family(1)} > {*measured.family(os.getpid())}
    assert measured.memory_of(1 << 30) == 0


def test_a_file_with_two_names_counts_once(tmp_path):
    (tmp_path / "one").write_bytes(bytes(1 << 20))
    once = measured.size_of(tmp_path)
    Path(tmp_path / "other").hardlink_to(tmp_path / "one")
    assert once >= 1 << 20 and measured.size_of(tmp_path) == once
    (tmp_path / "link").symlink_to(tmp_path / "one")
    assert measured.size_of(tmp_path) < once + (1 << 16) and measured.size_of(tmp_path / "nowhere") == 0


def test_time_is_said_in_a_unit_that_fits():
    assert str(Took(90.2, 3 << 29, 1 << 30)) == "90 s, 1.5 GiB of memory at most, and 1.0 GiB of disk"
    assert str(Took(600.0, 0, 0)).startswith("10 min, ")
