"""Do the README's instructions for newcomers work when applied to a copy of the tree as written?"""

import re
import subprocess
from pathlib import Path

import pytest

from corollary.commands import cli
from corollary.report.ledger import ROOT
from docs.blocks import blocks, paths, section  # pyright: ignore[reportMissingImports] - not `tests/docs`
from tests.record.logs import run_trace
from tests.told import copied, corollary, edit, follow, type_in

README = (ROOT / "README.md").read_text()


@pytest.fixture
def copy(tmp_path):
    return copied(tmp_path / "tree")


@pytest.mark.full
def test_breaking_the_specification_is_shown_as_told(copy):
    told = section(README, "Change the specification and watch a proof fail")
    assert [block.mark for block in blocks(told)] == ["remove from model/kernel/capability.py", "fails", "fails"]
    edit(copy, told)
    follow(copy, told)


def numbers(tree):
    """Return the number of each hypercall, as guests get it."""
    return dict(re.findall(r"(OPERATION_\w+) = (\d+)", (tree / "generated" / "guest" / "hypercall.h").read_text()))


@pytest.mark.full
def test_adding_an_operation_works_as_told(copy):
    parts = section(README, "Add an operation").split("<!-- ")[1:]
    assert [part.split(" -->")[0] for part in parts] == [
        "append to spec/kernel/hypercalls.py",
        "append to model/kernel/partition.py",
        "fails",
        "append to spec/kernel/outcome/partition.py",
        "passes",
    ]
    released = copy / "spec" / "kernel" / "released" / "present.txt"  # as a release keeps it
    released.write_text((ROOT / "generated" / "reference" / "interface.txt").read_text())
    for part in parts:
        edit(copy, f"<!-- {part}")
        said = follow(copy, f"<!-- {part}")
    assert numbers(ROOT).items() < numbers(copy).items() and len(numbers(copy)) == len(numbers(ROOT)) + 1
    (copy / "old.log").write_bytes(run_trace(seed=5, steps=40).log)
    code, audited = corollary(copy, ["audit", "old.log"])
    assert code == 0 and "GOOD" in audited, audited
    found = (copy / "build" / "verify-only.json").read_text()
    assert " 0 failed, 0 unknown" in said and all(
        f"partition_inspect/{name}" in found for name in ("OK-iff", "ENSURES", "SETTLED")
    )
    assert "partition_inspect" in (copy / "generated" / "guest" / "hypercall.h").read_text()


def transcripts():
    """Return each transcript that runs in place, by the heading above it."""
    for text in README.split("\n## ")[1:]:
        for number, block in enumerate(block for block in blocks(text) if block.mark == "runs"):
            yield pytest.param(block.text, id=f"{text.splitlines()[0]}-{number}")


@pytest.mark.parametrize("transcript", [*transcripts()])
def test_what_is_typed_gives_what_is_shown(transcript):
    type_in(transcript)


@pytest.mark.parametrize("code", [block.text for block in blocks(README) if block.mark == "python"])
def test_what_python_is_shown_runs(code):
    exec(compile(code, "README.md", "exec"), {})


def test_every_command_that_is_shown_is_run():
    """Every transcript in the README is run by a test, except those that a test applies to a copy."""
    unmarked = [
        block.text
        for block in blocks(README)
        if not block.mark and block.language != "mermaid" and "corollary" in block.text
    ]
    assert unmarked == []


def test_every_folder_and_file_that_is_named_exists():
    assert [path for path in paths(README) if not (ROOT / path).exists()] == []


def folders(below):
    """Return the folders with files that git knows, next below a folder."""
    listed = subprocess.run(["git", "ls-files", below], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    depth = len(Path(below).parts)
    parts = {Path(name).parts[: depth + 1] for name in listed.splitlines() if len(Path(name).parts) > depth + 1}
    return {"/".join(each) + "/" for each in parts if not each[-1].startswith(".")}


def in_table(text, heading):
    """Return the folders that a table names in its first column."""
    table = text.split(f"| folder | {heading} |")[1].split("\n\n")[0]
    return {name for line in table.splitlines()[2:] for name in re.findall(r"`([^`]+)`", line.split("|")[1])}


def test_every_folder_has_a_line():
    """A folder is named itself, or by those below it."""
    named = {"/".join(Path(name).parts[:1]) + "/" for name in in_table(README, "question")}
    assert folders(".") - named == set()
    contributing = (ROOT / "CONTRIBUTING.md").read_text()
    assert folders("tests") == in_table(contributing, "what it asks")


def test_every_command_exists():
    known = {command.callback.__name__ for command in cli.app.registered_commands}
    assert set(re.findall(r"corollary (\w+)", README)) - {"of", "import"} <= known
    targets = re.findall(r"^([\w ]+):", (ROOT / "Makefile").read_text(), re.M)
    known = {name for line in targets for name in line.split()}
    assert set(re.findall(r"`make (\w+)`", README)) <= known
