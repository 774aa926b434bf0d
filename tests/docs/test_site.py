"""Is the documentation built without a warning, complete, and whole when it is opened from disk?"""

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

import corollary
from corollary.commands import cli
from corollary.report.ledger import ROOT
from corollary.spec.kernel.hypercalls import OPERATIONS
from docs.values import MEMBERS, public
from tests.report.browser import opened

FETCHED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}
"""What a browser fetches by itself: the attribute that says where from, by tag."""
PATIENTLY = "--virtual-time-budget=20000"  # ms that scripts have before the page is looked at
QUESTION = "output+consistency"


def build(folder, *options):
    """Build the documentation strictly; return what was done."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder), *options]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=quiet, check=False)


class Page(HTMLParser):
    """A page as it was built: its anchors, the links on it, and what a browser fetches for it."""

    def __init__(self, path):
        super().__init__()
        self.path, self.anchors, self.links, self.fetched = path, {""}, [], []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        """Note what a tag names or leads to."""
        given = dict(attributes)
        self.anchors.add(given.get("id") or "")
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if given.get(FETCHED.get(tag)):
            self.fetched.append(given[FETCHED[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    done = build(folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site):
    """Every page by its path, without the one for links that lead nowhere, which only a server shows."""
    return {path: Page(path) for path in site.rglob("*.html") if path.name != "404.html"}


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
    broken = []
    for path, page in pages.items():
        for link in page.links:
            found = urlsplit(link)
            if not found.scheme:
                target = (path.parent / unquote(found.path)).resolve() if found.path else path
                leads = target in pages and unquote(found.fragment) in pages[target].anchors
                broken += [] if leads else [(path.name, link)]
    assert broken == [] and sum(len(page.links) for page in pages.values()) > len(pages)


def test_nothing_is_fetched_but_files_of_the_site(site, pages):
    for path, page in pages.items():
        for link in page.fetched:
            found = urlsplit(link)
            assert not found.scheme and (path.parent / unquote(found.path)).exists(), (path.name, link)
    for path in site.rglob("*.css"):
        assert not re.search(r"url\([\"']?(https?:)?//|@import", path.read_text()), path.name


def test_every_public_name_is_documented(site, pages):
    anchors = pages[site / "reference" / "python.html"].anchors
    assert sorted(public()) == sorted(corollary.__all__)
    assert {f"corollary.{name}" for name in corollary.__all__} <= anchors
    assert {f"corollary.{name}.{member}" for name, members in MEMBERS.items() for member in members} <= anchors


def test_every_command_and_every_operation_is_documented(site, pages):
    commands = {command.callback.__name__ for command in cli.app.registered_commands}
    assert {f"corollary-{name}" for name in commands} <= pages[site / "reference" / "commands.html"].anchors
    assert {declared.name for declared in OPERATIONS} <= pages[site / "reference" / "operations.html"].anchors


def test_the_search_works_from_disk(site, tmp_path):
    path = tmp_path / "asks.html"
    path.write_text(f'<script>location = "{(site / "index.html").as_uri()}?q={QUESTION}"</script>')
    seen = opened(path, tmp_path / "profile", PATIENTLY)
    assert re.search(r'href="[^"]*glossary\.html\?h=[^"]*#output-consistency"', seen.document), seen.document[-2000:]
    assert seen.console == ()


@pytest.mark.parametrize("options, scheme", [([], "default"), (["--force-dark-mode"], "slate")])
def test_a_page_is_dark_for_whom_it_should_be(site, tmp_path, options, scheme):
    seen = opened(site / "index.html", tmp_path / "profile", PATIENTLY, *options)
    assert f'data-md-color-scheme="{scheme}"' in seen.document and seen.console == ()
