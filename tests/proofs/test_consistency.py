"""Does step consistency follow from all of its premises, and from no fewer?"""

import pytest
import z3

from corollary.model.kernel.component import KERNEL
from corollary.proofs import consistency, steps
from corollary.proofs.consistency import PREMISES, AnyRun, argument, fails, follows, kinds
from corollary.proofs.pair import Pair, handles
from corollary.proofs.prove import CONSISTENT, SIGHT, corollary_step
from corollary.proofs.symbolic import TOP, Executor
from corollary.proofs.transition import transitions
from corollary.proofs.unwinding import cells_of
from corollary.spec.kernel.observation import DISCLOSURES, IMPLIED
from tests.proofs.kernel import PARTS

NEEDED_IN = dict.fromkeys(PREMISES, "owned") | {SIGHT.id: "memory"}
"""A part of the state where each premise is needed."""


@pytest.mark.parametrize("part", ["owned"])  # `verify` asks it of every part
def test_step_consistency_follows(part):
    row = follows(corollary_step(KERNEL), part)
    assert (row.result, row.id, row.property) == ("proved", f"{steps.ANY_STATE}/{CONSISTENT.id}-{part}", CONSISTENT.id)


@pytest.mark.parametrize(("premise", "part"), NEEDED_IN.items())
def test_without_a_premise_it_does_not_follow(premise, part):
    row = follows(corollary_step(KERNEL), part, {premise})
    assert row.result == "refuted" and row.reason


def test_what_seeing_a_scalar_tells_is_needed_where_something_is_implied():
    assert {row.table for row in IMPLIED} == {NEEDED_IN[SIGHT.id]}


@pytest.mark.parametrize("part", PARTS)
def test_the_premises_can_all_hold(part):
    for kind in kinds(KERNEL):
        premises, _ = argument(Pair(kind, run=AnyRun), part)
        assert set(premises) == set(PREMISES)
        assert fails(list(premises.values()), False) == z3.sat


def test_a_disclosure_that_is_not_declared_breaks_it(monkeypatch):
    monkeypatch.setattr(consistency, "disclosed", lambda run, sight: False)
    row = follows(corollary_step(KERNEL), "partition")
    assert row.result == "refuted" and {name for each in DISCLOSURES for name in each.about} == {row.reason.split()[-1]}


def test_what_the_solver_cannot_say_in_time_is_unknown(monkeypatch):
    monkeypatch.setattr(consistency, "EFFORT", 1)
    assert follows(corollary_step(KERNEL), "owned").result == "unknown"


def test_every_step_is_of_a_kind():
    for step in transitions(KERNEL):
        shows = [row for row in DISCLOSURES if step.name in row.about]
        alike = [
            kind
            for kind in kinds(KERNEL)
            if handles(kind) == handles(step) and [row for row in DISCLOSURES if kind.name in row.about] == shows
        ]
        assert len(alike) == 1


def test_nothing_is_known_of_how_such_a_step_ends():
    run = AnyRun(kinds(KERNEL)[0], "s", Executor)
    solver = z3.Solver()
    for part in PARTS:
        for cell, _ in cells_of(run.transition, part):
            types = run.executor.index_types(cell)
            solver.add(run.before.read(cell, types, TOP) != run.after.read(cell, types, TOP))
    assert solver.check() == z3.sat


def test_it_is_asked_of_every_part():
    found = {id_ for id_, _, _ in steps.questions(steps.ANY_STATE, KERNEL)}
    assert {f"{steps.ANY_STATE}/{CONSISTENT.id}-{part}" for part in PARTS} <= found
