"""Does the report show every obligation, work without a network, and cope with any results?"""

import json
import re
from dataclasses import asdict

import pytest
from markupsafe import escape

from corollary.emulation.verdict import Row as Attempt
from corollary.model.kernel.promises import CONDITIONS, CONSERVED, COROLLARIES, EFFECTS, INVARIANTS, THEOREMS
from corollary.proofs import fingerprint
from corollary.proofs.machine.obligations import built, decide_account
from corollary.proofs.machine.summary import named
from corollary.proofs.mutants.row import EQUIVALENT
from corollary.proofs.mutants.row import Row as Mutant
from corollary.report import page as report
from corollary.report.ledger import rows as ledger_rows
from corollary.spec.kernel.hypercalls import OPERATIONS
from tests.report.test_explain import grant_of_too_much, row_of

MANY = 2500


def many_rows():
    """Return as many obligations as a whole run has, with every result."""
    names, rows = [declared.name for declared in OPERATIONS], []
    for number in range(MANY):
        operation, property_ = names[number % len(names)], f"PROP-{number // len(names)}"
        result = "unknown" if number == 7 else "proved"
        rows.append(
            row_of(
                grant_of_too_much(),
                id=f"{operation}/{property_}",
                property=property_,
                operation=operation,
                result=result,
                cached=number % 3 == 0,
                counterexample=None,
                sentence='a < b & "c" </script>',
                level=1 + number % 3,
            )
        )
    return [*rows, row_of(grant_of_too_much())]


MUTANTS = [
    Mutant(
        "m1",
        "ir",
        "memory_link",
        "page_map",
        "model/kernel/memory.py:9 `+` -> `-`",
        "operator",
        "proof: page_map/MEM-3",
        0.5,
    ),
    Mutant(
        "m2",
        "c",
        "memory_link",
        "page_map",
        "memory.c:10 dropped",
        "guard",
        reason="the guard is implied by <the one above>",
    ),
    Mutant(
        "m3",
        "machine",
        "memory_link",
        "memory.c",
        "memory_link+0x10",
        "operand",
        f"{EQUIVALENT}: proved to do the same",
    ),
]
FIGURES = {"paths": 1, "pairs": 1, "instructions": 1, "stack": 0, "routes": [[1, 0, [], True]]}
VERDICT = Attempt("hostile", "read the kernel", "denied", "denied", "yes", True)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("build")
    (folder / "verify.json").write_text(json.dumps({"seconds": 12.5, "obligations": many_rows()}))
    (folder / "mutants.json").write_text(json.dumps([asdict(mutant) for mutant in MUTANTS]))
    (folder / "qemu.json").write_text(json.dumps({"image_sha256": "abc123", "verdict": [asdict(VERDICT)]}))
    return report.write(folder / "report" / "index.html", folder).read_text()


def obligations_in(page):
    return json.loads(re.search(r"^const rows = (.*);$", page, re.M).group(1))


def test_every_obligation_is_there_and_has_a_cell(page):
    kept = obligations_in(page)
    assert len(kept) == MANY + 1
    shown = [
        int(number) for cell in re.findall(r'class="cell [^"]*" data-r="([\d,]+)"', page) for number in cell.split(",")
    ]
    assert sorted(shown) == list(range(MANY + 1))


def test_results_are_told_apart(page):
    assert 'class="cell refuted"' in page and 'class="cell unknown"' in page and 'class="cell proved cached"' in page
    assert f"{MANY - 1} / {MANY + 1}" in page


def test_the_page_needs_no_network(page):
    assert not re.search(r"""(?:src|href)\s*=\s*["'](?!#)""", page)
    assert "http" not in re.sub(r'<pre class="code">.*?</pre>', "", page, flags=re.S) and "@import" not in page


def test_what_the_rows_say_cannot_break_the_page(page):
    assert page.count("</script>") == 1
    assert "implied by &lt;the one above&gt;" in page


def test_the_counterexample_is_told(page):
    assert "capability_grant" in obligations_in(page)[-1][9] and "Before: what matters" in obligations_in(page)[-1][9]


def test_every_operation_shows_its_specification_and_its_c(page):
    for declared in OPERATIONS:
        assert f"<code>{declared.name}</code>" in page
    assert "not generated" not in page


def test_every_promise_and_every_trusted_thing_is_listed(page):
    for id_ in (*INVARIANTS, *CONSERVED, *COROLLARIES, *THEOREMS):
        assert f"<code>{id_}</code>" in page
    for row in ledger_rows():
        assert f'<td class="mono">{escape(row.name)}</td>' in page


def success_of(page, name):
    """Return the page's description of an operation's success."""
    told = page.split('id="outcomes"')[1].split('id="operations"')[0]
    return told.split(f"<code>{name}</code>")[1].split("</details>")[0]


def test_every_operation_shows_when_it_succeeds_and_what_it_does(page):
    for declared in OPERATIONS:
        told, effect = success_of(page, declared.name), EFFECTS.get(f"{declared.name} ensures")
        if declared.admin:
            assert "never succeeds" in told and effect is None
            continue
        assert str(escape(effect.sentence)) in told
        assert re.findall(r'<span class="chip">([^<]*)<', told) == list(effect.changes)
        for promise in (CONDITIONS[f"{declared.name} succeeds"], effect):
            assert f">{promise.function.__name__}<" in told


def test_what_is_asked_of_success_is_shown_with_its_result(tmp_path):
    results = dict(zip(report.OUTCOME, ("proved", "refuted", "unknown", "proved")))
    rows = [
        row_of(
            grant_of_too_much(),
            id=f"page_map/{name}",
            property=name,
            operation="page_map",
            result=result,
            level=3,
            counterexample=None,
            sentence=f"{name} of page_map",
        )
        for name, result in results.items()
    ]
    rows.append(rows[0] | {"id": "page_unmap/OK-iff", "operation": "page_unmap"})
    (tmp_path / "verify.json").write_text(json.dumps({"seconds": 1.0, "obligations": rows}))
    page = report.write(tmp_path / "report" / "index.html", tmp_path).read_text()
    shown = re.findall(r'class="cell (\w+)" data-r="(\d+)" title="page_map/([\w-]+)', success_of(page, "page_map"))
    assert shown == [(result, str(number), name) for number, (name, result) in enumerate(results.items())]
    assert len(re.findall("data-r", success_of(page, "page_unmap"))) == 1
    assert "data-r" not in success_of(page, "page_share")


def test_a_column_tells_only_what_is_promised_of_every_step():
    said = (("CAP-2", "a"), ("CAP-2", "a"), ("ENSURES", "b"), ("ENSURES", "c"))
    rows = [{"property": name, "sentence": sentence} for name, sentence in said]
    assert report.sentences(rows) == {"CAP-2": "a"}


def test_mutants_and_the_run_under_qemu_are_shown(page):
    assert "proof: page_map/MEM-3" in page and "<td>survivor</td>" in page
    assert "read the kernel" in page and "abc123" in page


def test_what_is_proved_to_do_the_same_is_no_kill(page):
    assert "<b>1 / 3</b><span>mutants killed, 1 proved equivalent, 1 survive</span>" in page


def test_the_machine_code_is_called_proved_only_where_it_is(tmp_path):
    symbols = sorted(named())[:3]
    rows = [
        row_of(
            grant_of_too_much(),
            id=f"{symbol}/{report.CODE}",
            property=report.CODE,
            operation=symbol,
            level=report.MACHINE,
            result=result,
            counterexample=None,
            figures=figures,
        )
        for symbol, result, figures in zip(symbols, ("proved", "refuted", "unknown"), (FIGURES, FIGURES, {}))
    ]
    (tmp_path / "verify.json").write_text(json.dumps({"seconds": 1.0, "obligations": rows}))
    text = report.write(tmp_path / "report" / "index.html", tmp_path).read_text()
    assert "1 of 3 are proved" in text


def test_what_was_proved_of_other_sources_is_not_shown_as_proved_of_these(tmp_path):
    row = row_of(grant_of_too_much(), result="proved", counterexample=None)

    def page(**more):
        (tmp_path / "verify.json").write_text(json.dumps({"seconds": 1.0, "obligations": [row], **more}))
        return report.write(tmp_path / "report" / "index.html", tmp_path).read_text()

    warning = "The sources have changed since this was proved."
    proved = '<div class="tile good"><b>1 / 1</b><span>obligations proved'
    now, other, unknown = page(sources=fingerprint.of_sources()), page(sources="others"), page()
    assert warning not in now and proved in now
    assert all(warning in text and proved not in text for text in (other, unknown))


def test_who_answers_for_each_byte_of_the_image_is_shown(tmp_path):
    row = asdict(decide_account(report.CODE)) | {"counterexample": None}
    (tmp_path / "verify.json").write_text(json.dumps({"seconds": 1.0, "obligations": [row]}))
    page = report.write(tmp_path / "report" / "index.html", tmp_path).read_text()
    for name, size in (row["figures"]["kinds"] | {"all that is loaded": row["figures"]["total"]}).items():
        assert re.search(rf"<td>(?:<b>)?{name}(?:</b>)?</td><td class=.n.>{size}<", page), name


def measured_page(folder, instructions, image_sha256, verified_sha256=None):
    """Return the page when a run of `page_map` took this many instructions in all.

    Its function is bounded by one path of 30 instructions, the way there and back included.
    """
    path = {
        "vectors[8]": ["trap"],
        "trap": ["gate_dispatch"],
        "gate_dispatch": ["gate_perform"],
        "gate_perform": ["memory_page_map"],
        "memory_page_map": [],
    }
    rows = [
        row_of(
            grant_of_too_much(),
            id=f"{name}/machine-code",
            property="machine-code",
            operation=name,
            result="proved",
            level=4,
            counterexample=None,
            figures={"paths": 1, "instructions": 6, "stack": 16, "routes": [[6, 16, callees, True]]},
        )
        for name, callees in path.items()
    ]
    worst = {"runs": 3, "instructions": instructions, "stack": 80}
    counted = {"functions": {"memory_page_map": worst | {"instructions": 6}}, "operations": {"memory_page_map": worst}}
    (folder / "verify.json").write_text(
        json.dumps({"seconds": 1.0, "obligations": rows, "kernel_sha256": verified_sha256 or built().sha256})
    )
    (folder / "qemu.json").write_text(json.dumps({"image_sha256": image_sha256, "counted": counted}))
    return report.write(folder / "report" / "index.html", folder).read_text()


def test_hypercalls_are_shown_beside_their_bounds(tmp_path):
    page = measured_page(tmp_path, 30, built().sha256)
    line = re.search(r"<tr><td class=.mono.>page_map</td>.*", page).group()
    assert re.findall(r'"n">([^<]*)<', line) == ["3", "30", "30", "80", "80"]
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


def test_more_than_was_proved_and_another_image_are_told(tmp_path):
    page = measured_page(tmp_path, 31, "abc123")
    assert "More than was proved: page_map<" in page and "<code>make qemu</code> found is of another image" in page


def test_proofs_of_another_image_are_told_and_not_shown_as_of_this_one(tmp_path):
    """The verification of an earlier kernel says nothing about the present kernel."""
    page = measured_page(tmp_path, 30, built().sha256, verified_sha256="def456")
    assert "<code>make verify</code> found is of another image" in page and "make qemu</code> found" not in page
    assert "def456" in page and built().sha256 not in page.replace(f"<b>{built().sha256}", "").split('id="qemu"')[0]


def test_without_any_result_there_is_still_a_page(tmp_path):
    text = report.write(tmp_path / "report" / "index.html", tmp_path).read_text()
    assert "Nothing is verified yet" in text and "No mutants were tried" in text


def test_families_are_in_natural_order():
    names = [{"property": name} for name in ("CAP-10", "CAP-2", "FRAME", "well-formed", "MEM-1", "reachable")]
    assert report.ordered_columns(names) == ["well-formed", "reachable", "FRAME", "CAP-2", "CAP-10", "MEM-1"]
