"""Does the machinery make mutants and find them? A small sample of its findings is checked."""

import io
import json
import subprocess
import sys
from concurrent.futures import Future
from pathlib import Path

import pytest
from rich.console import Console

from corollary.emulation.traces import Age, Hypercall
from corollary.proofs import second
from corollary.proofs.machine import beyond, floats, processor
from corollary.proofs.mutants import breaks, c, compiled, prover, rules, sample, source
from corollary.proofs.mutants import run as mutants
from corollary.proofs.mutants.decided import DIED
from corollary.proofs.mutants.differential import LASTING, differs, mutated_text, recorded, workshop
from corollary.proofs.mutants.ir import Mutant, at
from corollary.proofs.mutants.kernel import candidates, judge_of, named
from corollary.proofs.mutants.operators import OPERATORS
from corollary.proofs.mutants.row import EQUIVALENT
from corollary.proofs.mutants.sample import ACTIONS, main_functions
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.vocabulary import Status

ROOT = Path(__file__).resolve().parents[2]
QUICK = (0, 1)  # seeds of the traces of the differential test


@pytest.fixture(scope="module")
def shop():
    with workshop() as opened:
        yield opened


def grant(what, text=""):
    """Return the first mutant of `capability_grant` of this kind whose change has this text."""
    return next(mutant for mutant in candidates("capability_grant") if mutant.what == what and text in mutant.change)


def nothing():
    """Return a change that changes nothing."""
    function = named()["ring_tool_release"]
    return Mutant(function, (0,), at(function.body, (0,)), "nothing", "tool_release")


@pytest.mark.full
def test_a_change_of_nothing_survives(shop):
    mutant = nothing()
    assert not mutant.visible()
    assert judge_of("tool_release").verdict(mutant) is None
    assert differs(shop.library(mutated_text(mutant), "nothing"), QUICK) is None


def test_a_dropped_guard_changes_formulas_and_is_found(monkeypatch):
    monkeypatch.setattr(second, "refutes", lambda solver: pytest.fail("what is to be refuted is not put to it"))
    judge, mutant = judge_of("capability_grant"), grant("dropped guard", "DEPTH_EXCEEDED")
    assert [*judge.changed(judge.step)] == []
    assert judge.verdict(mutant).startswith("proof: capability_grant/")


@pytest.mark.parametrize("what", ["dropped guard", "enumerator", "wrong index", "removed effect"])
def test_the_function_is_restored(what):
    mutant = grant(what)
    before = mutant.function.body
    with pytest.raises(RuntimeError), mutant.applied():
        assert mutant.function.body != before
        raise RuntimeError
    assert mutant.function.body is before


@pytest.mark.full
def test_ids_and_samples_are_the_same_in_another_process():
    text = (
        "import json; from corollary.proofs.mutants import c, sample; "
        "print(json.dumps([m.id for m in (*sample.sample(3, 0.1), *c.sample(3, 30))]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", text], cwd=ROOT, capture_output=True, text=True, env={"PYTHONHASHSEED": "7"}
    )
    assert json.loads(done.stdout) == [m.id for m in (*sample.sample(3, 0.1), *c.sample(3, 30))]


@pytest.mark.full
def test_every_operation_and_action_is_sampled():
    sampled = sample.sample()
    assert {mutant.operation for mutant in sampled} >= {declared.name for declared in OPERATIONS} | set(ACTIONS)
    assert set(main_functions().values()) <= {mutant.function.symbol for mutant in sampled}
    assert len(sampled) >= 240
    assert len(c.sample(0, mutants.C_MUTANTS)) >= 80
    assert len({mutant.id for mutant in sampled}) == len(sampled)


@pytest.mark.full
def test_every_kind_of_change_is_sampled():
    assert len({mutant.what for mutant in sample.sample()}) >= 14
    assert len({mutant.what for mutant in c.sample(0, mutants.C_MUTANTS)}) >= 6


def test_a_dropped_hardware_call_without_effect_on_the_state_is_heard(shop):
    mutant = next(mutant for mutant in candidates("console_put_head") if mutant.what == "dropped hardware call")
    assert "hardware" in differs(shop.library(mutated_text(mutant), "unheard"), (*QUICK, 2, 3))


def test_a_change_of_any_function_is_a_change_of_one_file():
    first = [mutant for symbol in named() for mutant in candidates(symbol)[:1]]
    assert len(first) > 400 and all(len(mutated_text(mutant)) == 1 for mutant in first)


def test_a_change_in_a_header_is_in_every_file_that_includes_it(shop):
    texts = [mutated_text(mutant) for mutant in candidates("capability_id")]
    assert {file for text in texts for file in text} == {"capability.h"}
    assert differs(shop.library(texts[0], "header"), QUICK) is not None


def test_c_that_crashes_is_noticed(shop):
    broken = c.source("schedule").replace(
        "rotate(struct kernel *s)\n{\n", "rotate(struct kernel *s)\n{\n    *(volatile int *)0 = 1;\n"
    )
    assert differs(shop.library({"schedule": broken}, "crash"), (1,)) == "C crashes"


@pytest.mark.parametrize(
    "old,new",
    [("information->measurement[", "information->measurement[1 + "), ("i < PACKAGE_LIMIT", "i < PACKAGE_LIMIT - 1")],
)
def test_what_no_step_calls_is_compared_with_the_model_too(shop, old, new):
    said = differs(shop.library({"measure": c.source("measure").replace(old, new, 1)}, "measured"), ())
    assert said.startswith("call ") and "differs" in said, said


def test_what_is_spoken_is_compared(shop):
    text = c.source("report").replace("report_say(MESSAGE_KEY_GIVEN)", "report_say(MESSAGE_NO_KEY)", 1)
    assert text != c.source("report")
    assert "report_tell_key: C tells hardware something else" in differs(shop.library({"report": text}, "spoken"), ())


def test_c_that_no_difference_shows_is_refuted_by_the_proof_of_what_it_is_compiled_to(shop):
    beyond = next(
        mutant
        for mutant in c.candidates("measure")
        if mutant.function == "measure_add_line" and "<= LINE_WORDS" in mutant.new
    )
    assert differs(shop.library({"measure": beyond.text()}, "beyond"), ()) is None
    assert compiled.verdict(beyond).startswith("proof: [8] is out of range")


def test_c_that_does_the_same_is_refuted_by_nothing():
    cleared = next(
        mutant
        for mutant in c.candidates("measure")
        if mutant.function == "measure_add_line_of" and mutant.what == "removed call"
    )
    assert cleared.old.strip() == "clear_words(line, 8);" and compiled.verdict(cleared) == ""


@pytest.mark.full
def test_a_small_sample_is_noticed():
    rows = [
        row
        for kind, only in (
            ("ir", "capability_inspect"),
            ("ir", "tool_release"),
            ("ir", "tool_acquire"),
            ("c", "c-sha256"),
        )
        for row in mutants.run((kind,), only=only, workers=1, traces=QUICK)
    ]
    assert len(rows) >= 12
    assert {row.end for row in rows} >= {"proof", "differential"}
    assert [row.id for row in rows if not row.killed_by and not row.reason] == []


def test_survivors_need_reasons_and_reasons_survivors(tmp_path):
    path = tmp_path / "survivors.toml"
    path.write_text('explained = "because"\nfound = "stale"\n')
    rows = [
        mutants.MutantResult(name, "ir", "", "", "", "", killed)
        for name, killed in (("explained", ""), ("found", "differential: x"), ("alone", ""))
    ]
    unexplained, stale = mutants.verdict(mutants.explained(rows, path), path)
    assert [row.id for row in unexplained] == ["alone"]
    assert [row.id for row in stale] == ["found"]


def test_a_mutant_that_does_the_same_is_not_counted_as_killed():
    console = Console(record=True, file=io.StringIO())
    ends = ("proof: x", "differential: x", f"{EQUIVALENT}: proved to do the same", "")
    mutants.summarize(
        [mutants.MutantResult(f"m{number}", "machine", "", "", "", "", end) for number, end in enumerate(ends)], console
    )
    assert "4 mutants: 2 killed, 1 proved equivalent, 1 survive, 1 of them without a reason" in console.export_text()


def test_the_prover_as_it_is_raises_no_alarm():
    assert {prover.taken(prover.NONE, edit).returncode for edit in prover.MUST_FAIL} == {prover.FOUND}
    assert prover.by_obligation() == ""


@pytest.mark.parametrize("name", ["nothing-beyond", "no-instances"])
def test_a_wrong_rule_of_the_prover_is_noticed(name):
    assert prover.found(name)


def test_the_prover_of_machine_code_as_it_is_raises_no_alarm():
    assert rules.by_sample(rules.sample()) == rules.by_obligation() == ""


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("int-carry-lost", "oracle"),
        ("callee-changes-nothing", "must-hold"),
        pytest.param("registers-not-kept", "test", marks=pytest.mark.full),
    ],
)
def test_a_wrong_rule_of_the_prover_of_machine_code_is_noticed(name, end):
    assert rules.found(name).startswith(f"{end}: ")


@pytest.mark.parametrize(("module", "name"), [(prover, prover.NONE), (rules, rules.NONE), (breaks, "nonce-step")])
def test_a_process_that_never_ends_notices_nothing(module, name, monkeypatch):
    monkeypatch.setattr(module, "SECONDS", 0.01)
    assert module.found(name) == ""


def test_of_a_job_that_dies_each_mutant_has_a_row_of_its_kind_that_is_no_kill():
    dead = Future()
    dead.set_exception(RuntimeError("killed"))
    kind, ids, *_ = next(mutants.jobs((source.KIND,), 0, 0.01, "", QUICK, None, lambda id_: True))
    rows = mutants.finished(dead, kind, [*ids, "another"])
    assert [row.id for row in rows] == [f"{DIED}{ids[0]}", f"{DIED}another"]
    assert {row.kind for row in rows} == {source.KIND}
    assert mutants.verdict(mutants.explained(rows, mutants.SURVIVORS), mutants.SURVIVORS) == (rows, [])


def test_every_table_of_the_processor_has_a_wrong_rule_for_each_entry():
    spoken = {rule.rule for rule in rules.NAMED.values()}
    tables = {
        "processor.WORDS": processor.WORDS,
        "processor.FLAGS": processor.FLAGS,
        "processor.CONDITIONS": processor.CONDITIONS,
        "beyond.BEYOND": beyond.BEYOND,
        "floats.RULES": floats.RULES,
    }
    assert {f"{table}.{entry}" for table, entries in tables.items() for entry in entries} <= spoken


def test_the_lasting_trace_comes_to_the_end_of_the_logs_numbers():
    steps = recorded(LASTING)[2]
    leap = next(
        n
        for n, taken in enumerate(steps)
        if taken.possible and isinstance(taken.step, Age) and len(taken.step.changes) == 3
    )
    assert Status.OK in [taken.status for taken in steps[leap:]]
    assert [taken.status for taken in steps if isinstance(taken.step, Hypercall)][-50:] == [Status.WITNESS_FULL] * 50


# ---- changes of the provers' own source


def test_the_source_of_every_module_that_decides_is_changed_in_many_ways():
    sampled = source.sample()
    assert len(sampled) >= 150 and len({mutant.id for mutant in sampled}) == len(sampled)
    assert {mutant.module for mutant in sampled} == set(source.MODULES)
    assert len({mutant.what for mutant in sampled}) == len(OPERATORS)
    assert source.sample(share=0.1) == sampled[: len(source.sample(share=0.1))]


def test_a_change_of_source_changes_what_it_says_and_nothing_else():
    for mutant in source.sample(share=0.2):
        text = source.text_of(mutant.module)
        edited = mutant.edited(text)
        assert edited != text and len(edited) - len(text) == len(mutant.new) - len(mutant.old)
        assert source.named(mutant.id) == mutant


def test_nearly_every_change_of_source_has_a_test_that_noticed_it():
    known = source.witnesses()
    assert sum(mutant.id in known for mutant in source.sample()) >= 150


def test_every_test_that_noticed_a_change_is_still_there():
    for name in set(source.witnesses().values()):
        file, test = name.split("[")[0].split("::")
        assert f"def {test}(" in (ROOT / file).read_text(), name


@pytest.mark.parametrize(("share", "least"), [(0.01, 1), pytest.param(0.04, 6, marks=pytest.mark.full)])
def test_a_small_sample_of_changes_of_source_is_noticed_within_a_minute(share, least):
    rows = mutants.run((source.KIND,), share=share, workers=2)
    assert len(rows) >= least and [row.id for row in rows if not row.killed_by and not row.reason] == []
    assert all(row.seconds <= source.SECONDS for row in rows if row.killed_by)
