"""Can everything be opened in the report, does it work without a network, and does it cope with any results?"""

import json
import re
import subprocess
from dataclasses import asdict

import pytest
from markupsafe import escape

from corollary.emulation.verdict import Attempt
from corollary.model import components
from corollary.model.kernel.promises import CONDITIONS, CONSERVED, COROLLARIES, EFFECTS, INVARIANTS, THEOREMS
from corollary.proofs import fingerprint
from corollary.proofs.machine.contracts import CONTRACTS
from corollary.proofs.machine.obligations import built
from corollary.proofs.machine.summary import named
from corollary.proofs.mutants.row import EQUIVALENT, MutantResult
from corollary.report import page as report
from corollary.report import results, things
from corollary.report.ledger import rows as ledger_rows
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.wasm.internal import OPERATIONS as BYTECODE
from tests.report.site import broken, pages
from tests.report.test_explain import grant_of_too_much, row_of

MANY = 2500
BAD = 'a < b & "c" </script>'
FIGURES = {"paths": 1, "pairs": 1, "instructions": 6, "stack": 16, "routes": [[6, 16, [], True]]}
SYMBOL = "memory_page_map"


def row(id_, level=3, **more):
    """Return an obligation that is proved."""
    operation, property_ = id_.split("/")
    given = {
        "property": property_,
        "operation": operation,
        "level": level,
        "result": "proved",
        "counterexample": None,
        "sentence": BAD,
    } | more
    return row_of(grant_of_too_much(), id=id_, **given)


def many_rows():
    """Return as many obligations as a whole run has, of every level and kind, with every result."""
    names, rows = [declared.name for declared in OPERATIONS], []
    for number in range(MANY):
        rows.append(
            row(
                f"{names[number % len(names)]}/PROP-{number // len(names)}",
                1 + number % 3,
                cached=number % 3 == 0,
                result="unknown" if number == 7 else "proved",
            )
        )
    code = [
        row(f"{name}/{things.CODE}", 4, figures=FIGURES)
        for name in (SYMBOL, "gate_dispatch", "gate_carry_out", "gate_perform")
    ]
    platform = [row(f"{name}/{things.CODE}", 5, figures=FIGURES) for name in CONTRACTS]
    machine = [row(f"{each.name}/handler", 4) for each in BYTECODE[:3]] + [
        row("machine_grow_memory/called", 4),
        row("machine_grow_memory/defined", 7),
    ]
    general = [
        row("any state/MEM-1"),
        row("any state/MEM-1-speaks", property="MEM-1"),
        row("boot/MEM-1", 2),
        row(f"image/{things.CODE}-stack", 5),
    ]
    return [*rows, *code, *platform, *machine, *general, row_of(grant_of_too_much())]


MUTANTS = [
    MutantResult(
        "m1",
        "ir",
        "memory_link",
        "page_map",
        "model/kernel/memory.py:9 `+` -> `-`",
        "operator",
        "proof: page_unmap/PROP-3",
        0.5,
    ),
    MutantResult(
        "m2",
        "c",
        "memory_link",
        "page_map",
        "memory.c:10 dropped",
        "guard",
        reason="the guard is implied by <the one above>",
    ),
    MutantResult(
        "m3",
        "machine",
        "memory_link",
        "memory.c",
        "memory_link+0x10",
        "operand",
        f"{EQUIVALENT}: proved to do the same",
    ),
]
VERDICT = Attempt("hostile", "read the kernel", "denied", "denied", "yes", True)


def written(folder, rows, old=None, **more):
    """Write a report of some obligations into a folder, and return the path of its index."""
    (folder / "verify.json").write_text(json.dumps({"seconds": 12.5, "obligations": rows, **more}))
    return report.write(folder / "report" / "index.html", folder, old)


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("build")
    (folder / "mutants.json").write_text(json.dumps({"sources": "", "mutants": [asdict(mutant) for mutant in MUTANTS]}))
    (folder / "qemu.json").write_text(json.dumps({"image_sha256": "abc123", "verdict": [asdict(VERDICT)]}))
    return written(folder, many_rows())


@pytest.fixture(scope="module")
def site(index):
    return pages(index.parent)


@pytest.fixture(scope="module")
def page(index):
    return index.read_text()


def thing(index, name, promise=False):
    """Return the text of the page of a thing."""
    return (index.parent / things.path_of(name, promise)).read_text()


# ---- what can be opened


def test_every_obligation_can_be_opened(index, site):
    for each in many_rows():
        path, place = things.link(each).split("#")
        found = site[(index.parent / path).resolve()]
        assert place in found.places and f'href="#{escape(place)}">{escape(each["id"])}<' in found.text, each["id"]


def test_every_link_leads_to_a_page_and_to_a_place_on_it(site):
    assert broken(site) == [] and sum(len(each.links) for each in site.values()) > MANY


def test_two_names_never_share_a_page():
    names = {
        *things.declared(),
        *things.steps(),
        *named(),
        *CONTRACTS,
        *things.bytecode(),
        *things.outside.functions(),
        "any state",
        "image",
    }
    assert len({things.path_of(name).lower() for name in names}) == len(names)
    promises = [item.id for _, registry in things.PROMISES for item in registry.values()]
    assert len({things.path_of(id_, True).lower() for id_ in promises}) == len(promises)


def test_everything_can_be_searched_for(index):
    script = (index.parent / "search.js").read_text()
    found = json.loads(re.fullmatch(r"window\.SEARCHED = (.*);\n", script).group(1))
    listed = {id_: found["sentences"][sentence] for *_, obligations in found["pages"] for id_, sentence in obligations}
    assert listed == {each["id"]: each["sentence"] for each in many_rows()}
    names = {name for _, name, *_ in found["pages"]}
    assert (
        {declared.name for declared in OPERATIONS} <= names
        and set(THEOREMS) <= names
        and {each.name for each in ledger_rows()} <= names
    )


def test_a_page_of_an_earlier_report_is_removed(tmp_path):
    index = written(tmp_path, [row("boot/MEM-1", 2), row("unknown_operation/MEM-1", 2)])
    assert (index.parent / "thing/boot.html").exists()
    written(tmp_path, [row("unknown_operation/MEM-1", 2)])
    assert not (index.parent / "thing/boot.html").exists() and (index.parent / "thing/unknown_operation.html").exists()


# ---- what a page shows


def test_an_operation_shows_all_that_is_known_of_it(index):
    text = thing(index, "page_map")
    for heading in ("Specification", "It succeeds if and only if", "Then", "Generated C", "Machine code"):
        assert f"<h3>{heading}</h3>" in text
    assert (
        "a partition in ring STANDARD, or one with more trust, with a capability on PARTITION and the rights WRITE<"
        in text
    )
    assert "<dt>its own function</dt><dd>6 instructions</dd>" in text
    first = built().functions[SYMBOL].address
    assert f'<span class="at">{first:x}</span>' in text and "WRITE_XOR_EXECUTE" in text
    assert f'id="{SYMBOL}/{things.CODE}"' in text and "m1" in text and "m2" in text


def test_every_operation_shows_its_specification_and_its_c(index):
    for declared in OPERATIONS:
        text = thing(index, declared.name)
        assert f">{declared.function.__name__}<" in text and "not generated" not in text


def test_a_call_in_machine_code_leads_to_the_page_of_the_callee(index):
    assert re.search(
        r'bl 0x[0-9a-f]+  → <a href="\.\./thing/gate_carry_out\.html">gate_carry_out</a>', thing(index, "gate_dispatch")
    )


def test_a_handler_shows_its_meaning_its_c_and_its_machine_code(index):
    name = BYTECODE[0].name
    text = thing(index, name)
    assert "HANDLER" in text
    assert (
        all(f"<h3>{heading}</h3>" in text for heading in ("Meaning", "Handler in C", "Machine code"))
        and text.count('class="at"') > 3
    )


def test_a_piece_of_the_platform_shows_its_contract_its_source_and_its_machine_code(index):
    for name in CONTRACTS:
        text = thing(index, name)
        assert text.count('class="at"') > 0 and "not generated" not in text and CONTRACTS[name].body.__name__ in text


def test_a_promise_shows_its_source_and_who_keeps_it(index):
    text = thing(index, "MEM-1", True)
    assert (
        "3 of 3 are proved" in text
        and "any state/MEM-1-speaks" in text
        and f">{INVARIANTS['MEM-1'].function.__name__}<" in text
    )


def test_results_are_told_apart(page):
    assert 'class="cell refuted"' in page and 'class="cell unknown"' in page and 'class="cell proved cached"' in page
    rows = many_rows()
    assert f"{len(rows) - 2} / {len(rows)}" in page


def of_kernel(site):
    """Return the pages of the kernel; those of other components are plainer."""
    apart = {each.name for each in components.BESIDE}
    return [found for path, found in site.items() if path.parent.name not in apart]


def test_the_pages_need_no_network(index, site):
    for found in of_kernel(site):
        assert [path.name for path in found.files()] == ["style.css", "page.js"] and all(
            path.exists() for path in found.files()
        )
        assert "http" not in re.sub(r'<pre class="code".*?</pre>', "", found.text, flags=re.S)
    for name in ("style.css", "page.js"):
        assert not re.search(r"https?:|@import|url\(|fetch\(|import\(", (index.parent / name).read_text())


def test_what_the_rows_say_cannot_break_a_page(index, site):
    assert all(found.text.count("</script>") == 1 for found in of_kernel(site))
    assert "implied by &lt;the one above&gt;" in (index.parent / "mutants.html").read_text()


def test_the_counterexample_is_told(index):
    text = thing(index, "capability_grant")
    assert "Before: what matters" in text and '<pre class="story"' in text


def test_every_promise_and_every_trusted_thing_is_listed(page):
    for id_ in (*INVARIANTS, *CONSERVED, *COROLLARIES, *THEOREMS):
        assert f">{id_}</a>" in page
    for each in ledger_rows():
        assert f'<td class="mono">{escape(each.name)}</td>' in page


def success_of(page, name):
    """Return what the index says of an operation's success."""
    return page.split(f'id="operation-{name}"')[1].split('<div class="line"')[0].split("</div>\n")[0]


def test_every_operation_shows_when_it_succeeds_and_what_it_does(index, page):
    for declared in OPERATIONS:
        told, effect = success_of(page, declared.name), EFFECTS.get(f"{declared.name} ensures")
        if declared.admin:
            assert "never succeeds" in told and effect is None
            continue
        assert str(escape(effect.sentence)) in told
        assert re.findall(r'<span class="chip field">([^<]*)<', told) == list(effect.changes)
        for promise in (CONDITIONS[f"{declared.name} succeeds"], effect):
            assert f">{promise.function.__name__}<" in thing(index, declared.name)


def test_what_is_asked_of_success_is_shown_with_its_result(tmp_path):
    results_ = dict(zip(report.OUTCOME, ("proved", "refuted", "unknown", "proved")))
    rows = [row(f"page_map/{name}", result=result) for name, result in results_.items()]
    page = written(tmp_path, [*rows, row("page_unmap/OK-iff")]).read_text()
    shown = re.findall(r'class="cell (\w+)" href="thing/page_map.html#page_map/([\w-]+)', success_of(page, "page_map"))
    assert shown == [(result, name) for name, result in results_.items()]
    assert len(re.findall('class="cell', success_of(page, "page_unmap"))) == 1
    assert 'class="cell' not in success_of(page, "page_share")


def test_a_column_tells_only_what_is_promised_of_every_step():
    said = (("CAP-2", "a"), ("CAP-2", "a"), ("ENSURES", "b"), ("ENSURES", "c"))
    rows = [{"property": name, "sentence": sentence} for name, sentence in said]
    assert report.sentences(rows) == {"CAP-2": "a"}


def test_a_cell_leads_to_the_worst_of_its_obligations():
    rows = [row("any state/MEM-1"), row("any state/MEM-1-speaks", result="refuted")]
    assert report.cell(rows)["row"] is rows[1] and report.cell(rows)["result"] == "refuted" and report.cell([]) is None


# ---- mutants, and the run under QEMU


def test_mutants_are_told_where_they_were_seeded_and_where_they_died(index, page):
    assert "read the kernel" in page and "abc123" in page
    assert 'href="../thing/page_unmap.html#page_unmap/PROP-3">page_unmap/PROP-3</a>' in thing(index, "page_map")
    assert 'id="m1"' in thing(index, "page_unmap") and 'id="m2"' not in thing(index, "page_unmap")


NOTICED = MutantResult("m1", "ir", "f", "page_map", "+", "operator", "proof: page_map/MEM-3")


def test_a_mutant_is_told_on_the_page_of_the_promise_that_noticed_it(tmp_path):
    (tmp_path / "mutants.json").write_text(json.dumps({"sources": "", "mutants": [asdict(NOTICED)]}))
    index = written(tmp_path, [row("page_map/MEM-3", 2)])
    assert 'id="m1"' in thing(index, "MEM-3", True) and 'id="m1"' not in thing(index, "MEM-4", True)


def test_what_is_proved_to_do_the_same_is_no_kill(page):
    assert "<b>1 / 3</b><span>mutants killed, 1 proved equivalent, 1 survive</span>" in page


@pytest.mark.parametrize("others", [True, False])
def test_mutants_of_other_sources_are_told_to_be_so(tmp_path, others):
    sources = "others" if others else fingerprint.of_sources()
    (tmp_path / "mutants.json").write_text(json.dumps({"sources": sources, "mutants": [asdict(NOTICED)]}))
    index = written(tmp_path, [row("page_map/MEM-3", 2)])
    for path in (index, index.with_name("mutants.html")):
        assert ("The sources have changed since these were tried." in path.read_text()) == others


# ---- results that are old, partial or missing


def test_what_was_proved_of_other_sources_is_not_shown_as_proved_of_these(tmp_path):
    warning, proved = (
        "The sources have changed since this was proved.",
        '<div class="tile good"><b>1 / 1</b><span>obligations proved',
    )

    def of(**more):
        index = written(tmp_path, [row("capability_grant/CAP-2")], **more)
        return index.read_text(), thing(index, "capability_grant")

    now, *others = of(sources=fingerprint.of_sources()), of(sources="others"), of()
    assert warning not in now[0] and warning not in now[1] and proved in now[0]
    assert all(warning in index and warning in one and proved not in index for index, one in others)


def measured_page(folder, instructions, image_sha256, verified_sha256=None):
    """Return the page when a run of `page_map` took this many instructions in all.

    Its function is bounded by one path of 30 instructions, the way there and back included.
    """
    path = {
        "vectors[8]": ["trap"],
        "trap": ["gate_dispatch"],
        "gate_dispatch": ["gate_perform"],
        "gate_perform": [SYMBOL],
        SYMBOL: [],
    }
    rows = [
        row(
            f"{name}/{things.CODE}",
            4,
            figures={"paths": 1, "instructions": 6, "stack": 16, "routes": [[6, 16, callees, True]]},
        )
        for name, callees in path.items()
    ]
    counted = {
        "functions": {SYMBOL: {"runs": 3, "instructions": 6, "boot": 0}},
        "operations": {SYMBOL: {"runs": 3, "median": 20, "instructions": instructions, "stack": 80, "shares": {}}},
    }
    (folder / "qemu.json").write_text(json.dumps({"image_sha256": image_sha256, "counted": counted}))
    return written(folder, rows, kernel_sha256=verified_sha256 or built().sha256).read_text()


def test_hypercalls_are_shown_beside_their_bounds(tmp_path):
    page = measured_page(tmp_path, 30, built().sha256)
    line = page.split('id="bounds"')[1].split('href="thing/page_map.html"')[1].split("</tr>")[0]
    assert re.findall(r'"n">([^<]*)<', line) == ["3", "30", "30", "20", "80", "80"]
    assert (
        f"1 of {len(OPERATIONS)} operations ran" in page
        and "Of 1 functions that ran and have a bound, 1 took exactly" in page
    )
    assert all(
        f"{declared.name}, " in page or f", {declared.name}<" in page
        for declared in OPERATIONS
        if declared.name != "page_map"
    )
    assert "More than was proved" not in page and "of another image" not in page
    assert "<dt>longest call</dt><dd>30 instructions</dd>" in thing(tmp_path / "report" / "index.html", "page_map")


def test_more_than_was_proved_and_another_image_are_told(tmp_path):
    page = measured_page(tmp_path, 31, "abc123")
    assert "More than was proved: page_map<" in page and "<code>make qemu</code> found is of another image" in page


def test_proofs_of_another_image_are_told_and_not_shown_as_of_this_one(tmp_path):
    """The verification of an earlier kernel says nothing about the present kernel."""
    page = measured_page(tmp_path, 30, built().sha256, verified_sha256="def456")
    assert "<code>make verify</code> found is of another image" in page and "make qemu</code> found" not in page
    assert "def456" in page and built().sha256 not in page.split('id="qemu"')[0]


def test_without_any_result_there_is_still_a_page(tmp_path):
    index = report.write(tmp_path / "report" / "index.html", tmp_path)
    text = index.read_text()
    assert "Nothing is verified yet" in text and "No mutants were tried" in text
    assert "None was decided" in thing(index, "page_map") and broken(pages(index.parent)) == []


def test_families_are_in_natural_order():
    names = [{"property": name} for name in ("CAP-10", "CAP-2", "FRAME", "well-formed", "MEM-1", "reachable")]
    assert report.ordered_columns(names) == ["well-formed", "reachable", "FRAME", "CAP-2", "CAP-10", "MEM-1"]


# ---- beside an earlier result


def test_what_changed_since_an_earlier_result_is_shown(tmp_path):
    now = [row("page_map/MEM-3", result="unknown"), row("page_map/MEM-4")]
    (tmp_path / "old.json").write_text(
        json.dumps({"seconds": 1.0, "obligations": [row("page_map/MEM-3"), row("page_map/MEM-5")]})
    )
    page = written(tmp_path, now, results.verified(tmp_path / "old.json")).read_text()
    assert "1 obligations are new, 1 are gone, 1 ended otherwise" in page
    assert "Proved before, and no longer: page_map/MEM-3" in page
    assert 'id="trend"' not in written(tmp_path, now).read_text()


def test_the_commit_is_told_where_git_can_say(monkeypatch, tmp_path):
    monkeypatch.setattr(report, "ROOT", tmp_path)
    assert report.commit() is None
    git = ["git", "-C", str(tmp_path), "-c", "user.name=x", "-c", "user.email=x@x"]
    for step in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run([*git, *step], check=True)
    told = report.commit()
    assert subprocess.check_output([*git, "rev-parse", "HEAD"], text=True).startswith(told)
    (tmp_path / "a").write_text("1")
    subprocess.run([*git, "add", "a"], check=True)
    assert report.commit() == f"{told}-dirty"
