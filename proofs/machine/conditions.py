"""What is impossible, after all that is known on a path?"""

import z3

from proofs import bits, second
from proofs.engine import EFFORT

QUICK = 2_000_000       # steps of the solver that splits cases, which is faster where it is not lost
WORDS = ("simplify", "fpa2bv", "propagate-values", "solve-eqs")


class Conditions:
    """What is known on a path. Each question is put to a solver of its own, which then sees the whole at once.

    What a function is that nobody looks into, on whatever arguments, is first taken for a word without any relation to others:
    what is impossible then is impossible.
    """

    def __init__(self, facts):
        self.facts, self.known, self.saved = facts, [], []

    def add(self, *conditions):
        """Know more."""
        self.known += [condition for condition in map(bits.truth, conditions) if not z3.is_true(condition)]

    def push(self):
        """Remember where to go back to."""
        self.saved.append(len(self.known))

    def pop(self):
        """Go back."""
        del self.known[self.saved.pop():]

    def impossible(self, condition):
        """Is a condition impossible, even if functions are any words?"""
        formulas = loosened(self.formulas(condition))
        answer = self.answer(z3.Then(*WORDS, "smt").solver(), formulas, QUICK)
        return (self.answer(z3.Then(*WORDS, "bit-blast", "sat").solver(), formulas) if answer == z3.unknown else answer) == z3.unsat

    def check(self, condition):
        """Can a condition be?"""
        return z3.unsat if self.impossible(condition) else self.answer(z3.Solver(), self.formulas(condition))

    def formulas(self, condition):
        """What is known, and a condition."""
        return [*self.known, bits.truth(condition), *(bits.truth(fact) for fact, _ in self.facts.values())]

    def answer(self, solver, formulas, steps=EFFORT):
        """A solver's answer within some steps."""
        solver.set("rlimit", steps)
        solver.add(*formulas)
        answer = solver.check()
        if answer == z3.unsat:
            second.confirm(solver)
        return answer


def loosened(formulas):
    """Formulas, as one, with a word of its own for each application of a function, the same for the same."""
    whole, found = z3.And(*formulas), []
    for _, node in bits.unseen(whole, set()):
        if bits.is_application(whole, node):
            term = z3.ExprRef(node, whole.ctx)
            found.append((term, z3.Const(f"application {len(found)}", term.sort())))
    return [z3.substitute(whole, *found)]
