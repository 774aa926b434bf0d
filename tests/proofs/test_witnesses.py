"""Does a kept state show what it is kept for, and nothing else? A state that does not is worth nothing."""

import json
from dataclasses import replace

import pytest

from corollary.language.builtins import implies
from corollary.language.frontend import translate
from corollary.language.property import Property
from corollary.language.types import u8
from corollary.model.components import ALL
from corollary.model.kernel.component import KERNEL
from corollary.model.kernel.promises import INVARIANTS, THEOREMS
from corollary.proofs import cache, cover, verify, witnesses
from corollary.proofs.prove import Step, corollary_step
from corollary.proofs.transition import step_named
from corollary.spec.kernel.limits import RECORDS
from corollary.spec.kernel.state import Kernel, Ordinal
from corollary.spec.kernel.vocabulary import Status

REACHED = "page_map/reaches-OK"


@pytest.fixture(scope="module")
def step():
    return Step(step_named("page_map", KERNEL))


@pytest.fixture
def nothing_kept(tmp_path, monkeypatch):
    """Start with no kept state, neither in the build nor with the sources."""
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "proofs")
    monkeypatch.setattr(witnesses, "BUILD", tmp_path / "build")
    monkeypatch.setattr(witnesses, "SOURCES", tmp_path / "sources")
    witnesses.of_sources.cache_clear()
    yield
    witnesses.of_sources.cache_clear()


@pytest.fixture(scope="module")
def found(step):
    """Return a state from which a page is mapped, in its kept form."""
    state = witnesses.of_sources(KERNEL.name, "page_map")[REACHED]
    assert step.cover(Status.OK).solver == witnesses.SOLVER
    return json.dumps(state)


def put(state, id_=REACHED):
    """Keep a state for an obligation, whatever it shows."""
    witnesses.save(id_, state)


def changed(found, root, path, value):
    """Return the state with another number at a place."""
    state = json.loads(found)
    state[root] = [[each, number] for each, number in state[root] if each != path] + [[path, value]]
    return state


def is_looked_for(step, status=Status.OK):
    """Does the solver find a state, because no kept state shows it?"""
    row = step.cover(status)
    return row.result == "proved" and row.solver != witnesses.SOLVER


def test_a_state_is_looked_for_once(step, nothing_kept):
    for solver in ("z3", "the model"):
        row = verify.decide_one("page_map", REACHED, 1, lambda: step.cover(Status.OK), "run", (), KERNEL.name)
        assert row["result"] == "proved" and row["solver"].startswith(solver) and "state" not in row


@pytest.mark.parametrize("scalars", [None, [], 7, "p", {"now": "1"}, {"now": float("inf")}, {"p": [1]}], ids=str)
def test_a_state_whose_scalars_are_no_numbers_is_as_good_as_none(step, nothing_kept, found, scalars):
    put(json.loads(found) | {"scalars": scalars})
    assert is_looked_for(step)


def test_who_only_decides_keeps_nothing(step, nothing_kept):
    """Mutants decide in this way: their states are none of the kernel's."""
    assert is_looked_for(step) and is_looked_for(step)


def test_a_state_is_kept_without_what_fills_the_log(found):
    state = json.loads(found)
    assert len([path for path, _ in state["s"] if path[0] == "log"]) < RECORDS
    assert len(witnesses.read(state, KERNEL).roots["s"].log.rows) == RECORDS


@pytest.mark.parametrize(
    "root, path, value",
    [
        ("s", ["idle"], 1),
        ("s", ["partition", 5, "bucket", "credit"], (1 << 64) - 1),
        ("call", ["operation"], 0),
        ("call", ["argument", 1], (1 << 64) - 1),
    ],
    ids=["nobody runs", "not whole", "another operation", "another ending"],
)
def test_a_state_that_does_not_show_it_is_as_good_as_none(step, nothing_kept, found, root, path, value):
    put(json.loads(found))
    assert not is_looked_for(step)
    put(changed(found, root, path, value))
    assert is_looked_for(step)


@pytest.mark.parametrize(
    "root, path, value",
    [
        ("s", ["no_such_table", 3], 1),
        ("s", ["partition", 64, "score"], 1),
        ("s", ["partition", 3], 1),
        ("s", ["partition", "score"], 1),
        ("s", [], 1),
        ("s", ["current"], 64),
        ("s", ["current"], -1),
        ("s", ["current"], "one"),
        ("s", ["current"], 1.0),
        ("s", ["current"], None),
        ("s", [{"current": 1}], 1),
        ("s", ["__class__", "idle"], 1),
        ("s", ["partition", "type"], 1),
        ("s", ["capability", "rows", 3], 1),
    ],
    ids=str,
)
def test_a_state_of_another_kernel_is_as_good_as_none(step, nothing_kept, found, root, path, value):
    put(changed(found, root, path, value))
    assert is_looked_for(step)


DAMAGED = [
    "",
    "{",
    "[]",
    "null",
    "\0" * 80,
    "[" * 200_000,
    json.dumps({"id": REACHED}),
    *(
        json.dumps({"id": REACHED, "state": state})
        for state in (
            7,
            {"transition": "page_map"},
            {"transition": "page_mapp", "property": "", "scalars": {}, "s": []},
        )
    ),
]


@pytest.mark.parametrize("text", DAMAGED)
def test_a_damaged_file_is_as_good_as_none(step, nothing_kept, text):
    put({})
    witnesses.built(REACHED).write_text(text)
    assert is_looked_for(step)


def nobody_runs(s: Kernel) -> bool:
    return s.idle


NEW = {"holds there": (INVARIANTS["RING-3"].function, True), "is broken there": (nobody_runs, False)}


@pytest.mark.parametrize("holds, kept", NEW.values(), ids=NEW)
def test_a_state_stands_as_long_as_new_invariants_hold_in_it(step, nothing_kept, found, monkeypatch, holds, kept):
    put(json.loads(found))
    monkeypatch.setitem(INVARIANTS, "NEW-1", Property("NEW-1", "", holds))
    assert (step.cover(Status.OK).solver == witnesses.SOLVER) == kept


def test_a_case_is_met_by_a_state_of_a_step_that_the_theorem_speaks_of(nothing_kept):
    any_state, id_ = corollary_step(KERNEL), "any state/MEM-23-premise-1"
    theorem = THEOREMS["MEM-23"]
    ((_, node, side), *_) = cover.cases(translate(theorem.function))
    for solver in ("z3", "the model"):
        row = cover.decide(theorem, (id(node), side), id_, any_state)
        assert row.solver.startswith(solver)
        put(row.state, id_)
    other = replace(theorem, about=("ring_assign",))
    assert cover.decide(other, (id(node), side), id_, any_state).solver != witnesses.SOLVER


def in_reach(s: Kernel, ordinal: Ordinal) -> bool:
    return implies(u8(ordinal) > 0, s.idle)


def test_an_index_that_is_none_meets_no_case(nothing_kept):
    any_state, ordinal = corollary_step(KERNEL), Property("X-1", "", in_reach)
    ((_, node, side),) = cover.cases(translate(in_reach))
    state = cover.decide(ordinal, (id(node), side), "any state/X-1", any_state).state
    for number, shown in ((1, True), (Ordinal.bound, False)):
        example = witnesses.read(state | {"scalars": {"?ordinal": number}}, KERNEL)
        assert witnesses.still(lambda each: cover.shows(each, ordinal, (id(node), side), any_state), example) == shown


@pytest.mark.full
def test_what_is_kept_with_the_sources_is_a_state_of_its_component():
    components = {component.name: component for component in ALL}
    files = list(witnesses.SOURCES.rglob("*.json"))
    assert {path.parent.name for path in files} <= components.keys() and files
    for path in files:
        states, component = json.loads(path.read_text()), components[path.parent.name]
        assert [id_ for id_, state in states.items() if witnesses.read(state, component) is None] == []
