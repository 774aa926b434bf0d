"""Does the comparison of two results tell what changed, and only that?"""

import json

import pytest
from typer.testing import CliRunner

from corollary.commands import cli
from corollary.commands.exits import USAGE
from corollary.report import page, trend
from corollary.report.things import CODE
from tests.report.test_report import SYMBOL, row

ROUTE = {
    "vectors[8]": ["trap"],
    "trap": ["gate_dispatch"],
    "gate_dispatch": ["gate_perform"],
    "gate_perform": [SYMBOL],
    SYMBOL: [],
}


def code(count, padding=8):
    """Return the rows of the code on the way to `page_map`, each with so many instructions, and of the bytes."""
    mine = [
        row(f"{name}/{CODE}", 4, figures={"routes": [[count, 16, callees, True]]}) for name, callees in ROUTE.items()
    ]
    return [*mine, row(f"image/{CODE}-account", 5, figures={"kinds": {"padding": padding, "constants": 4}})]


def test_nothing_has_changed_between_a_result_and_itself():
    rows = [row("page_map/MEM-3"), *code(6)]
    found = trend.between(rows, rows)
    assert (found.results, found.added, found.gone, found.times, found.bounds, found.bytes, found.worse) == (
        [],
        [],
        [],
        [],
        [],
        [],
        [],
    )
    assert all(line[2:4] == line[4:6] for line in found.levels)


def test_what_changed_is_told():
    old = [
        row("page_map/MEM-3", seconds=1.0),
        row("page_map/MEM-4", seconds=1.0),
        row("page_map/MEM-5", result="unknown"),
    ]
    new = [row("page_map/MEM-3", seconds=9.0), row("page_map/MEM-5"), row("page_map/MEM-6", result="refuted")]
    found = trend.between(old, new)
    assert (found.added, found.gone) == (["page_map/MEM-6"], ["page_map/MEM-4"])
    assert found.results == [("page_map/MEM-5", "unknown", "proved")] and found.worse == []
    assert found.times == [("page_map/MEM-3", 1.0, 9.0)] and found.levels == [(3, "theorems", 2, 3, 2, 3)]
    assert trend.between(new, old).worse == ["page_map/MEM-5"]


def test_bounds_and_bytes_are_compared():
    found = trend.between(code(6), code(7, 16))
    assert found.bounds == [("page_map", "instructions", 30, 35)] and found.bytes == [("padding", 8, 16)]
    assert trend.between([], code(6)).bytes == []


@pytest.fixture
def in_folder(tmp_path, monkeypatch):
    """Results in a folder, and the command line at its root."""
    build = tmp_path / "build"
    build.mkdir()
    (build / "verify.json").write_text(
        json.dumps({"seconds": 1.0, "obligations": [row("page_map/MEM-3", result="unknown")]})
    )
    (tmp_path / "old.json").write_text(json.dumps({"seconds": 1.0, "obligations": [row("page_map/MEM-3")]}))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cli, "ROOT", tmp_path)
    return tmp_path


def test_the_command_compares_with_an_earlier_result(in_folder):
    done = CliRunner().invoke(cli.app, ["report", "--compare", "old.json"])
    assert done.exit_code == 0 and "proved -> unknown  page_map/MEM-3" in done.output, done.output
    assert (in_folder / page.TARGET).resolve().as_uri() in done.output
    assert "Proved before, and no longer" in (in_folder / page.TARGET).read_text()


def test_the_command_speaks_to_programs(in_folder):
    told = json.loads(CliRunner().invoke(cli.app, ["report", "--json", "--compare", "old.json"]).output)
    assert told["counts"]["unknown"] == 1 and told["trend"]["results"] == [["page_map/MEM-3", "proved", "unknown"]]


def test_an_earlier_result_that_is_damaged_is_refused(in_folder):
    (in_folder / "old.json").write_text("[]")
    done = CliRunner().invoke(cli.app, ["report", "--compare", "old.json"])
    assert done.exit_code == USAGE and "old.json" in done.output
