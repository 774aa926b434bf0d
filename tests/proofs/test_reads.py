"""Is a proof decided anew exactly when something that it read has changed?"""

import random
import re
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest

from corollary.language import frontend, ir, reads
from corollary.language.component import COMPONENTS
from corollary.language.frontend import translate
from corollary.language.property import Property
from corollary.model.kernel.component import KERNEL
from corollary.model.kernel.promises import COROLLARIES, INVARIANTS, THEOREMS
from corollary.proofs import cache, fingerprint, outside, steps, verify
from corollary.proofs.machine import called
from corollary.proofs.symbolic import Executor
from corollary.spec.kernel import observation, platform
from corollary.spec.kernel.observation import sees_page
from corollary.spec.kernel.ring import ring_for
from corollary.spec.kernel.state import PartitionId
from corollary.spec.wasm import integers

DIVISION = "integers_i32_div_u/defined"
STEPS = {  # obligations of every kind, and their steps
    "page_append/RING-1": "page_append",
    "page_append/MEM-3": "page_append",
    "page_append/NI-2": "page_append",
    "yield_now/WIT-14": "yield_now",
    "yield_now/reaches-OK": "yield_now",
    "preempt/INT-20": "preempt",
    DIVISION: outside.INTEGERS,
    "sha256_put/machine-code": "code of sha256",
    "machine_grow_memory/called": called.PART,
    "any state/MEM-23-premise-1": "any state",
}
OF_MACHINE_CODE = {"sha256_put/machine-code", "machine_grow_memory/called"}
PROMISES = (INVARIANTS, COROLLARIES, THEOREMS)
EDITED = 2  # among the things that each obligation read, chosen at random


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Return a cache that keeps the obligations and what each read."""
    fingerprint.forget(texts=True)  # other tests of this process changed definitions for a while
    usual, cache.FOLDER = cache.FOLDER, tmp_path_factory.mktemp("kept")
    read = {}
    for step in dict.fromkeys(STEPS.values()):
        with reads.recording() as common:
            questions = steps.questions(step, KERNEL)
        for id_, level, decide in questions:
            if id_ in STEPS:
                verify.decide_one(step, id_, level, decide, "run", (), KERNEL.name, cache.of_answers(common))
                read[id_] = cache.read_of(id_)
    yield read
    cache.FOLDER = usual
    fingerprint.forget(texts=True)


@pytest.fixture
def afresh():
    """Ask for everything anew, before and after."""
    yield fingerprint.forget
    fingerprint.forget(texts=True)


def good():
    """Return the obligations that need not be decided anew."""
    return {id_ for id_ in STEPS if cache.recall(id_) is not None}


def other_body(function):
    """Return the body of a function with one more statement."""
    return (
        (*function.body, ir.Do(ir.Call(function, (), None), 0))
        if function.intrinsic
        else (*function.body, function.body[-1])
    )


def edit(monkeypatch, kind, name):
    """Change the text of a name, in this process."""
    if kind == "function":
        function = translate(fingerprint.found(name))
        monkeypatch.setattr(function, "body", other_body(function))
    elif kind == "branch":
        path, number = name.split("#")
        function = translate(fingerprint.found(path))
        mine = [
            node
            for node in function.body
            if fingerprint.chosen(node) in (None, int(number) if number != "None" else None)
        ]
        monkeypatch.setattr(function, "body", (*function.body, mine[-1]))
    elif kind == "registry":
        monkeypatch.setitem(fingerprint.found(name), "NEW-1", replace(next(iter(dict.values(INVARIANTS))), id="NEW-1"))
    elif kind == "promise":
        id_ = name.removeprefix("kernel/")
        home = next((registry for registry in PROMISES if id_ in registry), INVARIANTS)
        monkeypatch.setitem(home, id_, Property(id_, "another sentence", sees_page))
    elif kind == "option":
        monkeypatch.setenv(name, "another value")
    elif kind == "component":
        known = COMPONENTS[name]
        monkeypatch.setitem(COMPONENTS, name, known)
        replace(known, log="another")  # declares it anew
    elif kind in ("image", "fact", "names"):
        path, *_ = name.split("#")
        module, builder = path.split(":")
        monkeypatch.setattr(
            fingerprint.import_module(module), builder, lambda *arguments: SimpleNamespace(sha256="another")
        )
    else:
        at = fingerprint.path_of(name)
        usual = Path.read_text
        monkeypatch.setattr(
            Path,
            "read_text",
            lambda path, *more, **named: usual(path, *more, **named) + ("\nanother = 1\n" if path == at else ""),
        )


@pytest.mark.parametrize("id_", STEPS)
def test_an_edit_of_anything_that_a_proof_read_has_it_decided_anew(kept, afresh, monkeypatch, id_):
    assert id_ in good()
    chosen = random.Random(id_).sample(sorted(kept[id_]), min(EDITED, len(kept[id_])))
    kinds = {kind: (kind, name) for kind, name in sorted(kept[id_])}
    for kind, name in sorted({*chosen, *kinds.values()}):
        with monkeypatch.context() as patch:
            edit(patch, kind, name)
            afresh(texts=kind in ("code", "text", "closure"))
            assert cache.recall(id_) is None, (kind, name)
        afresh(texts=kind in ("code", "text", "closure"))
    assert id_ in good()


def test_a_proof_with_the_trap_of_its_instruction_in_it_is_decided_anew_when_that_changes(kept, afresh, monkeypatch):
    trap = translate(integers.MEANING["i32_div_u_trap"])
    never = ir.Return(ir.Literal(0, trap.returns), trap.line)
    monkeypatch.setattr(trap, "body", (never,))
    afresh()
    assert cache.recall(DIVISION) is None
    assert outside.decide(translate(integers.MEANING["i32_div_u"])).result == "refuted"


def test_of_the_tools_each_counts_where_it_is_used(kept, afresh, monkeypatch):
    usual = metadata.version
    for tool, left in (("z3-solver", set()), ("pypcode", set(STEPS) - OF_MACHINE_CODE), ("bitwuzla", set())):
        with monkeypatch.context() as patch:
            patch.setattr(metadata, "version", lambda name, tool=tool: "0" if name == tool else usual(name))
            afresh()
            assert good() == left, tool
        afresh()
    monkeypatch.setattr(fingerprint.platform, "python_version", lambda: "4.0")
    afresh()
    assert good() == set()


def test_a_type_and_a_table_of_constants_count(kept, afresh, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(PartitionId, "bound", 63)
        afresh()
        assert not good() & {"page_append/RING-1", "yield_now/WIT-14", "preempt/INT-20"}
    with monkeypatch.context() as patch:
        patch.setattr(platform, "SCTLR_EL2", platform.BOOT_REGISTERS[0])
        afresh()
        assert good() == set(STEPS) - OF_MACHINE_CODE  # the accesses that must be aligned
    afresh()
    assert good() == set(STEPS)


def test_what_is_seen_counts_where_two_runs_are_compared(kept, afresh, monkeypatch):
    monkeypatch.setattr(translate(observation.ring), "body", other_body(translate(observation.ring)))
    afresh()
    assert set(STEPS) - good() == {"page_append/NI-2"}


def test_prose_does_not_count_and_is_told_as_it_is_now(kept, afresh, monkeypatch):
    monkeypatch.setitem(INVARIANTS, "RING-1", replace(INVARIANTS["RING-1"], sentence="another sentence"))
    usual = Path.read_text
    monkeypatch.setattr(
        Path,
        "read_text",
        lambda path, *more, **named: re.sub(r'(?m)^( *""")(?=\w)', r"\1In other words: ", usual(path, *more, **named)),
    )
    afresh(texts=True)
    assert good() == set(STEPS) and verify.cached_row("page_append/RING-1", "kernel")["sentence"] == "another sentence"


def test_an_edit_of_what_a_proof_did_not_read_leaves_it(kept, afresh, monkeypatch):
    function = translate(INVARIANTS["EDGE-3"].function)
    monkeypatch.setattr(function, "body", other_body(function))
    afresh()
    assert set(STEPS) - good() <= {
        "yield_now/reaches-OK",
        "any state/MEM-23-premise-1",
        "sha256_put/machine-code",
        "page_append/NI-2",
        "preempt/INT-20",
    }
    assert {"page_append/RING-1", "page_append/MEM-3", "yield_now/WIT-14", DIVISION} <= good()


def test_another_promise_concerns_what_rests_on_all_of_them(kept, afresh, monkeypatch):
    monkeypatch.setitem(INVARIANTS, "NEW-1", replace(INVARIANTS["CAP-1"], id="NEW-1"))
    afresh()
    of_the_image = {id_ for id_ in STEPS if id_.endswith("/machine-code")}  # its check after boot asks for all of them
    shown_to_happen = {
        id_ for id_ in STEPS if "/reaches-" in id_ or "-premise-" in id_
    }  # by a state that satisfies all of them
    assert set(STEPS) - good() == of_the_image | shown_to_happen


def test_a_promise_that_becomes_another_statement_is_decided_anew(kept, afresh, monkeypatch):
    monkeypatch.setitem(
        INVARIANTS, "RING-1", replace(INVARIANTS["RING-1"], function=dict.get(INVARIANTS, "RING-3").function)
    )
    afresh()
    assert not good() & {"page_append/RING-1", "yield_now/reaches-OK", "any state/MEM-23-premise-1"}
    assert {"yield_now/WIT-14", DIVISION} <= good()


@pytest.fixture
def in_order():
    """Restore the order of the invariants afterwards."""
    usual = dict(INVARIANTS)
    yield
    INVARIANTS.clear()
    INVARIANTS.update(usual)


@pytest.mark.parametrize("kind", ["nothing", "theorem"])
def test_a_proof_does_not_outlive_an_invariant_that_it_rests_on(kept, in_order, afresh, monkeypatch, kind):
    assumed = min(set(cache.recall("page_append/MEM-3")["assumptions"]) - {"MEM-3", "RING-1"})
    if kind == "theorem":
        monkeypatch.setitem(THEOREMS, assumed, INVARIANTS[assumed])
    del INVARIANTS[assumed]
    afresh()
    assert "page_append/MEM-3" not in good() and {"yield_now/WIT-14", "page_append/RING-1"} <= good()


def test_a_premise_is_looked_for_anew_when_its_theorem_speaks_of_other_steps(kept, afresh, monkeypatch):
    monkeypatch.setitem(THEOREMS, "MEM-23", replace(THEOREMS["MEM-23"], about=("ring_assign",)))
    afresh()
    assert set(STEPS) - good() == {"any state/MEM-23-premise-1"}


def test_a_step_is_listed_anew_when_another_theorem_speaks_of_it(kept, afresh, monkeypatch):
    for step in ("page_append", "yield_now"):
        verify.questions_of.cache_clear()
        verify.list_step(step, KERNEL.name)
        assert cache.recall(verify.listed(step))
    for change in ({"about": ("page_unmap", "page_append")}, {"unknown": True}):
        with monkeypatch.context() as patch:
            patch.setitem(THEOREMS, "MEM-23", replace(THEOREMS["MEM-23"], **change))
            afresh()
            assert cache.recall(verify.listed("page_append")) is None, change
        afresh()
    assert cache.recall(verify.listed("page_append"))


# ---- is everything recorded?


def executed(decide, monkeypatch):
    """Return the functions whose statements are executed symbolically, observed where a block is executed."""
    found, usual = set(), Executor.block

    def block(self, statements, frame):
        found.add(frame.function.python)
        return usual(self, statements, frame)

    with monkeypatch.context() as patch:
        patch.setattr(Executor, "block", block)
        decide()
    return found


def reached(recorded):
    """Return everything that can be reached from the recorded names."""
    pending, seen = (
        [what if kind == "function" else what[0] for kind, what in recorded if kind in ("function", "branch")],
        set(),
    )
    while pending:
        python = pending.pop()
        if python not in seen:
            seen.add(python)
            pending += [node.function.python for node in ir.walk(translate(python).body) if isinstance(node, ir.Call)]
    return seen


@pytest.mark.parametrize("id_", [id_ for id_ in STEPS if "machine" not in id_])
def test_whatever_is_executed_was_recorded(id_, monkeypatch):
    with reads.recording() as recorded:
        ran = executed(
            lambda: [decide() for name, _, decide in steps.questions(STEPS[id_], KERNEL) if name == id_], monkeypatch
        )
    of_the_specification = {
        function for function in ran if not function.__module__.startswith("corollary.proofs.")
    }  # except the step that does nothing
    assert of_the_specification and not of_the_specification - reached(recorded)


def test_who_reads_past_the_recorder_is_noticed(monkeypatch):
    def secret():
        function = frontend._cache[ring_for]
        frame = SimpleNamespace(function=function, guard=SimpleNamespace(condition=False))
        Executor(None).block(function.body, frame)

    translate(ring_for)
    with reads.recording() as recorded:
        ran = executed(secret, monkeypatch)
    assert ran - reached(recorded) == {ring_for}


def test_the_prover_remembers_nothing_that_it_does_not_record():
    roots = (
        "corollary.proofs.prove",
        "corollary.proofs.cover",
        "corollary.proofs.outside",
        "corollary.proofs.machine.handlers",
        "corollary.proofs.machine.called",
        "corollary.proofs.machine.obligations",
    )
    names = {"lru_cache", "cache", "cached_property"}
    for module in fingerprint.made_of(*roots):
        forgetful = {alias for source, alias in fingerprint.imported(module) if source == "functools"} & names
        assert not forgetful or not module.startswith("corollary.proofs."), module


def test_what_is_computed_once_is_read_each_time():
    twice = reads.remembered(lambda: translate(ring_for).symbol)
    for _ in range(2):
        with reads.recording() as read:
            twice()
        assert ("function", ring_for) in read


def test_what_only_tells_what_to_try_is_not_recorded():
    with reads.recording() as read, reads.guessing():
        translate(ring_for)
    assert not read


def test_what_a_module_reads_while_it_is_imported_is_its_own():
    assert any(kind == "function" for kind, _ in reads.IMPORTED["corollary.proofs.machine.contracts"])
