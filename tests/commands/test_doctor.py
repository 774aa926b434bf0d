"""Does the doctor name what is missing, say how to get it, and name nothing else?"""

import json

import pytest

from typer.testing import CliRunner

from corollary.commands import doctor
from corollary.commands.cli import app


def asked(*arguments):
    return CliRunner().invoke(app, ["doctor", *arguments])


def named(what):
    return next(each for each in doctor.findings() if each.what == what)


def test_what_a_run_needs_is_looked_at():
    found = {each["what"]: each["verdict"] for each in json.loads(asked("--json").output)}
    assert found["qemu-system-aarch64"] == found["git"] == found["Python 3.11"] == "good"
    assert "missing" not in found.values()


def test_a_missing_program_is_named_with_what_installs_it(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    done = asked("--json")
    rows = {each["what"]: each for each in json.loads(done.output)}
    assert done.exit_code == 1
    assert rows["qemu-system-aarch64"]["verdict"] == "missing" and "apt-get install -y qemu-system-arm" in rows["qemu-system-aarch64"]["remedy"]
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


@pytest.mark.parametrize(("requirement", "verdict"), [("pytest>1", "good"), ("pytest==0.1", "missing"), ("no-such-package==1", "missing")])
def test_a_package_is_there_in_the_version_that_is_pinned_or_is_not(requirement, verdict):
    assert doctor.package(doctor.Requirement(requirement)).verdict == verdict


def test_packages_that_are_not_as_pinned_are_named_one_by_one(monkeypatch):
    monkeypatch.setattr(doctor.metadata, "requires", lambda name: ["pytest>1", "no-such-package==1", 'other==1; extra == "bench"'])
    found = list(doctor.packages())
    assert [each.what for each in found] == ["no-such-package==1", "2 packages"]
    assert [each.verdict for each in found] == ["missing", "missing"]


def test_what_is_not_installed_is_installed_by_make():
    assert [each.remedy for each in doctor.packages("no-such-distribution")] == ["make"]


def test_a_folder_that_cannot_be_written_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(doctor.os, "access", lambda path, mode: path != tmp_path)       # root may write everywhere
    assert doctor.writable(tmp_path / "build").verdict == "missing" and doctor.writable(tmp_path.parent).verdict == "good"


def test_too_little_memory_is_told_but_stops_nothing():
    assert doctor.room("memory", doctor.GIB, 4, "more").verdict == "optional"
    assert doctor.room("memory", 4 * doctor.GIB, 4, "more").verdict == "good"
