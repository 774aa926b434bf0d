"""Does breaking the model make a proof fail, with a counterexample that the equally broken model confirms?"""

import io

import pytest
from rich.console import Console

from corollary.codegen.folders import ROOT, file_of
from corollary.model.kernel.component import KERNEL
from corollary.proofs.fingerprint import digest
from corollary.proofs.mutants import matrix
from corollary.proofs.mutants.breaks import BREAKS, KEY, KIND, NAMED, taken
from corollary.proofs.mutants.row import MutantResult
from corollary.proofs.mutants.slips import SLIPS
from corollary.proofs.outside import PART
from corollary.proofs.transition import transitions

QUICKLY, TRIED = 10, 30  # of all breaks, here and in `make full`; `corollary mutants --kind break` tries each of them
CALLS = {step.name for step in transitions(KERNEL) if step.hypercall}
SAMPLE = [
    pytest.param(edit, id=edit.name, marks=[pytest.mark.full] * (place >= QUICKLY))
    for place, edit in enumerate(sorted(BREAKS, key=lambda edit: digest(edit.name))[:TRIED])
]


def test_there_are_forty_breaks_of_rules_and_forty_slips():
    assert len(NAMED) == len(BREAKS)
    assert len(SLIPS) >= 40 and len(BREAKS) - len(SLIPS) >= 40


def test_every_step_is_broken_in_some_way():
    unbroken = {step.name for step in transitions(KERNEL)} - {edit.operation for edit in BREAKS}
    assert unbroken == set()


@pytest.mark.parametrize("edit", SAMPLE)
def test_break_is_found(edit):
    done = taken(edit.name)
    assert done.returncode == 1, done.stdout + done.stderr
    first, *narration = done.stdout.splitlines()
    assert first.startswith(f"refuted {edit.obligation}:")
    if edit.property == KEY or edit.operation.startswith(PART):
        return
    assert f"step      {edit.operation}" in narration
    assert f"breaks    {edit.property}" in narration
    assert any(line.startswith("before") for line in narration) or edit.operation == "boot"
    assert any(line.startswith("status") for line in narration) or edit.operation not in CALLS


@pytest.mark.parametrize("edit", BREAKS, ids=lambda edit: edit.name)
def test_edit_is_one_place(edit):
    assert edit.change.count("`") == 4
    path = ROOT / file_of(edit.module)
    text = path.read_text()
    assert text.count(edit.old) == 1 and edit.edited(text) != text
    assert int(edit.change.split(":")[1].split()[0]) == text[: text.index(edit.old)].count("\n") + 1


# ---- the table of what they do


@pytest.mark.parametrize(
    ("name", "sort"),
    [
        ("subset-check", matrix.CHECK_LEFT_OUT),
        ("last-number", matrix.CHECK_CHANGED),
        ("suspend-by-reader", matrix.DEMAND),
        ("nonce-step", matrix.LEFT_OUT),
        ("bits-told", matrix.ADDED),
        ("badge-ignored", matrix.CHANGED),
        ("flush-first", matrix.ORDER),
    ],
)
def test_what_a_break_does_is_read_off_its_text(name, sort):
    assert matrix.sort_of(NAMED[name]) == sort


@pytest.mark.parametrize(
    ("property_", "family"), [("MEM-11", "MEM"), ("NI-3-partition", "NI"), ("OK-iff", "OK-iff"), ("KEY", "KEY")]
)
def test_a_promise_belongs_to_a_family(property_, family):
    assert matrix.family(property_) == family


def test_the_table_counts_what_turned_red_and_no_survivor():
    ends = {"flush-first": "proof: page_unmap/MEM-11", "wrong-vmid": "proof: page_unshare/MEM-11", "badge-ignored": ""}
    rows = [
        MutantResult(f"{KIND}-{name}", KIND, "", NAMED[name].operation, "", "", end, 2.0) for name, end in ends.items()
    ]
    assert matrix.killed(rows) == {(matrix.ORDER, "MEM"): 1, (matrix.CHANGED, "MEM"): 1}
    console = Console(record=True, file=io.StringIO())
    matrix.show(rows, console)
    assert "3 breaks, 3 of rules and 0 slips, of 3 steps: 2 refuted by a proof" in console.export_text()
