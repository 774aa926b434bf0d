"""Does the report work in a browser, from disk: with keys, on a phone, by day and by night?"""

import asyncio
import json
from dataclasses import asdict

import pytest

from corollary.proofs.machine.obligations import decide_account
from corollary.report import things
from tests.report.browser import PHONE, visit
from tests.report.test_report import MUTANTS, many_rows, written

FAILS = "<script>throw new Error('a script fails')</script>"
SHOWN = (
    "index.html",
    "mutants.html",
    "thing/page_map.html",
    "thing/capability_grant.html",
    "thing/vectors-8.html",
    "thing/any-state.html",
    "promise/MEM-1.html",
)
FOCUSED = "document.activeElement"


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("build")
    (folder / "mutants.json").write_text(json.dumps({"sources": "", "mutants": [asdict(mutant) for mutant in MUTANTS]}))
    (folder / "qemu.json").write_text(json.dumps({"image_sha256": "a" * 64, "verdict": []}))
    account = asdict(decide_account(things.CODE)) | {"counterexample": None}
    return written(folder, [*many_rows(), account], {"obligations": many_rows()[9:], "seconds": 1.0})


def test_others_may_run_a_loop_of_their_own_between_visits(index):
    async def nothing():
        return True

    for _ in range(2):
        with visit() as seen:
            assert "Corollary" in seen.open(index).title()
        assert asyncio.run(nothing())


@pytest.fixture(scope="module")
def wide():
    with visit() as seen:
        yield seen


@pytest.fixture
def seen(wide):
    """A visitor to whom nothing was said yet, and to whom nothing but what the test expects may be said."""
    wide.console.clear()
    yield wide
    assert wide.console == [] and wide.fetched == []


@pytest.mark.parametrize("dark", [False, True])
def test_pages_fit_a_phone_by_day_and_by_night(index, dark):
    with visit(PHONE, dark) as phone:
        for name in SHOWN:
            page = phone.open(index.parent / name)
            assert not phone.scrolls_sideways(), name
            ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert (max(map(int, ground.strip("rgb()").split(","))) < 80) == dark, (name, ground)
        assert (phone.console, phone.fetched) == ([], [])


def test_the_ledger_can_be_read_on_a_phone(index):
    with visit(PHONE) as phone:
        page = phone.open(index)
        rows = page.eval_on_selector_all(
            "table.stacked", "tables => tables.flatMap(one => [...one.rows].map(row => row.scrollWidth))"
        )
        widest = page.eval_on_selector_all(".stacked td", "cells => Math.max(...cells.map(one => one.scrollWidth))")
        assert rows and widest <= PHONE[0]


def test_what_a_box_of_the_picture_says_is_inside_it(index, seen):
    page = seen.open(index)
    outside = page.eval_on_selector_all(
        "svg.trust g",
        """boxes => boxes.filter(box => {
          const edge = box.querySelector("rect").getBBox();
          const end = shape => shape.x + shape.width;
          return [...box.querySelectorAll("text")].some(text => end(text.getBBox()) > end(edge));
        }).map(box => box.dataset.key)""",
    )
    assert outside == []


def test_a_page_that_is_too_wide_would_be_seen(index, tmp_path):
    (tmp_path / "wide.html").write_text(
        '<meta name="viewport" content="width=device-width"><div style="width: 900px">x</div>'
    )
    with visit(PHONE) as phone:
        phone.open(tmp_path / "wide.html")
        assert phone.scrolls_sideways()


def test_the_search_finds_and_opens_with_keys_alone(index, seen):
    page = seen.open(index)
    page.keyboard.press("/")
    page.keyboard.type("page_map prop-3")
    page.wait_for_selector("#hits li")
    assert "found" in page.inner_text("#search [role=status]")
    assert page.inner_text("#hits li[aria-selected=true] a") == "page_map/PROP-3"
    page.keyboard.press("ArrowDown")
    second = page.inner_text("#hits li[aria-selected=true] a")
    assert (
        second != page.inner_text("#hits li:first-child a")
        and page.get_attribute("#search input", "aria-activedescendant") == "hit-1"
    )
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url("**/thing/page_map.html#page_map/PROP-3")
    page.wait_for_selector("details[open] summary:focus")
    assert page.evaluate(f"{FOCUSED}.id") == "page_map/PROP-3"


def test_the_search_is_closed_by_escape_and_gives_the_focus_back(index, seen):
    page = seen.open(index.parent / "thing/page_map.html")
    page.focus("nav a")
    page.keyboard.press("/")
    assert page.evaluate(f"{FOCUSED}.type") == "search"
    page.keyboard.press("Escape")
    assert not page.evaluate("document.getElementById('search').open") and page.evaluate(f"{FOCUSED}.matches('nav a')")


def test_a_slash_in_a_field_is_a_slash(index, seen):
    page = seen.open(index)
    page.focus("#filter")
    page.keyboard.type("a/b")
    assert page.input_value("#filter") == "a/b" and not page.evaluate("document.getElementById('search').open")


def test_the_search_finds_words_of_promises_and_says_when_there_are_none(index, seen):
    page = seen.open(index)
    page.click("#seek")
    page.fill("#search input", "compiler zig")
    page.wait_for_selector("#hits li")
    assert "zig cc" in page.inner_text("#hits li:first-child a") and "trust ledger" in page.inner_text("#hits")
    page.fill("#search input", "zebra crossing")
    assert page.locator("#hits li").count() == 0 and page.inner_text("#search [role=status]") == "0 found."


def test_the_first_tab_leads_past_the_navigation(index, seen):
    page = seen.open(index)
    page.keyboard.press("Tab")
    assert page.evaluate(f"{FOCUSED}.className") == "skip" and page.locator(".skip").bounding_box()["x"] >= 0
    page.keyboard.press("Enter")
    assert page.evaluate(f"{FOCUSED}.id") == "main"


def test_arrows_lead_through_the_matrix_and_enter_opens(index, seen):
    page = seen.open(index)
    assert (
        page.locator(".matrix a.cell[tabindex='0']").count() + page.locator(".matrix th.name a[tabindex='0']").count()
        == 1
    )
    page.focus("tr[data-name=page_map] a.cell")
    first = page.evaluate(f"{FOCUSED}.hash")
    page.keyboard.press("ArrowRight")
    assert (
        page.evaluate(f"{FOCUSED}.closest('tr').dataset.name") == "page_map"
        and page.evaluate(f"{FOCUSED}.hash") != first
    )
    assert page.evaluate(f"parseFloat(getComputedStyle({FOCUSED}).outlineWidth)") > 0
    right = page.evaluate(f"{FOCUSED}.getBoundingClientRect().left")
    page.keyboard.press("ArrowDown")
    assert (
        page.evaluate(f"{FOCUSED}.closest('tr').dataset.name") != "page_map"
        and page.evaluate(f"{FOCUSED}.getBoundingClientRect().left") == right
    )
    name, place = page.evaluate(f"[{FOCUSED}.getAttribute('aria-label'), {FOCUSED}.hash]")
    assert name.split(":")[0] == place[1:]
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{place}")


def test_hidden_lines_are_passed_over(index, seen):
    page = seen.open(index)
    page.fill("#filter", "page_map")
    assert page.locator("tr[data-name]:visible").count() == 1
    page.focus("tr[data-name=page_map] a.cell")
    page.keyboard.press("ArrowDown")
    assert page.evaluate(f"{FOCUSED}.closest('tr').dataset.name") == "page_map"


def test_an_address_opens_its_obligation(index, seen):
    page = seen.open(index.parent / "thing/page_map.html", "page_map/PROP-3")
    opened = page.locator("details[open] summary")
    assert opened.count() == 1 and opened.get_attribute("id") == "page_map/PROP-3"


@pytest.mark.parametrize("place", ["100%", "%zz", "no/such/place", "%E0%A4%A"])
def test_an_address_that_leads_nowhere_leaves_the_page_whole(index, seen, place):
    seen.open(index)  # another address of the page that is open would not load it anew
    page = seen.open(index.parent / "thing/page_map.html", place)
    page.keyboard.press("/")
    page.keyboard.type("capability_grant")
    page.wait_for_selector("#hits li")
    assert page.inner_text("#hits li:first-child a") == "capability_grant"


def test_a_page_without_what_the_search_needs_says_so(index, tmp_path):
    for name in ("index.html", "page.js", "style.css"):
        (tmp_path / name).write_text((index.parent / name).read_text())
    with visit() as alone:
        page = alone.open(tmp_path / "index.html")
        page.keyboard.press("/")
        page.keyboard.type("page_map")
        page.wait_for_function("document.querySelector('#search [role=status]').textContent.includes('search.js')")


def test_a_piece_of_the_image_says_what_it_is(index, seen):
    page = seen.open(index)
    page.focus("#main .bytes a[href='thing/page_map.html']")
    assert page.inner_text("#told").startswith("memory_page_map, ")
    page.keyboard.press("ArrowRight")
    assert not page.inner_text("#told").startswith("memory_page_map, ")


def test_the_picture_of_trust_lights_what_rests_on_what(index, seen):
    page = seen.open(index)
    page.hover("svg.trust g[data-key='kind linker script']")
    lit = set(page.eval_on_selector_all("svg.trust g.on", "boxes => boxes.map(box => box.dataset.key)"))
    assert lit == {"kind linker script", "level 5", "claim the kernel that runs keeps its promises"}
    page.focus("svg.trust g[data-key='level 6'] a")
    lit = page.eval_on_selector_all("svg.trust g.on", "boxes => boxes.map(box => box.dataset.key)")
    assert "kind hardware model" in lit and "kind linker script" not in lit


def test_an_error_of_a_script_would_be_seen(index, tmp_path):
    broken = index.parent / "broken.html"
    broken.write_text(index.read_text().replace("</body>", f"{FAILS}</body>"))
    with visit() as other:
        other.open(broken)
        assert any("a script fails" in said for said in other.console)
    broken.unlink()
