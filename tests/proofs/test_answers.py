"""Is a claim proved only when the solver finds its negation impossible, no matter who asks and what it answers?"""

from types import SimpleNamespace

import pytest
import z3

from corollary.model.kernel.component import KERNEL
from corollary.proofs import outside, second
from corollary.proofs.engine import Question
from corollary.proofs.machine import defined
from corollary.proofs.machine.conditions import Conditions
from corollary.proofs.machine.lift import GaveUp
from corollary.proofs.machine.obligations import built
from corollary.proofs.machine.path import Path
from corollary.proofs.machine.premises import Premises
from corollary.proofs.machine.refine import Comparison, Different
from corollary.proofs.machine.summary import named
from corollary.proofs.machine.sweep import Sweep, equal
from corollary.proofs.machine.translation import Mistranslated, prove
from corollary.proofs.symbolic import TOP, Obligation, Store
from corollary.spec.kernel.state import Kernel

X, Y = z3.BitVecs("x y", 64)
TRUE, FALSE = (X + Y, Y + X), (X, X * Y)


def run():
    """Return a step that does nothing, from any state."""
    before = Store({"s"})
    before.shared.update(roots={"s": Kernel})
    transition = SimpleNamespace(operation=None, from_zero=False)
    return SimpleNamespace(before=before, after=before.fork(), scalars={}, transition=transition, component=KERNEL)


def by_engine(one, other):
    return Question(run(), {}).decide([], one == other).result == "proved"


def by_outside(one, other):
    return outside.impossible([], Obligation(TOP, one == other, "", "")) == z3.unsat


def by_function_outside(one, other, monkeypatch):
    executor = SimpleNamespace(facts=[], summaries=set(), obligations=[Obligation(TOP, one == other, "", "")])
    monkeypatch.setattr(outside, "executed", lambda function: executor)
    return outside.decide(SimpleNamespace(symbol="f", requires=())).result == "proved"


def by_sweep(one, other):
    return Sweep([one, other]).same(one, other)


def by_sweeping(one, other):
    return equal(one, other)


def by_premises(one, other):
    premises = Premises({})
    premises.add(one != other)
    return premises.check() == z3.unsat


def by_question_of_comparison(one, other):
    return comparison().certain(one == other)


def by_goals_of_comparison(one, other):
    comparison().prove([(True, "known"), (one == other, "the claim")], Path(0, None, None, {}))
    return True


def by_path_of_machine_code(one, other):
    machine = comparison().machine
    machine.solver.add(one != other)
    return not machine.possible()


def by_conditions(one, other):
    return Conditions({}).impossible(one != other)


def by_check_of_conditions(one, other):
    return Conditions({}).check(one != other) == z3.unsat


def by_translation(one, other):
    prove("the claim", one == other)
    return True


def by_definedness(one, other, monkeypatch):
    monkeypatch.setattr(defined, "conditions", lambda *_: [(one == other, "")])
    return defined.is_total.__wrapped__(named()["capability_id"])


def comparison():
    """Return the comparison of a function of the kernel."""
    return Comparison(built(), named()["capability_id"])


ASKED = (
    by_engine,
    by_outside,
    by_function_outside,
    by_sweep,
    by_sweeping,
    by_premises,
    by_question_of_comparison,
    by_goals_of_comparison,
    by_path_of_machine_code,
    by_conditions,
    by_check_of_conditions,
    by_translation,
    by_definedness,
)
NOT_PROVED = (GaveUp, Mistranslated, Different)
each = pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked.__name__)


def proved(asked, claim, monkeypatch):
    """Does a claim count as proved?"""
    try:
        return asked(*claim, monkeypatch) if "monkeypatch" in asked.__code__.co_varnames else asked(*claim)
    except NOT_PROVED:
        return False


@each
def test_what_is_true_is_proved(asked, monkeypatch):
    assert proved(asked, TRUE, monkeypatch)


@each
def test_what_is_false_is_not_proved(asked, monkeypatch):
    assert not proved(asked, FALSE, monkeypatch)


@each
def test_no_answer_is_no_proof_and_nothing_to_confirm(asked, monkeypatch):
    monkeypatch.setattr(z3.Solver, "check", lambda *_: z3.unknown)
    monkeypatch.setattr(second, "asked_for", lambda *_: "unknown")
    monkeypatch.setattr(second, "confirm", lambda solver: pytest.fail("asked without an answer"))
    assert not proved(asked, TRUE, monkeypatch)


@each
def test_a_second_solver_is_asked_before_anything_is_proved(asked, monkeypatch):
    monkeypatch.setenv(second.SWITCH, "1")
    monkeypatch.setattr(second, "opinion", lambda text: "sat")
    with pytest.raises(second.Disagreement):
        proved(asked, TRUE, monkeypatch)
