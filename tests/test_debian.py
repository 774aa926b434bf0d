"""Is a package that is not installed fetched, and if that fails, does the message say what to do?"""

import subprocess

import pytest

from tests import debian
from tests.wasm.differential import PACKAGE, WASM_OPT


def test_what_is_installed_is_taken(monkeypatch, tmp_path):
    monkeypatch.setattr(debian, "INSTALLED", tmp_path)
    (tmp_path / "there").touch()
    assert debian.file("no-such-package", "there") == tmp_path / "there"


def test_what_is_not_installed_is_fetched_once(monkeypatch, tmp_path):
    monkeypatch.setattr(debian, "INSTALLED", tmp_path)
    monkeypatch.setattr(debian, "FETCHED", tmp_path / "fetched")
    found = debian.file(PACKAGE, WASM_OPT)
    assert "wasm-opt" in subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    monkeypatch.setenv("PATH", str(tmp_path))
    assert debian.file(PACKAGE, WASM_OPT) == found and [*(tmp_path / "fetched").iterdir()] == [
        tmp_path / "fetched" / PACKAGE
    ]


def test_what_does_not_exist_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(debian, "FETCHED", tmp_path)
    with pytest.raises(debian.PackageMissing, match="run `apt-get install -y no-such-package`\n.*no-such-package"):
        debian.file("no-such-package", "nowhere")
    assert not [*tmp_path.iterdir()]
