"""Do the README's instructions for newcomers work when applied to a copy of the tree as written?"""

import os
import re
import shutil
import subprocess
import sys

import pytest

from corollary.commands import cli
from corollary.report.ledger import ROOT
from proofs import cache
from tests.record.logs import run_trace

README = (ROOT / "README.md").read_text()
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "build", "__pycache__", ".hypothesis", ".pytest_cache")


def section(title):
    """Return the text below a heading."""
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def blocks(text, order):
    """Return `(path, code)` of each block marked by a note with an order such as `append to`."""
    return re.findall(rf"<!-- {order} (\S+) -->\n```python\n(.*?)```", text, re.S)


def shown(text, order):
    """Return `(command, expected lines)` of each transcript marked by a note."""
    for transcript in re.findall(rf"<!-- {order} -->\n```\n(.*?)```", text, re.S):
        for part in transcript.split("$ .venv/bin/corollary ")[1:]:
            command, *lines = part.splitlines()
            yield command.split(), [line for line in lines if line != "..."]


@pytest.fixture
def copy(tmp_path):
    target = tmp_path / "tree"
    shutil.copytree(ROOT, target, ignore=LEFT_OUT)
    if (ROOT / cache.FOLDER).exists():
        shutil.copytree(ROOT / cache.FOLDER, target / cache.FOLDER, ignore=shutil.ignore_patterns("tmp*"))    # other processes may be writing it
    return target


def corollary(tree, arguments):
    done = subprocess.run([sys.executable, "-m", "corollary.commands.cli", *arguments], cwd=tree, capture_output=True, text=True, env=wide())
    return done.returncode, done.stdout + done.stderr


def wide():
    """Return an environment in which lines are not broken and the copy finds only itself."""
    return os.environ | {"COLUMNS": "120", "PYTHONPATH": ""}


def check_in_order(text, lines):
    """Check that the output contains each expected line, in this order."""
    for line in lines:
        assert line.strip() in text, f"{line!r} is not in\n{text}"
        text = text.split(line.strip(), 1)[1]


def test_breaking_the_specification_is_shown_as_told(copy):
    told = section("Change the specification and watch a proof fail")
    (path, lines), = blocks(told, "remove from")
    source = (copy / path).read_text()
    assert source.count(lines) == 1
    (copy / path).write_text(source.replace(lines, ""))
    for command, expected in shown(told, "fails"):
        code, text = corollary(copy, command)
        assert code == 1, text
        check_in_order(text, expected)


def numbers(tree):
    """Return the number of each hypercall, as guests get it."""
    return dict(re.findall(r"(OPERATION_\w+) = (\d+)", (tree / "generated" / "guest" / "hypercall.h").read_text()))


def test_adding_an_operation_works_as_told(copy):
    parts = section("Add an operation").split("<!-- ")[1:]
    assert [part.split(" -->")[0] for part in parts] == [
        "append to spec/kernel/hypercalls.py", "append to model/kernel/partition.py", "fails", "append to spec/kernel/outcome/partition.py", "passes"]
    for part in parts:
        for path, code in blocks(f"<!-- {part}", "append to"):
            (copy / path).write_text((copy / path).read_text() + code)
        for order, wanted in (("fails", 1), ("passes", 0)):
            for command, expected in shown(f"<!-- {part}", order):
                code, text = corollary(copy, command)
                assert code == wanted, text
                check_in_order(text, expected)
    assert numbers(ROOT).items() < numbers(copy).items() and len(numbers(copy)) == len(numbers(ROOT)) + 1
    (copy / "old.log").write_bytes(run_trace(seed=5, steps=40).log)
    code, audited = corollary(copy, ["audit", "old.log"])
    assert code == 0 and "GOOD" in audited, audited
    found = (copy / "build" / "verify-only.json").read_text()
    assert " 0 failed, 0 unknown" in text and all(f"partition_inspect/{name}" in found for name in ("OK-iff", "ENSURES", "SETTLED"))
    assert "partition_inspect" in (copy / "generated" / "guest" / "hypercall.h").read_text()


def scripts():
    """Return each transcript that runs in place, with its expected output, by the heading above it."""
    for text in README.split("\n## ")[1:]:
        for number, transcript in enumerate(re.findall(r"<!-- runs -->\n```\n(.*?)```", text, re.S)):
            lines = re.split(r"(?<!\\)\n", transcript)
            commands = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
            yield pytest.param("\n".join(commands), [line.strip(".") for line in lines if line and line != "..." and not line.startswith("$ ")],
                               id=f"{text.splitlines()[0]}-{number}")


@pytest.mark.parametrize("commands, expected", [*scripts()])
def test_what_is_typed_gives_what_is_shown(commands, expected):
    done = subprocess.run(["bash", "-c", commands], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ | {"COLUMNS": "160"})
    assert "Traceback" not in done.stdout
    check_in_order(done.stdout, expected)


@pytest.mark.parametrize("code", re.findall(r"<!-- python -->\n```python\n(.*?)```", README, re.S))
def test_what_python_is_shown_runs(code):
    exec(compile(code, "README.md", "exec"), {})


def test_every_command_that_is_shown_is_run():
    """Every transcript in the README is run by a test, except those that a test applies to a copy."""
    blocks_ = re.findall(r"(<!-- [a-z]+(?: to [^\n]*| from [^\n]*)? -->\n)?```(\w*)\n(.*?)```", README, re.S)
    unmarked = [text for mark, language, text in blocks_ if not mark and language != "mermaid" and "corollary" in text]
    assert unmarked == []


def test_every_folder_and_file_that_is_named_exists():
    for path in re.findall(r"`([\w./]+/[\w./]*)`", README):
        if not path.startswith(("build", ".venv", "tests/counterexamples")):
            assert (ROOT / path).exists(), path


def test_every_command_exists():
    known = {command.callback.__name__ for command in cli.app.registered_commands}
    assert set(re.findall(r"corollary (\w+)", README)) - {"of", "import"} <= known
    targets = re.findall(r"^([\w ]+):", (ROOT / "Makefile").read_text(), re.M)
    known = {name for line in targets for name in line.split()}
    assert set(re.findall(r"`make (\w+)`", README)) <= known
