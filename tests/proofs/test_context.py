"""Does an answer depend on what was asked before in the same process?"""

import z3

from corollary.language.component import declared
from corollary.proofs import engine, steps
from corollary.proofs.context import Context

FEW = 12  # obligations of a step asked before


def efforts(names, monkeypatch):
    """Ask a few obligations of some steps, and then all of the last; return how each of those went."""
    found, usual = [], engine.Question.verdict

    def noted(self, result, start, rounds, **given):
        found.append((result, rounds, self.context.spent()))
        return usual(self, result, start, rounds, **given)

    monkeypatch.setattr(engine.Question, "verdict", noted)
    *before, last = names
    for name in before:
        for _, _, decide in list(steps.questions(name, declared("vectors")))[:FEW]:
            decide()
    del found[:]
    for _, _, decide in steps.questions(last, declared("vectors")):
        decide()
    monkeypatch.undo()
    return found


def test_the_solver_takes_the_same_steps_whatever_was_asked_before(monkeypatch):
    alone, later = efforts(["delete"], monkeypatch), efforts(["put", "look", "delete"], monkeypatch)
    assert len(alone) > FEW and any(spent for _, _, spent in alone) and alone == later


def test_what_contradicts_is_named_by_its_place():
    (x, y), solver = z3.BitVecs("x y", 8), Context().solver()
    solver.add(z3.ULT(x, 4))
    hints = [z3.FreshBool("hint") for _ in range(2)]
    for hint, wanted in zip(hints, (y == 1, x == 9)):
        solver.add(z3.Implies(hint, wanted))
    assert solver.check(*hints) == z3.unsat and solver.misled(hints) == [1]


def test_values_come_back_to_the_common_context():
    x, solver = z3.BitVec("x", 8), Context().solver()
    solver.add(x * 3 == 9)
    assert solver.check() == z3.sat
    value = solver.model().eval(x, model_completion=True)
    assert value.ctx == z3.main_ctx() and value.as_long() == 3


def test_many_values_are_those_of_each_alone():
    x, y, solver = z3.BitVec("x", 8), z3.BitVec("y", 64), Context().solver()
    free = z3.BitVec("free", 16)
    solver.add(x * 3 == 9, y == 1 << 63)
    assert solver.check() == z3.sat
    terms = [x, z3.ULT(x, 4), y, x, y + 1, z3.ULT(y, 4), z3.LShR(y, 63), free]
    assert solver.model().numbers(terms)[:-1] == [3, True, 1 << 63, 3, (1 << 63) + 1, False, 1]
    assert solver.model().numbers([z3.UGE(free, 0)]) == [True] and solver.model().numbers([]) == []


def test_a_value_may_begin_with_zeros():
    x, y, solver = z3.BitVec("x", 8), z3.BitVec("y", 8), Context().solver()
    solver.add(x == 0, y == 1)
    assert solver.check() == z3.sat
    assert solver.model().numbers([x, y, x]) == [0, 1, 0] and solver.model().numbers([y, x]) == [1, 0]
