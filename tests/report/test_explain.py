"""Does a failed proof become a readable story and a permanent test?"""

import json
import subprocess
import sys

import pytest
from rich.console import Console

import corollary.model.kernel.gate
from corollary.language.frontend import translate
from corollary.model.kernel.capability import derive
from corollary.model.kernel.gate import dispatch
from corollary.proofs import fingerprint
from corollary.proofs.replay import Counterexample
from corollary.report import explain
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.limits import BURST, SELF
from corollary.spec.kernel.state import BootInformation, Call, Kernel
from corollary.spec.kernel.vocabulary import ALL_RIGHTS, ObjectKind, PartitionState, Right, Ring, Status

GRANT = next(declared for declared in OPERATIONS if declared.name == "capability_grant")


def grant_of_too_much():
    """Return a call that asks for more rights than it holds: the model refuses it, a broken one would not."""
    s, call = Kernel(), Call(now=1, operation=GRANT.number)
    root = s.partition[0]
    root.state, root.ring, root.quota, root.bucket.credit = PartitionState.RUNNING, Ring.PRIVILEGED, 32, BURST
    held = s.capability[1]
    held.kind, held.rights, held.parent = ObjectKind.REGION, Right.GRANT, 1
    for position, value in enumerate((1, 5, ALL_RIGHTS, SELF)):
        call.argument[position] = value
    return Counterexample(
        "capability_grant", "CAP-2", {"s": s, "call": call, "information": BootInformation()}, {"?c": 5}
    )


def row_of(example, **more):
    return {
        "id": f"{example.transition}/{example.property}",
        "property": example.property,
        "operation": example.transition,
        "level": 2,
        "sentence": "rights never widen along a derivation",
        "result": "refuted",
        "seconds": 0.1,
        "cached": False,
        "rounds": 1,
        "solver": "z3",
        "assumptions": [],
        "reason": "",
        "counterexample": example.as_json(),
    } | more


@pytest.fixture(autouse=True)
def translated():
    """Read the gate once, unchanged, before a test breaks it: readings are kept."""
    translate(dispatch)


@pytest.fixture
def broken_model(monkeypatch):
    """Return the model without its subset check: `capability_grant` derives any capability that is requested."""

    def careless(s, call, slot, rights, into, badge):
        derive(s, call.capability, slot, rights, badge)
        return Status.OK

    monkeypatch.setitem(corollary.model.kernel.gate.perform.__globals__, "capability_grant", careless)


def told(row, keep=False, tmp=None, sources=None):
    console = Console(width=120, record=True, file=open("/dev/null", "w"))
    result = tmp / "verify.json"
    result.write_text(
        json.dumps({"seconds": 1.0, "sources": sources or fingerprint.of_sources(), "obligations": [row]})
    )
    code = explain.explain(row["id"], console, keep, result, tmp / "none.json")
    return code, console.export_text()


def test_a_counterexample_is_told(broken_model, tmp_path):
    code, text = told(row_of(grant_of_too_much()), tmp=tmp_path)
    assert code == 1
    for words in (
        "rights never widen",
        "broken in the model too",
        "capability_grant",
        "x3 rights",
        "partition 0",
        "OK",
        "capability[5].rights",
    ):
        assert words in text
    assert "capability[1].kind" in text.split("Before")[1].split("After")[0]


def test_a_repaired_model_no_longer_shows_it(tmp_path):
    code, text = told(row_of(grant_of_too_much()), tmp=tmp_path)
    assert code == 1 and "holds in the model as it is now" in text and "RIGHTS_ESCALATION" in text


def test_a_kept_counterexample_is_a_test_that_passes_once_repaired(tmp_path):
    path = explain.save(row_of(grant_of_too_much()), tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(path)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def test_a_kept_counterexample_fails_while_the_model_is_broken(broken_model, tmp_path):
    path = explain.save(row_of(grant_of_too_much()), tmp_path)
    names = {}
    exec(path.read_text(), names)  # the test that was just written
    with pytest.raises(AssertionError, match="broken in the model too"):
        names["test_capability_grant_cap_2"]()


def test_a_refused_call_that_changes_something_is_named(monkeypatch):
    def leaky(s, call):
        s.epoch += 1
        return Status.BAD_ARGUMENT

    monkeypatch.setattr(corollary.model.kernel.gate, "perform", leaky)
    example = grant_of_too_much()
    example.property = "FRAME"
    assert explain.replayed(example.as_json()).finding == "refused, and yet changed: epoch"


def test_a_refused_call_that_changes_only_the_books_is_fine():
    example = grant_of_too_much()
    example.property = "FRAME"
    assert not explain.replayed(example.as_json()).broken


def test_what_does_not_fit_is_told(monkeypatch):
    def overflowing(s, call):
        s.epoch = (1 << 64) - 1
        s.epoch += 1
        return Status.OK

    monkeypatch.setattr(corollary.model.kernel.gate, "perform", overflowing)
    example = grant_of_too_much()
    example.property = "well-formed"
    assert "the model stops" in explain.replayed(example.as_json()).finding


def test_proved_unknown_and_misspelled_obligations_get_an_answer(tmp_path):
    proved = row_of(grant_of_too_much(), result="proved", counterexample=None)
    assert told(proved, tmp=tmp_path) == (0, "capability_grant/CAP-2: proved. rights never widen along a derivation\n")
    code, text = told(proved, tmp=tmp_path, sources="others")
    assert code == 1 and "that was of other sources" in text
    slow = row_of(grant_of_too_much(), result="unknown", reason="time is up", counterexample=None)
    assert told(slow, tmp=tmp_path)[0] == 1
    console = Console(width=120, record=True, file=open("/dev/null", "w"))
    assert (
        explain.explain("capability_grant/CAP-22", console, False, tmp_path / "verify.json", tmp_path / "none.json")
        == 1
    )
    assert "did you mean capability_grant/CAP-2?" in console.export_text()


def test_the_state_of_a_miscompilation_is_told(tmp_path):
    state = {
        "scalars": {"slot": 3},
        "words": {"slot": 0x103},
        "results": [["capability_live", 1]],
        "objects": {"s": [[["capability", 5, "rights"], 9]]},
    }
    row = row_of(
        grant_of_too_much(),
        counterexample=None,
        reason="the result differs on the path 0x40-",
        figures={"state": state},
    )
    code, text = told(row, tmp=tmp_path)
    assert code == 1 and all(
        word in text
        for word in ("on the path 0x40-", "3 in 0x103", "s.capability[5].rights", "0x9", "capability_live() returns")
    )


def test_a_later_partial_run_overrides(tmp_path):
    full, partial = tmp_path / "verify.json", tmp_path / "verify-only.json"
    full.write_text(
        json.dumps(
            {"seconds": 1, "obligations": [row_of(grant_of_too_much()), row_of(grant_of_too_much(), id="other/CAP-2")]}
        )
    )
    partial.write_text(json.dumps({"seconds": 1, "obligations": [row_of(grant_of_too_much(), result="proved")]}))
    assert {row["id"]: row["result"] for row in explain.load_rows(full, partial)} == {
        "capability_grant/CAP-2": "proved",
        "other/CAP-2": "refuted",
    }


@pytest.mark.parametrize(
    "change", [{"transition": "no_such_step"}, {"s": [[["no_such_field"], 1]]}, {"s": [[["current"], 9999]]}]
)
def test_a_counterexample_of_another_specification_gets_an_answer(tmp_path, change):
    row = row_of(grant_of_too_much())
    row["counterexample"] |= change
    code, text = told(row, tmp=tmp_path)
    assert code == 1 and "run `corollary verify` again" in text
