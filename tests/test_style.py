"""Is what people read laid out, spelled and imported as the rules of `pyproject.toml` say?"""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
COLUMNS = 120
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
    ".wasm",
    ".snapshot",
    ".png",
    "LICENSE",
)
"""Tables and addresses of Markdown have no second line, and what a line of a template says ends up in another file."""


def files():
    """Return the files of the tree that somebody wrote."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = [ROOT / name for name in listed.splitlines()]
    return [path for path in paths if path.is_file() and path.relative_to(ROOT).parts[0] != "generated"]


@pytest.mark.parametrize("order", [("check",), ("format", "--check")], ids=" ".join)
def test_ruff_has_nothing_to_say(order):
    done = subprocess.run([sys.executable, "-m", "ruff", *order, "."], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_what_runs_before_a_commit_passes_what_is_committed(hook):
    names = [] if hook.get("pass_filenames") is False else [str(path.relative_to(ROOT)) for path in of_kind(hook)]
    program, *options = hook["entry"].split()
    installed = Path(sys.executable).with_name(Path(program).name)
    done = subprocess.run([installed, *options, *names], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_hook_would_notice(tmp_path):
    (tmp_path / "wrong.py").write_text("import os\nx = {  'a':1}\n# t{}\n".replace("{}", "eh"))
    for hook in HOOKS:
        if hook.get("pass_filenames") is not False:
            command = [sys.executable, *hook["entry"].split()[1:], "wrong.py"]
            assert subprocess.run(command, cwd=tmp_path, capture_output=True).returncode != 0, hook["id"]


def of_kind(hook):
    """Return the files that a hook is given."""
    return [path for path in files() if hook["types"] != ["python"] or path.suffix == ".py"]


def test_words_are_spelled_as_in_a_dictionary():
    names = [str(path.relative_to(ROOT)) for path in files()]
    done = subprocess.run([sys.executable, "-m", "codespell_lib", *names], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_line_is_longer_than_a_screen():
    texts = [path for path in files() if not path.name.endswith(LAID_OUT_BY_ITSELF)]
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in texts
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > COLUMNS and " " in line.strip()
    ]
    assert texts and long == []
