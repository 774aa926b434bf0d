"""Does a run of the prover stay honest when the solver, a worker or the cache fails?"""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from model.promises import THEOREMS
from proofs import cache, fingerprint, outside, steps, verify
from proofs.machine import called, handlers, obligations
from proofs.machine.interpreter import CALLED
from proofs.machine.summary import named
from proofs.prove import Row
from spec.wasm.internal import OPERATIONS

ROOT = Path(verify.__file__).parents[1]
KINDS = {       # of obligations: a step and one of its obligations each, and the modules that decide it
    "promise": ("page_map", "page_map/MEM-1", fingerprint.DECIDING),
    "code": ("code of sha256", "sha256_put/machine-code", (obligations.__name__,)),
    "outside": (outside.INTEGERS, f"{next(iter(outside.functions()))}/{outside.PROPERTY}", (outside.__name__,)),
    "called": (called.PART, f"{next(iter(CALLED))}/{called.PROPERTY}", (called.__name__,)),
    "handler": (f"{handlers.PART}{OPERATIONS[0].form.name}", f"{OPERATIONS[0].name}/{handlers.PROPERTY}", (handlers.__name__,))}
FILES = {       # of the prover, and the kinds of obligations that rest on each
    "verify": (), "cache": (), "fingerprint": (), "mutants_rules": (), "wrong_rules": (), "bits": KINDS, "second": KINDS, "loops": ("outside", "handler", "called"), "outside": ("outside",),
    "machine/words": ("code", "handler", "called"), "machine/refine": ("code",), "machine/heap": ("handler", "called"), "machine/floats": ("handler", "called"), "machine/called": ("called",), "steps": ()}


def question(id_, decide):
    return id_, 2, decide


def proved(id_):
    return lambda: Row(id_, 2, id_.split("/")[1], "step", "proved", 0.0)


def crash():
    os.kill(os.getpid(), signal.SIGKILL)


def fault():
    raise RuntimeError("the solver gave up")


@pytest.fixture
def one_step(monkeypatch, tmp_path):
    """A run of one step with the given questions, in a cache of its own."""
    def prepare(**decide):
        monkeypatch.setattr(cache, "FOLDER", tmp_path / "proofs")
        monkeypatch.setattr(cache, "RUNNING", tmp_path / "running")
        monkeypatch.setattr(steps, "names", lambda: ["step"])
        monkeypatch.setattr(steps, "questions", lambda name: [question(f"step/{k}", d) for k, d in decide.items()])
        monkeypatch.setattr(cache, "of_step", lambda name: "step")
        monkeypatch.setattr(verify.code, "BUILDS", {})
        return lambda: {row["id"]: row for row in verify.verify(workers=2)}
    return prepare


def test_a_crash_of_the_solver_is_red_and_the_rest_goes_on(one_step):
    rows = one_step(A=proved("step/A"), B=crash, C=proved("step/C"))()
    assert {id_: row["result"] for id_, row in rows.items()} == {"step/A": "proved", "step/B": "unknown", "step/C": "proved"}
    assert rows["step/B"]["reason"] == "the solver crashed"


def test_an_exception_is_red_and_the_rest_goes_on(one_step):
    rows = one_step(A=fault, B=proved("step/B"))()
    assert rows["step/A"]["result"] == "unknown" and "the solver gave up" in rows["step/A"]["reason"]
    assert rows["step/B"]["result"] == "proved"


def test_what_was_proved_is_not_asked_again_and_is_marked(one_step):
    one_step(A=proved("step/A"))()
    rows = one_step(A=crash)()
    assert rows["step/A"]["result"] == "proved" and rows["step/A"]["cached"]


def test_what_was_not_proved_is_asked_again(one_step):
    assert one_step(A=fault)()["step/A"]["result"] == "unknown"
    assert one_step(A=proved("step/A"))()["step/A"]["result"] == "proved"


def test_a_broken_cache_file_is_no_proof(one_step):
    run = one_step(A=proved("step/A"))
    run()
    for path in cache.FOLDER.iterdir():
        path.write_text('{"result": "pro')
    assert not run()["step/A"]["cached"]


def test_the_key_changes_with_the_step_and_with_the_property():
    assert len({cache.key("page_map", "page_map/MEM-1"), cache.key("page_map", "page_map/MEM-2"),
                cache.key("page_unmap", "page_map/MEM-1")}) == 3


def test_a_step_is_listed_anew_when_another_theorem_speaks_of_it(monkeypatch):
    before = [cache.listing_key(name) for name in ("page_map", "page_unmap", steps.ANY_STATE)]
    widened = replace(THEOREMS["MEM-23"], about=("page_unmap", "page_map"))
    monkeypatch.setitem(THEOREMS, "MEM-23", widened)
    after = [cache.listing_key(name) for name in ("page_map", "page_unmap", steps.ANY_STATE)]
    assert [old != new for old, new in zip(before, after)] == [True, False, True]


def test_a_proof_of_machine_code_is_asked_again_when_a_derived_function_changes(monkeypatch):
    step, id_ = "code of sha256", "sha256_put/machine-code"
    before = cache.key(step, id_), cache.listing_key(step)
    changed = {symbol: replace(function, body=function.body[:-1]) if symbol == "gate_perform" else function for symbol, function in named().items()}
    monkeypatch.setattr(obligations, "named", lambda: changed)
    obligations.model.cache_clear()
    after = cache.key(step, id_), cache.listing_key(step)
    obligations.model.cache_clear()
    assert all(old != new for old, new in zip(before, after))


@pytest.fixture
def edited(monkeypatch):
    """Keys of lists and of obligations before and after an edit of a file of the prover."""
    cached = (fingerprint.made_of, fingerprint.prover, cache.common, cache.listing, obligations.rules, handlers.rules)

    def keys():
        for function in cached:
            function.cache_clear()
        return {kind: (cache.listing_key(step), cache.key(step, id_)) for kind, (step, id_, _) in KINDS.items()}

    def edit(name):
        before, read = keys(), Path.read_text
        changed = ROOT / "proofs" / f"{name}.py"
        assert changed.exists()
        monkeypatch.setattr(Path, "read_text", lambda path, *more: read(path, *more) + ("# another text\n" if path == changed else ""))
        return before, keys()

    yield edit
    monkeypatch.undo()
    keys()


@pytest.mark.parametrize("name", FILES)
def test_a_proof_is_asked_again_when_what_decides_it_changes_and_only_then(edited, name):
    before, after = edited(name)
    assert {kind for kind in KINDS if before[kind][1] != after[kind][1]} == set(FILES[name])


def test_all_steps_are_listed_anew_when_who_lists_them_changes(edited):
    before, after = edited("steps")
    assert all(before[kind][0] != after[kind][0] for kind in KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_loaded_to_decide_an_obligation_is_in_its_fingerprint(kind):
    modules = KINDS[kind][2]
    program = f"import sys, {', '.join(modules)}; print(*(name for name in sys.modules if name.startswith('proofs.')))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {ROOT.joinpath(*name.split(".")).with_suffix(".py") for name in done.stdout.split() if name not in fingerprint.WITHOUT}
    covered = set(fingerprint.made_of(*modules, *fingerprint.DECIDING))
    assert {path for path in loaded - covered if path.exists()} == set() and loaded & covered
