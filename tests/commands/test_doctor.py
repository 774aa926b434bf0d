"""Does the doctor name what is missing, say how to get it, and name nothing else?"""

import json
import subprocess
import sys
from importlib import metadata

import pytest
from typer.testing import CliRunner

from corollary.commands import doctor
from corollary.commands.cli import app


def asked(*arguments):
    return CliRunner().invoke(app, ["doctor", *arguments])


def named(what):
    return next(each for each in doctor.findings() if each.what == what)


def test_what_a_run_needs_is_looked_at():
    found = {each["what"]: each["verdict"] for each in json.loads(asked("--json").output)["findings"]}
    assert found["qemu-system-aarch64"] == found["git"] == found["Python >=3.11"] == "good"
    assert "missing" not in found.values()


def test_a_missing_program_is_named_with_what_installs_it(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    done = asked("--json")
    rows = {each["what"]: each for each in json.loads(done.output)["findings"]}
    assert done.exit_code == 1
    assert (
        rows["qemu-system-aarch64"]["verdict"] == "missing"
        and "apt-get install -y qemu-system-arm" in rows["qemu-system-aarch64"]["remedy"]
    )
    assert rows["chromium"]["verdict"] == "optional"


def test_the_table_says_the_same(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "240")
    done = asked()
    assert done.exit_code == 1 and "apt-get install -y qemu-system-arm" in done.output and "missing" in done.output


@pytest.mark.parametrize("text", ["no program", "#!/bin/sh\nexit 3\n"])
def test_a_program_that_does_not_run_is_told(monkeypatch, tmp_path, text):
    (tmp_path / "git").write_text(text)
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "does not run" in named("git").found and named("git").verdict == "missing"


@pytest.mark.parametrize(
    ("requirement", "verdict"), [("pytest>1", "good"), ("pytest==0.1", "missing"), ("no-such-package==1", "missing")]
)
def test_a_package_is_there_in_the_version_that_is_pinned_or_is_not(requirement, verdict):
    assert doctor.package(doctor.Requirement(requirement)).verdict == verdict


def test_packages_that_are_not_as_pinned_are_named_one_by_one():
    texts = "pytest>1", "no-such-package==1", 'other==1; extra == "bench"'
    found = list(doctor.packages(map(doctor.Requirement, texts)))
    assert [each.what for each in found] == ["no-such-package==1", "2 packages"]
    assert [each.verdict for each in found] == ["missing", "missing"]


def test_packages_of_an_extra_are_named_with_what_needs_them():
    texts = "pytest>1", 'no-such-package==1; extra == "verify"', 'other==1; extra == "bench"'
    missing, counted = doctor.packages(list(map(doctor.Requirement, texts)), "verify", "verify")
    assert (missing.what, missing.needed_for, counted.what) == ("no-such-package==1", "verify", "1 packages")
    assert missing.remedy.endswith("-m pip install no-such-package==1")


def test_where_only_the_package_is_installed_nothing_of_the_tree_is_asked_for(monkeypatch):
    monkeypatch.setattr(doctor, "IN_TREE", False)
    assert {each.needed_for for each in doctor.findings()} == {"everything", "results and caches"}


def test_what_is_not_installed_is_installed_by_make():
    (found,) = doctor.distribution("no-such-distribution")
    assert (found.verdict, found.found, found.remedy) == ("missing", "not installed", "make")


def test_the_distribution_says_which_python_it_needs(monkeypatch):
    monkeypatch.setattr(doctor.metadata, "metadata", lambda name: {"Requires-Python": ">=3.99"})
    assert named("Python >=3.99").verdict == "missing"


def test_the_doctor_runs_without_the_packages_that_it_looks_for():
    program = "import sys, corollary.commands.doctor; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    owners = metadata.packages_distributions()
    required = {doctor.Requirement(text).name for text in metadata.requires("corollary")}
    used = {owner for name in loaded for owner in owners.get(name, ())}
    hooked = {"corollary", "setuptools"}  # what every environment loads
    assert used & required <= {"lazy_loader", "packaging", "rich", *hooked}


def test_a_folder_that_cannot_be_written_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(doctor.os, "access", lambda path, mode: path != tmp_path)  # root may write everywhere
    assert (
        doctor.writable(tmp_path / "build").verdict == "missing" and doctor.writable(tmp_path.parent).verdict == "good"
    )


def test_too_little_memory_is_told_but_stops_nothing():
    assert doctor.room("memory", doctor.GIB, 4, "more").verdict == "advised"
    assert doctor.room("memory", 4 * doctor.GIB, 4, "more").verdict == "good"
