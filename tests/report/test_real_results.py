"""Can the real results of `verify` be opened in a browser, each obligation of every kind?"""

import json

import pytest

from corollary.model.kernel.component import KERNEL
from corollary.proofs import verify
from corollary.proofs.machine.obligations import BUILDS
from corollary.report import page as report
from corollary.report import things
from tests.report.browser import visit
from tests.report.site import broken, pages

LARGEST = 110  # bytes of the index for each obligation
pytestmark = pytest.mark.timeout(3600)  # s; without kept proofs the whole kernel is proved


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Return a folder with the real results of all obligations; existing proofs come from the cache."""
    folder = tmp_path_factory.mktemp("build")
    verify.write_result(verify.verify(KERNEL), 1.0, KERNEL, folder / "verify.json")
    return folder


@pytest.fixture(scope="module")
def rows(results):
    return json.loads((results / "verify.json").read_text())["obligations"]


@pytest.fixture(scope="module")
def index(results):
    return report.write(results / "report" / "index.html", results)


def test_every_real_obligation_can_be_opened(rows, index):
    site = pages(index.parent)
    assert broken(site) == []
    for row in rows:
        path, place = things.link(row).split("#")
        assert place in site[(index.parent / path).resolve()].places, row["id"]
    assert {f"image/{build}-stack" for build in BUILDS} <= {row["id"] for row in rows}


def test_all_that_is_proved_of_code_has_its_code_beside_it(rows):
    for thing in things.things(rows):
        code = (
            any(row["property"] in (things.CODE, "handler", "called") for row in thing.rows)
            and thing.kind != things.OTHER
        )
        assert ("Machine code" in dict(thing.panels)) == code, thing.name
        assert thing.panels or thing.kind == things.OTHER, thing.name


def test_the_index_is_small_and_opens_without_an_error(rows, index):
    assert index.stat().st_size < LARGEST * len(rows)
    with visit() as seen:
        page = seen.open(index)
        assert page.locator("tr").count() > len(BUILDS) and page.locator(".bytes path.byte0").count() > 0
        assert (seen.console, seen.fetched) == ([], [])
