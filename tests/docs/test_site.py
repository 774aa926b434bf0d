"""Is the documentation built without a warning, complete, and whole when it is opened from disk?"""

import os
import re
import shutil
import subprocess
import sys

import pytest

import corollary
from corollary.commands import cli
from corollary.report.ledger import ROOT
from corollary.spec.kernel.hypercalls import OPERATIONS
from docs.values import MEMBERS, public  # pyright: ignore[reportMissingImports] - not `tests/docs`
from tests.report import site as sites
from tests.report.browser import visit

QUESTION = "output+consistency"


def build(folder, *options):
    """Build the documentation strictly; return what was done."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder), *options]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=quiet, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    done = build(folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site):
    """Every page by its path, without the one for links that lead nowhere, which only a server shows."""
    return {path: page for path, page in sites.pages(site).items() if path.name != "404.html"}


@pytest.mark.parametrize(
    "text, said",
    [
        ("[there](nowhere.md)", "nowhere.md"),
        ("[there](#nowhere)", "#nowhere"),
        ("{{ the('spec.nowhere') }}", "there is no spec.nowhere"),
        ("{{ nothing }}", "'nothing' is undefined"),
        ("<!-- refused -->\n```python\ndef f() -> None:\n    pass\n```", "not refused"),
    ],
)
def test_a_page_that_is_wrong_fails_the_build(tmp_path, text, said):
    shutil.copytree(ROOT / "docs", tmp_path / "docs", ignore=shutil.ignore_patterns("*.md"))
    (tmp_path / "docs" / "index.md").write_text(f"# A page\n\n{text}\n")
    (tmp_path / "mkdocs.yml").write_text(f"INHERIT: {ROOT}/mkdocs.yml\nnav: [index.md]\n")
    done = build(tmp_path / "site", "--config-file", str(tmp_path / "mkdocs.yml"))
    assert done.returncode != 0 and said in done.stdout + done.stderr, done.stderr


def test_every_link_leads_to_a_page_and_to_a_place_on_it(pages):
    assert sites.broken(pages) == [] and sum(len(page.links) for page in pages.values()) > len(pages)


def test_nothing_is_fetched_but_files_of_the_site(site, pages):
    assert [page.path.name for page in pages.values() for found in page.files() if not found.exists()] == []
    for path in site.rglob("*.css"):
        assert not re.search(r"url\([\"']?(https?:)?//|@import", path.read_text()), path.name


def test_every_public_name_is_documented(site, pages):
    anchors = pages[site / "reference" / "python.html"].places
    assert sorted(public()) == sorted(corollary.__all__)
    assert {f"corollary.{name}" for name in corollary.__all__} <= anchors
    assert {f"corollary.{name}.{member}" for name, members in MEMBERS.items() for member in members} <= anchors


def test_every_command_and_every_operation_is_documented(site, pages):
    commands = {command.callback.__name__ for command in cli.app.registered_commands}
    assert {f"corollary-{name}" for name in commands} <= pages[site / "reference" / "commands.html"].places
    assert {declared.name for declared in OPERATIONS} <= pages[site / "reference" / "operations.html"].places


def test_the_search_works_from_disk(site):
    with visit() as seen:
        page = seen.open(site / "index.html")
        page.goto(f"{page.url}?q={QUESTION}")
        page.wait_for_selector('a[href*="glossary.html?h="][href*="#output-consistency"]', state="attached")
        assert (seen.console, seen.fetched) == ([], [])


@pytest.mark.parametrize("dark, scheme", [(False, "default"), (True, "slate")])
def test_a_page_is_dark_for_whom_it_should_be(site, dark, scheme):
    with visit(dark=dark) as seen:
        seen.open(site / "index.html").wait_for_selector(f'body[data-md-color-scheme="{scheme}"]', state="attached")
        assert (seen.console, seen.fetched) == ([], [])
