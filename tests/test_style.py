"""Is what people read laid out, spelled and imported as the rules of `pyproject.toml` say?"""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
COLUMNS = 120
WRITTEN = ("generated", "typings")  # by a tool
LAID_OUT_BY_ITSELF = (
    ".j2",
    ".svg",
    ".md",
    ".txt",
    ".json",
    ".toml",
    ".wat",
    ".wast",
    ".bin",
    ".snapshot",
    ".wasm",
    ".png",
    "LICENSE",
)
"""Tables and addresses of Markdown have no second line, and what a line of a template says ends up in another file."""


def files():
    """Return the files of the tree that somebody wrote."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = [ROOT / name for name in listed.splitlines()]
    return [path for path in paths if path.is_file() and path.relative_to(ROOT).parts[0] not in WRITTEN]


def hooks():
    """Return what git runs before a commit, as its configuration says."""
    (ours,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    return ours["hooks"]


def command(hook):
    """Return the command of a hook, run by this Python; one that is given names gets those of all files."""
    program, *arguments = shlex.split(hook["entry"])
    assert program == ".venv/bin/python" and hook["language"] == "system"
    names = [str(path.relative_to(ROOT)) for path in files()] if hook.get("pass_filenames", True) else []
    return [sys.executable, *arguments, *names]


def marked(hook):
    """Return a hook as a parameter; `make check` and `make test` take one as a step of their own."""
    marks = [pytest.mark.full] if hook["id"] == "generated" else []
    return pytest.param(hook, id=hook["id"], marks=marks)


@pytest.mark.parametrize("hook", [*map(marked, hooks())])
def test_what_git_runs_before_a_commit_has_nothing_to_say(hook):
    done = subprocess.run(command(hook), cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_hook_is_left_out():
    assert {hook["id"] for hook in hooks()} == {"lint", "layout", "spelling", "types", "generated"}


def test_no_line_is_longer_than_a_screen():
    texts = [path for path in files() if not path.name.endswith(LAID_OUT_BY_ITSELF)]
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in texts
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > COLUMNS and " " in line.strip()
    ]
    assert texts and long == []


def prose(text):
    """Return the lines of Markdown that have words of people only, by number: no code, table, link or placeholder."""
    code = False
    for number, line in enumerate(text.splitlines(), 1):
        code ^= line.lstrip().startswith("```")
        if not code and not line.startswith("|") and "](" not in line and "{{" not in line and "}}" not in line:
            yield number, line


def test_no_line_of_prose_is_longer_than_a_screen():
    texts = [path for path in files() if path.suffix == ".md"]
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in texts
        for number, line in prose(path.read_text())
        if len(line) > COLUMNS
    ]
    assert texts and long == []


def test_prose_is_told_from_code_and_tables():
    text = "one\n```\ncode\n```\n| cell |\n[a](b)\ntwo {{ value }}\nthree\n"
    assert list(prose(text)) == [(1, "one"), (4, "```"), (8, "three")]
