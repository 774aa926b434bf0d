"""Can a browser open a report of the real results of `verify`, for every kind of obligation?"""

import json
import re

import pytest

from corollary.proofs import verify
from corollary.proofs.machine.obligations import BUILDS
from corollary.report import page as report
from tests.report.browser import opened

FAILS = "<script>throw new Error('a script fails')</script>"


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Return a folder with the real results of all obligations; existing proofs come from the cache."""
    folder = tmp_path_factory.mktemp("build")
    verify.write_result(verify.verify(), 1.0, folder / "verify.json")
    return folder


@pytest.fixture(scope="module")
def page(results):
    return report.write(results / "report" / "index.html", results)


def test_every_real_obligation_is_in_the_report(results, page):
    wanted = [row["id"] for row in json.loads((results / "verify.json").read_text())["obligations"]]
    shown = json.loads(re.search(r"^const rows = (.*);$", page.read_text(), re.M).group(1))
    assert [row[0] for row in shown] == wanted
    assert {f"image/{build}-stack" for build in BUILDS} <= set(wanted)


def test_every_function_of_the_image_has_its_bounds(results):
    rows = json.loads((results / "verify.json").read_text())["obligations"]
    figures = {line["name"]: line for line in report.machine_code(rows)}
    assert figures.keys() == {
        row["operation"] for row in rows if row["property"] == report.CODE and row["level"] == report.MACHINE
    }
    assert all(line["assembly"] and line["stack"] is not None for line in figures.values())


def test_the_browser_runs_its_scripts_without_an_error(page, tmp_path):
    seen = opened(page, tmp_path)
    assert seen.console == () and seen.document.count("<tr") > len(BUILDS)


def test_an_error_of_a_script_would_be_seen(page, tmp_path):
    broken = tmp_path / "broken.html"
    broken.write_text(page.read_text().replace("</body>", f"{FAILS}</body>"))
    assert any("a script fails" in line for line in opened(broken, tmp_path / "profile").console)
