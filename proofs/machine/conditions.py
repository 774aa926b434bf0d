"""What is impossible, given all that is known on a path?"""

import z3

from corollary.proofs import bits, second
from corollary.proofs.engine import EFFORT

QUICK = 2_000_000  # steps for the case-splitting solver, which is faster where it does not get lost
WORDS = ("simplify", "fpa2bv", "propagate-values", "solve-eqs")


class Conditions:
    """What is known on a path. Each question goes to a solver of its own, which then sees everything at once.

    An application of an uninterpreted function is first replaced by a word that is related to nothing else. What is
    impossible then is impossible.
    """

    def __init__(self, facts):
        self.facts, self.known, self.saved = facts, [], []

    def add(self, *conditions):
        """Add conditions to what is known."""
        self.known += [condition for condition in map(bits.truth, conditions) if not z3.is_true(condition)]

    def push(self):
        """Remember what is known now."""
        self.saved.append(len(self.known))

    def pop(self):
        """Go back to what was known at the last `push`."""
        del self.known[self.saved.pop() :]

    def impossible(self, condition):
        """Is a condition impossible, even if function applications may be any words?"""
        formulas = loosened(self.formulas(condition))
        answer = self.answer(z3.Then(*WORDS, "smt").solver(), formulas, QUICK)
        return (
            self.answer(z3.Then(*WORDS, "bit-blast", "sat").solver(), formulas) if answer == z3.unknown else answer
        ) == z3.unsat

    def check(self, condition):
        """Return the solver's answer to whether a condition can hold."""
        return z3.unsat if self.impossible(condition) else self.answer(z3.Solver(), self.formulas(condition))

    def formulas(self, condition):
        """Return all that is known, and a condition."""
        return [*self.known, bits.truth(condition), *(bits.truth(fact) for fact, _ in self.facts.values())]

    def answer(self, solver, formulas, steps=EFFORT):
        """Return a solver's answer within a number of steps."""
        solver.set("rlimit", steps)
        solver.add(*formulas)
        answer = solver.check()
        if answer == z3.unsat:
            second.confirm(solver)
        return answer


def loosened(formulas):
    """Return formulas as one, with a variable for each function application; equal applications share one."""
    whole, found = z3.And(*formulas), []
    for _, node in bits.unseen(whole, set()):
        if bits.is_application(whole, node):
            term = z3.ExprRef(node, whole.ctx)
            found.append((term, z3.Const(f"application {len(found)}", term.sort())))
    return [z3.substitute(whole, *found)]
